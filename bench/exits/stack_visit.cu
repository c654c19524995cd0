// Visits a graph from a stack in a thread's own memory: nodes that were seen before are skipped.
#include "linearize_device.h"

THREAD_KERNEL(stack_visit) {
  unsigned stack[16], total = 0;
  for (unsigned search = 0; search < rounds; search++) {
    unsigned top = 1, node, mark, record, children, seen = 0, goal = in[thread + search] & 0xfff;
    stack[0] = in[thread * 3 + search * 7];
    while (top != 0) {
      node = stack[--top];
      mark = 1u << (node >> 7 & 31);
      if ((seen & mark) != 0)
        continue;
      seen |= mark;
      record = lin_mix(in[node]);
      if ((record & 0xfff) == goal) {
        *result = record ^ total;
        return;
      }
      total += record >> 20;
      if ((record >> 3 & 15) == 9)
        break;
      children = record & 3;
      for (unsigned i = 0; i < children && top < 16; i++)
        stack[top++] = record * (2 * i + 1) + node;
    }
    total = total * 3 + seen;
  }
  *result = total;
}
