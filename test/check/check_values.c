// Property 3 for values. A variable is followed through a run of the flow by the name of its value:
//   - a definition in block d: the number of the visit of d. A use in a block that d dominates must
//     see the visit that was last;
//   - a phi of block j, set in the blocks before j: the number of the step that came last before j.
//     It is read at the end of the guard block from which j is entered;
//   - a guard: its number. It is read at every block that tests it, and the test must come out
//     as it does for the variable that the interpreter keeps.
// The phis and where their operands come from are taken from lin_phis_place and lin_phis_at;
// what they are worth is found by running.
#include "check.h"

#include "check_facts.h"
#include "interpret.h"
#include "linearize/carry.h"
#include "linearize/phis.h"

#include <string.h>

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
  lin_phis *values;
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
  return lin_check_describe(f->arena, "values: %s %s %s at %s", kinds[f->subject->kind],
                            old->name[of], what, flow->graph->name[block]);
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
  uint32_t count = lin_phis_place(f->values, &s->variable, &phis);
  for (uint32_t i = 0; i < count; i++)
    f->is_phi[phis[i]] = true;
  for (uint32_t i = 0; i < s->variable.num_sets; i++)
    f->is_set[s->variable.set[i]] = true;
  for (uint32_t i = 0; i < count && wrong == NULL; i++)
    for (LIN_IN_EDGES(graph, phis[i], j)) {
      lin_edge edge = graph->in_edge[j];
      f->incoming[edge] = lin_phis_at(f->values, (lin_point){graph->source[edge], true});
      if (wrong == NULL)
        wrong = check_source(f, f->incoming[edge], graph->source[edge]);
    }
  for (uint32_t i = 0; i < s->variable.num_reads && wrong == NULL; i++) {
    lin_point read = s->variable.read[i];
    f->is_read[read.block] = true;
    f->at_read[read.block] = lin_phis_at(f->values, read);
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
  *s = (subject){DEFINITION, block, {1, set, 0, read, 0, NULL, false}};
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
  *s = (subject){PHI, block, {0, set, 0, read, 0, around, false}};
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
  *s = (subject){GUARD, guard, {0, set, 0, read, 0, NULL, true}};
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
                .values = lin_phis_build(arena, flow),
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
