// Unit tests of what lib/linearize decides and no checker looks at (flags or an integer), and of
// graphs that random tests seldom meet. A failure prints its line; the last line is `N passed, M
// failed`.
#include "check/check.h"
#include "check/simulate.h"
#include "choose/arms.h"
#include "linearize/algorithm3_subregions.h"
#include "linearize/carry.h"
#include "linearize/guards.h"
#include "linearize/minimal.h"
#include "linearize/webs.h"
#include "linearized.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lin_policy paper = {.mode = LIN_MODE_PAPER};

// ---- regions

// What `entry` dominates without what `target` dominates, of one fate.
static void test_subregion(void) {
  const lin_graph *graph = parse("function f\nE: A Z\nA: B C\nB: D\nC: D W\nD: A X\nX: Z\n"
                                 "Z: return\nW: trap\n");
  const lin_analysis *analysis = lin_analysis_build(&arena, graph, lin_loops_build(&arena, graph));
  lin_block entry = find(graph, "A"), nowhere = graph->num_blocks;
  const struct {
    lin_block target;
    const char *blocks;
  } cases[] = {{find(graph, "X"), "ABCD"},
               {find(graph, "D"), "ABC"},
               {find(graph, "Z"), "ABCDX"},
               {entry, "ABCDX"},
               {nowhere, "ABCDX"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (lin_block block = 0; block < graph->num_blocks; block++)
      EXPECT(lin_subregion_has(analysis, entry, cases[i].target, block) ==
             (strchr(cases[i].blocks, graph->name[block][0]) != NULL));
}

// The regions of all blocks, '.' for none, once they have taken arms: innermost / outermost. Those
// numbered from `most` on were refused.
static const char *after_taking(const char *blocks, uint32_t most, const bool *left,
                                uint32_t most_blocks) {
  char text[300];
  snprintf(text, sizeof text, "function f\n%s", blocks);
  const lin_graph *graph = parse(text);
  const lin_analysis *analysis = lin_analysis_build(&arena, graph, lin_loops_build(&arena, graph));
  lin_regions *regions = lin_minimal_build(&arena, analysis)->regions;
  bool refused[10] = {false};
  for (uint32_t region = most; region < regions->num_regions; region++)
    refused[region] = true;
  lin_regions_remove(regions, graph->num_blocks, refused);
  lin_arms_take(&arena, analysis, regions, left, most_blocks);
  uint32_t n = graph->num_blocks;
  char *result = lin_arena_bytes(&arena, 2 * (size_t)n + 2);
  for (lin_block block = 0; block < n; block++) {
    uint32_t region = regions->owner[block];
    result[block] = region == LIN_NONE ? '.' : (char)('0' + region);
    while (region != LIN_NONE && regions->parent[region] != LIN_NONE)
      region = regions->parent[region];
    result[n + 1 + block] = region == LIN_NONE ? '.' : (char)('0' + region);
  }
  result[n] = '/';
  result[2 * n + 1] = '\0';
  return result;
}

// The branch of s has two arms that share j, and others.
static void test_arms(void) {
  const bool left[] = {true};
  EXPECT_TEXT(after_taking("s: a b z\na: j p\nb: j p\nj: p\nz: p\np: return\n", 9, NULL, 99),
              ".0000./.0000.");
  EXPECT_TEXT(after_taking("s: a b z\na: j p\nb: j p\nj: p\nz: p\np: return\n", 9, left, 99),
              ".000../.000..");
  EXPECT_TEXT(after_taking("s: a b z\na: j p\nb: j p\nj: p\nz: p\np: return\n", 9, NULL, 3),
              ".000../.000..");
  // s leads to p itself; one may not be taken; one doesn't lead to p
  EXPECT_TEXT(after_taking("s: a b p\na: j p\nb: j p\nj: p\np: return\n", 9, NULL, 99),
              ".000./.000.");
  EXPECT_TEXT(
      after_taking("s: a b z\na: j p\nb: j p\nj: p\nz [waits]: p\np: return\n", 9, NULL, 99),
      ".000../.000..");
  EXPECT_TEXT(after_taking("s: a b z\na: j p\nb: j p\nj: p\nz: q\np: q\nq: return\n", 9, NULL, 99),
              ".000.../.000...");
  EXPECT_TEXT(after_taking("s: a b z p\na: j p\nb: j p\nj: p\nz: p\np: return\n", 9, NULL, 99),
              ".000../.000..");
  // only a would do without a guard
  EXPECT_TEXT(after_taking("s: a j z\na: j p\nj: p\nz: p\np: return\n", 9, NULL, 99),
              ".00../.00..");
  // the threads of two arms meet before p
  EXPECT_TEXT(
      after_taking("s: a b c d\na: j p\nb: j p\nj: p\nc: k\nd: k\nk: p\np: return\n", 9, NULL, 99),
      ".000..../.000....");
  // z is entered over p, too: those loops are regions, or refused
  EXPECT_TEXT(
      after_taking("s: a b z\na: j p\nb: j p\nj: p\nz: p\np: z q\nq: return\n", 9, NULL, 99),
      "200011./222222.");
  EXPECT_TEXT(
      after_taking("s: a b z\na: j p\nb: j p\nj: p\nz: p\np: z q\nq: return\n", 1, NULL, 99),
      ".000.../.000...");
  // z has a region that was found after that of s
  EXPECT_TEXT(
      after_taking("s: v z u\nv: w q\nw: x y\nx: y q\ny: q p\nu: q p\nq: p\nz: c d\nc: d e\n"
                   "d: p\ne: p\np: return\n",
                   9, NULL, 99),
      ".000000.111./.000000.111.");
  // s has two such groups of arms: one region
  EXPECT_TEXT(after_taking("s: a b c d\na: j p\nb: j p\nj: p\nc: k p\nd: k p\nk: p\np: return\n", 9,
                           NULL, 99),
              ".000111./.111111.");
}

// What leads to B3 sets its flag; that of B5, B3 sets anew.
static void test_what_matters(void) {
  const char *text = SHORT_CIRCUIT("B3: B4 B5\n", "B4: B6\n", "B5: B6\n");
  lin_result r = linearize(text, paper, 4);
  const lin_flow *flow = r.flow;
  const lin_guard_uses *uses = lin_guard_uses_build(&arena, flow);
  uint32_t matter[2] = {0, 0}, edges = 0;
  EXPECT(flow->plan->num_guards == 2);
  for (lin_edge edge = 0; edge < flow->graph->num_edges; edge++) {
    lin_block from = flow->graph->source[edge];
    bool is_above =
        flow->original[from] != LIN_NONE && strchr("12", flow->graph->name[from][1]) != NULL;
    for (uint32_t guard = 0; is_above && guard < 2; guard++)
      matter[guard] += lin_guard_matters(uses, flow, edge, guard);
    edges += is_above;
  }
  // B1 to B2 and B3, B2 to B3 and B5
  EXPECT(edges == 4 && matter[0] + matter[1] == 4);
}

// ---- guards

// Arms that share `count` tails, each tail one with the next: that many guards stand side by side.
static const char *shared_tails(unsigned count) {
  char *text = lin_arena_bytes(&arena, 1000);
  size_t used = (size_t)snprintf(text, 1000, "function tails\nA: S\nS:");
  for (unsigned i = 0; i < count; i++)
    used += (size_t)snprintf(text + used, 1000 - used, " k%u", i);
  for (unsigned i = 0; i < count; i++)
    used += (size_t)snprintf(text + used, 1000 - used, "\nk%u: T%u T%u\nT%u: R", i, i,
                             (i + 1) % count, i);
  snprintf(text + used, 1000 - used, "\nR: return\n");
  return text;
}

// Few leaves that share a guard have a flag each, many an integer together.
static void test_flags(void) {
  lin_result few = linearize(shared_tails(4), paper, 4);
  EXPECT(few.plan->num_guards == 4 && few.plan->guard[0].is_flag && few.plan->guard[3].is_flag);
  EXPECT(linearize(shared_tails(4), paper, 3).plan->num_guards == 1);
  lin_result many = linearize(shared_tails(5), paper, 4);
  EXPECT(many.plan->num_guards == 1 && !many.plan->guard[0].is_flag);
  EXPECT_TEXT(many.flow->graph->title, "tails");
  EXPECT(few.flow->num_guards == 4 && many.flow->num_guards == 5);
}

static uint32_t num_phis(const lin_result *result) {
  return lin_guard_phis_build(&arena, result->flow)->total;
}

// In a short circuit, an integer meets itself where the guards of B3 and B5 are read; as flags,
// that of B5 also where B3 is passed by.
static void test_phis(void) {
  const char *text = SHORT_CIRCUIT("B3: B4 B5\n", "B4: B6\n", "B5: B6\n");
  lin_result integer = linearize(text, paper, 3), flags = linearize(text, paper, 4);
  EXPECT(num_phis(&integer) == 2 && num_phis(&flags) == 3);
}

// Guards that need more phis than Algorithm 1's one become one; where that is still too dear, the
// region is arranged as in Algorithm 1.
static void test_shared_guards(void) {
  static const struct {
    const char *text;
    bool flat;
  } cases[] = {
      {"function f\nB0: B5 B2 B1\nB1: B2 B4 B2\nB2: B3\nB3: B5 B5\nB4: B5\nB5: B5 B3\n", false},
      {"function f\nB0: B2\nB1: B2 B4\nB2: B1 B4 B2\nB4: B1 B2 B1\n", true},
      {"function f\nB0: B3 B2 B1\nB1: B2 B1\nB2: B4 B1 B3\nB3: B4 B5 B5\nB4: B5\nB5: return\n",
       true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    lin_result plain = linearize(cases[i].text, paper, 0),
               best = linearize(cases[i].text, paper, 4);
    EXPECT(num_phis(&best) == num_phis(&plain));
    EXPECT((best.plan->num_guards == plain.plan->num_guards) == cases[i].flat);
    uint32_t used = 0;
    for (uint32_t guard = 0; guard < best.plan->num_guards; guard++)
      used += lin_guard_phis_build(&arena, best.flow)->count[guard] > 0;
    EXPECT(used == 1 && best.plan->guard[0].everywhere);
    EXPECT(lin_check_edges(&arena, best.flow) == NULL);
    EXPECT(lin_check_structure(&arena, best.flow, LIN_MODE_PAPER) == NULL);
  }
}

// One region is too dear and becomes flat, the other needs just what it may, and stays.
static void test_one_flat_region(void) {
  lin_result result =
      linearize("function f\nB0: B3 B2 B1\nB1: B2 B1\nB2: B4 B1 B3\nB3: B4 B5 B5\nB4: B5\nB5: C1\n"
                "C1: C3 C2\nC2: C3 C5\nC3: C4 C5\nC4: C6\nC5: C6\nC6: return\n",
                paper, 4);
  uint32_t shared = 0, flags = 0;
  for (uint32_t guard = 0; guard < result.plan->num_guards; guard++) {
    shared += result.plan->guard[guard].everywhere;
    flags += result.plan->guard[guard].is_flag;
  }
  EXPECT(shared == 1 && flags == 2);
}

static uint32_t num_guards_tested(const lin_plan *plan) {
  bool *tested = LIN_ARRAY(&arena, bool, plan->num_guards);
  uint32_t count = 0;
  for (uint32_t node = 0; node < plan->num_nodes; node++) {
    uint32_t guard = plan->node[node].guard;
    if (plan->node[node].kind == LIN_LEAF || plan->node[node].kind == LIN_BRANCH_NODE ||
        guard == LIN_NONE)
      continue;
    count += !tested[guard];
    tested[guard] = true;
  }
  return count;
}

// A region that is flat already is too dear still: then all become flat.
static void test_all_flat(void) {
  const char *text = "function f\nB0: B9 B6 B10\nB1: return\nB2: B9\nB3: B3 B3\nB5: B7 B2 B7\n"
                     "B6: B1\nB7: return\nB9: B3 B2\nB10: B1 B6 B5\n";
  lin_result plain = linearize(text, paper, 0), best = linearize(text, paper, 4);
  EXPECT(num_phis(&best) == num_phis(&plain));
  EXPECT(best.flow->num_guards == plain.flow->num_guards);
}

// Only guards that meet become one, if that is enough: here one has no phi.
static void test_meeting_guards(void) {
  lin_result result = linearize(
      "function f\nB0: B1 B3 B2\nB1: return\nB2: B4\nB3: B2 B1 B4\nB4: B4 B1\n", paper, 4);
  EXPECT(result.plan->num_guards == 3 && num_guards_tested(result.plan) == 2);
  EXPECT(num_phis(&result) == 2);
}

// Subregions that stay as they are cost no guard: an if, a loop that is left from its end.
static void test_kept(void) {
  static const char *const arms[] = {"B4: B6\n", "B4: x y\nx: z\ny: z\nz: B6\n",
                                     "B4: L\nL: B4 B6\n"};
  for (int i = 0; i < 3; i++) {
    const char *text = arms[i];
    char whole[200];
    snprintf(whole, sizeof whole, SHORT_CIRCUIT("B3: B4 B5\n", "%s", "B5: B6\n"), text);
    lin_result plain = linearize(whole, paper, 0), best = linearize(whole, paper, 4);
    EXPECT(plain.plan->num_leaves[0] == 4 && plain.flow->num_guards == 4);
    EXPECT(best.plan->num_leaves[0] == 4 && best.flow->num_guards == 2);
    EXPECT(best.shape.analysis->num_unstructured == 3);
  }
}

// The last leaf of a region that no thread leaves needs no guard.
static void test_last_leaf(void) {
  const char *text = "function f\nA: B C\nB: D E\nC: D E\nD: trap\nE: trap\n";
  for (int level = 0; level <= 4; level++)
    EXPECT(linearize(text, paper, level).flow->num_guards == 3);
}

// The sets and reads of each guard, found by asking each block.
static void expect_uses(const lin_flow *flow) {
  const lin_guard_uses *uses = lin_guard_uses_build(&arena, flow);
  for (uint32_t guard = 0; guard < flow->plan->num_guards; guard++) {
    uint32_t sets = 0, reads = 0;
    for (lin_block block = 0; block < flow->graph->num_blocks; block++) {
      bool sets_it = false;
      for (LIN_OUT_EDGES(flow->graph, block, edge))
        for (const lin_assignment *a = flow->assigned[edge]; a != NULL; a = a->next)
          sets_it |= a->guard == guard;
      if (sets_it)
        EXPECT(sets < uses->num_sets[guard] && uses->set[guard][sets++] == block);
      if (flow->node[block] != LIN_NONE && flow->plan->node[flow->node[block]].guard == guard)
        EXPECT(reads < uses->num_reads[guard] && uses->read[guard][reads++].block == block);
    }
    EXPECT(sets == uses->num_sets[guard] && reads == uses->num_reads[guard]);
  }
}

// A loop whose last leaf decides for all threads whether to go around needs no guard from O3 on.
static void test_decided_loop(void) {
  static const char *const text = "function f\nA: H\nH: L M\nM: L\nL: H X\nX: return\n";
  for (int level = 1; level <= 4; level++) {
    const lin_plan *plan = linearize(text, (lin_policy){.mode = LIN_MODE_ALL}, level).plan;
    uint32_t loops = 0;
    for (uint32_t node = 0; node < plan->num_nodes; node++) {
      loops += plan->node[node].kind == LIN_LOOP;
      if (plan->node[node].kind == LIN_LOOP)
        EXPECT((plan->node[node].guard == LIN_NONE) == (level >= 3));
    }
    EXPECT(loops == 1);
  }
}

// The flag of a loop says to go around, in however many ways it is left.
static void test_flag_of_loop(void) {
  static const char *const ends[] = {"J: K X\nK: H X\n", "J: H X\n"};
  for (size_t i = 0; i < 2; i++) {
    char text[100];
    snprintf(text, sizeof text, "function f\nA: H\nH: I X\nI: J X\n%sX: return\n", ends[i]);
    const lin_plan *plan = linearize(text, (lin_policy){.mode = LIN_MODE_ALL}, 2).plan;
    for (uint32_t node = 0; node < plan->num_nodes; node++)
      if (plan->node[node].kind == LIN_LOOP)
        EXPECT(plan->node[node].low == 1 && plan->node[node].high == 1);
  }
}

// Loops that end at one leaf but begin at two are two.
static void test_common_end(void) {
  const char *text = "function f\nA: H\nH: I\nI: L\nL: I H X\nX: return\n";
  for (int level = 0; level <= 4; level++) {
    const lin_plan *plan = linearize(text, (lin_policy){.mode = LIN_MODE_ALL}, level).plan;
    uint32_t loops = 0;
    for (uint32_t node = 0; node < plan->num_nodes; node++)
      loops += plan->node[node].kind == LIN_LOOP;
    EXPECT(loops == 2);
  }
}

// ---- simulation

// The lane's number has one bit for each block.
static uint32_t choose_by_lane(void *lane, lin_block block, uint32_t visit, uint32_t degree) {
  (void)visit;
  return (*(const uint32_t *)lane >> block) % degree;
}

static void test_simulate(void) {
  const lin_graph *graph = parse("function f\nA: B C\nB: D\nC: D\nD: return\n");
  const lin_block reconverge[] = {3, LIN_NONE, LIN_NONE, LIN_NONE};
  uint32_t lane[LIN_LANES];
  lin_warp warp = {.graph = graph, .reconverge = reconverge, .limit = 100};
  for (uint32_t i = 0; i < LIN_LANES; i++) {
    lane[i] = i;
    warp.oracle[i] = (lin_oracle){choose_by_lane, &lane[i]};
  }
  lin_simulation run = lin_simulate(&arena, &warp);
  EXPECT(run.blocks == 4 && run.lanes == 3 * LIN_LANES && run.deepest == 3);
  // Who meets where others wait already waits with them; who meets nowhere waits for nobody.
  const lin_graph *nested = parse("function f\nA: B C\nB: D E\nC: D\nD: return\nE: D\n");
  lin_block meet[] = {3, 3, LIN_NONE, LIN_NONE, LIN_NONE};
  warp.graph = nested;
  warp.reconverge = meet;
  run = lin_simulate(&arena, &warp);
  EXPECT(run.blocks == 5 && run.deepest == 3);
  meet[1] = LIN_NONE;
  run = lin_simulate(&arena, &warp);
  EXPECT(run.blocks == 7 && run.deepest == 4);
}

// ---- graphs that random tests seldom meet

static const struct {
  lin_mode mode;
  const char *text;
} seldom[] = {
    // An edge from behind a subregion's target comes back into the subregion.
    {LIN_MODE_IRREDUCIBLE, "function f\nB0: B13\nB1: B6\nB6: B7 B18 B20\nB7: B15 B20\nB13: B1 B18\n"
                           "B15: return\nB18: B1\nB20: B6\n"},
    // A subregion that would end inside of an inner region.
    {LIN_MODE_PAPER, "function f\nB0: B3\nB1: B18 B11\nB3: B5 B1\nB4: B18\nB5: B1\nB11: B1 B4\n"
                     "B18: B3\n"},
    // A region within a dissolved one within a region, in both arms.
    {LIN_MODE_PAPER, "function f\nE: B0 C0\n"
                     "B0: B7 B8\nB1: B5\nB2: B4 B1\nB4: B1\nB5: B8\nB7: B5\nB8: B4 B2\n"
                     "C0: C7 C8\nC1: C5\nC2: C4 C1\nC4: C1\nC5: C8\nC7: C5\nC8: C4 C2\n"},
    // A loop ends at the leaf at which another one begins.
    {LIN_MODE_PAPER, "function f\nB0: B10\nB1: B10 B12\nB8: B12\nB10: B1 B8\nB12: B1\n"},
};

static void test_seldom(void) {
  for (size_t test = 0; test < sizeof seldom / sizeof seldom[0]; test++)
    for (int level = 0; level <= 4; level++) {
      lin_result result =
          linearize(seldom[test].text, (lin_policy){.mode = seldom[test].mode}, level);
      expect_uses(result.flow);
      for (uint32_t i = 0; i < result.plan->num_nodes; i++)
        EXPECT(result.plan->node[i].kind != LIN_LEAF || result.plan->node[i].child == LIN_NONE);
      EXPECT(lin_carry_build(&arena, result.flow)->around[0] == LIN_NONE);
      EXPECT(lin_check_leaves(&arena, result.plan, result.seed) == NULL);
      EXPECT(lin_check_edges(&arena, result.flow) == NULL);
      EXPECT(lin_check_structure(&arena, result.flow, seldom[test].mode) == NULL);
    }
}

static void test_wrong_input(void) {
  lin_graph *graph = parse("function f\nA: B\nB: return\n");
  graph->flags[1] = 0;
  lin_options options = {.policy = paper};
  lin_result result;
  lin_status status = lin_linearize(&arena, graph, &options, &result);
  EXPECT(!lin_ok(status) && status.block == 1);
}

static void test_names(void) {
  EXPECT_TEXT(lin_edge_kind_name(LIN_BRANCH), "branch");
  EXPECT_TEXT(lin_edge_kind_name(LIN_JUMP_IN), "jump in");
  EXPECT_TEXT(lin_edge_kind_name(LIN_JUMP_OUT), "jump out");
}

int main(void) {
  test_subregion();
  test_arms();
  test_what_matters();
  test_flags();
  test_phis();
  test_shared_guards();
  test_one_flat_region();
  test_meeting_guards();
  test_all_flat();
  test_kept();
  test_last_leaf();
  test_decided_loop();
  test_flag_of_loop();
  test_common_end();
  test_seldom();
  test_wrong_input();
  test_names();
  test_simulate();
  lin_arena_release(&arena);
  return expect_end();
}
