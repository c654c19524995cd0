// In random graphs, in which threads take branches at random: all threads come to the same blocks,
// as often, that are said to be come to by all; what is said to be the same is.
#include "permute_property.h"

#include "graph/unite.h"
#include "values/together.h"

#include <string.h>

enum { LEAVES = 5, THREADS = 12, MOST_STEPS = 300 };

uint64_t num_come, num_blocks;

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

bool test_together(uint64_t seed) {
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
