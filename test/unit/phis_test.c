// Unit tests of where phis are placed and of the limits of webs. A failure prints its line; the
// last line is `N passed, M failed`.
#include "graphs.h"
#include "linearize/definition1_edges.h"
#include "linearize/phis.h"
#include "linearize/webs.h"

// ---- values

// `P J` for the places of phis in rising order.
static const char *phis_of(lin_phis *values, const lin_graph *graph, const lin_variable *v) {
  const lin_block *phis;
  uint32_t count = lin_phis_place(values, v, &phis);
  char *text = lin_arena_bytes(&arena, 200);
  size_t used = 0;
  for (uint32_t i = 0; i < count; i++)
    used +=
        (size_t)snprintf(text + used, 200 - used, "%s%s", i > 0 ? " " : "", graph->name[phis[i]]);
  return text;
}

static void expect_source(const lin_phis *values, lin_point point, lin_source wanted, int line) {
  lin_source source = lin_phis_at(values, point);
  expect_at(source.kind == wanted.kind && source.block == wanted.block, __FILE__, line,
            "another source");
}
#define EXPECT_SOURCE(block, at_end, kind, from)                                                   \
  expect_source(values, (lin_point){block, at_end}, (lin_source){kind, from}, __LINE__)

static void test_values(void) {
  const lin_graph *graph = parse("function f\nE: P Q\nP: J\nQ: J\nJ: A B\nA: R\nB: R\nR: return\n");
  lin_flow flow = {.graph = (lin_graph *)graph,
                   .loops = lin_loops_build(&arena, graph),
                   .dominators = lin_dominators_build(&arena, graph, 0)};
  lin_phis *values = lin_phis_build(&arena, &flow);
  const lin_block e = find(graph, "E"), p = find(graph, "P"), q = find(graph, "Q"),
                  j = find(graph, "J"), a = find(graph, "A"), b = find(graph, "B"),
                  r = find(graph, "R");
  const lin_block set[] = {p, q, a, b};
  // Read where it is set again, before that.
  lin_point read[] = {{b, false}};
  lin_variable v = {.num_sets = 4, .set = set, .num_reads = 1, .read = read};
  EXPECT_TEXT(phis_of(values, graph, &v), "J");
  EXPECT_SOURCE(b, false, LIN_FROM_PHI, j);
  EXPECT_SOURCE(b, true, LIN_FROM_SET, b);
  EXPECT_SOURCE(p, true, LIN_FROM_SET, p);
  EXPECT_SOURCE(p, false, LIN_FROM_NOWHERE, LIN_NONE);
  EXPECT_SOURCE(e, true, LIN_FROM_NOWHERE, LIN_NONE);
  // At its end, it is what was set there; what comes through the join above isn't read any more.
  read[0].at_end = true;
  EXPECT_TEXT(phis_of(values, graph, &v), "");
  read[0] = (lin_point){r, false}; // the join above it gets one too: no one set is above the read
  EXPECT_TEXT(phis_of(values, graph, &v), "J R");
  EXPECT_SOURCE(r, false, LIN_FROM_PHI, r);
  EXPECT_SOURCE(a, true, LIN_FROM_SET, a);
  // Set in a join itself, whatever comes through it isn't read.
  const lin_block in_join[] = {p, q, j};
  lin_point behind = {a, false};
  EXPECT_TEXT(phis_of(values, graph, &(lin_variable){3, in_join, 1, &behind, 0, NULL, false}), "");
  // Without the sets below it, the first join is where the values meet.
  v.num_sets = 2;
  EXPECT_TEXT(phis_of(values, graph, &v), "J");
  EXPECT_SOURCE(r, false, LIN_FROM_PHI, j);
  v.num_sets = 1; // and one value alone meets what isn't set
  EXPECT_TEXT(phis_of(values, graph, &v), "J");
  v.num_reads = 0;
  EXPECT_TEXT(phis_of(values, graph, &v), "");
}

// What is set above a read in its own arm meets others at a join elsewhere: nobody reads that.
static void test_values_elsewhere(void) {
  const lin_graph *graph = parse("function f\nE: P Q\nP: J X\nQ: J\nJ: R\nX: R\nR: return\n");
  lin_flow flow = {.graph = (lin_graph *)graph,
                   .loops = lin_loops_build(&arena, graph),
                   .dominators = lin_dominators_build(&arena, graph, 0)};
  lin_phis *values = lin_phis_build(&arena, &flow);
  const lin_block set = find(graph, "P");
  const lin_point read = {find(graph, "X"), false};
  EXPECT_TEXT(phis_of(values, graph, &(lin_variable){1, &set, 1, &read, 0, NULL, false}), "");
}

// ---- webs

// A straight line of `count` blocks, analysed.
static const lin_analysis *straight_line(uint32_t count) {
  lin_graph *graph = lin_graph_new(&arena, count, count - 1);
  for (lin_block block = 0; block < count; block++) {
    graph->name[block] = "";
    graph->first_edge[block] = block;
    if (block + 1 < count)
      graph->destination[block] = block + 1;
  }
  graph->first_edge[count] = count - 1;
  graph->flags[count - 1] = LIN_RETURN;
  lin_graph_finish(&arena, graph);
  return lin_analysis_build(&arena, graph, lin_loops_build(&arena, graph));
}

// Value i + 1 takes over from value i: all could be one web, if webs weren't limited in size.
static void test_large_web(void) {
  enum { COUNT = 600, MOST = 512 };
  const lin_analysis *analysis = straight_line(COUNT);
  lin_web_value value[COUNT];
  lin_place use[COUNT];
  lin_web_pair pair[COUNT - 1];
  for (uint32_t i = 0; i < COUNT; i++) {
    value[i] = (lin_web_value){{i, 0}, i, 1};
    use[i] = (lin_place){i, LIN_AT_END};
    if (i > 0)
      pair[i - 1] = (lin_web_pair){i, i - 1};
  }
  lin_web_input input = {COUNT, value, use, COUNT - 1, pair};
  lin_webs *webs = lin_webs_build(&arena, analysis, &input, true);
  EXPECT(webs->num_webs == 2 && webs->first_member[1] == MOST && webs->first_member[2] == COUNT);
  EXPECT(lin_webs_build(&arena, analysis, &input, false)->num_webs == COUNT);
}

// A value that is used for the last time before another is defined in that block makes room for it.
static void test_last_use(void) {
  const lin_analysis *analysis = straight_line(3);
  for (uint32_t last = 2; last <= 7; last += 5) {
    const lin_place use[] = {{1, last}, {2, 1}};
    const lin_web_value value[] = {{{0, 1}, 0, 1}, {{1, 5}, 1, 1}};
    const lin_web_pair pair = {1, 0};
    const lin_web_input input = {2, value, use, 1, &pair};
    EXPECT(lin_webs_build(&arena, analysis, &input, true)->num_webs == (last < 5 ? 1 : 2));
  }
}

// Values that live in very many blocks: at some point it is no longer found out where.
static void test_long_lives(void) {
  enum { COUNT = 100 };
  const lin_analysis *analysis = straight_line(COUNT);
  lin_web_value value[COUNT];
  lin_place use[COUNT];
  for (uint32_t i = 0; i < COUNT; i++) {
    value[i] = (lin_web_value){{0, i + 1}, i, 1};
    use[i] = (lin_place){i == 0 ? COUNT / 2 : COUNT - 1, 1};
  }
  const lin_web_pair pair[] = {{COUNT - 1, COUNT - 2}, {0, COUNT - 1}, {COUNT - 1, 0}};
  lin_web_input input = {COUNT, value, use, 3, pair};
  const lin_webs *webs = lin_webs_build(&arena, analysis, &input, true);
  EXPECT(webs->num_live[0] == COUNT / 2 && lin_webs_is_live(webs, 0, COUNT / 2));
  EXPECT(!lin_webs_is_live(webs, 0, 0) && !lin_webs_is_live(webs, 0, COUNT / 2 + 1));
  EXPECT(webs->num_live[COUNT - 1] == LIN_NONE && lin_webs_is_live(webs, COUNT - 1, 0));
  EXPECT(webs->num_webs == COUNT);
}

// The budget for that, 32 blocks for each value and block, may be overdrawn once, by one block.
static void test_budget(void) {
  enum { BLOCKS = 100, VALUES = 22, LAST_FOUND = 20 };
  const lin_analysis *analysis = straight_line(BLOCKS);
  lin_web_value value[VALUES];
  lin_place use[VALUES];
  for (uint32_t i = 0; i < VALUES; i++) {
    value[i] = (lin_web_value){{0, i + 1}, i, 1};
    use[i] = (lin_place){BLOCKS - 1, 1}; // in 99 blocks, out of 99
  }
  use[0] = (lin_place){1, LIN_AT_END};  // in 1, out of 2: 32 * 122 - 3 - 19 * 198 = 139 are left
  use[LAST_FOUND] = (lin_place){70, 1}; // in 70, out of 70
  use[LAST_FOUND + 1] = (lin_place){1, 1};
  const lin_web_input input = {VALUES, value, use, 0, NULL};
  const lin_webs *webs = lin_webs_build(&arena, analysis, &input, true);
  EXPECT(webs->num_live[LAST_FOUND] == 70 && webs->num_live[LAST_FOUND + 1] == LIN_NONE);
}

// Both u and p, needed in the inner loop, and w and q, needed once in the outer one, could be one
// web, but not all four: the inner loop comes first, in whatever order the pairs are given.
static void test_inner_web(void) {
  const lin_graph *graph =
      parse("function f\nS: E\nE: A B\nA: H\nB: X\nH: H X\nX: E R\nR: return\n");
  const lin_analysis *analysis = lin_analysis_build(&arena, graph, lin_loops_build(&arena, graph));
  const lin_block e = 1, a = 2, b = 3, h = 4, x = 5;
  enum { U, P, W, Q };
  const lin_place use[] = {{a, LIN_AT_END}, {b, LIN_AT_END}, {h, 3}, {h, LIN_AT_END}, {x, 1}};
  const lin_web_value value[] = {{{e, 1}, 0, 2}, {{h, 0}, 2, 1}, {{h, 1}, 3, 1}, {{x, 0}, 4, 1}};
  const lin_web_pair orders[][3] = {{{Q, W}, {Q, U}, {P, U}}, {{P, U}, {Q, W}, {Q, U}}};
  for (int i = 0; i < 2; i++) {
    const lin_web_input input = {4, value, use, 3, orders[i]};
    const lin_webs *webs = lin_webs_build(&arena, analysis, &input, true);
    EXPECT(webs->num_webs == 2);
    EXPECT(webs->web_of[U] == webs->web_of[P] && webs->web_of[W] == webs->web_of[Q]);
  }
}

int main(void) {
  test_values();
  test_values_elsewhere();
  test_large_web();
  test_last_use();
  test_long_lives();
  test_budget();
  test_inner_web();
  lin_arena_release(&arena);
  return expect_end();
}
