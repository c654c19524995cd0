// The solutions of the n-queens puzzle, n being `rounds`, at most 16: a thread sets the first five
// rows as the digits of its number say, and counts by backtracking in how many ways the others can
// follow. Most of these beginnings are impossible.
//
// Takes any order of threads.
#include "thread.cuh"

enum { PREFIX = 5, MOST = 16 };

APPLICATION(queens) {
  unsigned n = rounds < PREFIX + 1 ? PREFIX + 1 : rounds < MOST ? rounds : MOST;
  unsigned all = (1u << n) - 1, columns = 0, left = 0, right = 0, digits = thread;
  for (unsigned row = 0; row < PREFIX; row++) {
    unsigned queen = 1u << digits % n;
    digits /= n;
    if ((columns | left | right) & queen)
      return 0;
    columns |= queen;
    left = (left | queen) << 1;
    right = (right | queen) >> 1;
  }
  if (digits)
    return 0;
  unsigned untried[MOST], lefts[MOST], rights[MOST], placed[MOST], row = PREFIX, solutions = 0;
  lefts[row] = left, rights[row] = right, placed[row] = columns;
  untried[row] = all & ~(columns | left | right);
  for (;;) {
    if (untried[row] == 0) {
      if (row == PREFIX)
        break;
      row--;
      continue;
    }
    unsigned queen = untried[row] & (0u - untried[row]);
    untried[row] ^= queen;
    if (row == n - 1) {
      solutions++;
      continue;
    }
    placed[row + 1] = placed[row] | queen;
    lefts[row + 1] = (lefts[row] | queen) << 1;
    rights[row + 1] = (rights[row] | queen) >> 1;
    row++;
    untried[row] = all & ~(placed[row] | lefts[row] | rights[row]);
  }
  return in[solutions] ^ solutions;
}
