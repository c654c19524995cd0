// From counters to blocks: the edges without counters in an order in which each is the last unknown
// one of some block. The tree of counters.h is taken apart from its leaves.
//
//     A ── B ── C        leaf C: B-C is what enters C less what else does; then A-B by B; done
#ifndef LIN_COUNTS_SOLVE_H
#define LIN_COUNTS_SOLVE_H

#include "counters.h"

typedef struct lin_count_solver lin_count_solver;

// For counters that lin_counters_choose or lin_counters_of_blocks made for `graph`; both have to
// live as long as the solver, which is in the arena. NULL if some edge doesn't follow from the
// counters, which are others then. O(edges).
lin_count_solver *lin_count_solver_new(lin_arena *arena, const lin_graph *graph,
                                       const lin_counters *counters);

// How often each block was entered, [num_blocks], by counter[0], counter[stride], ... O(edges).
void lin_count_solve(lin_count_solver *solver, const uint32_t *counter, uint64_t stride,
                     uint64_t *entries);

#endif
