// Going up a tree past what has been looked at, in nearly no time: a set of disjoint paths.
//
//     next[n] = n           n is still to be looked at
//     next[n] = parent[n]   it has been; who goes up passes it, and next time takes the short way
#ifndef LIN_GRAPH_SKIP_H
#define LIN_GRAPH_SKIP_H

#include <stdint.h>

// The first of `node` and what `next` leads to that is still to be looked at. O(log nodes), over
// many calls.
static inline uint32_t lin_skip(uint32_t *next, uint32_t node) {
  uint32_t end = node;
  while (next[end] != end)
    end = next[end];
  while (next[node] != end) {
    uint32_t after = next[node];
    next[node] = end;
    node = after;
  }
  return end;
}

#endif
