// How a step says that its input is refused: one line, with the block at fault.
#ifndef LIN_GRAPH_STATUS_H
#define LIN_GRAPH_STATUS_H

#include "graph.h"

typedef struct lin_status {
  const char *reason; // NULL if all is well; else what is wrong, without the block's name
  lin_block block;    // the block at fault, LIN_NONE if it is none in particular
} lin_status;

static inline bool lin_ok(lin_status status) { return status.reason == NULL; }

#endif
