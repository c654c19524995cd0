#include "check_facts.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *lin_check_describe(lin_arena *arena, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return lin_arena_text(arena, text, strlen(text));
}

uint32_t lin_check_region_of(const lin_flow *flow, lin_block block) {
  if (flow->node[block] != LIN_NONE)
    return flow->plan->node[flow->node[block]].region;
  if (flow->original[block] == LIN_NONE)
    return LIN_NONE;
  return flow->plan->regions->owner[flow->original[block]];
}

static uint32_t size_of(const lin_word *set, size_t words) {
  uint32_t size = 0;
  for (size_t i = 0; i < words; i++)
    for (lin_word rest = set[i]; rest != 0; rest &= rest - 1)
      size++;
  return size;
}

static void find_order(lin_facts *f, lin_arena *arena) {
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

static void find_fates(lin_facts *f, lin_arena *arena) {
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
    for (LIN_OUT_EDGES(graph, f->order[i], edge))
      f->doomed[edge] = f->fate[graph->destination[edge]] != f->fate[f->order[i]];
  }
}

static void find_dominators(lin_facts *f, lin_arena *arena) {
  const lin_graph *graph = f->graph;
  f->above = LIN_ARRAY(arena, lin_word, graph->num_blocks * f->words);
  f->depth = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  lin_word *set = LIN_ARRAY(arena, lin_word, f->words);
  bool *reached = LIN_ARRAY(arena, bool, graph->num_blocks);
  for (uint32_t i = 0; i < f->count; i++) {
    reached[f->order[i]] = true;
    memset(lin_facts_above(f, f->order[i]), 0xff, f->words * sizeof *set);
  }
  memset(lin_facts_above(f, 0), 0, f->words * sizeof *set);
  lin_set_put(lin_facts_above(f, 0), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 1; i < f->count; i++) {
      lin_block block = f->order[i];
      memset(set, 0xff, f->words * sizeof *set);
      for (LIN_IN_EDGES(graph, block, j)) {
        lin_block from = graph->source[graph->in_edge[j]];
        for (size_t w = 0; reached[from] && w < f->words; w++)
          set[w] &= lin_facts_above(f, from)[w];
      }
      lin_set_put(set, block);
      if (memcmp(set, lin_facts_above(f, block), f->words * sizeof *set) != 0) {
        memcpy(lin_facts_above(f, block), set, f->words * sizeof *set);
        changed = true;
      }
    }
  }
  for (uint32_t i = 0; i < f->count; i++)
    f->depth[f->order[i]] = size_of(lin_facts_above(f, f->order[i]), f->words);
}

static void find_postdominators(lin_facts *f, const bool *is_exit, lin_arena *arena) {
  const lin_graph *graph = f->graph;
  f->below = LIN_ARRAY(arena, lin_word, graph->num_blocks * f->words);
  f->height = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  lin_word *set = LIN_ARRAY(arena, lin_word, f->words);
  for (uint32_t i = 0; i < f->count; i++)
    memset(lin_facts_below(f, f->order[i]), 0xff, f->words * sizeof *set);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = f->count; i-- > 0;) {
      lin_block block = f->order[i];
      memset(set, is_exit[block] ? 0 : 0xff, f->words * sizeof *set);
      for (LIN_OUT_EDGES(graph, block, edge))
        for (size_t w = 0; !f->doomed[edge] && w < f->words; w++)
          set[w] &= lin_facts_below(f, graph->destination[edge])[w];
      lin_set_put(set, block);
      if (memcmp(set, lin_facts_below(f, block), f->words * sizeof *set) != 0) {
        memcpy(lin_facts_below(f, block), set, f->words * sizeof *set);
        changed = true;
      }
    }
  }
  for (uint32_t i = 0; i < f->count; i++)
    f->height[f->order[i]] = size_of(lin_facts_below(f, f->order[i]), f->words);
}

// ---- loops

typedef struct tarjan {
  uint32_t *index, *low; // [num_blocks]
  lin_edge *next;        // [num_blocks]
  lin_block *path, *open;
  uint32_t *within; // [num_blocks] the set at hand that contains the block
  bool *is_open;
} tarjan;

static void add_loop(lin_facts *f, lin_arena *arena, uint32_t parent, const lin_block *blocks,
                     uint32_t count) {
  lin_facts_loop *l = &f->loops[f->num_loops];
  *l = (lin_facts_loop){.parent = parent, .header = LIN_NONE, .count = count, .reducible = true};
  l->blocks = LIN_ARRAY(arena, lin_block, count);
  l->set = LIN_ARRAY(arena, lin_word, f->words);
  memcpy(l->blocks, blocks, count * sizeof *blocks);
  for (uint32_t i = 0; i < count; i++) {
    lin_set_put(l->set, blocks[i]);
    if (blocks[i] < l->header)
      l->header = blocks[i];
    if (blocks[i] > l->last)
      l->last = blocks[i];
    f->loop_of[blocks[i]] = f->num_loops;
  }
  for (uint32_t i = 0; i < count; i++)
    l->reducible &= lin_facts_dominates(f, l->header, blocks[i]);
  f->num_loops++;
}

static bool goes_to_itself(const lin_graph *graph, lin_block block) {
  for (LIN_OUT_EDGES(graph, block, edge))
    if (graph->destination[edge] == block)
      return true;
  return false;
}

// Adds the loops among `blocks`, all of which have within[] == `set`.
static void find_components(lin_facts *f, tarjan *t, lin_arena *arena, uint32_t parent,
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

static void find_loops(lin_facts *f, lin_arena *arena) {
  uint32_t n = f->graph->num_blocks;
  tarjan t = {.index = LIN_ARRAY(arena, uint32_t, n),
              .low = LIN_ARRAY(arena, uint32_t, n),
              .next = LIN_ARRAY(arena, lin_edge, n),
              .path = LIN_ARRAY(arena, lin_block, n),
              .open = LIN_ARRAY(arena, lin_block, n),
              .within = LIN_ARRAY(arena, uint32_t, n),
              .is_open = LIN_ARRAY(arena, bool, n)};
  f->loops = LIN_ARRAY(arena, lin_facts_loop, n);
  f->loop_of = LIN_ARRAY(arena, uint32_t, n);
  for (lin_block block = 0; block < n; block++)
    t.within[block] = f->loop_of[block] = LIN_NONE;
  for (uint32_t i = 0; i < f->count; i++)
    t.within[f->order[i]] = 0;
  find_components(f, &t, arena, LIN_NONE, f->order, f->count, 0);
  for (uint32_t outer = 0; outer < f->num_loops; outer++) {
    lin_facts_loop *l = &f->loops[outer];
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

static void find_common(lin_facts *f, lin_arena *arena) {
  for (uint32_t i = 0; i < f->num_loops; i++) {
    lin_facts_loop *l = &f->loops[i];
    l->common_above = LIN_ARRAY(arena, lin_word, f->words);
    l->common_below = LIN_ARRAY(arena, lin_word, f->words);
    memset(l->common_above, 0xff, f->words * sizeof(lin_word));
    memset(l->common_below, 0xff, f->words * sizeof(lin_word));
    for (uint32_t j = 0; j < l->count; j++)
      for (size_t w = 0; w < f->words; w++) {
        l->common_above[w] &= lin_facts_above(f, l->blocks[j])[w];
        l->common_below[w] &= lin_facts_below(f, l->blocks[j])[w];
      }
  }
}

// Marks an exit in each loop that nothing leaves: its last block, at which an iteration ends, or
// for `choice` > 0 another one.
static void choose_spinning_exits(const lin_facts *f, uint32_t choice, bool *is_exit) {
  for (uint32_t i = 0; i < f->num_loops; i++) {
    const lin_facts_loop *l = &f->loops[i];
    assert(l->count > 0);
    bool left = l->parent != LIN_NONE;
    for (uint32_t j = 0; j < l->count; j++)
      for (LIN_OUT_EDGES(f->graph, l->blocks[j], edge))
        left |= !lin_set_has(l->set, f->graph->destination[edge]);
    if (!left)
      is_exit[choice == 0 ? l->last : l->blocks[choice % l->count]] = true;
  }
}

lin_facts *lin_facts_find(lin_arena *arena, const lin_graph *graph, uint32_t choice) {
  lin_facts *f = LIN_NEW(arena, lin_facts);
  f->graph = graph;
  f->words = ((size_t)graph->num_blocks + 63) / 64;
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

lin_block lin_facts_furthest(const lin_facts *f, const lin_word *set, const uint32_t *depth) {
  lin_block best = LIN_NONE;
  for (size_t w = 0; w < f->words; w++)
    for (uint32_t bit = 0; set[w] >> bit != 0; bit++) {
      lin_block block = (lin_block)(w * 64 + bit);
      if (lin_set_has(set, block) && (best == LIN_NONE || depth[block] > depth[best]))
        best = block;
      if (bit == 63)
        break;
    }
  return best;
}

lin_block lin_facts_next_below(const lin_facts *f, lin_block block) {
  lin_set_take(lin_facts_below(f, block), block);
  lin_block result = lin_facts_furthest(f, lin_facts_below(f, block), f->height);
  lin_set_put(lin_facts_below(f, block), block);
  return result;
}

unsigned lin_facts_kinds(const lin_facts *f, lin_edge edge) {
  const lin_graph *graph = f->graph;
  lin_block from = graph->source[edge], to = graph->destination[edge];
  unsigned kinds = 0;
  for (uint32_t l = f->loop_of[to]; l != LIN_NONE && !lin_facts_in_loop(f, l, from);
       l = f->loops[l].parent)
    if (!lin_set_has(f->loops[l].common_above, to))
      kinds |= LIN_JUMP_IN;
  if (f->doomed[edge])
    return kinds;
  for (uint32_t l = f->loop_of[from]; l != LIN_NONE && !lin_facts_in_loop(f, l, to);
       l = f->loops[l].parent)
    if (!lin_set_has(f->loops[l].common_below, from))
      kinds |= LIN_JUMP_OUT;
  if (lin_out_degree(graph, from) > 1 && lin_in_degree(graph, to) > 1 &&
      !lin_facts_dominates(f, from, to) && !lin_facts_dominates(f, to, from) &&
      !lin_facts_postdominates(f, from, to) && !lin_facts_postdominates(f, to, from))
    kinds |= LIN_BRANCH;
  return kinds;
}
