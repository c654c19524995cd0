// The plan: what each region becomes, a structured tree by construction.
//
// A region's blocks are gathered into leaves, in reverse post-order. A leaf is one block, or a
// structured subregion (Algorithm 3) that keeps its edges and that all its threads leave for the
// same place. The leaves hang in a tree:
//
//     node := leaf           run the leaf; its edges out of it arrive at the node's end
//           | branch l arms  run leaf l; an edge to the leaf that an arm begins with goes straight
//                            into that arm, and the arms and the other edges meet at the end
//           | seq  n1 n2 ...   with a guard: what it holds tests others, an edge into it sets this
//           | if   guard n m   run n if the guard says so, else m, if there is one
//           | loop guard n   run n, again while the guard says so; without a guard the end of n
//                            goes around, and edges that leave the loop go straight behind it
//
// A guard is a variable. An edge that leaves a leaf sets the guards of the nodes through which it
// must pass to reach its destination; any other edge leaves them at "not taken". So a guard tells
// what the last edge was, and nothing else:
//   - an integer names which of several leaves or loops is next, and a node tests for an interval
//     low..high of it;
//   - a flag stands for one node alone.
//
// Leaves are numbered within their region: 0 .. num_leaves - 1 in reverse post-order.
#ifndef LIN_LINEARIZE_PLAN_H
#define LIN_LINEARIZE_PLAN_H

#include "algorithm2_regions.h"

typedef enum { LIN_LEAF, LIN_BRANCH_NODE, LIN_SEQ, LIN_IF, LIN_LOOP } lin_node_kind;

typedef struct lin_node {
  lin_node_kind kind;
  uint32_t region;
  uint32_t first, last; // leaves: the one it runs, those its guard lets in, the span of a loop; for
                        // a branch where the region is entered LIN_NONE
  uint32_t guard;       // if, loop, seq: into plan->guard, or LIN_NONE
  uint32_t low, high;   // if, loop: the values of the guard for which it is taken
  uint32_t parent;      // LIN_NONE for the root of a region
  uint32_t child;       // first child, or LIN_NONE; the arms of a branch
  uint32_t next;        // next sibling, or LIN_NONE
} lin_node;

typedef struct lin_guard {
  uint32_t region;
  bool is_flag;       // values 0 and 1
  uint32_t otherwise; // its value where the last edge set nothing: no node takes it
  uint32_t loop;      // loop node around which its value is carried, LIN_NONE: it isn't
  bool everywhere;    // its values are leaves, and it is carried around every loop of its region
} lin_guard;

typedef struct lin_plan {
  const lin_analysis *analysis;
  lin_regions *regions; // those dissolved into the region around them are gone
  uint32_t *outer_leaf; // [num_regions] the leaf of the parent region that contains this one
  uint32_t *leaf_of;    // [num_blocks] the leaf of its innermost region, LIN_NONE without region
  uint32_t *first_leaf; // [num_regions] into entry[]
  uint32_t *num_leaves; // [num_regions]
  lin_block *entry;     // the block at which a leaf is entered
  uint32_t *size;       // how many blocks a leaf has, inner regions' included; like entry[]
  bool *is_returned_to; // an edge goes back to the leaf from a later one; like entry[]
  uint32_t *node_of;    // the leaf or branch node of a leaf; like entry[]
  uint32_t *root;       // [num_regions] node
  lin_node *node;
  uint32_t *last_child; // [num_nodes] while the tree is built
  uint32_t num_nodes;
  lin_tree *nesting; // of nodes; num_nodes is the parent of all roots
  lin_guard *guard;
  uint32_t num_guards;
} lin_plan;

// True for the nodes that test a guard.
static inline bool lin_node_is_guarded(const lin_node *node) {
  return (node->kind == LIN_IF || node->kind == LIN_LOOP) && node->guard != LIN_NONE;
}

// True if an edge of `region`, between the given leaves and blocks, goes around a loop of the plan:
// back to an earlier leaf, or to its own block where others go back to it too. A block that alone
// goes back to itself is left alone: a loop inside of its leaf.
static inline bool lin_plan_goes_back(const lin_plan *plan, uint32_t region, uint32_t from_leaf,
                                      uint32_t to_leaf, lin_block from, lin_block to) {
  uint32_t index = plan->first_leaf[region] + to_leaf;
  return to_leaf < from_leaf || (to_leaf == from_leaf && from == to && plan->entry[index] == to &&
                                 plan->is_returned_to[index]);
}

// The leaf of `region` that contains `block`, or LIN_NONE. O(nesting).
uint32_t lin_plan_leaf(const lin_plan *plan, uint32_t region, lin_block block);

// The region nested directly in `region` that contains `block`, or LIN_NONE. `region` contains it
// (LIN_NONE, the function, contains all).
uint32_t lin_plan_inner(const lin_plan *plan, uint32_t region, lin_block block);

// Adds a node without children, as the last child of `parent` (LIN_NONE: of none so far). O(1).
uint32_t lin_plan_add_node(lin_plan *plan, uint32_t parent, lin_node node);

// The same of a sequence of leaves of the region.
uint32_t lin_plan_add_sequence(lin_plan *plan, uint32_t parent, uint32_t region, uint32_t first,
                               uint32_t last);

#endif
