// Two nested loops left in every way C has: break and continue of either loop, and goto out of
// both.
//
//     for rows:                          found ◀───────────── goto
//       for columns:                     give_up ◀── break of the outer loop
//         skip      -> next column       (continue)
//         row ends  -> next row          (break)
//         hopeless  -> next row          (goto: a continue of the outer loop, with work of its own)
#include "linearize_device.h"

KERNEL_BODY(break_continue_goto) {
  unsigned x = lin_mix(thread), result = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned row;
    for (row = 0; row < 8; row++) {
      unsigned base = in[x + row];
      if ((base & 63) == 1)
        break;
      for (unsigned column = 0; column < 16; column++) {
        unsigned cell = in[base + column];
        if (cell & 1)
          continue;
        x = lin_mix(x + cell);
        if ((x & 31) == 2)
          break;
        if ((x & 31) == 3)
          goto hopeless;
        if ((x & 127) == 4)
          goto found;
        result += in[x] >> 3;
      }
      result ^= in[result];
      continue;
    hopeless:
      result = lin_mix(result + in[base >> 8]);
    }
    result += in[x ^ row];
    goto next;
  found:
    result ^= lin_mix(in[result + row]);
  next:
    x = lin_mix(x + result);
  }
  return x ^ result;
}
