// Unit tests of the checkers: each accepts right results and fires on broken ones. A failure prints
// its line; the last line is `N passed, M failed`.
#include "check/check.h"
#include "check/simulate.h"
#include "graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A checker's answer begins with `wanted`, or is NULL if that is.
static void expect_answer(const char *got, const char *wanted, int line) {
  bool same = wanted == NULL ? got == NULL : got != NULL && strstr(got, wanted) == got;
  if (!expect_at(same, __FILE__, line, wanted == NULL ? "nothing" : wanted))
    printf("got %s\n", got == NULL ? "nothing" : got);
}

#define EXPECT_FINE(call) expect_answer((call), NULL, __LINE__)
#define EXPECT_WRONG(call, answer) expect_answer((call), (answer), __LINE__)

// Helpers.

typedef struct subject {
  lin_graph *input;
  lin_result result;
  lin_options options;
  lin_flow *flow;
} subject;

static subject linearize(const char *text, lin_mode mode) {
  subject s = {.options = {.policy = {.mode = mode}}};
  lin_text_error error;
  s.input = lin_text_parse(&arena, text, strlen(text), &error);
  if (s.input == NULL || !lin_ok(lin_linearize(&arena, s.input, &s.options, &s.result))) {
    printf("cannot linearize\n%s\n", text);
    exit(1);
  }
  s.flow = s.result.flow;
  return s;
}

// Edge number `index` of the block `name` of the flow.
static lin_edge edge_of(const subject *s, const char *name, uint32_t index) {
  return s->flow->graph->first_edge[find(s->flow->graph, name)] + index;
}

static void redirect(const subject *s, const char *from, uint32_t index, const char *to) {
  s->flow->graph->destination[edge_of(s, from, index)] = find(s->flow->graph, to);
  lin_graph_finish(&arena, s->flow->graph);
}

static void assign(const subject *s, const char *from, uint32_t index, uint32_t leaf) {
  lin_edge edge = edge_of(s, from, index);
  lin_assignment *other = LIN_NEW(&arena, lin_assignment);
  *other = *s->flow->assigned[edge];
  other->value = leaf;
  s->flow->assigned[edge] = other;
}

static const char *order_of(const subject *s) {
  return lin_check_order(&arena, s->result.shape.united, s->result.shape.order);
}
static const char *analysis_of(const subject *s) {
  return lin_check_analysis(&arena, s->result.shape.analysis);
}
static const char *regions_of(const subject *s, const lin_regions *regions) {
  lin_region_sizes sizes = {0};
  return lin_check_regions(&arena, s->result.shape.analysis, regions, s->result.seed, &sizes);
}
static const char *leaves_of(const subject *s) {
  return lin_check_leaves(&arena, s->result.plan, s->result.seed);
}
static const char *structure_of(const subject *s) {
  return lin_check_structure(&arena, s->flow, s->options.policy.mode);
}
static const char *traces_of(const subject *s) {
  return lin_check_traces(&arena, s->input, &s->result, 1, 16);
}
static const char *warp_of(const subject *s) {
  return lin_check_warp(&arena, s->flow, s->options.policy.mode, 2, 100);
}
static const char *values_of(const subject *s) { return lin_check_values(&arena, s->flow, 1); }

static const char short_circuit[] = "function short_circuit\n"
                                    "B1: B3 B2\n"
                                    "B2: B3 B5\n"
                                    "B3: B4 B5\n"
                                    "B4: B6\n"
                                    "B5: B6\n"
                                    "B6: return\n";
static const char two_exits[] = "function two_exits\n"
                                "B1: B2\n"
                                "B2: B3 B5\n"
                                "B3: B4 B6\n"
                                "B4: B2 B5\n"
                                "B5: B6\n"
                                "B6: return\n";
static const char irreducible[] = "function irreducible\n"
                                  "B1: B2 B3\n"
                                  "B2: B3\n"
                                  "B3: B2 B4\n"
                                  "B4: return\n";
static const char kept_leaf[] = "function kept_leaf\n"
                                "A: B C\n"
                                "B: C D\n"
                                "C: C1 C2\n"
                                "C1: C3\n"
                                "C2: C3\n"
                                "C3: D\n"
                                "D: return\n";

static void test_right(void) {
  static const char *const texts[] = {short_circuit, two_exits, irreducible, kept_leaf};
  static const lin_mode modes[] = {LIN_MODE_PAPER, LIN_MODE_ALL};
  for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++)
    for (unsigned j = 0; j < sizeof modes / sizeof modes[0]; j++) {
      subject s = linearize(texts[i], modes[j]);
      EXPECT_FINE(order_of(&s));
      EXPECT_FINE(analysis_of(&s));
      if (modes[j] == LIN_MODE_PAPER) {
        EXPECT_FINE(regions_of(&s, s.result.regions));
        EXPECT_FINE(leaves_of(&s));
      }
      EXPECT_FINE(structure_of(&s));
      EXPECT_FINE(lin_check_blocks(&arena, s.flow));
      EXPECT_FINE(lin_check_edges(&arena, s.flow));
      EXPECT_FINE(traces_of(&s));
      EXPECT_FINE(values_of(&s));
      EXPECT_FINE(lin_check_size(&arena, s.flow));
      EXPECT_FINE(warp_of(&s));
      lin_options again = {.policy = {.mode = LIN_MODE_PAPER}};
      EXPECT_FINE(lin_check_again(&arena, s.flow, &again));
    }
}

static void test_order(void) {
  subject s = linearize(irreducible, LIN_MODE_PAPER);
  s.result.shape.order->loops->irreducible[1] = false;
  EXPECT_WRONG(order_of(&s), "order: the loop of B2 is taken for reducible");
  s = linearize(irreducible, LIN_MODE_PAPER);
  s.result.shape.order->loops->loop_of[2] = 0;
  EXPECT_WRONG(order_of(&s), "order: B3 is nested");
  s = linearize(irreducible, LIN_MODE_PAPER);
  s.result.shape.order->graph->destination[0] = 3;
  EXPECT_WRONG(order_of(&s), "order: an edge of B1");
  // B4 between the blocks of the loop
  s = linearize("function f\nA: B\nB: C E\nC: B D\nD: return\nE: B\n", LIN_MODE_PAPER);
  EXPECT_FINE(order_of(&s));
  lin_order *order = s.result.shape.order;
  lin_graph *graph = lin_graph_new(&arena, order->graph->num_blocks, order->graph->num_edges);
  lin_block position[] = {0, 1, 2,
                          4, 3, 5}; // of A B E C D exit, last two exchanged with D in front
  EXPECT(graph->num_blocks == 6);
  lin_block origin[6];
  for (lin_block block = 0; block < 6; block++)
    origin[position[block]] = order->origin[block];
  lin_edge next = 0;
  for (lin_block block = 0; block < 6; block++) {
    lin_block old = origin[block];
    order->origin[block] = old;
    order->number[old] = block;
  }
  for (lin_block block = 0; block < 6; block++) {
    lin_block old = origin[block];
    graph->first_edge[block] = next;
    graph->flags[block] = s.result.shape.united->flags[old];
    graph->name[block] = s.result.shape.united->name[old];
    for (LIN_OUT_EDGES(s.result.shape.united, old, edge)) {
      order->old_edge[next] = edge;
      graph->destination[next++] = order->number[s.result.shape.united->destination[edge]];
    }
  }
  graph->first_edge[6] = next;
  lin_graph_finish(&arena, graph);
  order->graph = graph;
  EXPECT_WRONG(order_of(&s), "order: ");
}

static void test_analysis(void) {
  subject s = linearize(short_circuit, LIN_MODE_PAPER);
  s.result.shape.analysis->kinds[0] ^= LIN_BRANCH;
  EXPECT_WRONG(analysis_of(&s), "analysis: B1 ->");
  s = linearize(short_circuit, LIN_MODE_PAPER);
  s.result.shape.analysis->postdominators->doomed[2] = true;
  EXPECT_WRONG(analysis_of(&s), "analysis: is edge 2 doomed?");
  s = linearize(short_circuit, LIN_MODE_PAPER);
  s.result.shape.analysis->postdominators->fate[2] = LIN_TRAPS;
  EXPECT_WRONG(analysis_of(&s), "analysis: fate of");
  s = linearize(short_circuit, LIN_MODE_PAPER);
  uint32_t parent[] = {LIN_NONE, 0, 1, 2, 3, 4, 5}; // a chain
  s.result.shape.analysis->dominators = lin_tree_build(&arena, 7, 0, parent);
  EXPECT_WRONG(analysis_of(&s), "analysis: does B2 dominate");
}

static void test_regions(void) {
  subject s = linearize(short_circuit, LIN_MODE_PAPER);
  lin_regions *regions = s.result.regions;
  lin_block first = regions->dominator[0], last = regions->exit[0];
  EXPECT(first == 0 && last == 5);
  regions->dominator[0] = LIN_NONE;
  EXPECT_WRONG(regions_of(&s, regions), "regions: that of B2 has a wrong D");
  regions->dominator[0] = first;
  regions->exit[0] = 6;
  EXPECT_WRONG(regions_of(&s, regions), "regions: that of B2 has a wrong P");
  regions->exit[0] = last;
  regions->owner[find(s.result.shape.analysis->graph, "B4")] = LIN_NONE;
  EXPECT_WRONG(regions_of(&s, regions), "regions: that of B2 is left to B4");
  for (lin_block block = 0; block < 7; block++)
    regions->owner[block] = LIN_NONE;
  regions->owner[find(s.result.shape.analysis->graph, "B4")] = 0;
  regions->dominator[0] = find(s.result.shape.analysis->graph, "B3");
  EXPECT_WRONG(regions_of(&s, regions), "regions: B2 -> B3 is in none");
  // larger than needed: not wrong, but counted
  s = linearize("function f\nA: X\nX: B C\nB: C D\nC: D\nD: Y\nY: return\n", LIN_MODE_PAPER);
  regions = s.result.regions;
  lin_block members[] = {find(s.result.shape.analysis->graph, "X"),
                         find(s.result.shape.analysis->graph, "D")};
  EXPECT_FINE(regions_of(&s, regions));
  regions->owner[members[0]] = regions->owner[members[1]] = 0;
  regions->dominator[0] = 0;
  regions->exit[0] = find(s.result.shape.analysis->graph, "Y");
  lin_region_sizes sizes = {0};
  EXPECT_FINE(lin_check_regions(&arena, s.result.shape.analysis, regions, s.result.seed, &sizes));
  EXPECT(sizes.regions == 1 && sizes.larger == 1 && sizes.loose == sizes.seeds);
}

static void test_leaves(void) {
  subject s = linearize(kept_leaf, LIN_MODE_PAPER);
  const lin_graph *graph = s.result.shape.analysis->graph;
  lin_plan *plan = s.result.plan;
  EXPECT(plan->num_leaves[0] == 2);
  plan->leaf_of[find(graph, "C1")] = plan->leaf_of[find(graph, "B")];
  EXPECT_WRONG(leaves_of(&s), "leaves: that of ");
  s = linearize(short_circuit, LIN_MODE_PAPER);
  graph = s.result.shape.analysis->graph;
  plan = s.result.plan;
  plan->leaf_of[find(graph, "B3")] = plan->leaf_of[find(graph, "B2")];
  EXPECT_WRONG(leaves_of(&s), "leaves: ");
  plan->leaf_of[find(graph, "B3")] = 17;
  EXPECT_WRONG(leaves_of(&s), "leaves: B3 is in none");
  s = linearize(short_circuit, LIN_MODE_PAPER);
  plan = s.result.plan;
  for (lin_block block = 0; block < s.result.shape.analysis->graph->num_blocks; block++)
    if (plan->leaf_of[block] != LIN_NONE)
      plan->leaf_of[block] = 0;
  EXPECT_WRONG(leaves_of(&s), "leaves: ");
}

static void test_structure(void) {
  // O1 as the paper words it: definite edges past guards that others still pass
  subject s = linearize(short_circuit, LIN_MODE_PAPER);
  redirect(&s, "B2", 0, "B5.G");
  EXPECT_WRONG(structure_of(&s), "structure: ");
  EXPECT_WRONG(lin_check_again(&arena, s.flow, &s.options), "again: ");
  s = linearize(short_circuit, LIN_MODE_PAPER);
  redirect(&s, "B2.G", 0, "B4");
  EXPECT_WRONG(structure_of(&s), "structure: ");
  s = linearize(irreducible, LIN_MODE_PAPER);
  redirect(&s, "B1", 1, "B3.G"); // into the loop
  EXPECT_WRONG(structure_of(&s), "structure: B1 -> B");
  s = linearize(irreducible, LIN_MODE_IRREDUCIBLE);
  redirect(&s, "B1", 1, "B3.G");
  EXPECT_WRONG(structure_of(&s), "structure: B1 -> B");
  EXPECT_WRONG(lin_check_again(&arena, s.flow, &s.options), "again: ");
  s = linearize(two_exits, LIN_MODE_PAPER);
  redirect(&s, "B3", 1, "B6"); // out of the loop
  EXPECT_WRONG(structure_of(&s), "structure: B3 -> ");
}

static void test_blocks(void) {
  subject s = linearize(short_circuit, LIN_MODE_PAPER);
  lin_block b2 = find(s.flow->graph, "B2"), b3 = find(s.flow->graph, "B3");
  s.flow->original[b3] = s.flow->original[b2]; // a block twice
  EXPECT_WRONG(lin_check_blocks(&arena, s.flow), "blocks: B3 appears twice");
  s = linearize(short_circuit, LIN_MODE_PAPER);
  s.flow->original[b3] = LIN_NONE;
  EXPECT_WRONG(lin_check_blocks(&arena, s.flow), "blocks: B3 is neither");
  s = linearize(short_circuit, LIN_MODE_PAPER);
  s.flow->original_edge[edge_of(&s, "B2", 0)]++;
  EXPECT_WRONG(lin_check_blocks(&arena, s.flow), "blocks: edges of B2");
  s = linearize(short_circuit, LIN_MODE_PAPER);
  s.flow->graph->flags[b3] |= LIN_WAITS;
  EXPECT_WRONG(lin_check_blocks(&arena, s.flow), "blocks: B3 has changed");
}

static void test_edges(void) {
  subject s = linearize(short_circuit, LIN_MODE_PAPER);
  assign(&s, "B2", 0, s.flow->assigned[edge_of(&s, "B2", 1)]->value); // one wrong leaf
  EXPECT_WRONG(lin_check_edges(&arena, s.flow), "edges: B2 -> B3 leads to B5");
  EXPECT_WRONG(traces_of(&s), "traces: step ");
  EXPECT_FINE(structure_of(&s));
  s = linearize(short_circuit, LIN_MODE_PAPER);
  s.flow->assigned[edge_of(&s, "B3", 0)] = NULL;
  EXPECT_WRONG(lin_check_edges(&arena, s.flow), "edges: B3 -> B4 leads to B6");
  s = linearize(irreducible, LIN_MODE_PAPER);
  redirect(&s, "B2.loop", 0, "B3.G"); // the back edge to the wrong place
  EXPECT_WRONG(lin_check_edges(&arena, s.flow), "edges: B3 -> B2 gets nowhere");
  EXPECT_WRONG(traces_of(&s), "traces: ");
  s = linearize(two_exits, LIN_MODE_PAPER);
  redirect(&s, "B2.loop", 0, "B3.G");
  EXPECT_WRONG(lin_check_edges(&arena, s.flow), "edges: ");
  s = linearize(short_circuit, LIN_MODE_PAPER);
  lin_node *node = &s.result.plan->node[s.flow->node[find(s.flow->graph, "B4.G")]];
  node->high++; // a guard that lets others in
  EXPECT_WRONG(lin_check_edges(&arena, s.flow), "edges: ");
}

static void test_values(void) {
  // What B3 defines is taken for defined in B4, which B3 reaches only later.
  subject s = linearize(short_circuit, LIN_MODE_PAPER);
  const lin_graph *graph = s.result.shape.order->graph;
  s.flow->place[find(graph, "B3")] = find(s.flow->graph, "B4");
  s.flow->place[find(graph, "B4")] = find(s.flow->graph, "B3");
  EXPECT_WRONG(values_of(&s), "values: the definition of B3");
  // A guard that is read where nothing has set it
  s = linearize(short_circuit, LIN_MODE_PAPER);
  s.flow->assigned[edge_of(&s, "B1", 0)] = s.flow->assigned[edge_of(&s, "B1", 1)] = NULL;
  EXPECT_WRONG(values_of(&s), "values: ");
}

static void test_size(void) {
  subject s = linearize(two_exits, LIN_MODE_ALL);
  EXPECT_FINE(lin_check_size(&arena, s.flow));
  s.result.plan->num_leaves[0]--; // the guard that stays is one too many
  EXPECT_WRONG(lin_check_size(&arena, s.flow), "size: ");
}

// Structured by Definition 1, D or H on, and yet threads meet late there. The short circuit of A
// and B puts all of it into a region.
typedef struct late_leaf {
  const char *text;
  const char *blocks; // that a leaf would hold
} late_leaf;

static const late_leaf late_leaves[] = {
    {"function short_circuit_with_a_block_on_its_edge\n"
     "A: D B\nB: D E\nD: P Q\nP: M S\nM: Y\nS: X\nQ: X\nX: Y\nY: F\nE: F\nF: return\n",
     "DPMSQXY"},
    {"function continue_past_the_exit\n"
     "A: H B\nB: H E\nH: L X\nL: H\nX: H T\nT: F\nE: F\nF: return\n",
     "HLXT"},
    {"function two_ways_to_stay\n"
     "A: H B\nB: H E\nH: X\nX: T P Q\nP: H\nQ: H\nT: F\nE: F\nF: return\n",
     "HXPQT"},
    {"function two_ways_to_leave\n"
     "A: H B\nB: H E\nH: X\nX: H T U\nT: V\nU: V\nV: F\nE: F\nF: return\n",
     "HXTUV"},
    {"function two_loops_left_at_once\n"
     "A: H B\nB: H E\nH: I\nI: X\nX: I H T\nT: F\nE: F\nF: return\n",
     "HIXT"},
};

// Leads the edges between the blocks straight again, as if one leaf held them all.
static void keep_together(const subject *s, const char *blocks) {
  const lin_graph *old = s->result.plan->analysis->graph;
  for (const char *at = blocks; *at != 0; at++) {
    const char from[] = {*at, 0};
    lin_block block = find(old, from);
    for (LIN_OUT_EDGES(old, block, edge)) {
      const char *to = old->name[old->destination[edge]];
      if (strchr(blocks, to[0]) != NULL)
        redirect(s, from, edge - old->first_edge[block], to);
    }
  }
}

static void test_late(void) {
  for (unsigned i = 0; i < sizeof late_leaves / sizeof late_leaves[0]; i++) {
    subject s = linearize(late_leaves[i].text, LIN_MODE_PAPER);
    const lin_plan *plan = s.result.plan;
    const char *blocks = late_leaves[i].blocks;
    EXPECT_FINE(leaves_of(&s));
    EXPECT_FINE(warp_of(&s));
    EXPECT(plan->num_leaves[0] > 3);
    keep_together(&s, blocks);
    EXPECT_FINE(traces_of(&s));
    EXPECT_WRONG(warp_of(&s), "warp: ");
  }
}

static void test_warp(void) {
  // As before linearization: B3 and B5 are entered from where they were.
  subject s = linearize(short_circuit, LIN_MODE_PAPER);
  redirect(&s, "B2", 0, "B3");
  redirect(&s, "B2", 1, "B5");
  redirect(&s, "B3", 1, "B5");
  redirect(&s, "B3", 0, "B4");
  EXPECT_WRONG(warp_of(&s), "warp: B");
  // A loop tested twice: threads that repeat early spin alone.
  s = linearize("function f\nA: B\nB: C D\nC: B D\nD: B E\nE: return\n", LIN_MODE_ALL);
  EXPECT_FINE(warp_of(&s));
  redirect(&s, "C", 0, "B.G");
  EXPECT_WRONG(warp_of(&s), "warp: ");
}

// The simulator on the paper's short circuit: threads that part run B3 and B5 more than once.
static uint32_t choose_by_lane(void *lane, lin_block block, uint32_t visit, uint32_t degree) {
  (void)visit;
  return (*(const uint32_t *)lane >> block) % degree;
}

static void test_simulate(void) {
  subject s = linearize(short_circuit, LIN_MODE_PAPER);
  const lin_graph *graph = s.result.shape.order->graph;
  lin_block reconverge[] = {5, 5, 5, LIN_NONE, LIN_NONE, LIN_NONE, LIN_NONE};
  uint32_t lane[LIN_LANES];
  lin_warp warp = {.graph = graph, .reconverge = reconverge, .limit = 100};
  for (uint32_t i = 0; i < LIN_LANES; i++) {
    lane[i] = i;
    warp.oracle[i] = (lin_oracle){choose_by_lane, &lane[i]};
  }
  lin_simulation run = lin_simulate(&arena, &warp);
  EXPECT(run.entered[find(graph, "B1")] == 1 && run.entered[find(graph, "B6")] == 1);
  EXPECT(run.entered[find(graph, "B3")] == 2 && run.entered[find(graph, "B5")] == 3);
  lin_block none[32] = {0};
  for (uint32_t i = 0; i < 32; i++)
    none[i] = LIN_NONE;
  warp.reconverge = none;
  run = lin_simulate(&arena, &warp);
  EXPECT(run.entered[find(graph, "B6")] > 1);
  // An infinite loop ends at the limit.
  s = linearize("function f\nA: B\nB: B\n", LIN_MODE_PAPER);
  warp.graph = s.result.shape.order->graph;
  EXPECT(lin_simulate(&arena, &warp).entered[1] == 99);
}

static void test_interpret(void) {
  subject s = linearize(two_exits, LIN_MODE_PAPER);
  lin_stream stream = {.seed = 3};
  lin_oracle oracle = {lin_stream_decide, &stream};
  lin_trace trace = lin_run_graph(&arena, s.input, oracle, 100);
  EXPECT(trace.ending == LIN_RAN_RETURN && trace.block[trace.length - 1] == find(s.input, "B6"));
  trace = lin_run_graph(&arena, s.input, oracle, 2);
  EXPECT(trace.ending == LIN_RAN_LIMIT && trace.length == 2);
  redirect(&s, "B2.loop", 1, "B2.G"); // guards only, for ever
  trace = lin_run_flow(&arena, s.flow, oracle, 100);
  EXPECT(trace.ending == LIN_RAN_LOST);
  lin_warp warp = {.graph = s.flow->graph, .flow = s.flow, .limit = 100};
  lin_block none[32];
  memset(none, 0xff, sizeof none);
  warp.reconverge = none;
  for (uint32_t i = 0; i < LIN_LANES; i++)
    warp.oracle[i] = oracle;
  EXPECT(lin_simulate(&arena, &warp).lanes > trace.length * LIN_LANES);
  s.flow->original[0] = LIN_NONE; // neither a guard nor one of the function's
  trace = lin_run_flow(&arena, s.flow, oracle, 100);
  EXPECT(trace.ending == LIN_RAN_LOST && trace.length == 0);
}

int main(void) {
  test_right();
  test_order();
  test_analysis();
  test_regions();
  test_leaves();
  test_structure();
  test_blocks();
  test_edges();
  test_values();
  test_size();
  test_warp();
  test_late();
  test_simulate();
  test_interpret();
  lin_arena_release(&arena);
  return expect_end();
}
