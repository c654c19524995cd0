// Whether items of a warp differ in how often they go around a loop, or in whether they reach it:
// at branches that are neither LIN_COHERENT nor LIN_UNIFORM.
#ifndef LIN_REFILL_APART_H
#define LIN_REFILL_APART_H

#include "graph/loops.h"

// Whether they leave a loop, which isn't irreducible, in different rounds: such a branch leads out
// of it, or to one that does. All blocks of the graph are reachable. O(edges log blocks).
bool lin_refill_is_left(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                        uint32_t loop);

// Whether some pass it by. `is_init`: [num_blocks] where threads come before it. O(blocks + edges).
bool lin_refill_is_passed(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                          uint32_t loop, const bool *is_init);

#endif
