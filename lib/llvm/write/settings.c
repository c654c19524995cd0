// Sets variables at the ends of blocks (variables.c, step 2).
#include "variables.h"

#include "graph/sorted.h"

#include <stdlib.h>

// What a phi of the ordered block `to` wants of its web at the end of the block `from` of the flow.
typedef struct wish {
  uint32_t web;
  lin_block from, to;
  LLVMValueRef value;
} wish;

typedef struct setter {
  writer *w;
  lin_variables *v;
  const wish **wished; // [ordered blocks] of the web and the block at hand, else NULL
  lin_way *way;        // of the web and the block at hand
  uint32_t num_ways, way_capacity;
} setter;

static int by_web(const void *left, const void *right) {
  const wish *a = left, *b = right;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  if (a->web != b->web)
    return a->web < b->web ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

// Phi by phi: looking for what one of them has from a block takes a walk over its operands.
static wish *list_wishes(const writer *w, lin_arena *arena, uint32_t *num_wishes) {
  const lin_variables *v = w->variables;
  wish *wishes = NULL;
  uint32_t count = 0, capacity = 0;
  for (uint32_t i = 0; i < v->count; i++) {
    LLVMValueRef phi = v->value[i];
    if (!lin_writer_dissolves(w, phi))
      continue;
    for (unsigned j = 0; j < LLVMCountIncoming(phi); j++) {
      lin_block from = lin_writer_place(w, LLVMGetIncomingBlock(phi, j));
      if (from == LIN_NONE)
        continue;
      wishes = LIN_ROOM(arena, wishes, count, &capacity);
      wishes[count++] = (wish){v->webs->web_of[i], from, v->place[i].definition.block,
                               LLVMGetIncomingValue(phi, j)};
    }
  }
  if (count > 0)
    qsort(wishes, count, sizeof *wishes, by_web);
  *num_wishes = count;
  return wishes;
}

static bool is_in_web(const writer *w, LLVMValueRef value, uint32_t web) {
  uint32_t number = lin_numbers_find(&w->variables->number, value);
  return number != LIN_NONE && w->variables->webs->web_of[number] == web;
}

static int by_successor(const void *left, const void *right) {
  const lin_way *a = left, *b = right;
  return a->successor < b->successor ? -1 : a->successor > b->successor;
}

static void add_way(setter *s, uint32_t successor, LLVMValueRef value) {
  s->way = LIN_ROOM(s->w->arena, s->way, s->num_ways, &s->way_capacity);
  s->way[s->num_ways++] = (lin_way){successor, value};
}

// The edges to phis alone, of which there may be few in a switch of very many edges.
static void list_wished_ways(setter *s, const wish *wishes, uint32_t count) {
  const lin_graph *ordered = s->w->flow->plan->analysis->graph;
  lin_block block = s->w->flow->original[wishes[0].from];
  lin_edge first = ordered->first_edge[block], end = ordered->first_edge[block + 1];
  for (uint32_t i = 0; i < count; i++) {
    lin_block to = wishes[i].to;
    if (i > 0 && wishes[i - 1].to == to)
      continue; // a phi has an operand for each edge
    const lin_edge *in_edge = ordered->in_edge + ordered->first_in[to];
    uint32_t degree = lin_in_degree(ordered, to);
    for (uint32_t in = lin_count_below(in_edge, degree, first); in < degree && in_edge[in] < end;
         in++)
      add_way(s, in_edge[in] - first, wishes[i].value);
  }
  if (s->num_ways > 1)
    qsort(s->way, s->num_ways, sizeof(lin_way), by_successor);
}

// What the edges of a block say of a web: what they are wished to, else what the web holds there.
static void list_ways(setter *s, const wish *wishes, uint32_t count) {
  const lin_variables *v = s->v;
  const lin_graph *ordered = s->w->flow->plan->analysis->graph;
  lin_block block = s->w->flow->original[wishes[0].from];
  uint32_t held =
      lin_webs_held(v->webs, s->w->flow->plan->analysis, v->place, wishes[0].web, block);
  s->num_ways = 0;
  if (held == LIN_NONE) {
    list_wished_ways(s, wishes, count);
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    s->wished[wishes[i].to] = &wishes[i];
  for (LIN_OUT_EDGES(ordered, block, edge)) {
    lin_block to = ordered->destination[edge];
    uint32_t successor = edge - ordered->first_edge[block];
    if (s->wished[to] != NULL)
      add_way(s, successor, s->wished[to]->value);
    else if (lin_webs_is_live(v->webs, held, to))
      add_way(s, successor, v->value[held]);
  }
  for (uint32_t i = 0; i < count; i++)
    s->wished[wishes[i].to] = NULL;
}

// Sets one web at the end of a block, unless it holds what all successors want.
static void set_web(setter *s, const wish *wishes, uint32_t count) {
  writer *w = s->w;
  lin_setting **first = &s->v->settings[wishes[0].web];
  lin_block place = wishes[0].from;
  list_ways(s, wishes, count);
  bool set = false;
  for (uint32_t i = 0; i < s->num_ways; i++)
    set |= !is_in_web(w, s->way[i].value, wishes[0].web);
  if (!set)
    return;
  LLVMValueRef chosen = lin_writer_choose(w, place, s->way, s->num_ways);
  lin_setting *made = LIN_NEW(w->arena, lin_setting);
  *made = (lin_setting){place, lin_writer_hold(w, place, chosen), *first};
  *first = made;
}

void lin_writer_set_variables(writer *w) {
  uint32_t count;
  lin_arena scratch = {0};
  const wish *wishes = list_wishes(w, &scratch, &count);
  setter s = {.w = w,
              .v = w->variables,
              .wished =
                  LIN_ARRAY(&scratch, const wish *, w->flow->plan->analysis->graph->num_blocks)};
  for (uint32_t last = count, first; last > 0; last = first) { // so that each list comes out rising
    for (first = last - 1; first > 0 && wishes[first - 1].from == wishes[last - 1].from;)
      first--;
    for (uint32_t i = first, j; i < last; i = j) {
      for (j = i + 1; j < last && wishes[j].web == wishes[i].web;)
        j++;
      set_web(&s, wishes + i, j - i);
    }
  }
  lin_arena_release(&scratch);
}
