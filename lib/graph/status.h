// How a step says that its input is refused: one line, with the block at fault.
#ifndef LIN_GRAPH_STATUS_H
#define LIN_GRAPH_STATUS_H

#include "graph.h"

typedef struct lin_status {
  const char *reason; // NULL if all is well; else what is wrong, without the block's name
  lin_block block;    // the block at fault, LIN_NONE if it is none in particular
} lin_status;

// What is wrong with the shape of a graph, if anything. O(blocks + edges).
static inline lin_status lin_status_of(const lin_graph *graph) {
  lin_status status = {.block = LIN_NONE};
  status.reason = lin_graph_check(graph, &status.block);
  return status;
}

static inline bool lin_ok(lin_status status) { return status.reason == NULL; }

#endif
