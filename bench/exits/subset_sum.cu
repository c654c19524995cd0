// A subset with a given sum, depth first with pruning: found ends the search, a budget the thread.
#include "linearize_device.h"

THREAD_KERNEL(subset_sum) {
  unsigned x = lin_mix(thread), total = 0, budget = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned goal = 60 + (x & 63), taken = 0, sum = 0;
    int item = 0;
    bool take = true;
    for (;;) {
      if (++budget > 300) {
        *result = total ^ taken;
        return;
      }
      if (item == 8 || !take) { // back to the last one that was taken
        while (item > 0 && !(taken >> (item - 1) & 1))
          item--;
        if (item == 0)
          break;
        sum -= in[x + item - 1] & 31;
        taken &= ~(1u << (item - 1));
        take = true;
        continue;
      }
      unsigned weight = in[x + item] & 31;
      if (sum + weight > goal) {
        item++;
        take = item < 8;
        continue;
      }
      sum += weight;
      taken |= 1u << item++;
      if (sum == goal)
        goto found;
    }
    total += 17;
  found:
    total = total * 5 + taken;
    x = lin_mix(x + total);
  }
  *result = total;
}
