// A byte-code interpreter for a machine with a stack: programs halt, trap or run out of fuel.
#include "linearize_device.h"

THREAD_KERNEL(bytecode) {
  unsigned seed = lin_mix(thread), all = 0, traps = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned stack[8] = {}, top = 1, pc = 0, fuel = 60, accumulator = seed;
    while (fuel--) {
      unsigned code = in[seed + pc] >> 7;
      pc = (pc + 1) & 31;
      switch (code & 15) {
      case 0: accumulator += code; break;
      case 1: accumulator = lin_mix(accumulator); break;
      case 2:
        if (top == 8)
          goto trap;
        stack[top++] = accumulator;
        break;
      case 3:
        if (top == 0)
          goto trap;
        accumulator ^= stack[--top];
        break;
      case 4: pc = (pc + (code >> 4)) & 31; break;
      case 5:
        if (accumulator & 1)
          pc = code >> 5 & 31;
        break;
      case 6:
        if (top == 0)
          goto trap;
        accumulator += stack[top - 1];
        break;
      case 7: accumulator = accumulator << 5 | accumulator >> 27; break;
      case 8:
        if ((accumulator & 7) == 0)
          goto halt;
        break;
      case 9: accumulator *= 9; break;
      default: accumulator -= code >> 3; break;
      }
    }
    all += 5;
  halt:
    all = all * 3 + accumulator;
    seed = lin_mix(seed + all);
    continue;
  trap:
    if (++traps == 4) {
      *result = all ^ accumulator;
      return;
    }
    seed = lin_mix(seed + traps);
  }
  *result = all;
}
