// Two walks through random numbers that meet, or not: returns from two loops, breaks from one.
#include "linearize_device.h"

THREAD_KERNEL(collision_chains) {
  unsigned seed = lin_mix(thread), sum = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned slow = seed & 511, fast = slow, steps = 0;
    do {
      slow = in[slow] >> 3 & 511;
      for (unsigned k = 0; k < 2; k++) {
        fast = in[fast] >> 3 & 511;
        if ((in[fast] & 127) == 1) {
          *result = sum + steps;
          return;
        }
        if ((in[fast] & 31) == 2)
          goto stop;
      }
      steps++;
    } while (slow != fast && steps < 64);
    sum += slow;
  stop:
    sum = sum * 3 + steps;
    seed = lin_mix(seed + sum);
  }
  *result = sum;
}
