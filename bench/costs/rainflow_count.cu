// Stress cycles by the rainflow rule: turning points on a stack; ranges are compared in nested
// if-else-if, in a loop that is left in several ways.
#include "linearize_device.h"

KERNEL_BODY(rainflow_count) {
  unsigned half_cycles = 0, damage = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    int stack[12];
    int top = 0;
    int last = 0, before = 0;
    unsigned at = thread * 40 + round * 3001;
    for (unsigned i = 0; i < 40; i++) {
      int x = (int)(in[at + i] & 1023) - 512;
      if ((last - before) * (x - last) > 0) { // no turning point
        last = x;
        continue;
      }
      if (top == 12) {
        damage += 1000;
        break;
      }
      stack[top++] = last;
      while (true) {
        if (top < 3)
          break;
        int X = stack[top - 1] - stack[top - 2], Y = stack[top - 2] - stack[top - 3];
        X = X < 0 ? -X : X;
        Y = Y < 0 ? -Y : Y;
        if (X < Y) {
          break;
        } else if (top == 3) {
          half_cycles++;
          if (Y > 800) {
            damage += (unsigned)Y;
            break;
          } else if (Y > 400) {
            damage += (unsigned)Y / 2;
          } else if (Y > 100) {
            damage += 10;
          } else {
            break;
          }
          stack[0] = stack[1];
          stack[1] = stack[2];
          top = 2;
        } else if (Y < 16) {
          top -= 2;
          stack[top - 1] = stack[top + 1];
          if (X > 900)
            break;
        } else {
          half_cycles += 2;
          damage += Y > 600 ? (unsigned)Y * 3 : (unsigned)Y;
          stack[top - 3] = stack[top - 1];
          top -= 2;
        }
      }
      before = last;
      last = x;
    }
    damage = lin_mix(damage + (unsigned)top);
  }
  return damage ^ half_cycles;
}
