// Tree over nodes 0 .. count-1 with ancestor queries: dominators, post-dominators, nested loops.
//
// Each node keeps its parent, its depth, the interval of its subtree in a preorder walk, and one
// jump pointer to a far ancestor (the skew-binary jumps of Myers, "An applicative random-access
// stack", 1983), so that meeting points and ancestors at a depth take O(log n) without tables.
#ifndef LIN_GRAPH_TREE_H
#define LIN_GRAPH_TREE_H

#include "graph.h"

typedef struct lin_tree {
  uint32_t count;
  uint32_t root;
  uint32_t *parent; // [count] LIN_NONE for the root and for nodes that are not in the tree
  uint32_t *depth;  // [count] 0 for the root
  uint32_t *jump;   // [count] an ancestor further up
  uint32_t *enter;  // [count] position in preorder, LIN_NONE for nodes not in the tree
  uint32_t *leave;  // [count] one past the last position of the subtree
} lin_tree;

// Builds the tree from `parent`, which it keeps. Nodes other than `root` whose parent is LIN_NONE
// are not in the tree. O(count).
lin_tree *lin_tree_build(lin_arena *arena, uint32_t count, uint32_t root, uint32_t *parent);

// The nodes of a tree that has all of them, in preorder: [count]. O(count).
uint32_t *lin_tree_preorder(lin_arena *arena, const lin_tree *tree);

static inline bool lin_tree_has(const lin_tree *tree, uint32_t node) {
  return tree->enter[node] != LIN_NONE;
}

// True if `above` is `below` or an ancestor of it. Both are in the tree. O(1).
static inline bool lin_tree_contains(const lin_tree *tree, uint32_t above, uint32_t below) {
  return tree->enter[above] <= tree->enter[below] && tree->enter[below] < tree->leave[above];
}

// The deepest common ancestor of two nodes of the tree. O(log count).
uint32_t lin_tree_meet(const lin_tree *tree, uint32_t a, uint32_t b);

// The ancestor of `node` at `depth` <= depth[node]. O(log count).
uint32_t lin_tree_ancestor(const lin_tree *tree, uint32_t node, uint32_t depth);

#endif
