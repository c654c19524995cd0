// Runs one thread through a graph or a flow, its branches decided by an oracle, and records which
// original blocks it runs. A graph and the flow made from it must give the same trace for every
// oracle.
#ifndef LIN_CHECK_INTERPRET_H
#define LIN_CHECK_INTERPRET_H

#include "linearize/flow.h"

// Decides a branch: which of its `degree` > 1 edges `block` takes on its visit number `visit`,
// counted from 0.
typedef uint32_t (*lin_decide)(void *data, lin_block block, uint32_t visit, uint32_t degree);

typedef struct lin_oracle {
  lin_decide decide;
  void *data;
} lin_oracle;

// An oracle that draws from a stream keyed by (block, visit). `name[block]` stands for a block, so
// that graphs with different numbers see the same outcomes; NULL: the number itself.
typedef struct lin_stream {
  uint64_t seed;
  const lin_block *name;
} lin_stream;

// lin_decide for a lin_stream. Even seeds draw each outcome anew; odd ones take the edges in turn,
// from a random one on, so that no loop with an exit holds a thread for long.
uint32_t lin_stream_decide(void *stream, lin_block block, uint32_t visit, uint32_t degree);

// How a run ends.
typedef enum {
  LIN_RAN_RETURN,
  LIN_RAN_TRAP,
  LIN_RAN_LIMIT, // ran as many original blocks as allowed
  LIN_RAN_LOST,  // in a flow: reached the block that is never reached, or only guards for ever
} lin_ending;

typedef struct lin_trace {
  uint32_t length;
  lin_block *block; // [length] for a flow, of the plan's graph
  lin_ending ending;
} lin_trace;

// Runs at most `limit` blocks. O(limit + blocks).
lin_trace lin_run_graph(lin_arena *arena, const lin_graph *graph, lin_oracle oracle,
                        uint32_t limit);

// Runs at most `limit` original blocks. O(limit * guards passed + blocks).
lin_trace lin_run_flow(lin_arena *arena, const lin_flow *flow, lin_oracle oracle, uint32_t limit);

// Performs what `edge` assigns on guard[], one number for each region.
void lin_flow_assign(const lin_flow *flow, lin_edge edge, uint32_t *guard);

// The edge that the guard block `block` takes under guard[].
lin_edge lin_flow_test(const lin_flow *flow, lin_block block, const uint32_t *guard);

#endif
