// One exit for all returns.
#ifndef LIN_GRAPH_UNITE_H
#define LIN_GRAPH_UNITE_H

#include "graph.h"

// A copy of `graph` with one more block, the exit, to which every block that returned now leads:
// the returns are edges like others, and the exit is the only block that returns. A graph without
// returns is copied as it is. Blocks keep their numbers, the exit is the last. O(edges).
lin_graph *lin_graph_unite_returns(lin_arena *arena, const lin_graph *graph);

// Has `united`, made of `graph` before more was known of its blocks and edges, know that, too.
// O(edges).
void lin_graph_update_united(lin_arena *arena, const lin_graph *graph, lin_graph *united);

#endif
