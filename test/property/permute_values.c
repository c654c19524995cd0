// Of random conditions, where a class is found: the threads that work are as many as the condition
// holds for, stand first, and do the work of these, in order; for every size of blocks tried and
// whatever the values are that aren't known when compiling. What is taken for a power of two is
// one, and for a mask, and numbers are in their ranges, in loops too.
#include "permute_property.h"

#include "permute/formula.h"

#include <string.h>

enum { MOST_VALUES = 64, ITERATIONS = 14 };

uint32_t forms[5], narrow_ranges;

typedef struct maker {
  lin_values values;
  lin_value value[MOST_VALUES];
  uint32_t operand[3 * MOST_VALUES];
  uint64_t scale[3 * MOST_VALUES];
  const char *reason[MOST_VALUES];
  bool same[MOST_VALUES];
  lin_known leaf[MOST_VALUES]; // of SAME: what it is
  uint32_t num_operands;
} maker;

static void begin(maker *m) {
  memset(m, 0, sizeof *m);
  m->values = (lin_values){.value = m->value,
                           .operand = m->operand,
                           .scale = m->scale,
                           .reason = m->reason,
                           .most_threads = MOST_SIZE};
}

static uint32_t make(maker *m, lin_op op, unsigned width, uint64_t number, uint32_t count,
                     const uint32_t *operands) {
  uint32_t value = m->values.count++;
  m->value[value] = (lin_value){.op = (uint8_t)op,
                                .width = (uint8_t)width,
                                .first = m->num_operands,
                                .count = count,
                                .number = number};
  m->same[value] = op != LIN_OP_INDEX;
  for (uint32_t i = 0; i < count; i++) {
    m->operand[m->num_operands++] = operands[i];
    m->same[value] &= m->same[operands[i]];
  }
  return value;
}

static uint32_t constant(maker *m, unsigned width, uint64_t number) {
  return make(m, LIN_OP_CONSTANT, width, number & (UINT64_MAX >> (64 - width)), 0, NULL);
}

static uint32_t binary(maker *m, lin_op op, uint32_t a, uint32_t b) {
  bool compares = op >= LIN_OP_EQ && op <= LIN_OP_SLE;
  uint32_t of[2] = {a, b};
  return make(m, op, compares ? 1 : m->value[a].width, 0, 2, of);
}

static uint64_t random_number(void) {
  uint64_t power = UINT64_C(1) << below(below(3) == 0 ? 40 : 11);
  switch (below(6)) {
  case 0:
    return below(4);
  case 1:
    return power;
  case 2:
    return power - 1;
  case 3:
    return 0 - power;
  case 4:
    return below(2000);
  default:
    return random_next(&state);
  }
}

static uint32_t parameter(maker *m, unsigned width, uint64_t number) {
  uint32_t leaf = make(m, LIN_OP_SAME, width, 0, 0, NULL);
  m->leaf[leaf] = (lin_known){number & (UINT64_MAX >> (64 - width)), true};
  return leaf;
}

// A power of two, as programs make them; or a number that is one by chance.
static uint32_t random_power(maker *m, unsigned width) {
  switch (below(5)) {
  case 0:
    return constant(m, width, UINT64_C(1) << below(12));
  case 1:
    return parameter(m, width, random_number());
  case 2: {
    uint32_t power = binary(m, LIN_OP_SHL, constant(m, width, 1), parameter(m, width, below(14)));
    return below(2) == 0 ? power : binary(m, LIN_OP_LSHR, power, constant(m, width, below(3)));
  }
  case 3: {
    uint32_t power =
        binary(m, LIN_OP_SHL, constant(m, width, 1 + below(2)), parameter(m, width, below(width)));
    return below(2) == 0 ? power : binary(m, LIN_OP_ADD, power, power);
  }
  default:
    return binary(m, below(2) == 0 ? LIN_OP_UMIN : LIN_OP_MUL, constant(m, width, 64),
                  binary(m, LIN_OP_SHL, constant(m, width, 1), parameter(m, width, below(12))));
  }
}

static uint32_t random_mask(maker *m, unsigned width) {
  switch (below(5)) {
  case 0:
    return constant(m, width, random_number());
  case 1: {
    static const uint64_t added[] = {UINT64_MAX, 1023, 2047, 511, 7, 1};
    return binary(m, LIN_OP_ADD, random_power(m, width), constant(m, width, added[below(6)]));
  }
  case 2:
    return binary(m, LIN_OP_SUB, random_power(m, width), constant(m, width, 1 + 1024 * below(2)));
  case 3:
    return binary(m, LIN_OP_XOR,
                  binary(m, LIN_OP_SHL, constant(m, width, below(5) == 0 ? 5 : UINT64_MAX),
                         parameter(m, width, below(width))),
                  constant(m, width, below(5) == 0 ? random_number() : UINT64_MAX));
  default:
    return random_power(m, width);
  }
}

// An index, extended or cut, and perhaps shifted.
static uint32_t random_index(maker *m, unsigned *width) {
  static const unsigned widths[] = {32, 32, 64, 16, 11, 10, 8};
  uint32_t index = make(m, LIN_OP_INDEX, 32, below(8) == 0, 0, NULL);
  *width = widths[below(7)];
  if (*width != 32)
    index = make(m, below(2) == 0 || *width < 32 ? LIN_OP_ZEXT : LIN_OP_SEXT, *width, 0, 1,
                 (uint32_t[]){index});
  if (below(3) == 0)
    index = binary(m, LIN_OP_ADD, index,
                   constant(m, *width, below(2) == 0 ? below(9) : 0 - (uint64_t)below(9)));
  return index;
}

static uint32_t either_way(maker *m, lin_op op, uint32_t a, uint32_t b) {
  return below(2) == 0 ? binary(m, op, a, b) : binary(m, op, b, a);
}

static uint32_t random_condition(maker *m) {
  static const lin_op comparisons[] = {LIN_OP_EQ,  LIN_OP_EQ,  LIN_OP_EQ,  LIN_OP_NE,
                                       LIN_OP_ULT, LIN_OP_ULE, LIN_OP_SLT, LIN_OP_SLE};
  unsigned width;
  uint32_t index = random_index(m, &width);
  lin_op compares = comparisons[below(8)];
  uint64_t wanted = below(2) == 0 ? 0 : below(3) == 0 ? random_number() : below(8);
  switch (below(6)) {
  case 0:
    return make(m, LIN_OP_ZEXT, 1, 0, 1, (uint32_t[]){index});
  case 1:
    return either_way(m, compares, index, either_way(m, LIN_OP_XOR, index, random_power(m, width)));
  case 2:
    return either_way(m, compares,
                      binary(m, below(2) == 0 ? LIN_OP_UREM : LIN_OP_SREM, index,
                             below(2) == 0 ? constant(m, width, 1 + below(70))
                                           : parameter(m, width, random_number())),
                      constant(m, width, wanted));
  default:
    return either_way(m, compares, either_way(m, LIN_OP_AND, index, random_mask(m, width)),
                      constant(m, width, wanted));
  }
}

static void evaluate(const maker *m, const uint32_t *index, lin_known *at) {
  for (uint32_t value = 0; value < m->values.count; value++) {
    const lin_value *v = &m->value[value];
    if (v->op == LIN_OP_INDEX)
      at[value] = (lin_known){index[v->number], true};
    else if (v->op == LIN_OP_SAME)
      at[value] = m->leaf[value];
    else
      at[value] = lin_value_of(&m->values, value, at);
  }
}

static bool facts_hold(const lin_facts *f, const lin_known *at) {
  const lin_powers *p = f->powers;
  for (uint32_t value = 0; value < f->values->count; value++) {
    if (!at[value].known)
      continue;
    uint64_t number = at[value].number, bits = p->mask_bits[value];
    if (number < f->ranges[value].least || number > f->ranges[value].most)
      return complain("out of range");
    uint64_t low = bits == 0 ? 0 : number & (UINT64_MAX >> (64 - bits));
    if (p->is_power[value] && (number & (number - 1)) != 0)
      return complain("not a power of two");
    if ((low & (low + 1)) != 0)
      return complain("not a mask");
  }
  return true;
}

// Threads along the class's axis, of a block of n.
static bool is_pack(const maker *m, const lin_class *class, uint32_t condition, bool holds,
                    uint32_t n) {
  lin_formula f = lin_formula_pack(&m->values, class);
  lin_known at[MOST_VALUES];
  uint32_t size[3] = {1, 1, 1}, works = 0;
  size[class->axis] = n;
  for (uint32_t t = 0; t < n; t++) {
    uint32_t index[3] = {0, 0, 0}, position[3] = {0, 0, 0}, got[3];
    index[class->axis] = t;
    evaluate(m, index, at);
    if (!at[condition].known)
      return true; // a division by zero: no program does that
    if ((at[condition].number != 0) != holds)
      continue;
    position[class->axis] = works++;
    if (!lin_formula_apply(&f, position, size, at, got) || got[class->axis] != t)
      return complain("an index isn't worked on, or not in order");
  }
  for (; works < n; works++) {
    uint32_t position[3] = {0, 0, 0}, got[3];
    position[class->axis] = works;
    if (lin_formula_apply(&f, position, size, at, got))
      return complain("a thread works that should have nothing to do");
  }
  return true;
}

bool test_condition(void) {
  maker m;
  lin_known at[MOST_VALUES];
  lin_class class;
  begin(&m);
  uint32_t condition = random_condition(&m);
  bool holds = below(4) != 0, good = true;
  lin_arena arena = {0};
  lin_facts facts = {&m.values, m.same, lin_powers_find(&arena, &m.values),
                     lin_ranges_find(&arena, &m.values)};
  evaluate(&m, (uint32_t[]){below(1024), 0, 0}, at);
  good = facts_hold(&facts, at);
  if (good && lin_class_of(&facts, condition, holds, &class)) {
    static const uint32_t sizes[] = {1, 2, 31, 32, 33, 64, 96, 128, 255, 256, 1000, 1024};
    forms[class.form]++;
    for (uint32_t i = 0; good && i < 4; i++)
      good = is_pack(&m, &class, condition, holds, i == 0 ? 1024 : sizes[below(12)]);
  }
  lin_arena_release(&arena);
  return good;
}

// The graph of a loop of one block: 0 goes to 1, that to itself and to 2.
static const lin_order *make_loop(lin_arena *arena) {
  lin_graph *graph = lin_graph_new(arena, 3, 3);
  static const lin_edge first_edge[] = {0, 1, 3, 3};
  static const lin_block destination[] = {1, 1, 2};
  memcpy(graph->first_edge, first_edge, sizeof first_edge);
  memcpy(graph->destination, destination, sizeof destination);
  graph->flags[2] = LIN_RETURN;
  lin_graph_finish(arena, graph);
  return lin_order_build(arena, graph);
}

// s = phi(first, next(s)), as long as something holds: what is said holds in all iterations.
bool test_loop(void) {
  maker m;
  lin_arena arena = {0};
  lin_known at[MOST_VALUES] = {0};
  static const lin_op steps[] = {LIN_OP_SHL, LIN_OP_LSHR, LIN_OP_ADD,
                                 LIN_OP_MUL, LIN_OP_UDIV, LIN_OP_SUB},
                      comparisons[] = {LIN_OP_EQ,  LIN_OP_NE,  LIN_OP_ULT,
                                       LIN_OP_ULE, LIN_OP_SLT, LIN_OP_SLE};
  begin(&m);
  const lin_order *order = make_loop(&arena);
  m.values.analysis = lin_analysis_build(&arena, order->graph, order->loops);
  uint32_t condition[3] = {LIN_NONE, LIN_NONE, LIN_NONE};
  bool stays_for = below(4) != 0;
  m.values.condition = condition;
  m.values.taken_for = (uint64_t[3]){0, stays_for, !stays_for};
  m.values.taken_otherwise = (bool[3]){false, false, false};
  uint32_t first = constant(&m, 32, below(3) == 0 ? below(9) : UINT64_C(1) << below(12));
  uint32_t by = constant(&m, 32, below(4)), none[2] = {first, first};
  uint32_t bound = below(2) == 0 ? make(&m, LIN_OP_SIZE, 32, 0, 0, NULL)
                                 : constant(&m, 32, below(2) == 0 ? below(3) : random_number());
  uint32_t phi = make(&m, LIN_OP_PHI, 32, 0, 2, none);
  m.value[phi].block = 1;
  lin_op op = steps[below(6)];
  uint32_t next = binary(&m, op, phi, op == LIN_OP_ADD && below(2) == 0 ? phi : by);
  m.operand[m.value[phi].first + 1] = next;
  m.scale[m.value[phi].first + 1] = 1;
  condition[1] = either_way(&m, comparisons[below(6)], below(2) == 0 ? phi : next, bound);
  binary(&m, LIN_OP_ADD, phi, constant(&m, 32, below(2) == 0 ? UINT64_MAX : 1023));
  lin_facts facts = {&m.values, m.same, lin_powers_find(&arena, &m.values),
                     lin_ranges_find(&arena, &m.values)};
  bool good = true;
  uint32_t size = 1 + below(1024);
  lin_known now = {m.value[first].number, true};
  for (unsigned i = 0; good && i < 2000 && now.known; i++) {
    for (uint32_t value = 0; value < m.values.count; value++)
      at[value] = value == phi                       ? now
                  : m.value[value].op == LIN_OP_SIZE ? (lin_known){size, true}
                                                     : lin_value_of(&m.values, value, at);
    good = facts_hold(&facts, at);
    narrow_ranges += facts.ranges[phi].most <= 2048 && i == 12;
    if (!at[condition[1]].known || (at[condition[1]].number != 0) != stays_for)
      break;
    now = at[next];
  }
  lin_arena_release(&arena);
  return good;
}
