// Lengauer and Tarjan's algorithm:
//   1. number the blocks in depth-first preorder;
//   2. semidominators in reverse preorder, by path compression over the part already numbered; a
//      block waits at its semidominator until the path between them is complete, and then the
//      smallest semidominator on that path says who its immediate dominator is, or with which block
//      it shares it;
//   3. in preorder, fill in the shared ones.
// Semi-NCA (Georgiadis) is a little shorter, but climbs: an edge into the middle of a deep loop
// nest makes it quadratic.
#include "dominators.h"

#include <string.h>

typedef struct search {
  const lin_graph *graph;
  uint32_t count;    // blocks reached
  uint32_t *number;  // [num_blocks] preorder number, LIN_NONE if not reached
  lin_block *block;  // [count] the block of a number
  uint32_t *parent;  // [count] in the depth-first tree, then compressed; all by number
  uint32_t *semi;    // [count]
  uint32_t *label;   // [count] number with the smallest semidominator on the compressed path
  uint32_t *idom;    // [count]
  uint32_t *waiting; // [count] the first number that waits at this one
  uint32_t *next;    // [count] the next that waits there
  uint32_t *path;    // [count] scratch of the compression
} search;

static void number_blocks(search *s, lin_arena *arena, lin_block root) {
  const lin_graph *graph = s->graph;
  lin_edge *next = LIN_ARRAY(arena, lin_edge, graph->num_blocks);
  memcpy(next, graph->first_edge, graph->num_blocks * sizeof(lin_edge));
  for (lin_block block = 0; block < graph->num_blocks; block++)
    s->number[block] = LIN_NONE;

  s->number[root] = 0;
  s->block[0] = root;
  s->parent[0] = 0;
  s->count = 1;
  for (lin_block block = root;;) {
    if (next[block] < graph->first_edge[block + 1]) {
      lin_block below = graph->destination[next[block]++];
      if (s->number[below] != LIN_NONE)
        continue;
      s->number[below] = s->count;
      s->block[s->count] = below;
      s->parent[s->count++] = s->number[block];
      block = below;
    } else if (block == root) {
      return;
    } else {
      block = s->block[s->parent[s->number[block]]];
    }
  }
}

// The number with the smallest semidominator on the path from `v` up to the last ancestor that is
// linked already (numbers >= `linked`, above 0); compresses that path so that the next query is
// short.
static uint32_t evaluate(search *s, uint32_t v, uint32_t linked) {
  if (s->parent[v] < linked)
    return s->label[v];
  uint32_t depth = 0;
  uint32_t above = v;
  do {
    s->path[depth++] = above;
    above = s->parent[above];
  } while (s->parent[above] >= linked);

  while (depth > 0) {
    uint32_t below = s->path[--depth];
    s->parent[below] = s->parent[above];
    if (s->semi[s->label[above]] < s->semi[s->label[below]])
      s->label[below] = s->label[above];
    above = below;
  }
  return s->label[v];
}

static uint32_t semidominator(search *s, uint32_t v) {
  const lin_graph *graph = s->graph;
  uint32_t smallest = s->parent[v];
  for (LIN_IN_EDGES(graph, s->block[v], i)) {
    uint32_t from = s->number[graph->source[graph->in_edge[i]]];
    if (from == LIN_NONE)
      continue;
    uint32_t semi = s->semi[evaluate(s, from, v + 1)];
    if (semi < smallest)
      smallest = semi;
  }
  return smallest;
}

static void find_dominators(search *s) {
  for (uint32_t v = 0; v < s->count; v++) {
    s->semi[v] = s->label[v] = v;
    s->waiting[v] = LIN_NONE;
  }
  for (uint32_t v = s->count; v-- > 1;) {
    uint32_t above = s->parent[v];
    uint32_t semi = s->semi[v] = semidominator(s, v);
    s->next[v] = s->waiting[semi];
    s->waiting[semi] = v;
    for (uint32_t w = s->waiting[above]; w != LIN_NONE; w = s->next[w]) {
      uint32_t smallest = evaluate(s, w, v);
      s->idom[w] = s->semi[smallest] < s->semi[w] ? smallest : above;
    }
    s->waiting[above] = LIN_NONE;
  }
  for (uint32_t v = 1; v < s->count; v++)
    if (s->idom[v] != s->semi[v])
      s->idom[v] = s->idom[s->idom[v]];
}

lin_tree *lin_dominators_build(lin_arena *arena, const lin_graph *graph, lin_block root) {
  uint32_t n = graph->num_blocks;
  lin_arena scratch = {0};
  search s = {.graph = graph,
              .number = LIN_ARRAY(&scratch, uint32_t, n),
              .block = LIN_ARRAY(&scratch, lin_block, n),
              .parent = LIN_ARRAY(&scratch, uint32_t, n),
              .semi = LIN_ARRAY(&scratch, uint32_t, n),
              .label = LIN_ARRAY(&scratch, uint32_t, n),
              .idom = LIN_ARRAY(&scratch, uint32_t, n),
              .waiting = LIN_ARRAY(&scratch, uint32_t, n),
              .next = LIN_ARRAY(&scratch, uint32_t, n),
              .path = LIN_ARRAY(&scratch, uint32_t, n)};
  number_blocks(&s, &scratch, root);
  find_dominators(&s);

  uint32_t *parent = LIN_ARRAY(arena, uint32_t, n);
  for (lin_block block = 0; block < n; block++)
    parent[block] = LIN_NONE;
  for (uint32_t v = 1; v < s.count; v++)
    parent[s.block[v]] = s.block[s.idom[v]];
  lin_arena_release(&scratch);
  return lin_tree_build(arena, n, root, parent);
}

// Gives the fate `fate` to every block without one that reaches a marked exit.
static void spread_fate(const lin_graph *graph, uint8_t *fate, uint8_t value, const bool *is_exit,
                        lin_block *stack) {
  uint32_t top = 0;
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if (is_exit[block] && fate[block] == LIN_SPINS) {
      fate[block] = value;
      stack[top++] = block;
    }
  while (top > 0) {
    lin_block block = stack[--top];
    for (LIN_IN_EDGES(graph, block, i)) {
      lin_block before = graph->source[graph->in_edge[i]];
      if (fate[before] != LIN_SPINS)
        continue;
      fate[before] = value;
      stack[top++] = before;
    }
  }
}

static uint32_t list_spinning(const lin_graph *graph, const uint8_t *fate, lin_block *blocks) {
  uint32_t count = 0;
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if (fate[block] == LIN_SPINS)
      blocks[count++] = block;
  return count;
}

// Keeps of `blocks`, in reverse order, those that reach none kept before; returns how many. All of
// them spin.
static uint32_t keep_independent(lin_arena *arena, const lin_graph *graph, lin_block *blocks,
                                 uint32_t count) {
  bool *reaches = LIN_ARRAY(arena, bool, graph->num_blocks); // a block that was kept
  lin_block *stack = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  lin_block *kept = LIN_ARRAY(arena, lin_block, count);
  uint32_t num_kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (reaches[blocks[i]])
      continue;
    kept[num_kept++] = blocks[i];
    reaches[blocks[i]] = true;
    uint32_t top = 0;
    for (stack[top++] = blocks[i]; top > 0;) {
      lin_block block = stack[--top];
      for (LIN_IN_EDGES(graph, block, in)) {
        lin_block before = graph->source[graph->in_edge[in]];
        if (reaches[before])
          continue;
        reaches[before] = true;
        stack[top++] = before;
      }
    }
  }
  for (uint32_t i = 0; i < num_kept; i++)
    blocks[i] = kept[num_kept - 1 - i];
  return num_kept;
}

// The highest number among `block` and the blocks that it reaches.
static lin_block last_reached(const lin_graph *graph, lin_block block, bool *seen,
                              lin_block *stack) {
  lin_block last = block;
  uint32_t top = 0;
  seen[block] = true;
  for (stack[top++] = block; top > 0;) {
    lin_block at = stack[--top];
    if (at > last)
      last = at;
    for (LIN_OUT_EDGES(graph, at, edge)) {
      lin_block below = graph->destination[edge];
      if (!seen[below])
        stack[top++] = below;
      seen[below] = true;
    }
  }
  return last;
}

// Marks, in each loop that cannot be left, its last block: in an ordered graph an iteration ends
// there, so every graph made from it makes the same choice. To find these loops, keep of all
// spinning blocks those that reach none kept before. One of each such loop is kept, for it reaches
// only its own loop. A block before such a loop may be kept too, but only if it was looked at
// before those that it reaches, and then the pass in the reverse order drops it.
static void mark_spinning_exits(lin_arena *arena, const lin_graph *graph, const uint8_t *fate,
                                bool *is_exit) {
  lin_block *blocks = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  uint32_t count = list_spinning(graph, fate, blocks);
  count = keep_independent(arena, graph, blocks, count);
  count = keep_independent(arena, graph, blocks, count);
  bool *seen = LIN_ARRAY(arena, bool, graph->num_blocks); // in one of these loops
  lin_block *stack = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  for (uint32_t i = 0; i < count; i++)
    is_exit[last_reached(graph, blocks[i], seen, stack)] = true;
}

lin_postdominators *lin_postdominators_build(lin_arena *arena, const lin_graph *graph) {
  uint32_t n = graph->num_blocks;
  lin_postdominators *result = LIN_NEW(arena, lin_postdominators);
  uint8_t *fate = result->fate = LIN_ARRAY(arena, uint8_t, n);
  bool *doomed = result->doomed = LIN_ARRAY(arena, bool, graph->num_edges);
  bool *returns = LIN_ARRAY(arena, bool, n);
  bool *is_exit = LIN_ARRAY(arena, bool, n); // of any fate
  lin_block *stack = LIN_ARRAY(arena, lin_block, n);
  for (lin_block block = 0; block < n; block++) {
    fate[block] = LIN_SPINS;
    returns[block] = (graph->flags[block] & LIN_RETURN) != 0;
    is_exit[block] = lin_out_degree(graph, block) == 0;
  }
  spread_fate(graph, fate, LIN_RETURNS, returns, stack);
  spread_fate(graph, fate, LIN_TRAPS, is_exit, stack);
  mark_spinning_exits(arena, graph, fate, is_exit);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    doomed[edge] = fate[graph->destination[edge]] > fate[graph->source[edge]];

  lin_graph *reverse = lin_graph_reverse(arena, graph, is_exit, doomed);
  result->tree = lin_dominators_build(arena, reverse, n);
  return result;
}
