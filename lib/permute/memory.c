#include "memory.h"

#include "values/conjuncts.h"
#include "values/ranges.h"

// Whether an edge is only taken by threads whose index along x is 0.
static bool is_for_first(const lin_values *v, lin_edge edge) {
  lin_block from = v->analysis->graph->source[edge];
  uint32_t condition = v->condition[from];
  if (condition == LIN_NONE || v->value[condition].width != 1 || v->taken_otherwise[edge])
    return false;
  lin_conjuncts all = lin_conjuncts_of(v, condition, v->taken_for[edge] != 0);
  for (uint32_t i = 0; i < all.count; i++) {
    const lin_value *at = &v->value[all.value[i]];
    bool compares = at->op == LIN_OP_EQ || at->op == LIN_OP_NE;
    if (!compares || (at->op == LIN_OP_EQ) != all.holds[i])
      continue;
    uint32_t left = lin_operand(v, all.value[i], 0), right = lin_operand(v, all.value[i], 1);
    if (v->value[left].op == LIN_OP_ZEXT && v->value[left].width > LIN_INDEX_BITS)
      left = lin_operand(v, left, 0);
    if (v->value[left].op == LIN_OP_INDEX && v->value[left].number == 0 &&
        v->value[right].op == LIN_OP_CONSTANT && v->value[right].number == 0)
      return true;
  }
  return false;
}

// Whether only the first thread along x comes to a block.
static bool is_of_first(const lin_values *v, lin_block block) {
  enum { MOST_ABOVE = 8 };
  const lin_graph *graph = v->analysis->graph;
  for (unsigned i = 0; i < MOST_ABOVE && block != LIN_NONE && block != 0; i++) {
    if (lin_in_degree(graph, block) == 1 && is_for_first(v, graph->in_edge[graph->first_in[block]]))
      return true;
    block = v->analysis->dominators->parent[block];
  }
  return false;
}

typedef struct check {
  lin_arena *arena;
  const lin_values *values;
  const lin_section *section;
  lin_obstacle *found;
} check;

// The touch of a value, which has one.
static const lin_touch *touch_of(const lin_values *v, uint32_t value) {
  return &v->touch[v->value[value].number];
}

static bool touches(const lin_values *v, uint32_t value) {
  return (v->value[value].does & (LIN_READS | LIN_WRITES)) != 0;
}

typedef struct memory {
  uint32_t *touch; // [count] values of the section that touch memory that others see
  uint32_t count;
  bool writes;
} memory;

static memory find_touches(check *c) {
  const lin_values *v = c->values;
  memory m = {.touch = LIN_ARRAY(c->arena, uint32_t, v->num_touches)};
  for (uint32_t i = 0; i < v->num_touches; i++) {
    uint32_t value = v->touch[i].value;
    if (!lin_section_contains(v, c->section, value) || v->touch[i].memory == LIN_MEMORY_CONSTANT)
      continue;
    m.touch[m.count++] = value;
    m.writes |= (v->value[value].does & LIN_WRITES) != 0;
  }
  return m;
}

static bool is_of_warp(const lin_touch *touch) {
  return touch->memory == LIN_MEMORY_SHARED || touch->memory == LIN_MEMORY_ANY_SHARED ||
         touch->memory == LIN_MEMORY_ANY;
}

// Whether one instruction of the section may come after another one.
static bool may_follow(const check *c, uint32_t first, uint32_t second) {
  const lin_loops *loops = c->values->analysis->loops;
  const lin_value *value = c->values->value;
  uint32_t around = lin_loops_common(loops, value[first].block, value[second].block);
  return second > first ||
         loops->tree->depth[around] > loops->tree->depth[loops->loop_of[c->section->start]];
}

// Values that threads may leave each other within the section.
static void check_exchange(check *c, const memory *m) {
  const lin_values *v = c->values;
  for (uint32_t i = 0; i < m->count; i++) {
    const lin_touch *store = touch_of(v, m->touch[i]);
    if ((v->value[m->touch[i]].does & LIN_WRITES) == 0 || !is_of_warp(store))
      continue;
    for (uint32_t k = 0; k < m->count; k++) {
      const lin_touch *load = touch_of(v, m->touch[k]);
      if (i != k && (v->value[m->touch[k]].does & LIN_READS) != 0 && is_of_warp(load) &&
          load->address != store->address && lin_may_meet(store, load) &&
          may_follow(c, m->touch[i], m->touch[k]))
        lin_obstacle_add(
            c->found,
            "may load what another thread has stored since the last __syncthreads(): put one "
            "in between, or give -linearize-force if it is never another thread's",
            m->touch[k], m->touch[i]);
    }
  }
}

// Memory of the thread's own goes with it if nothing outside has any.
static void check_own(check *c) {
  const lin_values *v = c->values;
  uint32_t inside = LIN_NONE, outside = LIN_NONE;
  for (uint32_t i = 0; i < v->num_touches; i++) {
    if (v->touch[i].memory != LIN_MEMORY_OWN)
      continue;
    if (lin_section_contains(v, c->section, v->touch[i].value))
      inside = v->touch[i].value;
    else
      outside = v->touch[i].value;
  }
  if (inside != LIN_NONE && outside != LIN_NONE)
    lin_obstacle_add(
        c->found,
        "is in memory of the thread, which another thread would need: keep such arrays inside "
        "of the branch",
        inside, outside);
}

// Something outside of the section that the same thread does in no order with it.
static void check_beside(check *c, const memory *m, uint32_t value) {
  const lin_values *v = c->values;
  if ((v->value[value].does & LIN_ORDERS) != 0 && m->count > 0)
    lin_obstacle_add(
        c->found,
        "orders memory, or may access it, and there is no __syncthreads() between it and the "
        "branch: put one there",
        value, LIN_NONE);
  if (!touches(v, value))
    return;
  bool writes = (v->value[value].does & LIN_WRITES) != 0;
  for (uint32_t i = 0; i < m->count; i++) {
    bool either = writes || (v->value[m->touch[i]].does & LIN_WRITES) != 0;
    if (!either || touch_of(v, value)->memory == LIN_MEMORY_OWN ||
        !lin_may_meet(touch_of(v, value), touch_of(v, m->touch[i])))
      continue;
    if (is_of_first(v, v->value[value].block)) {
      c->found->keeps_first = true;
      continue;
    }
    lin_obstacle_add(
        c->found,
        "accesses memory that the branch accesses, and there is no __syncthreads() between the "
        "two: put one there",
        value, m->touch[i]);
  }
}

typedef struct walk {
  bool *seen; // [blocks]
  lin_block *pending;
  uint32_t count;
} walk;

static void visit(walk *w, lin_block block) {
  if (w->seen[block])
    return;
  w->seen[block] = true;
  w->pending[w->count++] = block;
}

// From `first` to `end`, or back. Returns false if there is a barrier: what is behind that is in
// order.
static bool look(check *c, const memory *m, uint32_t first, uint32_t end, bool back) {
  for (uint32_t i = first; i < end; i++) {
    const uint32_t at = back ? end - 1 - (i - first) : i;
    if ((c->values->value[at].does & LIN_MEETS) != 0)
      return false;
    check_beside(c, m, at);
  }
  return true;
}

// What comes behind the section, or `back`, before it, up to barriers.
static void look_around(check *c, const memory *m, bool back) {
  const uint32_t *first = c->values->first_value;
  const lin_graph *graph = c->values->analysis->graph;
  const lin_section *s = c->section;
  walk w = {LIN_ARRAY(c->arena, bool, graph->num_blocks),
            LIN_ARRAY(c->arena, lin_block, graph->num_blocks), 0};
  lin_block block = back ? s->start : s->end;
  bool goes_on =
      back ? look(c, m, first[block], s->first, back) : look(c, m, s->last, first[block + 1], back);
  for (;;) {
    if (goes_on && back)
      for (LIN_IN_EDGES(graph, block, i))
        visit(&w, graph->source[graph->in_edge[i]]);
    else if (goes_on)
      for (LIN_OUT_EDGES(graph, block, edge))
        visit(&w, graph->destination[edge]);
    if (w.count == 0)
      return;
    block = w.pending[--w.count];
    goes_on = look(c, m, first[block], first[block + 1], back);
  }
}

void lin_memory_check(lin_arena *arena, const lin_values *values, const lin_section *section,
                      bool force, lin_obstacle *found) {
  check c = {arena, values, section, found};
  const memory m = find_touches(&c);
  check_own(&c);
  if (!force)
    check_exchange(&c, &m);
  look_around(&c, &m, false);
  look_around(&c, &m, true);
}
