#include "levels.h"

#include <string.h>

// An edge between items, the start and the end of a level.
typedef struct pair {
  uint32_t from, to;
} pair;

typedef struct edges {
  pair *pair;
  uint32_t count, capacity;
} edges;

typedef struct builder {
  const lin_arrangement *a;
  lin_levels *r;
  edges *edges; // [num_spans + 1] of each level
} builder;

// ---- edges

static void add_pair(builder *b, uint32_t level, uint32_t from, uint32_t to) {
  edges *e = &b->edges[level];
  e->pair = LIN_ROOM(b->a->arena, e->pair, e->count, &e->capacity);
  e->pair[e->count++] = (pair){from, to};
}

static void find_levels(builder *b) {
  const lin_arrangement *a = b->a;
  uint32_t region_level = a->num_spans, depth = 0, next = 0;
  uint32_t *open = LIN_ARRAY(a->arena, uint32_t, (size_t)a->num_spans + 1);
  uint32_t *sequence = LIN_ARRAY(a->arena, uint32_t, (size_t)b->r->num_leaves + a->num_spans);
  uint32_t count = 0;
  open[depth++] = region_level;
  for (uint32_t leaf = 0; leaf < b->r->num_leaves; leaf++) {
    while (depth > 1 && a->spans[open[depth - 1]].last < leaf)
      depth--;
    if (next < a->num_spans && a->spans[next].first == leaf) {
      sequence[count++] = b->r->num_leaves + next;
      b->r->level_of[b->r->num_leaves + next] = open[depth - 1];
      open[depth++] = next++;
    }
    sequence[count++] = leaf;
    b->r->level_of[leaf] = open[depth - 1];
  }
  for (uint32_t i = 0; i < count; i++)
    b->r->number[sequence[i]] = ++b->r->level[b->r->level_of[sequence[i]]].num_items;
  for (uint32_t i = 0; i <= region_level; i++)
    b->r->level[i].item = LIN_ARRAY(a->arena, uint32_t, (size_t)b->r->level[i].num_items + 1);
  for (uint32_t i = 0; i < count; i++)
    b->r->level[b->r->level_of[sequence[i]]].item[b->r->number[sequence[i]]] = sequence[i];
}

static bool is_within(const builder *b, uint32_t level_index, uint32_t leaf) {
  if (level_index == b->a->num_spans)
    return true;
  const lin_span *span = &b->a->spans[level_index];
  return span->first <= leaf && leaf <= span->last;
}

static void enter_item(builder *b, uint32_t item) {
  const uint32_t level = b->r->level_of[item];
  b->r->level[level].num_entered += !b->r->entered[item];
  b->r->entered[item] = true;
  add_pair(b, level, LIN_LEVEL_START, b->r->number[item]);
}

static void leave_item(builder *b, uint32_t item) {
  const uint32_t level = b->r->level_of[item];
  add_pair(b, level, b->r->number[item], b->r->level[level].num_items + 1);
}

// An edge from leaf `from` to leaf `to` (LIN_NONE: from or to outside of the region).
static void sort_edge(builder *b, uint32_t from, uint32_t to) {
  const lin_arrangement *a = b->a;
  uint32_t region_level = a->num_spans;
  uint32_t below_from = from, below_to = to; // the items just below the common level
  if (from != LIN_NONE)
    for (uint32_t at = b->r->level_of[from]; to == LIN_NONE || !is_within(b, at, to);
         at = b->r->level_of[below_from]) {
      leave_item(b, below_from);
      if (at == region_level)
        return;
      below_from = b->r->num_leaves + at;
    }
  for (uint32_t at = b->r->level_of[to]; from == LIN_NONE || !is_within(b, at, from);
       at = b->r->level_of[below_to]) {
    enter_item(b, below_to);
    if (at == region_level)
      return;
    below_to = b->r->num_leaves + at;
  }
  if (from < to) {
    add_pair(b, b->r->level_of[below_from], b->r->number[below_from], b->r->number[below_to]);
  } else { // goes around
    leave_item(b, below_from);
    enter_item(b, below_to);
  }
}

// True if the block from which the region is entered leads past it too. Then its threads don't all
// meet behind its arms, but only behind the region: they must enter the region at one place.
static bool passes_by(const builder *b) {
  const lin_analysis *analysis = b->a->plan->analysis;
  for (LIN_OUT_EDGES(analysis->graph, b->r->source, edge))
    if (!analysis->postdominators->doomed[edge] &&
        lin_plan_leaf(b->a->plan, b->a->region, analysis->graph->destination[edge]) == LIN_NONE)
      return true;
  return false;
}

static void sort_edges(builder *b) {
  const lin_arrangement *a = b->a;
  const lin_plan *plan = a->plan;
  const lin_graph *graph = plan->analysis->graph;
  bool several = false;
  for (uint32_t i = 0; i < a->num_members; i++) {
    lin_block block = a->members[i];
    uint32_t here = lin_plan_leaf(plan, a->region, block);
    for (LIN_IN_EDGES(graph, block, in)) {
      lin_block from = graph->source[graph->in_edge[in]];
      if (lin_plan_leaf(plan, a->region, from) != LIN_NONE)
        continue;
      several |= b->r->source != LIN_NONE && b->r->source != from;
      b->r->source = from;
      sort_edge(b, LIN_NONE, here);
    }
    for (LIN_OUT_EDGES(graph, block, edge)) {
      uint32_t there = lin_plan_leaf(plan, a->region, graph->destination[edge]);
      bool gone = there == LIN_NONE && plan->analysis->postdominators->doomed[edge];
      bool crosses = there != here || lin_plan_goes_back(plan, a->region, here, there, block,
                                                         graph->destination[edge]);
      if (crosses && !gone)
        sort_edge(b, here, there);
    }
    if (block == 0) // the function begins here
      sort_edge(b, LIN_NONE, here);
  }
  if (several || plan->regions->owner[0] == a->region || passes_by(b))
    b->r->source = LIN_NONE;
}

// ---- dominators

static lin_graph *level_graph(lin_arena *arena, const lin_level *l, const edges *e, bool reversed) {
  uint32_t count = l->num_items + 2;
  lin_graph *graph = lin_graph_new(arena, count, e->count);
  for (uint32_t i = 0; i < e->count; i++)
    graph->first_edge[(reversed ? e->pair[i].to : e->pair[i].from) + 1]++;
  for (uint32_t node = 0; node < count; node++)
    graph->first_edge[node + 1] += graph->first_edge[node];
  uint32_t *next = LIN_ARRAY(arena, uint32_t, count);
  memcpy(next, graph->first_edge, count * sizeof *next);
  for (uint32_t i = 0; i < e->count; i++) {
    pair p = e->pair[i];
    graph->destination[next[reversed ? p.to : p.from]++] = reversed ? p.from : p.to;
  }
  lin_graph_finish(arena, graph);
  return graph;
}

// Items from which no thread comes to the end of the level stay in its sequence: nested in an arm,
// they would keep what follows that arm from post-dominating it. For post-dominance the last ones,
// to which nothing is next, do lead to the end.
static void find_dominators(builder *b, uint32_t level, bool nested) {
  lin_arena *arena = b->a->arena;
  lin_level *l = &b->r->level[level];
  const edges *e = &b->edges[level];
  const uint32_t end = l->num_items + 1;
  const lin_graph *graph = level_graph(arena, l, e, false);
  const uint32_t *dominator = lin_dominators_build(arena, graph, LIN_LEVEL_START)->parent;
  l->several = LIN_ARRAY(arena, bool, (size_t)end + 1);
  l->dead_end = LIN_ARRAY(arena, bool, (size_t)end + 1);
  l->first_child = LIN_ARRAY(arena, uint32_t, end);
  l->next_child = LIN_ARRAY(arena, uint32_t, end);
  for (uint32_t i = 0; i < e->count; i++)
    l->several[e->pair[i].to] |= e->pair[i].from != dominator[e->pair[i].to];
  for (uint32_t i = 0; i < end; i++)
    l->first_child[i] = LIN_NONE;
  for (uint32_t i = end; i-- > 1;) {
    l->dead_end[i] = true;
    for (LIN_OUT_EDGES(graph, i, edge))
      l->dead_end[i] &= l->dead_end[graph->destination[edge]];
    if (lin_out_degree(graph, i) == 0)
      add_pair(b, level, i, end);
    const uint32_t above = nested && !l->dead_end[i] ? dominator[i] : LIN_LEVEL_START;
    l->next_child[i] = l->first_child[above];
    l->first_child[above] = i;
  }
  l->postdominators = lin_dominators_build(arena, level_graph(arena, l, e, true), end);
}

lin_levels lin_levels_build(const lin_arrangement *a, bool nested) {
  const uint32_t leaves = a->plan->num_leaves[a->region], items = leaves + a->num_spans;
  lin_levels levels = {.num_leaves = leaves,
                       .level = LIN_ARRAY(a->arena, lin_level, (size_t)a->num_spans + 1),
                       .number = LIN_ARRAY(a->arena, uint32_t, items),
                       .level_of = LIN_ARRAY(a->arena, uint32_t, items),
                       .entered = LIN_ARRAY(a->arena, bool, items),
                       .source = LIN_NONE};
  builder b = {a, &levels, LIN_ARRAY(a->arena, edges, (size_t)a->num_spans + 1)};
  find_levels(&b);
  sort_edges(&b);
  for (uint32_t i = 0; i <= a->num_spans; i++)
    find_dominators(&b, i, nested);
  return levels;
}
