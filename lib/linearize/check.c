// Facts about a graph come first, in the plainest way:
//   - dominators and post-dominators as one set of blocks for each block, iterated to the fixpoint;
//   - loops: the strongly connected components; in each, without its lowest block (the header, in a
//     loop-contiguous order), again;
//   - Definition 1 from these.
// Post-dominance of threads that spin for ever depends on which block stands for the end of their
// loop. Nothing says which: an edge between such blocks is unstructured only if it is for every
// choice that is tried.
#include "check.h"

#include "carry.h"
#include "simulate.h"
#include "values.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static const char *describe(lin_arena *arena,
                                                                  const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return lin_arena_text(arena, text, strlen(text));
}

// ---- sets of blocks

typedef uint64_t word;

static size_t words_for(uint32_t count) { return ((size_t)count + 63) / 64; }
static bool has(const word *set, uint32_t item) { return (set[item / 64] >> item % 64 & 1) != 0; }
static void put(word *set, uint32_t item) { set[item / 64] |= (word)1 << item % 64; }
static void take(word *set, uint32_t item) { set[item / 64] &= ~((word)1 << item % 64); }

static uint32_t size_of(const word *set, size_t words) {
  uint32_t size = 0;
  for (size_t i = 0; i < words; i++)
    for (word rest = set[i]; rest != 0; rest &= rest - 1)
      size++;
  return size;
}

// ---- facts

typedef struct loop {
  uint32_t parent;        // LIN_NONE for an outermost loop
  lin_block header, last; // the lowest and the highest block
  uint32_t count;
  lin_block *blocks; // [count]
  word *set;
  word *common_above, *common_below; // what dominates, and post-dominates, all of its blocks
  bool reducible;
} loop;

typedef struct facts {
  const lin_graph *graph;
  size_t words;
  uint8_t *fate;
  bool *doomed;
  bool spins;       // some block does
  lin_block *order; // reachable blocks in reverse post-order
  uint32_t count;   // of them
  word *above;      // [num_blocks] sets: what dominates it
  word *below;      // [num_blocks] sets: what post-dominates it
  uint32_t *depth;  // [num_blocks] size of above
  uint32_t *height; // [num_blocks] size of below
  loop *loops;
  uint32_t num_loops;
  uint32_t *loop_of; // [num_blocks] the innermost, or LIN_NONE
} facts;

static word *above(const facts *f, lin_block block) { return f->above + block * f->words; }
static word *below(const facts *f, lin_block block) { return f->below + block * f->words; }

static void find_order(facts *f, lin_arena *arena) {
  const lin_graph *graph = f->graph;
  uint32_t n = graph->num_blocks, depth = 0, place = n;
  lin_edge *next = LIN_ARRAY(arena, lin_edge, n);
  lin_block *path = LIN_ARRAY(arena, lin_block, n);
  lin_block *reversed = LIN_ARRAY(arena, lin_block, n);
  bool *seen = LIN_ARRAY(arena, bool, n);
  memcpy(next, graph->first_edge, n * sizeof *next);
  seen[0] = true;
  for (path[depth++] = 0; depth > 0;) {
    lin_block block = path[depth - 1];
    if (next[block] == graph->first_edge[block + 1]) {
      reversed[--place] = block;
      depth--;
      continue;
    }
    lin_block to = graph->destination[next[block]++];
    if (!seen[to])
      path[depth++] = to;
    seen[to] = true;
  }
  f->order = reversed + place;
  f->count = n - place;
}

static void find_fates(facts *f, lin_arena *arena) {
  const lin_graph *graph = f->graph;
  f->fate = LIN_ARRAY(arena, uint8_t, graph->num_blocks);
  f->doomed = LIN_ARRAY(arena, bool, graph->num_edges);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    uint32_t flags = graph->flags[block];
    f->fate[block] = (flags & LIN_RETURN) != 0 ? LIN_RETURNS
                     : (flags & LIN_TRAP) != 0 ? LIN_TRAPS
                                               : LIN_SPINS;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = f->count; i-- > 0;)
      for (LIN_OUT_EDGES(graph, f->order[i], edge)) {
        uint8_t fate = f->fate[graph->destination[edge]];
        if (fate < f->fate[f->order[i]]) {
          f->fate[f->order[i]] = fate;
          changed = true;
        }
      }
  }
  for (uint32_t i = 0; i < f->count; i++) {
    f->spins |= f->fate[f->order[i]] == LIN_SPINS;
    for (LIN_OUT_EDGES(graph, f->order[i], edge))
      f->doomed[edge] = f->fate[graph->destination[edge]] != f->fate[f->order[i]];
  }
}

static void find_dominators(facts *f, lin_arena *arena) {
  const lin_graph *graph = f->graph;
  f->above = LIN_ARRAY(arena, word, graph->num_blocks * f->words);
  f->depth = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  word *set = LIN_ARRAY(arena, word, f->words);
  bool *reached = LIN_ARRAY(arena, bool, graph->num_blocks);
  for (uint32_t i = 0; i < f->count; i++) {
    reached[f->order[i]] = true;
    memset(above(f, f->order[i]), 0xff, f->words * sizeof *set);
  }
  memset(above(f, 0), 0, f->words * sizeof *set);
  put(above(f, 0), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 1; i < f->count; i++) {
      lin_block block = f->order[i];
      memset(set, 0xff, f->words * sizeof *set);
      for (LIN_IN_EDGES(graph, block, j)) {
        lin_block from = graph->source[graph->in_edge[j]];
        for (size_t w = 0; reached[from] && w < f->words; w++)
          set[w] &= above(f, from)[w];
      }
      put(set, block);
      if (memcmp(set, above(f, block), f->words * sizeof *set) != 0) {
        memcpy(above(f, block), set, f->words * sizeof *set);
        changed = true;
      }
    }
  }
  for (uint32_t i = 0; i < f->count; i++)
    f->depth[f->order[i]] = size_of(above(f, f->order[i]), f->words);
}

static void find_postdominators(facts *f, const bool *is_exit, lin_arena *arena) {
  const lin_graph *graph = f->graph;
  f->below = LIN_ARRAY(arena, word, graph->num_blocks * f->words);
  f->height = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  word *set = LIN_ARRAY(arena, word, f->words);
  for (uint32_t i = 0; i < f->count; i++)
    memset(below(f, f->order[i]), 0xff, f->words * sizeof *set);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = f->count; i-- > 0;) {
      lin_block block = f->order[i];
      memset(set, is_exit[block] ? 0 : 0xff, f->words * sizeof *set);
      for (LIN_OUT_EDGES(graph, block, edge))
        for (size_t w = 0; !f->doomed[edge] && w < f->words; w++)
          set[w] &= below(f, graph->destination[edge])[w];
      put(set, block);
      if (memcmp(set, below(f, block), f->words * sizeof *set) != 0) {
        memcpy(below(f, block), set, f->words * sizeof *set);
        changed = true;
      }
    }
  }
  for (uint32_t i = 0; i < f->count; i++)
    f->height[f->order[i]] = size_of(below(f, f->order[i]), f->words);
}

// ---- loops

typedef struct tarjan {
  uint32_t *index, *low; // [num_blocks]
  lin_edge *next;        // [num_blocks]
  lin_block *path, *open;
  uint32_t *within; // [num_blocks] the set at hand that contains the block
  bool *is_open;
} tarjan;

static void add_loop(facts *f, lin_arena *arena, uint32_t parent, const lin_block *blocks,
                     uint32_t count) {
  loop *l = &f->loops[f->num_loops];
  *l = (loop){.parent = parent, .header = LIN_NONE, .count = count, .reducible = true};
  l->blocks = LIN_ARRAY(arena, lin_block, count);
  l->set = LIN_ARRAY(arena, word, f->words);
  memcpy(l->blocks, blocks, count * sizeof *blocks);
  for (uint32_t i = 0; i < count; i++) {
    put(l->set, blocks[i]);
    if (blocks[i] < l->header)
      l->header = blocks[i];
    if (blocks[i] > l->last)
      l->last = blocks[i];
    f->loop_of[blocks[i]] = f->num_loops;
  }
  for (uint32_t i = 0; i < count; i++)
    l->reducible &= has(above(f, blocks[i]), l->header);
  f->num_loops++;
}

static bool goes_to_itself(const lin_graph *graph, lin_block block) {
  for (LIN_OUT_EDGES(graph, block, edge))
    if (graph->destination[edge] == block)
      return true;
  return false;
}

// Adds the loops among `blocks`, all of which have within[] == `set`.
static void find_components(facts *f, tarjan *t, lin_arena *arena, uint32_t parent,
                            const lin_block *blocks, uint32_t count, uint32_t set) {
  const lin_graph *graph = f->graph;
  uint32_t time = 0, depth = 0, num_open = 0;
  for (uint32_t i = 0; i < count; i++) {
    t->index[blocks[i]] = LIN_NONE;
    t->next[blocks[i]] = graph->first_edge[blocks[i]];
  }
  for (uint32_t i = 0; i < count; i++) {
    if (t->index[blocks[i]] != LIN_NONE)
      continue;
    t->path[depth++] = blocks[i];
    while (depth > 0) {
      lin_block block = t->path[depth - 1];
      if (t->index[block] == LIN_NONE) {
        t->index[block] = t->low[block] = time++;
        t->open[num_open++] = block;
        t->is_open[block] = true;
      }
      if (t->next[block] < graph->first_edge[block + 1]) {
        lin_block to = graph->destination[t->next[block]++];
        if (t->within[to] != set)
          continue;
        if (t->index[to] == LIN_NONE)
          t->path[depth++] = to;
        else if (t->is_open[to] && t->index[to] < t->low[block])
          t->low[block] = t->index[to];
        continue;
      }
      depth--;
      if (depth > 0 && t->low[block] < t->low[t->path[depth - 1]])
        t->low[t->path[depth - 1]] = t->low[block];
      if (t->low[block] != t->index[block])
        continue;
      uint32_t first = num_open;
      do
        t->is_open[t->open[--first]] = false;
      while (t->open[first] != block);
      if (num_open - first > 1 || goes_to_itself(graph, block))
        add_loop(f, arena, parent, t->open + first, num_open - first);
      num_open = first;
    }
  }
}

static void find_loops(facts *f, lin_arena *arena) {
  uint32_t n = f->graph->num_blocks;
  tarjan t = {.index = LIN_ARRAY(arena, uint32_t, n),
              .low = LIN_ARRAY(arena, uint32_t, n),
              .next = LIN_ARRAY(arena, lin_edge, n),
              .path = LIN_ARRAY(arena, lin_block, n),
              .open = LIN_ARRAY(arena, lin_block, n),
              .within = LIN_ARRAY(arena, uint32_t, n),
              .is_open = LIN_ARRAY(arena, bool, n)};
  f->loops = LIN_ARRAY(arena, loop, n);
  f->loop_of = LIN_ARRAY(arena, uint32_t, n);
  for (lin_block block = 0; block < n; block++)
    t.within[block] = f->loop_of[block] = LIN_NONE;
  for (uint32_t i = 0; i < f->count; i++)
    t.within[f->order[i]] = 0;
  find_components(f, &t, arena, LIN_NONE, f->order, f->count, 0);
  for (uint32_t outer = 0; outer < f->num_loops; outer++) {
    loop *l = &f->loops[outer];
    lin_block *rest = LIN_ARRAY(arena, lin_block, l->count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->count; i++)
      t.within[l->blocks[i]] = outer + 1;
    t.within[l->header] = LIN_NONE;
    for (uint32_t i = 0; i < l->count; i++)
      if (l->blocks[i] != l->header)
        rest[count++] = l->blocks[i];
    find_components(f, &t, arena, outer, rest, count, outer + 1);
  }
}

static void find_common(facts *f, lin_arena *arena) {
  for (uint32_t i = 0; i < f->num_loops; i++) {
    loop *l = &f->loops[i];
    l->common_above = LIN_ARRAY(arena, word, f->words);
    l->common_below = LIN_ARRAY(arena, word, f->words);
    memset(l->common_above, 0xff, f->words * sizeof(word));
    memset(l->common_below, 0xff, f->words * sizeof(word));
    for (uint32_t j = 0; j < l->count; j++)
      for (size_t w = 0; w < f->words; w++) {
        l->common_above[w] &= above(f, l->blocks[j])[w];
        l->common_below[w] &= below(f, l->blocks[j])[w];
      }
  }
}

// Marks an exit in each loop that nothing leaves: its last block, at which an iteration ends, or
// for `choice` > 0 another one.
static void choose_spinning_exits(const facts *f, uint32_t choice, bool *is_exit) {
  for (uint32_t i = 0; i < f->num_loops; i++) {
    const loop *l = &f->loops[i];
    bool left = l->parent != LIN_NONE;
    for (uint32_t j = 0; j < l->count; j++)
      for (LIN_OUT_EDGES(f->graph, l->blocks[j], edge))
        left |= !has(l->set, f->graph->destination[edge]);
    if (!left)
      is_exit[choice == 0 ? l->last : l->blocks[choice % l->count]] = true;
  }
}

static facts *find_facts(lin_arena *arena, const lin_graph *graph, uint32_t choice) {
  facts *f = LIN_NEW(arena, facts);
  f->graph = graph;
  f->words = words_for(graph->num_blocks);
  find_order(f, arena);
  find_fates(f, arena);
  find_dominators(f, arena);
  find_loops(f, arena);
  bool *is_exit = LIN_ARRAY(arena, bool, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    is_exit[block] = lin_out_degree(graph, block) == 0;
  choose_spinning_exits(f, choice, is_exit);
  find_postdominators(f, is_exit, arena);
  find_common(f, arena);
  return f;
}

// The block of a chain of dominators (by depth) or post-dominators (by height) that is furthest in;
// LIN_NONE if the set is empty.
static lin_block furthest(const facts *f, const word *set, const uint32_t *depth) {
  lin_block best = LIN_NONE;
  for (size_t w = 0; w < f->words; w++)
    for (uint32_t bit = 0; set[w] >> bit != 0; bit++) {
      lin_block block = (lin_block)(w * 64 + bit);
      if (has(set, block) && (best == LIN_NONE || depth[block] > depth[best]))
        best = block;
      if (bit == 63)
        break;
    }
  return best;
}

// The post-dominator of `block` next to it, or LIN_NONE.
static lin_block next_below(const facts *f, lin_block block) {
  take(below(f, block), block);
  lin_block result = furthest(f, below(f, block), f->height);
  put(below(f, block), block);
  return result;
}

static bool in_loop(const facts *f, uint32_t l, lin_block block) {
  return has(f->loops[l].set, block);
}

// Definition 1.
static unsigned kinds_of(const facts *f, lin_edge edge) {
  const lin_graph *graph = f->graph;
  lin_block from = graph->source[edge], to = graph->destination[edge];
  unsigned kinds = 0;
  for (uint32_t l = f->loop_of[to]; l != LIN_NONE && !in_loop(f, l, from); l = f->loops[l].parent)
    if (!has(f->loops[l].common_above, to))
      kinds |= LIN_JUMP_IN;
  if (f->doomed[edge])
    return kinds;
  for (uint32_t l = f->loop_of[from]; l != LIN_NONE && !in_loop(f, l, to); l = f->loops[l].parent)
    if (!has(f->loops[l].common_below, from))
      kinds |= LIN_JUMP_OUT;
  if (lin_out_degree(graph, from) > 1 && lin_in_degree(graph, to) > 1 && !has(above(f, to), from) &&
      !has(above(f, from), to) && !has(below(f, to), from) && !has(below(f, from), to))
    kinds |= LIN_BRANCH;
  return kinds;
}

// ---- order and analysis

static const char *check_forest(lin_arena *arena, const facts *f, const lin_loops *loops) {
  const lin_graph *graph = f->graph;
  if (loops->num_loops != f->num_loops + 1)
    return describe(arena, "order: %u loops instead of %u", loops->num_loops - 1, f->num_loops);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    uint32_t theirs = loops->loop_of[block];
    uint32_t mine = f->loop_of[block];
    for (; mine != LIN_NONE && theirs != 0;
         mine = f->loops[mine].parent, theirs = loops->tree->parent[theirs]) {
      if (loops->header[theirs] != f->loops[mine].header)
        return describe(arena, "order: %s is in the loop of %s", graph->name[block],
                        graph->name[f->loops[mine].header]);
      if (loops->irreducible[theirs] == f->loops[mine].reducible)
        return describe(arena, "order: the loop of %s is taken for %sreducible",
                        graph->name[f->loops[mine].header], f->loops[mine].reducible ? "ir" : "");
    }
    if (mine != LIN_NONE || theirs != 0)
      return describe(arena, "order: %s is nested in too few or too many loops",
                      graph->name[block]);
  }
  return NULL;
}

static const char *check_copy(lin_arena *arena, const lin_graph *input, const lin_order *order) {
  const lin_graph *graph = order->graph;
  uint32_t mapped = 0;
  for (lin_block old = 0; old < input->num_blocks; old++) {
    lin_block block = order->number[old];
    if (block == LIN_NONE)
      continue;
    mapped++;
    if (block >= graph->num_blocks || order->origin[block] != old)
      return describe(arena, "order: %s has a wrong number", input->name[old]);
    if (graph->flags[block] != input->flags[old] ||
        lin_out_degree(graph, block) != lin_out_degree(input, old))
      return describe(arena, "order: %s has changed", input->name[old]);
    for (LIN_OUT_EDGES(graph, block, edge)) {
      lin_edge was = input->first_edge[old] + (edge - graph->first_edge[block]);
      if (order->old_edge[edge] != was ||
          order->number[input->destination[was]] != graph->destination[edge])
        return describe(arena, "order: an edge of %s has changed", input->name[old]);
    }
  }
  return mapped == graph->num_blocks ? NULL : "order: a block is lost";
}

const char *lin_check_order(lin_arena *arena, const lin_graph *input, const lin_order *order) {
  const char *wrong = check_copy(arena, input, order);
  if (wrong != NULL)
    return wrong;
  const lin_graph *graph = order->graph;
  const facts *f = find_facts(arena, graph, 0);
  if (f->count != graph->num_blocks)
    return "order: an unreachable block";
  if (find_facts(arena, input, 0)->count != graph->num_blocks)
    return "order: a reachable block is lost";
  for (uint32_t l = 0; l < f->num_loops; l++)
    for (uint32_t i = 0; i < f->loops[l].count; i++)
      if (f->loops[l].blocks[i] - f->loops[l].header >= f->loops[l].count)
        return describe(arena, "order: the loop of %s is not contiguous",
                        graph->name[f->loops[l].header]);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block from = graph->source[edge], to = graph->destination[edge];
    uint32_t l = f->loop_of[to];
    bool around = l != LIN_NONE && f->loops[l].header == to && in_loop(f, l, from);
    if (to <= from && !around)
      return describe(arena, "order: %s -> %s goes back", graph->name[from], graph->name[to]);
  }
  return check_forest(arena, f, order->loops);
}

const char *lin_check_analysis(lin_arena *arena, const lin_analysis *a) {
  const lin_graph *graph = a->graph;
  const facts *f = find_facts(arena, graph, 0);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    if (f->fate[block] != a->postdominators->fate[block])
      return describe(arena, "analysis: fate of %s", graph->name[block]);
    for (lin_block other = 0; other < graph->num_blocks; other++) {
      if (has(above(f, block), other) != lin_tree_contains(a->dominators, other, block))
        return describe(arena, "analysis: does %s dominate %s?", graph->name[other],
                        graph->name[block]);
      if (f->fate[block] != LIN_SPINS &&
          has(below(f, block), other) != lin_tree_contains(a->postdominators->tree, other, block))
        return describe(arena, "analysis: does %s post-dominate %s?", graph->name[other],
                        graph->name[block]);
    }
  }
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    if (f->doomed[edge] != a->postdominators->doomed[edge])
      return describe(arena, "analysis: is edge %u doomed?", edge);
    unsigned mine = kinds_of(f, edge), theirs = a->kinds[edge];
    if (f->fate[graph->source[edge]] == LIN_SPINS)
      mine &= LIN_JUMP_IN, theirs &= LIN_JUMP_IN;
    if (mine != theirs)
      return describe(arena, "analysis: %s -> %s is of kinds %u, not %u",
                      graph->name[graph->source[edge]], graph->name[graph->destination[edge]], mine,
                      theirs);
  }
  return NULL;
}

// ---- regions

typedef struct block_set {
  word *set;
  lin_block *blocks;
  uint32_t count;
  word *common_above, *common_below; // of all blocks, each without itself
} block_set;

static block_set new_set(const facts *f, lin_arena *arena) {
  block_set s = {.set = LIN_ARRAY(arena, word, f->words),
                 .blocks = LIN_ARRAY(arena, lin_block, f->graph->num_blocks),
                 .common_above = LIN_ARRAY(arena, word, f->words),
                 .common_below = LIN_ARRAY(arena, word, f->words)};
  memset(s.common_above, 0xff, f->words * sizeof(word));
  memset(s.common_below, 0xff, f->words * sizeof(word));
  return s;
}

static void add_to_set(const facts *f, block_set *s, lin_block block) {
  if (has(s->set, block))
    return;
  put(s->set, block);
  s->blocks[s->count++] = block;
  for (size_t w = 0; w < f->words; w++) {
    s->common_above[w] &= above(f, block)[w];
    s->common_below[w] &= below(f, block)[w];
  }
  take(s->common_above, block);
  take(s->common_below, block);
}

// Grows a set of one fate until it is a region.
static void close_set(const facts *f, block_set *s) {
  const lin_graph *graph = f->graph;
  uint8_t fate = f->fate[s->blocks[0]];
  for (uint32_t before = 0; before != s->count;) {
    before = s->count;
    lin_block first = furthest(f, s->common_above, f->depth);
    lin_block last = furthest(f, s->common_below, f->height);
    for (uint32_t i = 0; i < s->count; i++) {
      lin_block block = s->blocks[i];
      for (LIN_IN_EDGES(graph, block, j)) {
        lin_block from = graph->source[graph->in_edge[j]];
        if (from != first && f->fate[from] == fate)
          add_to_set(f, s, from);
      }
      for (LIN_OUT_EDGES(graph, block, edge))
        if (graph->destination[edge] != last && f->fate[graph->destination[edge]] == fate)
          add_to_set(f, s, graph->destination[edge]);
      if (i + 1 == before) // D and P as they were when the round began
        break;
    }
  }
}

static const char *check_region(lin_arena *arena, const facts *f, const lin_regions *regions,
                                uint32_t region, const block_set *s) {
  const lin_graph *graph = f->graph;
  lin_block first = furthest(f, s->common_above, f->depth);
  lin_block last = furthest(f, s->common_below, f->height);
  uint8_t fate = f->fate[s->blocks[0]];
  if (fate == LIN_SPINS)
    last = regions->exit[region];
  const char *of = graph->name[s->blocks[0]];
  if (regions->dominator[region] != first)
    return describe(arena, "regions: that of %s has a wrong D, not %s", of,
                    first == LIN_NONE ? "nothing" : graph->name[first]);
  if (regions->exit[region] != last)
    return describe(arena, "regions: that of %s has a wrong P, not %s", of,
                    last == LIN_NONE ? "nothing" : graph->name[last]);
  for (uint32_t i = 0; i < s->count; i++) {
    lin_block block = s->blocks[i];
    if (f->fate[block] != fate)
      return describe(arena, "regions: that of %s has blocks of different fates", of);
    for (LIN_IN_EDGES(graph, block, j)) {
      lin_edge edge = graph->in_edge[j];
      lin_block from = graph->source[edge];
      if (!has(s->set, from) && from != first && !f->doomed[edge])
        return describe(arena, "regions: that of %s is entered from %s", of, graph->name[from]);
    }
    for (LIN_OUT_EDGES(graph, block, edge)) {
      lin_block to = graph->destination[edge];
      if (!has(s->set, to) && to != last && !f->doomed[edge])
        return describe(arena, "regions: that of %s is left to %s", of, graph->name[to]);
    }
  }
  return NULL;
}

// The innermost region that contains the ends of a seed contains the smallest region of that seed.
// Sets the number of blocks of the latter, 0 if unknown.
static const char *check_seed(lin_arena *arena, const facts *f, const lin_regions *regions,
                              lin_edge edge, uint32_t *region_of_seed, uint32_t *size) {
  const lin_graph *graph = f->graph;
  lin_block from = graph->source[edge], to = graph->destination[edge];
  uint32_t region = regions->owner[to];
  while (region != LIN_NONE && !f->doomed[edge] && !lin_region_contains(regions, region, from))
    region = regions->parent[region];
  if (region == LIN_NONE)
    return describe(arena, "regions: %s -> %s is in none", graph->name[from], graph->name[to]);
  *region_of_seed = region;
  *size = 0;
  if (f->fate[to] == LIN_SPINS)
    return NULL;
  block_set s = new_set(f, arena);
  add_to_set(f, &s, to);
  if (!f->doomed[edge])
    add_to_set(f, &s, from);
  close_set(f, &s);
  for (uint32_t i = 0; i < s.count; i++)
    if (!lin_region_contains(regions, region, s.blocks[i]))
      return describe(arena, "regions: that of %s -> %s lacks %s", graph->name[from],
                      graph->name[to], graph->name[s.blocks[i]]);
  *size = s.count;
  return NULL;
}

enum { MOST_SAMPLES = 24 };

const char *lin_check_regions(lin_arena *arena, const lin_analysis *analysis,
                              const lin_regions *regions, const bool *seed,
                              lin_region_sizes *sizes) {
  const lin_graph *graph = analysis->graph;
  const facts *f = find_facts(arena, graph, 0);
  uint32_t count = regions->num_regions, seeds = 0;
  uint32_t *members = LIN_ARRAY(arena, uint32_t, count);
  uint32_t *largest = LIN_ARRAY(arena, uint32_t, count); // of the smallest regions of its seeds
  for (lin_block block = 0; block < graph->num_blocks; block++)
    for (uint32_t region = regions->owner[block], steps = 0; region != LIN_NONE;
         region = regions->parent[region], steps++) {
      members[region]++;
      if (steps > count)
        return "regions: they nest in a circle";
    }
  uint32_t stride = graph->num_blocks > 200 ? count / MOST_SAMPLES + 1 : 1;
  for (uint32_t region = 0; region < count; region += stride) {
    if (regions->gone[region])
      continue;
    if (members[region] == 0)
      return "regions: an empty one";
    block_set s = new_set(f, arena);
    for (lin_block block = 0; block < graph->num_blocks; block++)
      if (lin_region_contains(regions, region, block))
        add_to_set(f, &s, block);
    const char *wrong = check_region(arena, f, regions, region, &s);
    if (wrong != NULL)
      return wrong;
  }
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    seeds += seed[edge];
  bool all = graph->num_blocks <= 200;
  stride = all ? 1 : seeds / MOST_SAMPLES + 1;
  for (lin_edge edge = 0, i = 0; edge < graph->num_edges; edge++) {
    if (!seed[edge] || i++ % stride != 0)
      continue;
    uint32_t region = 0, size = 0;
    const char *wrong = check_seed(arena, f, regions, edge, &region, &size);
    if (wrong != NULL)
      return wrong;
    if (size > largest[region])
      largest[region] = size;
    sizes->seeds++;
    sizes->loose += size != 0 && size < members[region];
  }
  for (uint32_t region = 0; all && region < count; region++) {
    sizes->regions++;
    sizes->larger += largest[region] != 0 && largest[region] < members[region];
  }
  return NULL;
}

// ---- leaves

// The leaf of `region` that contains `block`, or LIN_NONE.
static uint32_t leaf_in(const lin_plan *plan, uint32_t region, lin_block block) {
  uint32_t at = plan->regions->owner[block], leaf = plan->leaf_of[block];
  while (at != LIN_NONE && at != region) {
    leaf = plan->outer_leaf[at];
    at = plan->regions->parent[at];
  }
  return at == region ? leaf : LIN_NONE;
}

static bool in_inner_region(const lin_plan *plan, uint32_t region, lin_block from, lin_block to,
                            bool doomed) {
  uint32_t at = plan->regions->owner[to];
  while (at != LIN_NONE && at != region && !doomed && !lin_region_contains(plan->regions, at, from))
    at = plan->regions->parent[at];
  return at != region && at != LIN_NONE;
}

const char *lin_check_leaves(lin_arena *arena, const lin_plan *plan, const bool *seed) {
  const lin_graph *graph = plan->analysis->graph;
  const facts *f = find_facts(arena, graph, 0);
  uint32_t total = 0;
  for (uint32_t region = 0; region < plan->regions->num_regions; region++)
    if (!plan->regions->gone[region] && plan->first_leaf[region] + plan->num_leaves[region] > total)
      total = plan->first_leaf[region] + plan->num_leaves[region];
  lin_block *target = LIN_ARRAY(arena, lin_block, total);
  uint32_t *size = LIN_ARRAY(arena, uint32_t, total);
  for (uint32_t i = 0; i < total; i++)
    target[i] = LIN_NONE;
  for (lin_block block = 0; block < graph->num_blocks; block++)
    for (uint32_t region = plan->regions->owner[block]; region != LIN_NONE;
         region = plan->regions->parent[region]) {
      uint32_t leaf = leaf_in(plan, region, block);
      if (leaf >= plan->num_leaves[region])
        return describe(arena, "leaves: %s is in none", graph->name[block]);
      size[plan->first_leaf[region] + leaf]++;
    }
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block from = graph->source[edge], to = graph->destination[edge];
    for (uint32_t region = plan->regions->owner[to]; region != LIN_NONE;
         region = plan->regions->parent[region]) {
      uint32_t leaf = leaf_in(plan, region, to);
      lin_block entry = plan->entry[plan->first_leaf[region] + leaf];
      bool inside = leaf_in(plan, region, from) == leaf;
      if (!inside && to != entry)
        return describe(arena, "leaves: that of %s is entered at %s", graph->name[entry],
                        graph->name[to]);
      if (inside && seed[edge] && to != entry &&
          !in_inner_region(plan, region, from, to, f->doomed[edge]))
        return describe(arena, "leaves: unstructured edge %s -> %s in that of %s",
                        graph->name[from], graph->name[to], graph->name[entry]);
    }
    for (uint32_t region = plan->regions->owner[from]; region != LIN_NONE;
         region = plan->regions->parent[region]) {
      uint32_t leaf = leaf_in(plan, region, from);
      uint32_t index = plan->first_leaf[region] + leaf;
      if (leaf_in(plan, region, to) == leaf || size[index] == 1 || f->doomed[edge])
        continue;
      if (target[index] != LIN_NONE && target[index] != to)
        return describe(arena, "leaves: that of %s is left to %s and to %s",
                        graph->name[plan->entry[index]], graph->name[target[index]],
                        graph->name[to]);
      target[index] = to;
    }
  }
  return NULL;
}

// ---- 1: structure

static uint32_t region_of(const lin_flow *flow, lin_block block) {
  if (flow->node[block] != LIN_NONE)
    return flow->plan->node[flow->node[block]].region;
  if (flow->original[block] == LIN_NONE)
    return LIN_NONE;
  return flow->plan->regions->owner[flow->original[block]];
}

// True if a flow's edge belongs to no region and was unstructured before.
static bool was_unstructured(const lin_flow *flow, const facts *old, lin_edge edge) {
  lin_edge was = flow->original_edge[edge];
  if (was == LIN_NONE)
    return false;
  lin_block end = old->doomed[was] ? old->graph->destination[was] : old->graph->source[was];
  if (flow->plan->regions->owner[end] != LIN_NONE)
    return false;
  return kinds_of(old, was) != 0;
}

// True if a flow's edge leads into an irreducible loop that was there before, where it stands in no
// region. Which of its blocks is the header, and so which edges jump into it or into a loop nested
// in it, may have changed with the order.
static bool enters_refused(const lin_flow *flow, const facts *old, lin_edge edge) {
  lin_block to = flow->original[flow->graph->destination[edge]];
  if (to == LIN_NONE || flow->plan->regions->owner[to] != LIN_NONE)
    return false;
  for (uint32_t l = old->loop_of[to]; l != LIN_NONE; l = old->loops[l].parent)
    if (!old->loops[l].reducible)
      return true;
  return false;
}

enum { MOST_CHOICES = 12 };

const char *lin_check_structure(lin_arena *arena, const lin_flow *flow, lin_mode mode) {
  const lin_graph *graph = flow->graph;
  unsigned wanted = mode == LIN_MODE_IRREDUCIBLE ? LIN_JUMP_IN : ~0u;
  const facts *old = find_facts(arena, flow->plan->analysis->graph, 0);
  const char *wrong = NULL;
  for (uint32_t choice = 0; choice < MOST_CHOICES; choice++) {
    const facts *f = find_facts(arena, graph, choice);
    bool spinning = true; // all that is wrong
    wrong = NULL;
    for (lin_edge edge = 0; edge < graph->num_edges && spinning; edge++) {
      unsigned kinds = kinds_of(f, edge) & wanted;
      if ((kinds & LIN_JUMP_IN) != 0 && enters_refused(flow, old, edge))
        kinds &= ~(unsigned)LIN_JUMP_IN;
      if (kinds == 0 || was_unstructured(flow, old, edge))
        continue;
      lin_block from = graph->source[edge], to = graph->destination[edge];
      spinning = f->fate[from] == LIN_SPINS && (kinds & LIN_JUMP_IN) == 0;
      wrong = describe(arena, "structure: %s -> %s is unstructured (%u)%s", graph->name[from],
                       graph->name[to], kinds, spinning ? ", spinning" : "");
    }
    if (wrong == NULL || !spinning)
      break;
  }
  return wrong;
}

// ---- 2, 3: blocks, edges, traces

const char *lin_check_blocks(lin_arena *arena, const lin_flow *flow) {
  const lin_graph *old = flow->plan->analysis->graph, *graph = flow->graph;
  uint32_t *times = LIN_ARRAY(arena, uint32_t, old->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    lin_block original = flow->original[block];
    bool guard = flow->node[block] != LIN_NONE;
    if (original == LIN_NONE) {
      if (!guard || lin_out_degree(graph, block) != 2)
        return describe(arena, "blocks: %s is neither a guard nor an original", graph->name[block]);
      continue;
    }
    if (guard || original >= old->num_blocks || times[original]++ > 0 ||
        flow->place[original] != block)
      return describe(arena, "blocks: %s appears twice or is not in its place", graph->name[block]);
    if (lin_out_degree(graph, block) != lin_out_degree(old, original) ||
        graph->flags[block] != old->flags[original])
      return describe(arena, "blocks: %s has changed", graph->name[block]);
    for (LIN_OUT_EDGES(graph, block, edge))
      if (flow->original_edge[edge] != old->first_edge[original] + edge - graph->first_edge[block])
        return describe(arena, "blocks: edges of %s have changed", graph->name[block]);
  }
  for (lin_block original = 0; original < old->num_blocks; original++)
    if (times[original] != 1)
      return describe(arena, "blocks: %s is lost", old->name[original]);
  return flow->original[0] == 0 ? NULL : "blocks: the entry has moved";
}

const char *lin_check_edges(lin_arena *arena, const lin_flow *flow) {
  const lin_graph *old = flow->plan->analysis->graph, *graph = flow->graph;
  uint32_t guards = flow->plan->num_guards;
  uint32_t *guard = LIN_ARRAY(arena, uint32_t, guards);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_edge was = flow->original_edge[edge];
    if (was == LIN_NONE)
      continue;
    const char *from = graph->name[graph->source[edge]];
    const char *to = old->name[old->destination[was]];
    for (uint32_t i = 0; i < guards; i++)
      guard[i] = LIN_NONE; // not set by this edge
    lin_flow_assign(flow, edge, guard);
    lin_block block = graph->destination[edge];
    for (uint32_t steps = 0; flow->node[block] != LIN_NONE; steps++) {
      if (guard[flow->plan->node[flow->node[block]].guard] == LIN_NONE)
        return describe(arena, "edges: %s -> %s reads the guard of %s without setting it", from, to,
                        graph->name[block]);
      if (steps > 2 * graph->num_blocks)
        return describe(arena, "edges: %s -> %s gets nowhere", from, to);
      lin_edge next = lin_flow_test(flow, block, guard);
      lin_flow_assign(flow, next, guard);
      block = graph->destination[next];
    }
    if (flow->original[block] != old->destination[was])
      return describe(arena, "edges: %s -> %s leads to %s", from, to, graph->name[block]);
  }
  return NULL;
}

const char *lin_check_traces(lin_arena *arena, const lin_graph *input, const lin_result *result,
                             uint64_t seed, uint32_t runs) {
  uint32_t limit = 4 * input->num_blocks + 64;
  for (uint32_t run = 0; run < runs; run++) {
    lin_stream mine = {.seed = seed + run};
    lin_stream theirs = {.seed = seed + run, .name = result->order->origin};
    lin_trace before = lin_run_graph(arena, input, (lin_oracle){lin_stream_decide, &mine}, limit);
    lin_trace after = lin_run_flow(arena, result->flow, (lin_oracle){lin_stream_decide, &theirs},
                                   limit + 1); // the exit of united returns comes on top
    if (after.ending == LIN_RAN_LOST)
      return describe(arena, "traces: lost after %u blocks", after.length);
    for (uint32_t i = 0; i < before.length; i++) {
      if (i >= after.length || result->order->origin[after.block[i]] != before.block[i])
        return describe(arena, "traces: step %u is not %s", i, input->name[before.block[i]]);
    }
    if (before.ending != LIN_RAN_LIMIT &&
        (before.ending != after.ending ||
         after.length != before.length + (before.ending == LIN_RAN_RETURN)))
      return describe(arena, "traces: another end after step %u", before.length);
  }
  return NULL;
}

// ---- 3: values
//
// A variable is followed through a run of the flow by the name of its value:
//   - a definition in block d: the number of the visit of d. A use in a block that d dominates must
//     see the visit that was last;
//   - a phi of block j, set in the blocks before j: the number of the step that came last before j.
//     It is read at the end of the guard block from which j is entered;
//   - a guard: its number. It is read at every block that tests it, and the test must come out as
//   it
//     does for the variable that the interpreter keeps.
// The phis and where their operands come from are taken from lin_values_place and lin_values_at;
// what they are worth is found by running.

enum { POISON = UINT32_MAX, MOST_READS = 12, RUNS = 2 };

typedef enum { DEFINITION, PHI, GUARD } subject_kind;

typedef struct subject {
  subject_kind kind;
  uint32_t id; // block of the plan's graph, or guard
  lin_variable variable;
} subject;

typedef struct follower {
  lin_arena *arena;
  const lin_flow *flow;
  lin_values *values;
  const lin_carry *carry;
  // of the subject at hand:
  const subject *subject;
  bool *is_set, *is_phi, *is_read; // [num_blocks]
  lin_source *incoming;            // [num_edges] for edges into phis
  lin_source *at_read;             // [num_blocks]
  uint32_t *set_value, *phi_value; // [num_blocks] at the last visit
} follower;

static const char *describe_use(follower *f, const char *what, lin_block block) {
  static const char *const kinds[] = {"the definition of", "the phi of", "a guard of region of"};
  const lin_flow *flow = f->flow;
  const lin_graph *old = flow->plan->analysis->graph;
  lin_block of =
      f->subject->kind == GUARD
          ? flow->plan->entry[flow->plan->first_leaf[flow->plan->guard[f->subject->id].region]]
          : f->subject->id;
  return describe(f->arena, "values: %s %s %s at %s", kinds[f->subject->kind], old->name[of], what,
                  flow->graph->name[block]);
}

// Does every path to `block` pass `above`? By removal.
static bool dominates(lin_arena *arena, const lin_graph *graph, lin_block above, lin_block block) {
  if (above == 0 || above == block)
    return true;
  bool *seen = LIN_ARRAY(arena, bool, graph->num_blocks);
  lin_block *stack = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  uint32_t top = 0;
  seen[0] = seen[above] = true;
  for (stack[top++] = 0; top > 0;) {
    lin_block at = stack[--top];
    for (LIN_OUT_EDGES(graph, at, edge)) {
      lin_block to = graph->destination[edge];
      if (!seen[to])
        stack[top++] = to;
      seen[to] = true;
    }
  }
  return !seen[block];
}

static const char *check_source(follower *f, lin_source source, lin_block block) {
  if (source.kind == LIN_FROM_NOWHERE)
    return NULL;
  if (source.kind == LIN_FROM_SET && !f->is_set[source.block])
    return describe_use(f, "comes from a block that doesn't set it", block);
  if (source.kind == LIN_FROM_PHI && !f->is_phi[source.block])
    return describe_use(f, "comes from a phi that doesn't exist", block);
  lin_arena scratch = {0};
  bool fine = dominates(&scratch, f->flow->graph, source.block, block);
  lin_arena_release(&scratch);
  return fine ? NULL : describe_use(f, "comes from a block that doesn't dominate", block);
}

// Takes down the phis of the subject and where everything comes from.
static const char *prepare(follower *f, const subject *s) {
  const lin_graph *graph = f->flow->graph;
  const char *wrong = NULL;
  f->subject = s;
  memset(f->is_set, 0, graph->num_blocks * sizeof(bool));
  memset(f->is_phi, 0, graph->num_blocks * sizeof(bool));
  memset(f->is_read, 0, graph->num_blocks * sizeof(bool));
  const lin_block *phis;
  uint32_t count = lin_values_place(f->values, &s->variable, &phis);
  for (uint32_t i = 0; i < count; i++)
    f->is_phi[phis[i]] = true;
  for (uint32_t i = 0; i < s->variable.num_sets; i++)
    f->is_set[s->variable.set[i]] = true;
  for (uint32_t i = 0; i < count && wrong == NULL; i++)
    for (LIN_IN_EDGES(graph, phis[i], j)) {
      lin_edge edge = graph->in_edge[j];
      f->incoming[edge] = lin_values_at(f->values, (lin_point){graph->source[edge], true});
      if (wrong == NULL)
        wrong = check_source(f, f->incoming[edge], graph->source[edge]);
    }
  for (uint32_t i = 0; i < s->variable.num_reads && wrong == NULL; i++) {
    lin_point read = s->variable.read[i];
    f->is_read[read.block] = true;
    f->at_read[read.block] = lin_values_at(f->values, read);
    wrong = check_source(f, f->at_read[read.block], read.block);
  }
  return wrong;
}

static uint32_t value_of(const follower *f, lin_source source) {
  if (source.kind == LIN_FROM_SET)
    return f->set_value[source.block];
  if (source.kind == LIN_FROM_PHI)
    return f->phi_value[source.block];
  return f->subject->kind == GUARD ? f->flow->plan->guard[f->subject->id].otherwise : POISON;
}

static bool takes(const lin_flow *flow, lin_block guard, uint32_t value) {
  const lin_node *node = &flow->plan->node[flow->node[guard]];
  return node->low <= value && value <= node->high;
}

// What `edge` sets the guard to, or POISON.
static uint32_t assigned(const lin_flow *flow, lin_edge edge, uint32_t guard) {
  for (const lin_assignment *a = flow->assigned[edge]; a != NULL; a = a->next)
    if (a->guard == guard)
      return a->value;
  return POISON;
}

// What the guard is at the end of the block that `edge` leaves.
static uint32_t value_behind(const lin_flow *flow, lin_edge edge, uint32_t guard) {
  uint32_t value = assigned(flow, edge, guard);
  return value == POISON && flow->leaves[edge] ? flow->plan->guard[guard].otherwise : value;
}

static const char *follow(follower *f, uint64_t seed, uint32_t limit) {
  const lin_flow *flow = f->flow;
  const lin_graph *graph = flow->graph;
  const subject *s = f->subject;
  lin_stream stream = {.seed = seed};
  uint32_t *visits = LIN_ARRAY(f->arena, uint32_t, graph->num_blocks);
  uint32_t *guard = LIN_ARRAY(f->arena, uint32_t, flow->plan->num_guards);
  lin_block place = s->kind == GUARD ? LIN_NONE : flow->place[s->id];
  uint32_t steps = 0; // original blocks run
  for (lin_block block = 0; steps < limit;) {
    uint32_t value = f->is_read[block] ? value_of(f, f->at_read[block]) : POISON;
    lin_edge edge = graph->first_edge[block];
    if (flow->node[block] != LIN_NONE) {
      edge = lin_flow_test(flow, block, guard);
    } else {
      steps++;
      uint32_t visit = visits[block]++, degree = lin_out_degree(graph, block);
      if (degree == 0)
        return NULL;
      if (degree > 1)
        edge += lin_stream_decide(&stream, flow->original[block], visit, degree);
    }
    lin_block to = graph->destination[edge];
    if (f->is_read[block] && s->kind == DEFINITION && value != visits[place])
      return describe_use(f, "is not the last", block);
    if (f->is_read[block] && s->kind == PHI && to == place && value != steps)
      return describe_use(f, "is not of the last step", block);
    if (f->is_read[block] && s->kind == GUARD &&
        takes(flow, block, value) != (edge == graph->first_edge[block]))
      return describe_use(f, "decides otherwise", block);

    f->set_value[block] = s->kind == DEFINITION ? visits[block]
                          : s->kind == PHI      ? steps
                                                : value_behind(flow, edge, s->id);
    if (f->is_phi[to])
      f->phi_value[to] = value_of(f, f->incoming[edge]);
    lin_flow_assign(flow, edge, guard);
    block = to;
  }
  return NULL;
}

// ---- subjects

static uint32_t draw(uint64_t *state, uint32_t below) {
  lin_stream stream = {.seed = *state & ~(uint64_t)1};
  *state += 0x9e3779b97f4a7c16u;
  return lin_stream_decide(&stream, 0, 0, below);
}

static void choose_definition(follower *f, subject *s, lin_block block, uint64_t *state) {
  const lin_flow *flow = f->flow;
  const lin_graph *old = flow->plan->analysis->graph;
  lin_block *set = LIN_NEW(f->arena, lin_block);
  lin_point *read = LIN_ARRAY(f->arena, lin_point, MOST_READS);
  bool *chosen = LIN_ARRAY(f->arena, bool, old->num_blocks);
  *set = flow->place[block];
  *s = (subject){DEFINITION, block, {1, set, 0, read, 0, NULL}};
  uint32_t wanted = 1 + draw(state, MOST_READS);
  for (uint32_t tries = 0; tries < 3 * wanted && s->variable.num_reads < wanted; tries++) {
    lin_block user = draw(state, old->num_blocks);
    if (user == block || chosen[user] || !dominates(f->arena, old, block, user))
      continue;
    chosen[user] = true;
    read[s->variable.num_reads++] = (lin_point){flow->place[user], false};
  }
  s->variable.num_carried = f->carry->value[block].count;
  s->variable.carried = f->carry->value[block].block;
}

// Writes the marked blocks to `list`, rising; returns how many.
static uint32_t list_marked(const bool *marked, uint32_t count, lin_block *list) {
  uint32_t length = 0;
  for (lin_block block = 0; block < count; block++)
    if (marked[block])
      list[length++] = block;
  return length;
}

// A phi is set where an edge to `block` was led through guards, and read behind the last guard.
static void choose_phi(follower *f, subject *s, lin_block block) {
  const lin_flow *flow = f->flow;
  const lin_graph *old = flow->plan->analysis->graph, *graph = flow->graph;
  uint32_t n = graph->num_blocks;
  bool *sets = LIN_ARRAY(f->arena, bool, n), *carried = LIN_ARRAY(f->arena, bool, n);
  lin_block *set = LIN_ARRAY(f->arena, lin_block, n), *around = LIN_ARRAY(f->arena, lin_block, n);
  lin_point *read = LIN_ARRAY(f->arena, lin_point, n);
  *s = (subject){PHI, block, {0, set, 0, read, 0, around}};
  for (LIN_IN_EDGES(old, block, i)) {
    lin_edge edge = old->in_edge[i];
    lin_block from = flow->place[old->source[edge]];
    lin_edge now = graph->first_edge[from] + edge - old->first_edge[old->source[edge]];
    if (graph->destination[now] == flow->place[block])
      continue;
    sets[from] = true;
    if (f->carry->around[edge] != LIN_NONE)
      carried[f->carry->around[edge]] = true;
  }
  for (LIN_IN_EDGES(graph, flow->place[block], i)) {
    lin_block from = graph->source[graph->in_edge[i]];
    if (flow->node[from] != LIN_NONE)
      read[s->variable.num_reads++] = (lin_point){from, true};
  }
  s->variable.num_sets = list_marked(sets, n, set);
  s->variable.num_carried = list_marked(carried, n, around);
}

static void choose_guard(follower *f, subject *s, uint32_t guard) {
  const lin_flow *flow = f->flow;
  uint32_t n = flow->graph->num_blocks;
  bool *sets = LIN_ARRAY(f->arena, bool, n);
  lin_block *set = LIN_ARRAY(f->arena, lin_block, n);
  lin_point *read = LIN_ARRAY(f->arena, lin_point, n);
  *s = (subject){GUARD, guard, {0, set, 0, read, 0, NULL}};
  for (lin_edge edge = 0; edge < flow->graph->num_edges; edge++)
    if (assigned(flow, edge, guard) != POISON)
      sets[flow->graph->source[edge]] = true;
  for (lin_block block = 0; block < n; block++)
    if (flow->node[block] != LIN_NONE && flow->plan->node[flow->node[block]].guard == guard)
      read[s->variable.num_reads++] = (lin_point){block, false};
  s->variable.num_sets = list_marked(sets, n, set);
  s->variable.num_carried = f->carry->guard[guard].count;
  s->variable.carried = f->carry->guard[guard].block;
}

static const char *check_subject(follower *f, const subject *s, uint64_t seed) {
  if (s->variable.num_sets == 0 || s->variable.num_reads == 0)
    return NULL;
  const char *wrong = prepare(f, s);
  for (uint32_t run = 0; run < RUNS && wrong == NULL; run++)
    wrong = follow(f, seed + run, 2 * f->flow->graph->num_blocks + 100);
  return wrong;
}

const char *lin_check_values(lin_arena *arena, const lin_flow *flow, uint64_t seed) {
  const lin_graph *old = flow->plan->analysis->graph;
  uint32_t n = flow->graph->num_blocks, guards = flow->plan->num_guards;
  follower f = {.arena = arena,
                .flow = flow,
                .values = lin_values_build(arena, flow),
                .carry = lin_carry_build(arena, flow),
                .is_set = LIN_ARRAY(arena, bool, n),
                .is_phi = LIN_ARRAY(arena, bool, n),
                .is_read = LIN_ARRAY(arena, bool, n),
                .incoming = LIN_ARRAY(arena, lin_source, flow->graph->num_edges),
                .at_read = LIN_ARRAY(arena, lin_source, n),
                .set_value = LIN_ARRAY(arena, uint32_t, n),
                .phi_value = LIN_ARRAY(arena, uint32_t, n)};
  uint64_t state = seed;
  uint32_t samples = old->num_blocks < 12 ? old->num_blocks : 12;
  const char *wrong = NULL;
  for (uint32_t i = 0; i < samples && wrong == NULL; i++) {
    lin_block block = samples < 12 ? i : draw(&state, old->num_blocks);
    subject s;
    choose_definition(&f, &s, block, &state);
    wrong = check_subject(&f, &s, seed);
    if (wrong != NULL)
      break;
    choose_phi(&f, &s, block);
    wrong = check_subject(&f, &s, seed);
  }
  for (uint32_t guard = 0; guard < guards && wrong == NULL; guard += 1 + guards / 12) {
    subject s;
    choose_guard(&f, &s, guard);
    wrong = check_subject(&f, &s, seed);
  }
  return wrong;
}

// ---- 4: size

const char *lin_check_size(lin_arena *arena, const lin_flow *flow) {
  const lin_plan *plan = flow->plan;
  const lin_graph *old = plan->analysis->graph;
  uint32_t regions = plan->regions->num_regions;
  uint32_t *guards = LIN_ARRAY(arena, uint32_t, regions);
  uint32_t *allowed = LIN_ARRAY(arena, uint32_t, regions);
  for (lin_block block = 0; block < flow->graph->num_blocks; block++)
    if (flow->node[block] != LIN_NONE)
      guards[plan->node[flow->node[block]].region]++;
  for (lin_edge edge = 0; edge < old->num_edges; edge++)
    for (uint32_t region = plan->regions->owner[old->source[edge]]; region != LIN_NONE;
         region = plan->regions->parent[region]) {
      uint32_t from = leaf_in(plan, region, old->source[edge]);
      uint32_t to = leaf_in(plan, region, old->destination[edge]);
      allowed[region] += to != LIN_NONE && to < from;
    }
  for (uint32_t region = 0; region < regions; region++)
    if (!plan->regions->gone[region] && guards[region] > plan->num_leaves[region] + allowed[region])
      return describe(arena, "size: %u guards for %u leaves and %u retreating edges",
                      guards[region], plan->num_leaves[region], allowed[region]);
  return NULL;
}

// ---- 5: a warp

// What gives a lane's visit of a block its identity: the passes through the regions around it and,
// in loops, the iterations, outermost first.
typedef struct context {
  bool is_region;
  uint32_t id; // region or loop
  uint32_t size;
} context;

typedef struct watch {
  const lin_flow *flow;
  const facts *f;
  lin_arena *arena;
  uint32_t *first; // [num_blocks + 1] into contexts
  context *contexts;
  bool *asked; // [num_blocks] the property is asked of the block
  uint32_t num_regions, num_contexts;
  uint64_t *token;  // [LIN_LANES * num_contexts] by region, then num_regions + loop
  uint32_t *around; // [LIN_LANES * num_contexts]
  uint64_t passes;
  uint64_t *seen; // hash set of (block, token)
  size_t capacity, count;
  lin_block twice; // the first block that was entered twice, or LIN_NONE
} watch;

static uint64_t scramble(uint64_t a, uint64_t b) {
  uint64_t z = a * 0x9e3779b97f4a7c15u ^ (b + 0x632be59bd9b4e019u) * 0xd6e8feb86659fd93u;
  z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
  return z ^ (z >> 32);
}

// Adds a key; true if it was there.
// Open addressing; returns true if the key was there already.
static bool insert_key(uint64_t *table, size_t capacity, uint64_t key) {
  size_t place = (key >> 7) % capacity;
  while (table[place] != 0) {
    if (table[place] == key)
      return true;
    place = (place + 1) % capacity;
  }
  table[place] = key;
  return false;
}

static bool add_key(watch *w, uint64_t key) {
  if (2 * w->count >= w->capacity) {
    size_t old_capacity = w->capacity;
    uint64_t *old = w->seen;
    w->capacity = old_capacity == 0 ? 256 : 2 * old_capacity;
    w->seen = LIN_ARRAY(w->arena, uint64_t, w->capacity);
    for (size_t i = 0; i < old_capacity; i++)
      if (old[i] != 0)
        insert_key(w->seen, w->capacity, old[i]);
  }
  bool found = insert_key(w->seen, w->capacity, key | 1);
  w->count += !found;
  return found;
}

static bool contains(const watch *w, context c, lin_block block) {
  if (!c.is_region)
    return has(w->f->loops[c.id].set, block);
  uint32_t region = region_of(w->flow, block);
  while (region != LIN_NONE && region < c.id) // regions around have higher numbers
    region = w->flow->plan->regions->parent[region];
  return region == c.id;
}

static int by_size(const void *left, const void *right) {
  const context *a = left, *b = right;
  if (a->size != b->size)
    return a->size > b->size ? -1 : 1;
  return a->is_region == b->is_region ? 0 : a->is_region ? -1 : 1;
}

static void list_contexts(watch *w) {
  const lin_graph *graph = w->flow->graph;
  const lin_regions *regions = w->flow->plan->regions;
  uint32_t n = graph->num_blocks;
  uint32_t *size = LIN_ARRAY(w->arena, uint32_t, w->num_regions);
  w->first = LIN_ARRAY(w->arena, uint32_t, (size_t)n + 1);
  for (lin_block block = 0; block < n; block++) {
    uint32_t count = 0;
    for (uint32_t r = region_of(w->flow, block); r != LIN_NONE; r = regions->parent[r], count++)
      size[r]++;
    for (uint32_t l = w->f->loop_of[block]; l != LIN_NONE; l = w->f->loops[l].parent)
      count++;
    w->first[block + 1] = w->first[block] + count;
  }
  w->contexts = LIN_ARRAY(w->arena, context, w->first[n]);
  for (lin_block block = 0; block < n; block++) {
    context *next = w->contexts + w->first[block];
    for (uint32_t r = region_of(w->flow, block); r != LIN_NONE; r = regions->parent[r])
      *next++ = (context){true, r, size[r]};
    for (uint32_t l = w->f->loop_of[block]; l != LIN_NONE; l = w->f->loops[l].parent)
      *next++ = (context){false, l, w->f->loops[l].count};
    qsort(w->contexts + w->first[block], w->first[block + 1] - w->first[block], sizeof(context),
          by_size);
  }
}

// Definition 1 calls a graph structured in which threads meet too late. A kept leaf is tidy if
//   - each of its loops is left to one place only, from blocks that every iteration runs and that
//     have one way to stay: else some threads go around alone while others wait behind the exit;
//   - each join is where the branch above it reconverges: an arm with a block of its own hides a
//     short circuit from the definition;
//   - its threads do not spin for ever.
static uint32_t ways_to_stay(const lin_graph *graph, const loop *l, lin_block block) {
  uint32_t ways = 0;
  lin_block first = LIN_NONE;
  for (LIN_OUT_EDGES(graph, block, edge))
    if (has(l->set, graph->destination[edge]) && graph->destination[edge] != first) {
      first = graph->destination[edge];
      ways++;
    }
  return ways;
}

static bool is_tidy_loop(const facts *f, const loop *l) {
  const lin_graph *graph = f->graph;
  lin_block target = LIN_NONE;
  for (uint32_t i = 0; i < l->count; i++)
    for (LIN_OUT_EDGES(graph, l->blocks[i], out)) {
      if (has(l->set, graph->destination[out]) || f->doomed[out])
        continue;
      if (ways_to_stay(graph, l, l->blocks[i]) > 1)
        return false;
      if (target != LIN_NONE && target != graph->destination[out])
        return false;
      target = graph->destination[out];
      for (LIN_IN_EDGES(graph, l->header, j)) {
        lin_block from = graph->source[graph->in_edge[j]];
        if (has(l->set, from) && !has(above(f, from), l->blocks[i]))
          return false;
      }
    }
  return true;
}

static bool is_tidy_join(const facts *f, lin_block block) {
  const lin_graph *graph = f->graph;
  uint32_t ahead = 0;
  for (LIN_IN_EDGES(graph, block, i))
    ahead += !has(above(f, graph->source[graph->in_edge[i]]), block);
  if (ahead < 2)
    return true;
  take(above(f, block), block);
  lin_block branch = furthest(f, above(f, block), f->depth);
  put(above(f, block), block);
  return next_below(f, branch) == block;
}

// The leaf of an original block in a region; an index into the plan's entry[].
static uint32_t leaf_at(const lin_flow *flow, lin_block block) {
  lin_block old = flow->original[block];
  return flow->plan->first_leaf[flow->plan->regions->owner[old]] + flow->plan->leaf_of[old];
}

static void choose_asked(watch *w, lin_mode mode) {
  const lin_flow *flow = w->flow;
  const lin_plan *plan = flow->plan;
  const facts *f = w->f;
  uint32_t n = flow->graph->num_blocks;
  uint32_t *size = LIN_ARRAY(w->arena, uint32_t, n); // of leaves, with the regions inside them
  bool *untidy = LIN_ARRAY(w->arena, bool, n);
  for (lin_block old = 0; old < plan->analysis->graph->num_blocks; old++)
    for (uint32_t region = plan->regions->owner[old], leaf = plan->leaf_of[old]; region != LIN_NONE;
         leaf = plan->outer_leaf[region], region = plan->regions->parent[region])
      size[plan->first_leaf[region] + leaf]++;
  for (lin_block block = 0; block < n; block++) {
    w->asked[block] = region_of(flow, block) != LIN_NONE;
    if (!w->asked[block] || flow->original[block] == LIN_NONE)
      continue;
    uint32_t leaf = leaf_at(flow, block);
    if (size[leaf] > 1 && (mode == LIN_MODE_IRREDUCIBLE || f->fate[block] == LIN_SPINS))
      untidy[leaf] = true;
    if (plan->entry[leaf] != flow->original[block] && !is_tidy_join(f, block))
      untidy[leaf] = true;
    for (uint32_t l = f->loop_of[block]; l != LIN_NONE; l = f->loops[l].parent) {
      lin_block header = f->loops[l].header;
      if (flow->original[header] == LIN_NONE || region_of(flow, header) == LIN_NONE ||
          leaf_at(flow, header) != leaf)
        break; // no loop of the leaf
      untidy[leaf] |= !is_tidy_loop(f, &f->loops[l]);
    }
  }
  for (lin_block block = 0; block < n; block++)
    if (w->asked[block] && flow->original[block] != LIN_NONE)
      w->asked[block] = !untidy[leaf_at(flow, block)];
}

static void on_run(void *data, lin_block block, uint32_t lanes) {
  watch *w = data;
  if (!w->asked[block] || w->twice != LIN_NONE)
    return;
  context inner = w->contexts[w->first[block + 1] - 1];
  uint32_t index = inner.is_region ? inner.id : w->num_regions + inner.id;
  uint64_t told[LIN_LANES];
  uint32_t count = 0;
  for (uint32_t lane = 0; lane < LIN_LANES; lane++) {
    if ((lanes >> lane & 1) == 0)
      continue;
    uint64_t key = scramble(w->token[(size_t)lane * w->num_contexts + index], block);
    uint32_t i = 0;
    while (i < count && told[i] != key)
      i++;
    if (i < count)
      continue;
    told[count++] = key;
    if (add_key(w, key))
      w->twice = block;
  }
}

static void on_edge(void *data, lin_block from, lin_block to, uint32_t lanes) {
  watch *w = data;
  uint64_t pass = ++w->passes;
  bool outer_changed = false;
  uint32_t outer = LIN_NONE;
  uint32_t innermost = w->f->loop_of[to];
  if (innermost == w->f->loop_of[from] && region_of(w->flow, to) == region_of(w->flow, from) &&
      (innermost == LIN_NONE || w->f->loops[innermost].header != to))
    return; // neither enters nor repeats anything
  for (uint32_t i = w->first[to]; i < w->first[to + 1]; i++) {
    context c = w->contexts[i];
    bool entered = !contains(w, c, from);
    bool repeats = !entered && !c.is_region && w->f->loops[c.id].header == to;
    uint32_t index = c.is_region ? c.id : w->num_regions + c.id;
    for (uint32_t lane = 0; lane < LIN_LANES; lane++) {
      if ((lanes >> lane & 1) == 0)
        continue;
      uint64_t *token = w->token + (size_t)lane * w->num_contexts;
      uint32_t *around = w->around + (size_t)lane * w->num_contexts;
      if (entered)
        around[index] = 0;
      if (repeats)
        around[index]++;
      uint64_t outside = outer == LIN_NONE ? 0 : token[outer];
      if (c.is_region && (entered || outer_changed))
        token[index] = scramble(outside, pass);
      if (!c.is_region)
        token[index] = scramble(scramble(outside, c.id), around[index]);
    }
    outer_changed |= entered || repeats;
    outer = index;
  }
}

static lin_block *find_meetings(lin_arena *arena, const facts *f) {
  lin_block *meet = LIN_ARRAY(arena, lin_block, f->graph->num_blocks);
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    meet[block] = lin_out_degree(f->graph, block) > 1 ? next_below(f, block) : LIN_NONE;
  return meet;
}

const char *lin_check_warp(lin_arena *arena, const lin_flow *flow, lin_mode mode, uint64_t seed,
                           uint32_t limit) {
  const facts *f = find_facts(arena, flow->graph, 0);
  watch w = {.flow = flow, .f = f, .arena = arena, .twice = LIN_NONE};
  w.num_regions = flow->plan->regions->num_regions;
  w.num_contexts = w.num_regions + f->num_loops;
  w.token = LIN_ARRAY(arena, uint64_t, (size_t)LIN_LANES *w.num_contexts);
  w.around = LIN_ARRAY(arena, uint32_t, (size_t)LIN_LANES *w.num_contexts);
  w.asked = LIN_ARRAY(arena, bool, flow->graph->num_blocks);
  list_contexts(&w);
  choose_asked(&w, mode);
  lin_warp warp = {.graph = flow->graph,
                   .flow = flow,
                   .reconverge = find_meetings(arena, f),
                   .limit = limit,
                   .ran = on_run,
                   .went = on_edge,
                   .data = &w};
  lin_stream stream[LIN_LANES];
  for (uint32_t lane = 0; lane < LIN_LANES; lane++) {
    stream[lane] = (lin_stream){.seed = scramble(seed, lane)};
    warp.oracle[lane] = (lin_oracle){lin_stream_decide, &stream[lane]};
  }
  lin_simulate(arena, &warp);
  if (w.twice != LIN_NONE)
    return describe(arena, "warp: %s is entered twice in one pass", flow->graph->name[w.twice]);
  return NULL;
}

// ---- 7: again

const char *lin_check_again(lin_arena *arena, const lin_flow *flow, const lin_options *options) {
  lin_result again;
  lin_status status = lin_linearize(arena, flow->graph, options, &again);
  if (!lin_ok(status))
    return describe(arena, "again: the flow is refused: %s", status.reason);
  if (again.num_regions == 0)
    return NULL;
  const lin_graph *graph = again.order->graph;
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    if (again.seed[edge])
      return describe(arena, "again: %s -> %s", graph->name[graph->source[edge]],
                      graph->name[graph->destination[edge]]);
  return "again: a region without unstructured edges";
}
