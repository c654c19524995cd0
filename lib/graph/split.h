// Blocks on edges.
#ifndef LIN_GRAPH_SPLIT_H
#define LIN_GRAPH_SPLIT_H

#include "graph.h"

// A copy of `graph` with a block on each edge of which `on` says so: [num_edges]. Blocks keep their
// numbers; the new ones come behind them, in the order of their edges. They cost nothing, and have
// no name. O(edges).
lin_graph *lin_graph_split_edges(lin_arena *arena, const lin_graph *graph, const bool *on);

#endif
