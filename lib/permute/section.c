#include "section.h"

#include "values/ranges.h"

#include <string.h>

// ---- blocks of a section

// The first instruction of a block behind its phis.
static uint32_t behind_phis(const lin_values *values, lin_block block) {
  uint32_t at = values->first_value[block];
  while (at < values->first_value[block + 1] && values->value[at].op == LIN_OP_PHI)
    at++;
  return at;
}

static bool is_entered_elsewhere(const lin_graph *graph, const lin_section *s, lin_block block) {
  for (LIN_IN_EDGES(graph, block, i))
    if (!s->has[graph->source[graph->in_edge[i]]])
      return true;
  return false;
}

// All that lies between s->start and s->end. False if threads come to it from elsewhere, or to the
// start again.
static bool collect(lin_arena *arena, const lin_values *values, lin_section *s) {
  const lin_graph *graph = values->analysis->graph;
  lin_block *pending = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  uint32_t count = 0;
  lin_block largest = s->start;
  s->has = LIN_ARRAY(arena, bool, graph->num_blocks);
  s->num_blocks = 0;
  s->has[s->start] = true;
  pending[count++] = s->start;
  while (count > 0) {
    lin_block block = pending[--count];
    s->num_blocks++;
    largest = block > largest ? block : largest;
    for (LIN_OUT_EDGES(graph, block, edge)) {
      lin_block to = graph->destination[edge];
      if (to == s->start)
        return false;
      if (to != s->end && !s->has[to])
        pending[count++] = to;
      s->has[to] |= to != s->end;
    }
  }
  bool reaches_into = s->last > values->first_value[s->end];
  s->block = LIN_ARRAY(arena, lin_block, s->num_blocks + 1);
  s->num_blocks = 0;
  for (lin_block block = s->start; block <= largest; block++)
    if (s->has[block])
      s->block[s->num_blocks++] = block;
  for (uint32_t i = 1; i < s->num_blocks; i++)
    if (is_entered_elsewhere(graph, s, s->block[i]))
      return false;
  if (reaches_into && is_entered_elsewhere(graph, s, s->end))
    return false;
  if (reaches_into)
    s->block[s->num_blocks++] = s->end;
  s->has[s->end] = reaches_into;
  return true;
}

bool lin_section_contains(const lin_values *values, const lin_section *s, uint32_t value) {
  lin_block block = values->value[value].block;
  return s->has[block] && value >= values->first_value[block] &&
         (block != s->start || value >= s->first) && (block != s->end || value < s->last);
}

static bool has_barrier(const lin_values *values, const lin_section *s) {
  for (uint32_t i = 0; i < s->num_blocks; i++) {
    lin_block block = s->block[i];
    for (uint32_t at = values->first_value[block]; at < values->first_value[block + 1]; at++)
      if ((values->value[at].does & LIN_MEETS) != 0 && lin_section_contains(values, s, at))
        return true;
  }
  return false;
}

bool lin_section_of_branch(lin_arena *arena, const lin_values *values, const lin_together *together,
                           lin_block block, lin_section *s) {
  const lin_graph *graph = values->analysis->graph;
  lin_block meeting = values->analysis->postdominators->tree->parent[block];
  if (!together->come[block] || lin_out_degree(graph, block) < 2 || meeting >= graph->num_blocks)
    return false;
  *s = (lin_section){.start = block,
                     .end = meeting,
                     .first = values->first_value[block + 1] - 1,
                     .last = values->first_value[meeting],
                     .is_branch = true};
  return collect(arena, values, s) && !has_barrier(values, s);
}

// ---- the widest section

typedef struct search {
  lin_arena *arena;
  const lin_values *values;
  const lin_together *together;
  const lin_tree *above, *below; // dominators, post-dominators
  uint32_t loop;
} search;

// Whether a section may begin or end in a block.
static bool is_place(const search *s, lin_block block) {
  return block < s->values->analysis->graph->num_blocks && s->together->come[block] &&
         s->values->analysis->loops->loop_of[block] == s->loop;
}

// The next such block up in a tree; LIN_NONE if there is none.
static lin_block next_place(const search *s, const lin_tree *tree, lin_block block) {
  do
    block = tree->parent[block];
  while (block != LIN_NONE && !is_place(s, block));
  return block;
}

// Whether all threads that come to one come to the other, as often.
static bool are_equal(const search *s, lin_block above, lin_block below) {
  return above < below && lin_tree_contains(s->above, above, below) &&
         lin_tree_contains(s->below, below, above);
}

// The section from the end of one block to the begin of another, if it has no barrier.
static bool is_free(const search *s, lin_block from, lin_block to) {
  lin_section between = {.start = from,
                         .end = to,
                         .first = s->values->first_value[from + 1] - 1,
                         .last = s->values->first_value[to]};
  lin_arena scratch = {0};
  bool is_section = collect(&scratch, s->values, &between) && !has_barrier(s->values, &between);
  lin_arena_release(&scratch);
  return is_section;
}

// The nearest places around a block.
static bool find_places(const search *s, lin_block block, lin_block *from, lin_block *to) {
  *from = is_place(s, block) ? block : next_place(s, s->above, block);
  *to = next_place(s, s->below, block);
  while (*from != LIN_NONE && *to != LIN_NONE && !are_equal(s, *from, *to)) {
    if (*from < *to && lin_tree_contains(s->above, *from, *to))
      *to = next_place(s, s->below, *to);
    else
      *from = next_place(s, s->above, *from);
  }
  return *from != LIN_NONE && *to != LIN_NONE;
}

// The first instruction of a block from which no barrier follows in it.
static uint32_t behind_barriers(const lin_values *values, lin_block block) {
  uint32_t first = behind_phis(values, block), at = values->first_value[block + 1];
  while (at > first && (values->value[at - 1].does & LIN_MEETS) == 0)
    at--;
  return at;
}

// The first barrier of a block, or its end.
static uint32_t before_barriers(const lin_values *values, lin_block block) {
  uint32_t at = values->first_value[block], end = values->first_value[block + 1];
  while (at < end && (values->value[at].does & LIN_MEETS) == 0)
    at++;
  return at;
}

bool lin_section_around(lin_arena *arena, const lin_values *values, const lin_together *together,
                        lin_block block, uint32_t loop, lin_section *section) {
  const lin_analysis *a = values->analysis;
  search s = {arena, values, together, a->dominators, a->postdominators->tree, loop};
  lin_block from, to;
  if (!find_places(&s, block, &from, &to) || !is_free(&s, from, to))
    return false;
  for (lin_block up; behind_barriers(values, from) == behind_phis(values, from); from = up) {
    up = next_place(&s, s.above, from);
    if (up == LIN_NONE || !are_equal(&s, up, from) || !is_free(&s, up, from))
      break;
  }
  for (lin_block down; before_barriers(values, to) == values->first_value[to + 1]; to = down) {
    down = next_place(&s, s.below, to);
    if (down == LIN_NONE || !are_equal(&s, to, down) || !is_free(&s, to, down))
      break;
  }
  uint32_t last = before_barriers(values, to), end = values->first_value[to + 1];
  *section = (lin_section){.start = from,
                           .end = to,
                           .first = behind_barriers(values, from),
                           .last = last == end && last > values->first_value[to] ? end - 1 : last};
  return collect(arena, values, section);
}

// ---- values around a section

typedef struct check {
  lin_arena *arena;
  const lin_values *values;
  const bool *same;
  const lin_section *section;
  const lin_conjuncts *asked;
  lin_crossing *crossing;
  lin_obstacle found;
  uint32_t *pending;
} check;

static void stop_at(check *c, const char *reason, uint32_t value, uint32_t other) {
  if (c->found.reason == NULL)
    c->found = (lin_obstacle){.reason = reason, .value = value, .other = other};
}

static bool is_inside(const check *c, uint32_t value) {
  return lin_section_contains(c->values, c->section, value);
}

static bool is_index(const check *c, uint32_t value) {
  return c->values->value[value].op == LIN_OP_INDEX;
}

// Computes `value`, which is needed on the other side of the section's border, there too, with all
// that it is made of. `set`: what is known to be.
static void compute_there(check *c, bool *set, uint32_t value, uint32_t user, bool inwards) {
  static const char *const into =
      "is needed inside of the branch, and belongs to the thread that computed it: compute it "
      "inside, "
      "or leave it in shared memory, with __syncthreads() before the branch";
  static const char *const out_of =
      "is needed behind the branch, by the thread whose index it was computed for: leave it in "
      "shared memory, with __syncthreads() behind the branch";
  uint32_t count = 0;
  if (set[value] || c->same[value])
    return;
  set[value] = true;
  c->pending[count++] = value;
  while (count > 0) {
    uint32_t at = c->pending[--count];
    if (is_index(c, at) || (!inwards && !is_inside(c, at)))
      continue;
    if (!lin_is_computed(c->values, at)) {
      stop_at(c, inwards ? into : out_of, at, user);
      continue;
    }
    for (uint32_t i = 0; i < c->values->value[at].count; i++) {
      uint32_t operand = lin_operand(c->values, at, i);
      if (c->same[operand]) {
        if (!inwards && is_inside(c, operand))
          stop_at(c, out_of, at, user);
      } else if (!set[operand]) {
        set[operand] = true;
        c->pending[count++] = operand;
      }
    }
  }
}

static void check_inside(check *c, uint32_t value) {
  const lin_values *v = c->values;
  bool is_replaced = c->asked != NULL && value == c->section->first;
  uint32_t count = is_replaced ? c->asked->count : v->value[value].count;
  if (v->reason[value] != NULL)
    stop_at(c, v->reason[value], value, LIN_NONE);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t operand = is_replaced ? c->asked->value[i] : lin_operand(v, value, i);
    if (!is_inside(c, operand) || is_index(c, operand))
      compute_there(c, c->crossing->anew, operand, value, true);
  }
}

// Where threads meet that come out of a section by several ways, a phi would tell them apart by the
// way of another thread, unless it is the same on all ways.
static void check_phi_behind(check *c, uint32_t phi) {
  const lin_values *v = c->values;
  uint32_t one = LIN_NONE;
  for (uint32_t i = 0; i < v->value[phi].count; i++) {
    uint32_t operand = lin_operand(v, phi, i);
    lin_block from = (lin_block)v->scale[v->value[phi].first + i];
    if (!c->section->has[from] || from == c->section->end)
      continue;
    if (one != LIN_NONE && !lin_are_alike(v, one, operand))
      stop_at(c,
              "depends on which way the thread took, and is needed behind the branch: leave it in "
              "shared memory inside of the branch, with __syncthreads() behind it",
              phi, LIN_NONE);
    one = operand;
  }
}

static void check_outside(check *c, uint32_t value) {
  const lin_values *v = c->values;
  if (v->value[value].op == LIN_OP_PHI && v->value[value].block == c->section->end)
    check_phi_behind(c, value);
  for (uint32_t i = 0; i < v->value[value].count; i++) {
    uint32_t operand = lin_operand(v, value, i);
    if (is_inside(c, operand) && !is_index(c, operand))
      compute_there(c, c->crossing->kept, operand, value, false);
  }
}

// ---- memory around a section

// The edge from a dominator to the block below it in the tree, if that is the only way there.
static lin_edge only_edge(const lin_graph *graph, lin_block block) {
  return lin_in_degree(graph, block) == 1 ? graph->in_edge[graph->first_in[block]] : LIN_NONE;
}

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
  for (unsigned i = 0; i < MOST_ABOVE && block != LIN_NONE && block != 0; i++) {
    lin_edge edge = only_edge(v->analysis->graph, block);
    if (edge != LIN_NONE && is_for_first(v, edge))
      return true;
    block = v->analysis->dominators->parent[block];
  }
  return false;
}

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
    if (!is_inside(c, value) || v->touch[i].memory == LIN_MEMORY_CONSTANT)
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
        stop_at(c,
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
    if (is_inside(c, v->touch[i].value))
      inside = v->touch[i].value;
    else
      outside = v->touch[i].value;
  }
  if (inside != LIN_NONE && outside != LIN_NONE)
    stop_at(c,
            "is in memory of the thread, which another thread would need: keep such arrays inside "
            "of the branch",
            inside, outside);
}

// Something outside of the section that the same thread does in no order with it.
static void check_beside(check *c, const memory *m, uint32_t value) {
  const lin_values *v = c->values;
  if ((v->value[value].does & LIN_ORDERS) != 0 && m->count > 0)
    stop_at(c,
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
      c->found.keeps_first = true;
      continue;
    }
    stop_at(c,
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

// From `at` on, up to barriers. Returns false if one was met in this block.
static bool look_behind(check *c, const memory *m, uint32_t at, uint32_t end) {
  for (; at < end; at++) {
    if ((c->values->value[at].does & LIN_MEETS) != 0)
      return false;
    check_beside(c, m, at);
  }
  return true;
}

static bool look_before(check *c, const memory *m, uint32_t at, uint32_t first) {
  for (; at > first; at--) {
    if ((c->values->value[at - 1].does & LIN_MEETS) != 0)
      return false;
    check_beside(c, m, at - 1);
  }
  return true;
}

static void check_memory(check *c, bool force) {
  const lin_values *v = c->values;
  const lin_graph *graph = v->analysis->graph;
  const lin_section *s = c->section;
  memory m = find_touches(c);
  check_own(c);
  if (!force)
    check_exchange(c, &m);
  walk w = {LIN_ARRAY(c->arena, bool, graph->num_blocks),
            LIN_ARRAY(c->arena, lin_block, graph->num_blocks), 0};
  if (look_behind(c, &m, s->last, v->first_value[s->end + 1]))
    for (LIN_OUT_EDGES(graph, s->end, edge))
      visit(&w, graph->destination[edge]);
  while (w.count > 0) {
    lin_block block = w.pending[--w.count];
    if (look_behind(c, &m, v->first_value[block], v->first_value[block + 1]))
      for (LIN_OUT_EDGES(graph, block, edge))
        visit(&w, graph->destination[edge]);
  }
  memset(w.seen, 0, graph->num_blocks * sizeof *w.seen);
  if (look_before(c, &m, s->first, v->first_value[s->start]))
    for (LIN_IN_EDGES(graph, s->start, i))
      visit(&w, graph->source[graph->in_edge[i]]);
  while (w.count > 0) {
    lin_block block = w.pending[--w.count];
    if (look_before(c, &m, v->first_value[block + 1], v->first_value[block]))
      for (LIN_IN_EDGES(graph, block, i))
        visit(&w, graph->source[graph->in_edge[i]]);
  }
}

lin_obstacle lin_section_check(lin_arena *arena, const lin_values *values,
                               const lin_together *together, const lin_section *section,
                               lin_asking asking, lin_crossing *crossing) {
  *crossing =
      (lin_crossing){LIN_ARRAY(arena, bool, values->count), LIN_ARRAY(arena, bool, values->count)};
  check c = {.arena = arena,
             .values = values,
             .same = together->same,
             .section = section,
             .asked = asking.asked,
             .crossing = crossing,
             .found = {.value = LIN_NONE, .other = LIN_NONE},
             .pending = LIN_ARRAY(arena, uint32_t, values->count)};
  for (uint32_t value = 0; value < values->count; value++) {
    if (is_inside(&c, value))
      check_inside(&c, value);
    else
      check_outside(&c, value);
  }
  check_memory(&c, asking.force);
  return c.found;
}
