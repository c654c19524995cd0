// The minimal regions of all unstructured edges, numbered: what people talk about, whatever the
// mode makes of them.
//
// A number depends on nothing but the function: regions come in the order of their first blocks in
// reverse post-order, those that begin at one block from the inside out.
#ifndef LIN_LINEARIZE_MINIMAL_H
#define LIN_LINEARIZE_MINIMAL_H

#include "algorithm2_regions.h"

typedef struct lin_minimal {
  lin_regions *regions;
  uint32_t *number;  // [regions->num_regions] 0, 1, ...
  uint32_t *region;  // [regions->num_regions] the region by its number
  uint32_t *of_edge; // [num_edges] the region that an edge makes; LIN_NONE for structured ones
} lin_minimal;

// O(edges * (log blocks + nesting)).
lin_minimal *lin_minimal_build(lin_arena *arena, const lin_analysis *analysis);

// The numbers of before for the regions of a graph that has got more blocks since: of the innermost
// region that had all blocks of it that were there, LIN_NONE if there is none. `was[b]` is the
// block of before, of [num_blocks], or LIN_NONE. Returns [after->regions->num_regions], by number.
// O(blocks * nesting^2).
uint32_t *lin_minimal_names(lin_arena *arena, const lin_minimal *before, const lin_minimal *after,
                            const lin_block *was, uint32_t num_blocks);

// The innermost region that contains `edge`, both its ends unless it is doomed; or LIN_NONE.
// O(nesting).
uint32_t lin_region_of_edge(const lin_analysis *analysis, const lin_regions *regions,
                            lin_edge edge);

#endif
