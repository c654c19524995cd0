// A graph from one node on, with a list of work: nodes that were seen are skipped, the goal ends a
// search, a list that is full ends the thread.
#include "linearize_device.h"

THREAD_KERNEL(work_list) {
  unsigned sum = 0, x = lin_mix(thread);
  for (unsigned round = 0; round < rounds; round++) {
    unsigned list[24], head = 0, tail = 0, seen[4] = {}, goal = x >> 24 & 127;
    list[tail++] = x & 127;
    while (head < tail) {
      unsigned node = list[head++];
      if (node == goal)
        break;
      if (seen[node / 32] >> (node & 31) & 1)
        continue;
      seen[node / 32] |= 1u << (node & 31);
      unsigned degree = in[node + 300] & 3;
      for (unsigned k = 0; k < degree; k++) {
        unsigned next = in[node * 4 + k] & 127;
        if (seen[next / 32] >> (next & 31) & 1)
          continue;
        if (tail == 24) {
          *result = sum + head;
          return;
        }
        list[tail++] = next;
      }
    }
    sum = sum * 9 + head + tail;
    x = lin_mix(x + sum);
  }
  *result = sum;
}
