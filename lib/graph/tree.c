#include "tree.h"

// A parent's jump is as long as the jump before it exactly when the two can be joined into one;
// that keeps the lengths a skew-binary number and every climb logarithmic.
static uint32_t jump_from(const lin_tree *tree, uint32_t parent) {
  uint32_t far = tree->jump[parent];
  uint32_t farther = tree->jump[far];
  bool equal = tree->depth[parent] - tree->depth[far] == tree->depth[far] - tree->depth[farther];
  return equal ? farther : parent;
}

// Children of each node as lists: first[node], then next[child], in rising order of number.
static void list_children(const lin_tree *tree, uint32_t *first, uint32_t *next) {
  for (uint32_t node = 0; node < tree->count; node++)
    first[node] = LIN_NONE;
  for (uint32_t node = tree->count; node-- > 0;) {
    uint32_t parent = tree->parent[node];
    if (parent == LIN_NONE)
      continue;
    next[node] = first[parent];
    first[parent] = node;
  }
}

lin_tree *lin_tree_build(lin_arena *arena, uint32_t count, uint32_t root, uint32_t *parent) {
  lin_tree *tree = LIN_NEW(arena, lin_tree);
  tree->count = count;
  tree->root = root;
  tree->parent = parent;
  tree->depth = LIN_ARRAY(arena, uint32_t, count);
  tree->jump = LIN_ARRAY(arena, uint32_t, count);
  tree->enter = LIN_ARRAY(arena, uint32_t, count);
  tree->leave = LIN_ARRAY(arena, uint32_t, count);
  for (uint32_t node = 0; node < count; node++)
    tree->enter[node] = LIN_NONE;

  uint32_t *child = LIN_ARRAY(arena, uint32_t, count);
  uint32_t *sibling = LIN_ARRAY(arena, uint32_t, count);
  list_children(tree, child, sibling);

  uint32_t position = 0;
  tree->jump[root] = root;
  tree->enter[root] = position++;
  for (uint32_t node = root;;) {
    uint32_t below = child[node];
    if (below != LIN_NONE) { // go down, once for each child
      child[node] = sibling[below];
      tree->depth[below] = tree->depth[node] + 1;
      tree->jump[below] = jump_from(tree, node);
      tree->enter[below] = position++;
      node = below;
      continue;
    }
    tree->leave[node] = position;
    if (node == root)
      return tree;
    node = parent[node];
  }
}

uint32_t lin_tree_ancestor(const lin_tree *tree, uint32_t node, uint32_t depth) {
  while (tree->depth[node] > depth) {
    uint32_t far = tree->jump[node];
    node = tree->depth[far] >= depth ? far : tree->parent[node];
  }
  return node;
}

uint32_t lin_tree_meet(const lin_tree *tree, uint32_t a, uint32_t b) {
  if (tree->depth[a] < tree->depth[b])
    b = lin_tree_ancestor(tree, b, tree->depth[a]);
  else
    a = lin_tree_ancestor(tree, a, tree->depth[b]);
  while (a != b) { // equal depths have jumps of equal length
    bool apart = tree->jump[a] != tree->jump[b];
    a = apart ? tree->jump[a] : tree->parent[a];
    b = apart ? tree->jump[b] : tree->parent[b];
  }
  return a;
}

uint32_t *lin_tree_preorder(lin_arena *arena, const lin_tree *tree) {
  uint32_t *preorder = LIN_ARRAY(arena, uint32_t, tree->count);
  for (uint32_t node = 0; node < tree->count; node++)
    preorder[tree->enter[node]] = node;
  return preorder;
}
