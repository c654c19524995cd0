// Counts the solutions of the n-queens puzzle by backtracking, after the paper's nqueen: each
// thread takes a board whose first rows are already set, and walks the rest with an explicit stack.
//
// Unstructured: one loop with four ways back to its head (place, solution, retreat, skip), two
// exits (stack empty, budget spent), and a short circuit that rejects a square.
//
//     loop ─▶ free square? ─▶ legal? ─▶ last row? ─▶ place ──▶ loop
//              │ no            │ no        └▶ count ─▶ retreat ─▶ loop
//              └▶ retreat      └▶ loop               └▶ bottom: done
#include "linearize_device.h"

KERNEL_BODY(nqueen) {
  const unsigned queens = 9, all = (1u << queens) - 1;
  unsigned columns[9], left[9], right[9], untried[9];
  unsigned blocked = in[thread], solutions = 0, checksum = 0;

  int row = 0;
  columns[0] = 1u << blocked % queens;
  left[0] = columns[0] << 1;
  right[0] = columns[0] >> 1;
  untried[0] = all & ~(columns[0] | left[0] | right[0]);

  for (unsigned budget = 64 * rounds; budget > 0; budget--) {
    unsigned free = untried[row];
    if (free == 0)
      goto retreat;
    {
      unsigned square = free & (0u - free);
      untried[row] = free ^ square;
      // Some squares are holes: one test by the thread's mask, one by the board in memory.
      if ((square & blocked >> 8) && ((unsigned)row & 1 || in[checksum + square] & 3))
        continue;
      if ((unsigned)row == queens - 3) {
        solutions++;
        checksum = lin_mix(checksum ^ in[solutions + square]);
        goto retreat;
      }
      unsigned c = columns[row] | square;
      unsigned l = (left[row] | square) << 1;
      unsigned r = (right[row] | square) >> 1;
      unsigned next = all & ~(c | l | r);
      if (next == 0 && (in[c] & 1))
        continue;
      row++;
      columns[row] = c;
      left[row] = l;
      right[row] = r;
      untried[row] = next;
      continue;
    }
  retreat:
    if (--row < 0)
      break;
  }
  return solutions ^ checksum << 8;
}
