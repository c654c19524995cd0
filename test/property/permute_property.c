// permute_property [first_seed] [count]
//
// lib/permute by brute force:
//   1. Every split and board is a permutation of the indices of a block, for every size of blocks
//      up to 1024 threads; of a split, whole periods come run by run, and the rest stays.
//   2. Of random conditions, where a class is found: the threads that work are as many as the
//      condition holds for, stand first, and do the work of these, in order; for every size of
//      blocks tried and whatever the values are that aren't known when compiling.
//   3. What is taken for a power of two is one, and for a mask, and numbers are in their ranges, in
//      loops too.
//   4. In random graphs, in which threads take branches at random: all threads come to the same
//      blocks, as often, that are said to be come to by all; what is said to be the same is.
// The last line is `N inputs, F failed`.
#include "graph/unite.h"
#include "permute/formula.h"
#include "permute/together.h"
#include "random_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LEAVES = 5,
  MOST_VALUES = 64,
  MOST_SIZE = 1024,
  ITERATIONS = 14,
  THREADS = 12,
  MOST_STEPS = 300
};

static uint64_t state;

static uint32_t below(uint32_t limit) { return random_below(&state, limit); }

static bool complain(const char *what) {
  printf("%s\n", what);
  return false;
}

// ---- 1. formulas

// Whether a formula is a permutation of a block, and where it sends who stands at 0.
static bool is_permutation(const lin_formula *f, const uint32_t *size) {
  static bool seen[MOST_SIZE];
  uint32_t threads = size[0] * size[1] * size[2];
  memset(seen, 0, sizeof seen);
  for (uint32_t at = 0; at < threads; at++) {
    uint32_t position[3] = {at % size[0], at / size[0] % size[1], at / size[0] / size[1]}, index[3];
    if (!lin_formula_apply(f, position, size, NULL, index) || index[0] >= size[0] ||
        index[1] >= size[1] || index[2] >= size[2])
      return complain("an index that there isn't");
    uint32_t linear = index[0] + size[0] * (index[1] + size[1] * index[2]);
    if (seen[linear])
      return complain("an index comes twice");
    seen[linear] = true;
    if (at == 0 && f->keeps_first && linear != 0)
      return complain("thread 0 doesn't keep its index");
  }
  return true;
}

// Runs of one kind stand together, each kind's in order.
static bool is_split(const lin_formula *f, uint32_t n, uint32_t period, uint32_t run) {
  uint32_t size[3] = {n, 1, 1}, whole = n / period * period, at = 0, index[3];
  for (uint32_t kind = 0; kind < period / run; kind++)
    for (uint32_t i = 0; i < whole; i++) {
      if (i % period / run != kind)
        continue;
      uint32_t position[3] = {at++, 0, 0};
      lin_formula_apply(f, position, size, NULL, index);
      if (index[0] != i)
        return complain("not run by run");
    }
  for (; at < n; at++) {
    uint32_t position[3] = {at, 0, 0};
    lin_formula_apply(f, position, size, NULL, index);
    if (index[0] != at)
      return complain("the rest moves");
  }
  return true;
}

static bool test_split(uint32_t period, uint32_t run, uint32_t n) {
  uint32_t size[3] = {n, 1, 1}, unknown[3] = {0, 0, 0};
  lin_formula known = lin_formula_split(0, period, run, size);
  lin_formula any = lin_formula_split(0, period, run, unknown);
  bool good = is_permutation(&known, size) && is_permutation(&any, size) &&
              is_split(&known, n, period, run) && is_split(&any, n, period, run);
  if (!good)
    printf("split, period %u, run %u, of %u\n", period, run, n);
  return good;
}

// The threads of one colour come first.
static bool is_board(const lin_formula *f, const uint32_t *size, uint32_t tilt) {
  uint32_t threads = size[0] * size[1], index[3];
  for (uint32_t at = 0; at < threads; at++) {
    uint32_t position[3] = {at % size[0], at / size[0], 0};
    lin_formula_apply(f, position, size, NULL, index);
    if (((index[0] + tilt * index[1]) & 1) != (at >= threads / 2))
      return complain("the colours are mixed");
  }
  return true;
}

static bool test_board(uint32_t tilt, uint32_t x, uint32_t y, uint32_t z) {
  uint32_t size[3] = {x, y, z}, unknown[3] = {0, 0, 0};
  lin_formula known = lin_formula_board(tilt, size), any = lin_formula_board(tilt, unknown);
  bool good = is_permutation(&known, size) && is_permutation(&any, size);
  if (z == 1 && x % 2 == 0 && y % 2 == 0)
    good = good && is_board(&known, size, tilt) && is_board(&any, size, tilt);
  if (!good)
    printf("board, tilt %u, of %u, %u, %u\n", tilt, x, y, z);
  return good;
}

static uint32_t test_formulas(uint32_t *failed) {
  uint32_t inputs = 0;
  for (uint32_t period = 2; period <= 64; period++)
    for (uint32_t run = 1; run < period; run++) {
      if (period % run != 0)
        continue;
      for (uint32_t n = 1; n <= MOST_SIZE; n += n < 140 ? 1 : 1 + below(97)) {
        *failed += !test_split(period, run, n);
        inputs++;
      }
    }
  for (uint32_t x = 1; x <= 64; x++)
    for (uint32_t y = 1; x * y <= MOST_SIZE && y <= 40; y++) {
      *failed += !test_board(x & 1, x, y, 1);
      *failed += !test_board(~x & 1, x, y, x * y * 3 <= MOST_SIZE ? 3 : 1);
      inputs += 2;
    }
  return inputs;
}

// ---- 2. and 3. random values

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

static uint32_t forms[5], narrow_ranges;

static bool test_condition(void) {
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
static bool test_loop(void) {
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

// ---- 4. together

// Values of a graph: leaves, of which the last one is the index; in each block a phi, where two
// ways lead to it, a load and a sum of both, by which its branch goes.
typedef struct program {
  lin_values values;
  const lin_graph *graph;
  uint32_t *phi, *load, *sum; // [blocks] LIN_NONE: none
} program;

static uint32_t add(program *p, lin_op op, lin_block block, uint32_t *operands, uint32_t count) {
  lin_values *v = &p->values;
  uint32_t value = v->count++,
           first = value == 0 ? 0 : v->value[value - 1].first + v->value[value - 1].count;
  v->value[value] =
      (lin_value){.op = (uint8_t)op, .width = 32, .block = block, .first = first, .count = count};
  if (count > 0)
    memcpy(&v->operand[first], operands, count * sizeof *operands);
  return value;
}

static uint32_t random_leaf(void) { return below(14) == 0 ? LEAVES - 1 : below(LEAVES - 1); }

static program make_program(lin_arena *arena, const lin_order *order) {
  const lin_graph *graph = order->graph;
  uint32_t blocks = graph->num_blocks, edges = graph->num_edges;
  program p = {.graph = graph,
               .phi = LIN_ARRAY(arena, uint32_t, blocks),
               .load = LIN_ARRAY(arena, uint32_t, blocks),
               .sum = LIN_ARRAY(arena, uint32_t, blocks)};
  p.values = (lin_values){.analysis = lin_analysis_build(arena, graph, order->loops),
                          .value = LIN_ARRAY(arena, lin_value, 3 * blocks + LEAVES),
                          .operand = LIN_ARRAY(arena, uint32_t, edges + 3 * blocks),
                          .scale = LIN_ARRAY(arena, uint64_t, edges + 3 * blocks),
                          .reason = LIN_ARRAY(arena, const char *, 3 * blocks + LEAVES),
                          .first_value = LIN_ARRAY(arena, uint32_t, blocks + 1),
                          .condition = LIN_ARRAY(arena, uint32_t, blocks)};
  for (uint32_t leaf = 0; leaf < LEAVES; leaf++)
    add(&p, leaf < LEAVES - 1 ? LIN_OP_SAME : LIN_OP_INDEX, 0, NULL, 0);
  uint32_t *incoming = LIN_ARRAY(arena, uint32_t, edges + 1);
  for (lin_block block = 0; block < blocks; block++) {
    uint32_t count = lin_in_degree(graph, block);
    p.values.first_value[block] = p.values.count;
    p.phi[block] = LIN_NONE;
    if (count > 1) {
      p.phi[block] = add(&p, LIN_OP_PHI, block, incoming, count);
      const lin_value *phi = &p.values.value[p.phi[block]];
      for (uint32_t i = 0; i < count; i++) { // one of the leaves, or of a block's value before
        lin_block from = graph->source[graph->in_edge[graph->first_in[block] + i]];
        p.values.scale[phi->first + i] = from;
        p.values.operand[phi->first + i] = random_leaf();
      }
    }
    uint32_t of = p.phi[block] != LIN_NONE && below(3) != 0 ? p.phi[block] : random_leaf();
    lin_block above = p.values.analysis->dominators->parent[block];
    for (uint32_t up = below(4); up > 0 && above != LIN_NONE && above != 0; up--)
      above = p.values.analysis->dominators->parent[above];
    if (block != 0 && above != LIN_NONE && below(3) == 0) // perhaps of a loop that was left
      of = below(2) == 0 || p.phi[above] == LIN_NONE ? p.sum[above] : p.phi[above];
    p.load[block] = add(&p, LIN_OP_LOAD, block, &of, 1);
    uint32_t both[2] = {below(2) == 0 ? p.load[block] : of, random_leaf()};
    p.sum[block] = add(&p, LIN_OP_ADD, block, both, 2);
    p.values.condition[block] = lin_out_degree(graph, block) > 1 ? p.sum[block] : LIN_NONE;
  }
  p.values.first_value[blocks] = p.values.count;
  // Around loops, and from block to block, sums go on in phis.
  for (lin_block block = 0; block < blocks; block++) {
    if (p.phi[block] == LIN_NONE)
      continue;
    const lin_value *phi = &p.values.value[p.phi[block]];
    for (uint32_t i = 0; i < phi->count; i++)
      if (below(3) != 0)
        p.values.operand[phi->first + i] = p.sum[p.values.scale[phi->first + i]];
  }
  return p;
}

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t seed = a * 0x9e3779b97f4a7c15u + b;
  return random_next(&seed);
}

// What one thread did: which blocks, and what they computed.
typedef struct trace {
  lin_block block[MOST_STEPS];
  uint64_t sum[MOST_STEPS], phi[MOST_STEPS];
  uint32_t steps;
} trace;

// Loads give the same from the same address at the same time: by how often the block has been
// come to; and numbers are few, so that threads often agree by chance, too.
static void run_thread(const program *p, uint32_t thread, uint64_t seed, trace *t) {
  const lin_values *v = &p->values;
  lin_arena scratch = {0};
  uint64_t *at = LIN_ARRAY(&scratch, uint64_t, v->count);
  uint32_t *visits = LIN_ARRAY(&scratch, uint32_t, p->graph->num_blocks);
  for (uint32_t leaf = 0; leaf < LEAVES - 1; leaf++)
    at[leaf] = mix(seed, leaf) % 4;
  at[LEAVES - 1] = thread;
  lin_block block = 0, from = LIN_NONE;
  for (t->steps = 0; t->steps < MOST_STEPS; t->steps++) {
    uint32_t phi = p->phi[block];
    if (phi != LIN_NONE) {
      uint64_t taken = 0;
      for (uint32_t i = 0; i < v->value[phi].count; i++)
        if (v->scale[v->value[phi].first + i] == from)
          taken = at[lin_operand(v, phi, i)];
      at[phi] = taken;
    }
    uint32_t load = p->load[block], sum = p->sum[block];
    at[load] = mix(mix(seed, block), mix(at[lin_operand(v, load, 0)], visits[block]++)) % 4;
    at[sum] = at[lin_operand(v, sum, 0)] + at[lin_operand(v, sum, 1)];
    t->block[t->steps] = block;
    t->sum[t->steps] = at[sum];
    t->phi[t->steps] = phi == LIN_NONE ? 0 : at[phi];
    uint32_t degree = lin_out_degree(p->graph, block);
    if (degree == 0)
      break;
    from = block;
    block = p->graph->destination[p->graph->first_edge[block] + mix(seed, at[sum]) % degree];
  }
  lin_arena_release(&scratch);
}

// The visits of both to blocks that all come to, one after the other, up to where one trace was
// cut.
static bool agree(const program *p, const lin_together *all, const trace *a, const trace *b) {
  uint32_t i = 0, j = 0;
  bool cut = a->steps == MOST_STEPS || b->steps == MOST_STEPS;
  for (;;) {
    while (i < a->steps && !all->come[a->block[i]])
      i++;
    while (j < b->steps && !all->come[b->block[j]])
      j++;
    if (i >= a->steps || j >= b->steps)
      return cut || (i >= a->steps && j >= b->steps) || complain("one comes more often");
    lin_block block = a->block[i];
    if (block != b->block[j])
      return complain("they come to different blocks");
    if (all->same[p->sum[block]] && a->sum[i] != b->sum[j])
      return complain("a sum differs");
    if (p->phi[block] != LIN_NONE && all->same[p->phi[block]] && a->phi[i] != b->phi[j])
      return complain("a phi differs");
    i++, j++;
  }
}

static uint64_t num_come, num_blocks;

static bool test_together(uint64_t seed) {
  lin_arena arena = {0};
  lin_graph *graph = random_graph(&arena, seed, 2, 20);
  lin_order *order = lin_order_build(&arena, lin_graph_unite_returns(&arena, graph));
  program p = make_program(&arena, order);
  const lin_together *all = lin_together_find(&arena, &p.values);
  static trace traces[THREADS];
  uint64_t world = random_next(&state);
  bool good = true, ends = true; // who traps, or goes around for ever, comes nowhere any more
  for (lin_block block = 0; block < p.graph->num_blocks; block++) {
    num_come += all->come[block];
    num_blocks++;
    ends &= p.values.analysis->postdominators->fate[block] == LIN_RETURNS;
  }
  for (uint32_t thread = 0; thread < THREADS; thread++)
    run_thread(&p, thread, world, &traces[thread]);
  for (uint32_t thread = 1; good && ends && thread < THREADS; thread++)
    good = agree(&p, all, &traces[0], &traces[thread]);
  lin_arena_release(&arena);
  return good;
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint32_t count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1000;
  uint32_t failed = 0, inputs = 0;
  state = first;
  inputs += test_formulas(&failed);
  for (uint64_t seed = first; seed < first + count; seed++) {
    state = seed;
    bool good = test_loop() && test_together(seed);
    for (unsigned i = 0; good && i < 20; i++)
      good = test_condition();
    if (!good)
      printf("seed %llu\n", (unsigned long long)seed);
    failed += !good;
    inputs++;
  }
  printf(
      "classes: %u runs, %u masks, %u rests, %u signed rests, %u bits; %u narrow ranges; %.0f%% of "
      "blocks together\n",
      forms[0], forms[1], forms[2], forms[3], forms[4], narrow_ranges,
      100.0 * (double)num_come / (double)(num_blocks == 0 ? 1 : num_blocks));
  for (unsigned form = 0; form < 5; form++)
    if (count >= 100 && forms[form] == 0) {
      printf("a form of classes was never found\n");
      failed++;
    }
  printf("%u inputs, %u failed\n", inputs, failed);
  return failed != 0;
}
