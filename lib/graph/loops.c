// 1. A depth-first walk gives each block its preorder number and the last number below it.
// 2. An edge that is neither of the walk's tree nor goes back up it (u->v below) is put aside at
//    the block where its ends meet in that tree:
//
//            w              w
//           / \             |
//          u ─▶ v           ├──▶ ... v   (u is w itself)
//
// 3. Headers in reverse preorder: the blocks that reach a back edge's source without leaving the
//    header's subtree collapse into the header (union-find). Before that, the edges put aside there
//    become links between what their ends have collapsed into: no loop looked at earlier can
//    contain both of their ends, and every loop looked at from now on must follow them.
#include "loops.h"

#include <string.h>

typedef struct builder {
  const lin_graph *graph;
  lin_tree *walk;       // the depth-first spanning tree, for meeting points
  uint32_t *number;     // [num_blocks] preorder number of the walk
  uint32_t *last;       // [num_blocks] the largest number in the subtree
  lin_block *preorder;  // [num_blocks]
  lin_edge *aside;      // [num_blocks] first edge put aside there
  lin_edge *next_aside; // [num_edges]
  lin_edge *entering;   // [num_blocks] first edge linked into what collapsed into this block
  lin_edge *next_link;  // [num_edges]
  lin_block *collapsed; // [num_blocks] union-find
  lin_block *outer;     // [num_blocks] header of the loop it collapsed into, or LIN_NONE
  bool *is_header;      // [num_blocks]
  lin_block *work;      // [num_blocks]
} builder;

static void walk_depth_first(builder *b, lin_arena *arena) {
  const lin_graph *graph = b->graph;
  uint32_t n = graph->num_blocks;
  uint32_t count = 0;
  uint32_t *parent = LIN_ARRAY(arena, uint32_t, n);
  lin_edge *next = LIN_ARRAY(arena, lin_edge, n);
  memcpy(next, graph->first_edge, n * sizeof(lin_edge));
  for (lin_block block = 0; block < n; block++)
    b->number[block] = parent[block] = LIN_NONE;
  b->preorder[0] = 0;
  b->number[0] = count++;
  for (lin_block block = 0; block != LIN_NONE;) {
    if (next[block] == graph->first_edge[block + 1]) {
      b->last[block] = count - 1;
      block = parent[block];
      continue;
    }
    lin_block below = graph->destination[next[block]++];
    if (b->number[below] != LIN_NONE)
      continue;
    parent[below] = block;
    b->preorder[count] = below;
    b->number[below] = count++;
    block = below;
  }
  b->walk = lin_tree_build(arena, n, 0, parent);
}

static bool is_below(const builder *b, lin_block above, lin_block block) {
  return b->number[above] <= b->number[block] && b->number[block] <= b->last[above];
}

static void put_edges_aside(builder *b) {
  const lin_graph *graph = b->graph;
  for (lin_edge edge = graph->num_edges; edge-- > 0;) {
    lin_block from = graph->source[edge], to = graph->destination[edge];
    if (is_below(b, to, from) || b->walk->parent[to] == from)
      continue;
    lin_block meet = lin_tree_meet(b->walk, from, to);
    b->next_aside[edge] = b->aside[meet];
    b->aside[meet] = edge;
  }
}

static lin_block find(builder *b, lin_block block) {
  lin_block root = block;
  while (b->collapsed[root] != root)
    root = b->collapsed[root];
  while (b->collapsed[block] != root) {
    lin_block above = b->collapsed[block];
    b->collapsed[block] = root;
    block = above;
  }
  return root;
}

static void link_edges_of(builder *b, lin_block meet) {
  for (lin_edge edge = b->aside[meet]; edge != LIN_NONE; edge = b->next_aside[edge]) {
    lin_block into = find(b, b->graph->destination[edge]);
    b->next_link[edge] = b->entering[into];
    b->entering[into] = edge;
  }
}

// Collapses the loop of `header`, if it is one.
static void collapse_loop(builder *b, lin_block header) {
  const lin_graph *graph = b->graph;
  uint32_t count = 0;
#define ADD(block)                                                                                 \
  do {                                                                                             \
    lin_block member = find(b, block);                                                             \
    if (member != header) {                                                                        \
      b->collapsed[member] = b->outer[member] = header;                                            \
      b->work[count++] = member;                                                                   \
    }                                                                                              \
  } while (0)
  for (LIN_IN_EDGES(graph, header, i)) {
    lin_block from = graph->source[graph->in_edge[i]];
    if (!is_below(b, header, from))
      continue;
    b->is_header[header] = true;
    ADD(from);
  }
  while (count > 0) {
    lin_block block = b->work[--count];
    ADD(b->walk->parent[block]);
    for (lin_edge edge = b->entering[block]; edge != LIN_NONE; edge = b->next_link[edge])
      ADD(graph->source[edge]);
  }
#undef ADD
}

// Numbers the loops in preorder of their headers, so that a parent comes before its children.
static lin_loops *make_forest(builder *b, lin_arena *arena) {
  uint32_t n = b->graph->num_blocks;
  lin_loops *loops = LIN_NEW(arena, lin_loops);
  uint32_t *parent = LIN_ARRAY(arena, uint32_t, n + 1);
  loops->loop_of = LIN_ARRAY(arena, uint32_t, n);
  loops->header = LIN_ARRAY(arena, lin_block, n + 1);
  loops->irreducible = LIN_ARRAY(arena, bool, n + 1);
  parent[0] = LIN_NONE;
  loops->num_loops = 1;
  for (uint32_t i = 0; i < n; i++) {
    lin_block block = b->preorder[i];
    uint32_t around = b->outer[block] == LIN_NONE ? 0 : loops->loop_of[b->outer[block]];
    loops->loop_of[block] = around;
    if (!b->is_header[block])
      continue;
    parent[loops->num_loops] = around;
    loops->header[loops->num_loops] = block;
    loops->loop_of[block] = loops->num_loops++;
  }
  loops->tree = lin_tree_build(arena, loops->num_loops, 0, parent);
  return loops;
}

// A loop is irreducible if an edge from outside enters it past its header. An edge can enter many
// loops at once, all those around its destination that are deeper than the innermost loop around
// both ends; so each loop takes the smallest such depth from the edges that end in it, and hands it
// to its parent.
static void mark_irreducible(lin_arena *arena, const lin_graph *graph, lin_loops *loops) {
  const lin_tree *tree = loops->tree;
  uint32_t *entered = LIN_ARRAY(arena, uint32_t, loops->num_loops); // loops deeper than this
  for (uint32_t loop = 0; loop < loops->num_loops; loop++)
    entered[loop] = tree->depth[loop];
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block from = graph->source[edge], to = graph->destination[edge];
    uint32_t loop = loops->loop_of[to];
    uint32_t depth = tree->depth[lin_loops_common(loops, from, to)];
    if (loops->header[loop] == to)
      loop = tree->parent[loop];
    if (depth < entered[loop])
      entered[loop] = depth;
  }
  for (uint32_t loop = loops->num_loops; loop-- > 1;) {
    uint32_t parent = tree->parent[loop];
    loops->irreducible[loop] = entered[loop] < tree->depth[loop];
    if (entered[loop] < entered[parent])
      entered[parent] = entered[loop];
  }
}

lin_loops *lin_loops_build(lin_arena *arena, const lin_graph *graph) {
  uint32_t n = graph->num_blocks;
  builder b = {.graph = graph,
               .number = LIN_ARRAY(arena, uint32_t, n),
               .last = LIN_ARRAY(arena, uint32_t, n),
               .preorder = LIN_ARRAY(arena, lin_block, n),
               .aside = LIN_ARRAY(arena, lin_edge, n),
               .next_aside = LIN_ARRAY(arena, lin_edge, graph->num_edges),
               .entering = LIN_ARRAY(arena, lin_edge, n),
               .next_link = LIN_ARRAY(arena, lin_edge, graph->num_edges),
               .collapsed = LIN_ARRAY(arena, lin_block, n),
               .outer = LIN_ARRAY(arena, lin_block, n),
               .is_header = LIN_ARRAY(arena, bool, n),
               .work = LIN_ARRAY(arena, lin_block, n)};
  walk_depth_first(&b, arena);
  for (lin_block block = 0; block < n; block++) {
    b.aside[block] = b.entering[block] = b.outer[block] = LIN_NONE;
    b.collapsed[block] = block;
  }
  put_edges_aside(&b);
  for (uint32_t i = n; i-- > 0;) {
    link_edges_of(&b, b.preorder[i]);
    collapse_loop(&b, b.preorder[i]);
  }
  lin_loops *loops = make_forest(&b, arena);
  mark_irreducible(arena, graph, loops);
  return loops;
}

lin_block *lin_loops_last(lin_arena *arena, const lin_loops *loops, const lin_graph *graph,
                          const lin_tree *dominators) {
  lin_block *last = LIN_ARRAY(arena, lin_block, loops->num_loops);
  for (uint32_t loop = 0; loop < loops->num_loops; loop++) {
    last[loop] = LIN_NONE;
    for (LIN_IN_EDGES(graph, loops->header[loop], i)) {
      const lin_edge edge = graph->in_edge[i];
      const lin_block from = graph->source[edge];
      if (loop != 0 && lin_loop_around(loops, graph, edge) == loop)
        last[loop] = last[loop] == LIN_NONE ? from : lin_tree_meet(dominators, last[loop], from);
    }
  }
  return last;
}
