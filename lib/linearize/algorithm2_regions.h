// Minimal unstructured regions: Definition 4 and Algorithm 2 of the paper.
//
// The region of an unstructured edge is the smallest set of blocks that contains both ends and is
// entered only from D, its common immediate dominator (CIDOM), and left only to P, its common
// immediate post-dominator (CIPDOM); neither is in the set. D may be P: the body of a loop.
//
//            D ──────┐         the region of the edge a->c is {a, b, c}:
//            │       │         D and P bound it, and d is another arm
//        ┌── a ──┐   d         of D's branch, not in it
//        ▼       ▼   │
//        b ────▶ c   │
//        └──▶ P ◀┴───┘
//
// Regions nest or are disjoint: where two would overlap partly (an irreducible loop with two exits
// to one place), the later one takes the earlier one in whole.
//
// Blocks of different fates (dominators.h) are never in one region: a region whose threads cannot
// return may be entered from several places, over doomed edges, and has no P.
#ifndef LIN_LINEARIZE_ALGORITHM2_REGIONS_H
#define LIN_LINEARIZE_ALGORITHM2_REGIONS_H

#include "definition1_edges.h"

typedef struct lin_regions {
  uint32_t num_regions;
  uint32_t *owner;      // [num_blocks] the innermost region of a block, or LIN_NONE
  uint32_t *parent;     // [num_regions] the region around a region, or LIN_NONE
  lin_block *dominator; // [num_regions] D, or LIN_NONE: the region contains the entry block
  lin_block *exit;      // [num_regions] P, or LIN_NONE: none of its threads returns
  bool *gone;           // [num_regions] no longer a region: refused, or part of the one around it
} lin_regions;

// Finds the minimal regions of the edges for which `seed[e]` is set. Near-linear:
// O(edges log blocks).
lin_regions *lin_regions_build(lin_arena *arena, const lin_analysis *analysis, const bool *seed);

// No regions yet, with room for `capacity`. O(blocks + capacity).
lin_regions *lin_regions_none(lin_arena *arena, uint32_t num_blocks, uint32_t capacity);

struct lin_between;

// Adds one region of what lies between two blocks (between.h). Returns false if another region has
// some of it: then it adds nothing. O(blocks between them).
bool lin_regions_add(lin_regions *regions, const struct lin_between *between);

// One region of every block but the entry and the exit (a block flagged LIN_RETURN).
lin_regions *lin_regions_whole(lin_arena *arena, const lin_analysis *analysis);

// Removes the regions for which `removed[r]` is set. What was nested in them belongs to the next
// region around; removed[] must be closed: with a region, all regions around it.
void lin_regions_remove(lin_regions *regions, uint32_t num_blocks, const bool *removed);

// The innermost region around both regions, or LIN_NONE, as either of them may be. O(nesting).
uint32_t lin_region_around(const lin_regions *regions, uint32_t a, uint32_t b);

// The innermost region that contains both blocks, or LIN_NONE. O(nesting).
uint32_t lin_region_of_blocks(const lin_regions *regions, lin_block a, lin_block b);

// True if `block` is in `region` or in one nested in it. O(nesting).
bool lin_region_contains(const lin_regions *regions, uint32_t region, lin_block block);

#endif
