#include "permute.h"

enum {
  MOST_PERIOD = 64, // of formulas that are tried
  MOST_KINDS = 8,   // of runs in a period
  MOST_PERIODS = 16,
};

// Of samples and of counting (gain.h), for all of a function: about a quarter of a second. What is
// left when it is used up stays as it is.
static const uint64_t most_work = UINT64_C(1) << 25;

typedef struct chooser {
  lin_arena *arena; // of the answer
  const lin_values *values;
  const lin_together *together;
  lin_facts facts;
  uint8_t
      *axes; // [values] a bit for each axis of the index, if it is a function of those, and of what
             // is the same for all; 0: it isn't
  uint32_t periods[MOST_PERIODS]; // that are worth trying
  uint32_t num_periods;
  lin_permute_options options;
  uint64_t work;  // that is left
  bool *is_taken; // [values] in a section that was found, or needed there
  lin_permutations *all;
} chooser;

// What was found for one branch.
typedef struct attempt {
  lin_permutation best;
  bool found, has_missed;
  lin_missed missed;
} attempt;

// ---- what may depend on the index

static void find_axes(chooser *c) {
  const lin_values *v = c->values;
  c->axes = LIN_ARRAY(c->arena, uint8_t, v->count);
  for (uint32_t value = 0; value < v->count; value++) {
    bool is_function = v->value[value].op >= LIN_OP_SUM;
    uint8_t axes = 0;
    for (uint32_t i = 0; is_function && i < v->value[value].count; i++) {
      uint32_t operand = lin_operand(v, value, i);
      is_function = c->together->same[operand] || c->axes[operand] != 0;
      axes |= c->axes[operand];
    }
    if (v->value[value].op == LIN_OP_INDEX)
      axes = (uint8_t)(1u << v->value[value].number);
    c->axes[value] = is_function || v->value[value].op == LIN_OP_INDEX ? axes : 0;
  }
}

static void add_period(chooser *c, uint64_t period) {
  if (period < 2 || period > MOST_PERIOD)
    return;
  for (uint32_t i = 0; i < c->num_periods; i++)
    if (c->periods[i] == period)
      return;
  if (c->num_periods < MOST_PERIODS)
    c->periods[c->num_periods++] = (uint32_t)period;
}

// Powers of two, and what the function takes remainders by.
static void find_periods(chooser *c) {
  const lin_values *v = c->values;
  for (uint32_t period = 2; period <= MOST_PERIOD; period *= 2)
    add_period(c, period);
  for (uint32_t value = 0; value < v->count; value++) {
    bool divides = v->value[value].op == LIN_OP_UREM || v->value[value].op == LIN_OP_UDIV;
    uint32_t by = divides ? lin_operand(v, value, 1) : 0;
    if (divides && v->value[by].op == LIN_OP_CONSTANT)
      add_period(c, v->value[by].number);
  }
}

static uint8_t axes_of(const chooser *c, const lin_section *section) {
  uint8_t axes = 0;
  for (uint32_t i = 0; i < section->num_blocks; i++) {
    uint32_t condition = c->values->condition[section->block[i]];
    axes |= condition == LIN_NONE ? 0 : c->axes[condition];
  }
  return axes;
}

// ---- formulas for a section

// Fewer warps that work at no cost are taken, too: whether ptxas predicates what they do, so that
// others issue it, too, isn't known for sure. But not if each of them waits longer for its
// accesses: a tree's barriers wait for the slowest (bench/indices/tree.cu: x0.80, H100,
// 2026-11-25).
static bool is_for_nothing(const lin_formula *formula, const lin_gain *gain) {
  return formula->works != LIN_NO_STEP && gain->issue_after <= gain->issue_before &&
         gain->memory_after * gain->warps_before <= gain->memory_before * gain->warps_after &&
         gain->warps_after < gain->warps_before;
}

static bool pays(const chooser *c, const lin_formula *formula, const lin_gain *gain) {
  bool gains = lin_gain_ratio(gain) <= 1 - LIN_LEAST_PERMUTED &&
               gain->issue_after <= (1 + LIN_MOST_ISSUED) * gain->issue_before;
  return c->options.regardless || gains || is_for_nothing(formula, gain);
}

// Of the formulas for one section, the best; `*any`: there is one that pays.
static void offer(chooser *c, const lin_samples *samples, lin_permutation *best,
                  lin_formula formula, lin_change change, bool *any) {
  const uint64_t work = lin_gain_work(samples);
  if (work > c->work)
    return;
  c->work -= work;
  lin_gain gain = lin_gain_of(samples, &formula, change);
  if (!pays(c, &formula, &gain) || (*any && lin_gain_ratio(&gain) >= lin_gain_ratio(&best->gain)))
    return;
  best->formula = formula;
  best->gain = gain;
  *any = true;
}

// Instructions that are executed again, for another index, and those that nobody asks for any more
// then: those of the same loop alone, others are executed less often anyway. A section of which
// some threads have nothing to do computes for the others alone. `asked`: of its branch.
static lin_change change_of(const chooser *c, const lin_section *section,
                            const lin_crossing *crossing, const lin_conjuncts *asked) {
  const lin_values *v = c->values;
  const uint32_t *loop_of = v->analysis->loops->loop_of;
  lin_arena scratch = {0};
  bool *stays = LIN_ARRAY(&scratch, bool, v->count), *wanted = LIN_ARRAY(&scratch, bool, v->count);
  lin_change change = {0};
  uint32_t added = 0;
  for (uint32_t value = v->count; value-- > v->first_value[0];) {
    const lin_value *at = &v->value[value];
    bool inside = lin_section_contains(v, section, value);
    bool replaced = asked != NULL && value == section->first;
    bool unused = !inside && lin_is_computed(v, value) && !stays[value];
    added += wanted[value] && crossing->anew[value] ? at->cost : 0;
    change.saved += unused && loop_of[at->block] == loop_of[section->start] ? at->cost : 0;
    for (uint32_t i = 0; i < at->count; i++) {
      uint32_t operand = lin_operand(v, value, i);
      wanted[operand] |= (inside && !replaced) || (wanted[value] && crossing->anew[value]);
      stays[operand] |= !inside && !unused;
    }
    for (uint32_t i = 0; replaced && i < asked->count; i++)
      change.all += v->value[asked->value[i]].cost + 1;
  }
  lin_arena_release(&scratch);
  *(asked == NULL ? &change.all : &change.working) += added;
  return change;
}

static void offer_splits(chooser *c, const lin_samples *samples, uint8_t axes, lin_change change,
                         lin_permutation *best, bool *any) {
  for (unsigned axis = 0; axis < 2; axis++)
    for (uint32_t i = 0; i < c->num_periods && (axes >> axis & 1) != 0; i++) {
      uint32_t period = c->periods[i];
      bool power = (period & (period - 1)) == 0;
      for (uint32_t run = 1; run < period && (run == 1 || power); run *= 2)
        if (period / run <= MOST_KINDS || run == 1)
          offer(c, samples, best, lin_formula_split(axis, period, run, c->values->size), change,
                any);
    }
}

// ---- the formulas that leave some threads without work

// Whether an edge goes to the end of a section without work for the section's index: at once, or by
// a block that only computes what is needed behind the section, if anything.
static bool skips(const chooser *c, const lin_section *section, lin_edge edge) {
  const lin_values *v = c->values;
  const lin_graph *graph = v->analysis->graph;
  lin_block to = graph->destination[edge];
  if (to == section->end)
    return true;
  uint32_t last = v->first_value[to + 1] - 1;
  if (lin_in_degree(graph, to) != 1 || lin_out_degree(graph, to) != 1 ||
      graph->destination[graph->first_edge[to]] != section->end)
    return false;
  for (uint32_t value = v->first_value[to]; value < last; value++)
    if (!lin_is_computed(v, value))
      return false;
  return true;
}

// The way into an arm that some threads have alone; LIN_NONE: there is none.
static lin_edge find_arm(const chooser *c, const lin_section *section) {
  const lin_graph *graph = c->values->analysis->graph;
  uint32_t condition = c->values->condition[section->start];
  if (!section->is_branch || lin_out_degree(graph, section->start) != 2 ||
      c->values->value[condition].width != 1)
    return LIN_NONE;
  lin_edge first = graph->first_edge[section->start];
  bool skips_first = skips(c, section, first);
  bool skips_second = skips(c, section, first + 1);
  return skips_first == skips_second ? LIN_NONE : skips_first ? first + 1 : first;
}

static void settle(attempt *a, const lin_permutation *best, const lin_obstacle *obstacle) {
  if (obstacle->reason == NULL && (!obstacle->keeps_first || best->formula.keeps_first)) {
    if (!a->found || lin_gain_ratio(&best->gain) < lin_gain_ratio(&a->best.gain))
      a->best = *best;
    a->found = true;
  } else if (!a->has_missed) {
    a->has_missed = true;
    a->missed.obstacle = *obstacle;
    a->missed.gain = best->gain;
  }
}

// Whether what a section gains decides nothing: it can't be, and one that can't is known already.
static bool is_known_miss(const attempt *a, const lin_obstacle *obstacle) {
  return obstacle->reason != NULL && a->has_missed;
}

// Each condition of the branch that makes a class; the others are asked besides.
static void try_packs(chooser *c, const lin_section *section, const lin_samples *samples,
                      attempt *a) {
  const lin_values *v = c->values;
  lin_edge arm = find_arm(c, section);
  if (arm == LIN_NONE)
    return;
  lin_conjuncts all = lin_conjuncts_of(v, v->condition[section->start], v->taken_for[arm] != 0);
  for (uint32_t i = 0; i < all.count; i++) {
    lin_permutation p = {.branch = a->missed.branch, .section = *section, .rest = all, .edge = arm};
    lin_class class;
    bool any = false;
    if (!lin_class_of(&c->facts, all.value[i], all.holds[i], &class))
      continue;
    p.rest.count--;
    p.rest.value[i] = all.value[p.rest.count];
    p.rest.holds[i] = all.holds[p.rest.count];
    lin_obstacle obstacle = lin_section_check(c->arena, v, c->together, section,
                                              (lin_asking){&p.rest, c->options.force}, &p.crossing);
    if (is_known_miss(a, &obstacle))
      continue;
    offer(c, samples, &p, lin_formula_pack(v, &class), change_of(c, section, &p.crossing, &p.rest),
          &any);
    if (any)
      settle(a, &p, &obstacle);
  }
}

// ---- sections of a branch

static void try_others(chooser *c, const lin_section *section, const lin_samples *samples,
                       attempt *a) {
  lin_permutation p = {.branch = a->missed.branch, .section = *section};
  uint8_t axes = axes_of(c, section);
  bool any = false;
  lin_obstacle obstacle = lin_section_check(c->arena, c->values, c->together, section,
                                            (lin_asking){NULL, c->options.force}, &p.crossing);
  if (is_known_miss(a, &obstacle))
    return;
  lin_change change = change_of(c, section, &p.crossing, NULL);
  offer_splits(c, samples, axes, change, &p, &any);
  for (uint32_t tilt = 0; tilt < 2 && (axes & 3) == 3; tilt++)
    offer(c, samples, &p, lin_formula_board(tilt, c->values->size), change, &any);
  if (any)
    settle(a, &p, &obstacle);
}

static void try_section(chooser *c, const lin_section *section, attempt *a) {
  if (a->found || c->work < c->values->count)
    return;
  c->work -= c->values->count;
  lin_arena scratch = {0};
  const lin_samples *samples =
      lin_samples_take(&scratch, c->values, c->together, section, &c->work);
  if (samples != NULL) {
    try_packs(c, section, samples, a);
    try_others(c, section, samples, a);
  }
  lin_arena_release(&scratch);
}

// From the smallest section on.
static void try_branch(chooser *c, lin_block block, attempt *a) {
  const lin_loops *loops = c->values->analysis->loops;
  lin_section section;
  if (lin_section_of_branch(c->arena, c->values, c->together, block, &section))
    try_section(c, &section, a);
  for (uint32_t loop = loops->loop_of[block];; loop = loops->tree->parent[loop]) {
    if (lin_section_around(c->arena, c->values, c->together, block, loop, &section))
      try_section(c, &section, a);
    if (loop == 0)
      return;
  }
}

// ---- the function

// What the section has, needs from before, or is to leave behind it.
static bool belongs_to(const chooser *c, const lin_permutation *p, uint32_t value) {
  return p->crossing.anew[value] || p->crossing.kept[value] ||
         lin_section_contains(c->values, &p->section, value);
}

static void take(chooser *c, const lin_permutation *p) {
  for (uint32_t value = c->values->first_value[0]; value < c->values->count; value++)
    c->is_taken[value] |= belongs_to(c, p, value);
}

// Whether nothing of it belongs to another one, but for leaves and the index.
static bool is_free(const chooser *c, const lin_permutation *p) {
  const lin_values *v = c->values;
  for (uint32_t value = v->first_value[0]; value < v->count; value++) {
    if (!c->is_taken[value] || !belongs_to(c, p, value))
      continue;
    bool both_outside = p->crossing.anew[value] && !lin_section_contains(v, &p->section, value);
    for (uint32_t i = 0; both_outside && i < c->all->num_found; i++)
      both_outside = !lin_section_contains(v, &c->all->found[i].section, value);
    if (!both_outside)
      return false;
  }
  return true;
}

lin_permutations *lin_permutations_find(lin_arena *arena, const lin_values *values,
                                        lin_permute_options options) {
  const lin_graph *graph = values->analysis->graph;
  chooser c = {.arena = arena,
               .values = values,
               .together = lin_together_find(arena, values),
               .options = options,
               .work = most_work,
               .is_taken = LIN_ARRAY(arena, bool, values->count),
               .all = LIN_NEW(arena, lin_permutations)};
  lin_permutations *all = c.all;
  uint32_t room = 0;
  c.facts = (lin_facts){values, c.together->same, lin_powers_find(arena, values),
                        lin_ranges_find(arena, values)};
  find_axes(&c);
  find_periods(&c);
  all->is_whole = true;
  all->missed = LIN_ARRAY(arena, lin_missed, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    uint32_t condition = values->condition[block];
    if (condition == LIN_NONE || c.axes[condition] == 0 ||
        c.is_taken[values->first_value[block + 1] - 1])
      continue;
    attempt a = {.missed = {.branch = block}};
    try_branch(&c, block, &a);
    if (a.found && is_free(&c, &a.best)) {
      all->found = LIN_ROOM(arena, all->found, all->num_found, &room);
      all->found[all->num_found++] = a.best;
      take(&c, &a.best);
    } else if (a.found) {
      all->is_whole = false;
    } else if (a.has_missed) {
      all->missed[all->num_missed++] = a.missed;
    }
  }
  return all;
}
