// webs_property [first_seed] [count] [max_blocks]
//
// Random values on random graphs: instructions, phis, uses wherever a definition dominates. Their
// webs are taken at their word: each is one register, and threads on random walks must find in it
// the value that they want to read, at every use. The last line is `N passed, M failed`.
#include "graph/order.h"
#include "graph/text.h"
#include "linearize/webs.h"
#include "random_graph.h"

#include <stdio.h>
#include <stdlib.h>

enum { VALUES_PER_BLOCK = 3, USES_PER_VALUE = 3, WALKS = 6, STEPS = 300 };

typedef struct program {
  lin_arena arena;
  const lin_analysis *analysis;
  lin_web_input input;
  lin_web_value *value;
  uint32_t **operand; // [num_values][num_blocks] of phis, by predecessor; LIN_NONE: a constant
  lin_place *use;
  uint32_t use_capacity;
  uint32_t *first_at; // [num_blocks + 1] values by block, in order of position
  uint32_t *at;
  uint64_t state;
} program;

static bool is_available(const program *p, uint32_t value, lin_block block, uint32_t position) {
  lin_place at = p->value[value].definition;
  if (at.block == block)
    return at.position < position;
  return lin_tree_contains(p->analysis->dominators, at.block, block);
}

static void add_use(program *p, lin_block block, uint32_t position, uint32_t *count) {
  p->use = LIN_ROOM(&p->arena, p->use, *count, &p->use_capacity);
  p->use[(*count)++] = (lin_place){block, position};
}

// A value that is known at the end of `block`, if one of a few tries finds it.
static uint32_t pick_operand(program *p, lin_block block) {
  for (int i = 0; i < 12; i++) {
    uint32_t value = random_below(&p->state, p->input.num_values);
    if (is_available(p, value, block, LIN_AT_END))
      return value;
  }
  return LIN_NONE;
}

static void make_values(program *p) {
  const lin_graph *graph = p->analysis->graph;
  uint32_t n = graph->num_blocks, count = 0;
  p->value = LIN_ARRAY(&p->arena, lin_web_value, (size_t)VALUES_PER_BLOCK * n);
  p->first_at = LIN_ARRAY(&p->arena, uint32_t, (size_t)n + 1);
  for (lin_block block = 0; block < n; block++) {
    for (uint32_t position = 1; position <= VALUES_PER_BLOCK; position++) {
      bool phi = lin_in_degree(graph, block) > 0 && random_chance(&p->state, 50);
      if (random_chance(&p->state, 60))
        p->value[count++].definition = (lin_place){block, phi ? 0 : position};
    }
    p->first_at[block + 1] = count;
  }
  p->input.num_values = count;
  p->input.value = p->value;
}

static void make_operands(program *p) {
  const lin_graph *graph = p->analysis->graph;
  uint32_t capacity = 0, pairs = 0;
  lin_web_pair *pair = NULL;
  p->operand = LIN_ARRAY(&p->arena, uint32_t *, p->input.num_values);
  for (uint32_t phi = 0; phi < p->input.num_values; phi++) {
    lin_place at = p->value[phi].definition;
    if (at.position != 0)
      continue;
    p->operand[phi] = LIN_ARRAY(&p->arena, uint32_t, graph->num_blocks);
    for (LIN_IN_EDGES(graph, at.block, i)) {
      lin_block from = graph->source[graph->in_edge[i]];
      uint32_t operand = p->operand[phi][from] = pick_operand(p, from);
      if (operand == LIN_NONE)
        continue;
      pair = LIN_ROOM(&p->arena, pair, pairs, &capacity);
      pair[pairs++] = (lin_web_pair){phi, operand};
    }
  }
  p->input.pair = pair;
  p->input.num_pairs = pairs;
}

static bool is_operand(const program *p, uint32_t phi, lin_block from, uint32_t value) {
  const lin_graph *graph = p->analysis->graph;
  for (LIN_OUT_EDGES(graph, from, edge))
    if (graph->destination[edge] == p->value[phi].definition.block)
      return p->operand[phi][from] == value;
  return false;
}

static void make_uses(program *p) {
  const lin_graph *graph = p->analysis->graph;
  uint32_t count = 0;
  for (uint32_t value = 0; value < p->input.num_values; value++) {
    p->value[value].first_use = count;
    for (int i = 0; i < USES_PER_VALUE; i++) {
      lin_block block = random_below(&p->state, graph->num_blocks);
      uint32_t position = 1 + random_below(&p->state, VALUES_PER_BLOCK + 1);
      if (is_available(p, value, block, position))
        add_use(p, block, position, &count);
    }
    for (uint32_t i = 0; i < p->input.num_pairs; i++) {
      lin_web_pair pair = p->input.pair[i];
      if (pair.operand != value)
        continue;
      for (LIN_IN_EDGES(graph, p->value[pair.phi].definition.block, in)) {
        lin_block from = graph->source[graph->in_edge[in]];
        if (is_operand(p, pair.phi, from, value))
          add_use(p, from, LIN_AT_END, &count);
      }
    }
    p->value[value].num_uses = count - p->value[value].first_use;
  }
  p->input.use = p->use;
}

// ---- walking

// Runs the instructions of a block; returns a value that isn't in its register where it is read.
static uint32_t run_block(const program *p, const lin_webs *webs, uint32_t *held, lin_block block) {
  for (uint32_t position = 1; position <= VALUES_PER_BLOCK + 1; position++) {
    for (uint32_t value = 0; value < p->input.num_values; value++)
      for (uint32_t i = 0; i < p->value[value].num_uses; i++) {
        lin_place use = p->use[p->value[value].first_use + i];
        if (use.block == block && use.position == position && held[webs->web_of[value]] != value)
          return value;
      }
    for (uint32_t value = p->first_at[block]; value < p->first_at[block + 1]; value++)
      if (p->value[value].definition.position == position)
        held[webs->web_of[value]] = value;
  }
  return LIN_NONE;
}

// Takes an edge: phis read all their operands before any of them is set.
static uint32_t take_edge(const program *p, const lin_webs *webs, uint32_t *held, lin_block from,
                          lin_block to) {
  for (uint32_t phi = p->first_at[to]; phi < p->first_at[to + 1]; phi++) {
    uint32_t operand = p->operand[phi] == NULL ? LIN_NONE : p->operand[phi][from];
    if (operand != LIN_NONE && held[webs->web_of[operand]] != operand)
      return operand;
  }
  for (uint32_t phi = p->first_at[to]; phi < p->first_at[to + 1]; phi++)
    if (p->operand[phi] != NULL)
      held[webs->web_of[phi]] = phi;
  return LIN_NONE;
}

static uint32_t walk(program *p, const lin_webs *webs) {
  const lin_graph *graph = p->analysis->graph;
  uint32_t *held = LIN_ARRAY(&p->arena, uint32_t, webs->num_webs);
  lin_block block = 0;
  for (int step = 0; step < STEPS; step++) {
    uint32_t wrong = run_block(p, webs, held, block);
    if (wrong != LIN_NONE || lin_out_degree(graph, block) == 0)
      return wrong;
    uint32_t choice = random_below(&p->state, lin_out_degree(graph, block));
    lin_block to = graph->destination[graph->first_edge[block] + choice];
    wrong = take_edge(p, webs, held, block, to);
    if (wrong != LIN_NONE)
      return wrong;
    block = to;
  }
  return LIN_NONE;
}

// Returns false if a register does not hold what it should; adds the unions made to `*united`.
static bool test_seed(uint64_t seed, uint32_t max_blocks, uint64_t *united) {
  program p = {.state = seed};
  const lin_graph *input = random_graph(&p.arena, seed, 1, max_blocks);
  lin_order *order = lin_order_build(&p.arena, input);
  p.analysis = lin_analysis_build(&p.arena, order->graph, order->loops);
  make_values(&p);
  if (p.input.num_values > 0) {
    make_operands(&p);
    make_uses(&p);
  }
  const lin_webs *webs = lin_webs_build(&p.arena, p.analysis, &p.input, true);
  *united += p.input.num_values - webs->num_webs;
  uint32_t wrong = LIN_NONE;
  for (int i = 0; i < WALKS && wrong == LIN_NONE && p.input.num_values > 0; i++)
    wrong = walk(&p, webs);
  if (wrong != LIN_NONE) {
    printf("seed %llu: value %u of block %u is not in its register\n", (unsigned long long)seed,
           wrong, p.value[wrong].definition.block);
    lin_text_print(stdout, order->graph);
  }
  lin_arena_release(&p.arena);
  return wrong == LIN_NONE;
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 500;
  uint32_t max_blocks = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 40;
  uint64_t passed = 0, failed = 0, united = 0;
  for (uint64_t i = 0; i < count; i++) {
    bool good = test_seed(first + i, max_blocks, &united);
    passed += good;
    failed += !good;
  }
  if (united == 0) {
    printf("no two values were united: the test tests nothing\n");
    failed++;
  }
  printf("%llu values joined the web of another\n", (unsigned long long)united);
  printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
  return failed != 0;
}
