// A Latin square of 4 by 4 with some numbers given, by backtracking: the first solution, or its
// absence, ends a puzzle; a puzzle that takes too long ends the thread.
#include "linearize_device.h"

THREAD_KERNEL(sudoku_small) {
  unsigned seed = lin_mix(thread), all = 0, steps = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned given = 0, tried[16], row[4] = {}, column[4] = {};
    for (unsigned cell = 0; cell < 16; cell++)
      tried[cell] = 0;
    for (unsigned k = 0; k < 5; k++) { // a clue where it does not clash at once
      unsigned cell = in[seed + k] & 15, bit = 1u << (in[seed + k] >> 8 & 3);
      if ((given >> cell & 1) || (row[cell / 4] & bit) || (column[cell % 4] & bit))
        continue;
      given |= 1u << cell;
      row[cell / 4] |= bit;
      column[cell % 4] |= bit;
    }
    int cell = 0;
    bool forward = true;
    while (cell >= 0 && cell < 16) {
      if (given >> cell & 1) {
        cell += forward ? 1 : -1;
        continue;
      }
      unsigned r = cell / 4, c = cell % 4, last = tried[cell];
      if (last) { // take back
        row[r] &= ~(1u << (last - 1));
        column[c] &= ~(1u << (last - 1));
      }
      forward = false;
      for (unsigned digit = last; digit < 4; digit++)
        if (!((row[r] | column[c]) >> digit & 1)) {
          tried[cell] = digit + 1;
          row[r] |= 1u << digit;
          column[c] |= 1u << digit;
          forward = true;
          break;
        }
      if (!forward)
        tried[cell] = 0;
      if (++steps > 400) {
        *result = all * 2 + 1;
        return;
      }
      cell += forward ? 1 : -1;
    }
    all = all * 31 + (cell < 0 ? 7 : tried[5]) + given;
    seed = lin_mix(seed + all);
  }
  *result = all * 2;
}
