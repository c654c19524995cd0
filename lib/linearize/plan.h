// The plan: what each region becomes, a structured tree by construction.
//
// A region's blocks are gathered into leaves, in reverse post-order. A leaf is one block, or a
// structured subregion (Algorithm 3) that keeps its edges and that all its threads leave for the
// same place. Algorithm 1 strings the leaves together, each behind a guard, and puts a loop around
// the span of each retreating edge:
//
//     node := leaf               run the leaf; its edges out of it arrive at the node's end
//           | seq  n1 n2 ...
//           | if   [i..j] n      run n if the guard names a leaf i..j
//           | loop [i..j] n      run n, again while the guard names a leaf i..j
//
// The guard of a region names the leaf that is to run next. Every edge out of a leaf sets it: to the
// leaf of its destination, or past the last leaf if it leaves the region.
//
// Leaves are numbered within their region: 0 .. num_leaves - 1 in reverse post-order. The interval
// of a loop says "a leaf of this loop is next": when its test is reached, every leaf ahead in the
// loop has had its turn, so only a retreating edge can have set the guard to one of them.
#ifndef LIN_LINEARIZE_PLAN_H
#define LIN_LINEARIZE_PLAN_H

#include "regions.h"

typedef enum { LIN_LEAF, LIN_SEQ, LIN_IF, LIN_LOOP } lin_node_kind;

typedef struct lin_node {
  lin_node_kind kind;
  uint32_t region;
  uint32_t first, last; // the guard of if and loop; the leaf itself, twice, for a leaf
  uint32_t child;       // first child, or LIN_NONE
  uint32_t next;        // next sibling, or LIN_NONE
} lin_node;

typedef struct lin_plan {
  const lin_analysis *analysis;
  lin_regions *regions;   // those dissolved into the region around them are gone
  uint32_t *outer_leaf;   // [num_regions] the leaf of the parent region that contains this one
  uint32_t *leaf_of;      // [num_blocks] the leaf of its innermost region, LIN_NONE without region
  uint32_t *first_leaf;   // [num_regions] into entry[]
  uint32_t *num_leaves;   // [num_regions]
  lin_block *entry;       // the block at which a leaf is entered
  uint32_t *root;         // [num_regions] node
  lin_node *node;
  uint32_t num_nodes;
  uint32_t num_retreating; // edges that the loops of the plan stand for
} lin_plan;

typedef struct lin_plan_options {
  bool keep_subregions; // Algorithm 3; without it every block is a leaf
} lin_plan_options;

// Plans all regions. Changes `regions`: an inner region that is not inside one leaf of the region
// around it is dissolved into that region. O((edges + blocks * nesting) log blocks).
lin_plan *lin_plan_build(lin_arena *arena, const lin_analysis *analysis, lin_regions *regions,
                         const bool *seed, const lin_plan_options *options);

// The leaf of `region` that contains `block`, or LIN_NONE. O(nesting).
uint32_t lin_plan_leaf(const lin_plan *plan, uint32_t region, lin_block block);

// The region nested directly in `region` (LIN_NONE: in none) that contains `block`, or LIN_NONE.
uint32_t lin_plan_inner(const lin_plan *plan, uint32_t region, lin_block block);

#endif
