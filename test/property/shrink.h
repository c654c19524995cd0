// Makes a graph that fails smaller, for people to read.
#ifndef LIN_TEST_SHRINK_H
#define LIN_TEST_SHRINK_H

#include "graph/graph.h"

// True if `graph`, which may have any shape that lin_graph_check accepts, still fails.
typedef bool shrink_test(void *context, const lin_graph *graph);

// The smallest graph found that fails like `graph`: unreachable blocks, edges, blocks with one
// successor and flags go as long as `still_fails` holds, for some thousand calls. NULL if it
// doesn't fail once its unreachable blocks are gone. The result lives in the arena.
lin_graph *shrink(lin_arena *arena, const lin_graph *graph, shrink_test *still_fails,
                  void *context);

#endif
