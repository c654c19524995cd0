// Unit tests of nested branches: how many nest, which scopes are linearized flat so that fewer do,
// and how many nest then. A failure prints its line; the last line is `N passed, M failed`.
#include "choose/depth.h"
#include "linearize/between.h"
#include "linearized.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How many branches nest before and after, and the D of each region that is linearized for it.
static const char *limited_to(const char *text, uint32_t limit, bool known) {
  lin_policy policy = {
      .mode = LIN_MODE_LIMIT_DEPTH, .most_nested = limit, .divergence_known = known};
  lin_result result = linearize(text, policy, 4);
  const lin_depths *depths = result.depths;
  char *answer = lin_arena_bytes(&arena, 200);
  size_t used = (size_t)snprintf(answer, 200, "%u %u", depths->before, depths->after);
  for (uint32_t region = 0; region < depths->regions->num_regions; region++)
    used +=
        (size_t)snprintf(answer + used, 200 - used, "%s%s", region == 0 ? ": " : " ",
                         result.shape.analysis->graph->name[depths->regions->dominator[region]]);
  EXPECT((result.num_regions == 0) == (depths->regions->num_regions == 0));
  return answer;
}

static const char *limited(const char *text, uint32_t limit) {
  return limited_to(text, limit, false);
}

// Three branches, each in an arm of the one before.
#define THREE "function f\na: b v\nb: c u\nc: s t\ns: w\nt: w\nw: x\nu: x\nx: y\nv: y\ny: return\n"

static void test_limits(void) {
  EXPECT_TEXT(limited(THREE, 1), "3 1: a");
  EXPECT_TEXT(limited(THREE, 2), "3 2: b"); // as deep inside as will do
  EXPECT_TEXT(limited(THREE, 3), "3 3");
  EXPECT_TEXT(limited(THREE, 4), "3 3");
  // One that holds no other is flat already; so is what holds two in a row.
  EXPECT_TEXT(limited("function f\na: b c\nb: d\nc: d\nd: return\n", 1), "1 1");
  EXPECT_TEXT(limited("function f\na: b c\nb: d\nc: d\nd: e f\ne: g\nf: g\ng: return\n", 1), "1 1");
  EXPECT_TEXT(limited("function f\na: return\n", 1), "0 0");
}

// Five levels of a tree that goes deeper on one side only.
static void test_lopsided(void) {
  const char *text = "function f\na: b A\nb: c B\nc: d C\nd: e D\ne: l E\nl: m\nE: m\nm: n\nD: n\n"
                     "n: o\nC: o\no: p\nB: p\np: q\nA: q\nq: return\n";
  EXPECT_TEXT(limited(text, 1), "5 1: a");
  EXPECT_TEXT(limited(text, 2), "5 2: b");
  EXPECT_TEXT(limited(text, 3), "5 3: c");
  EXPECT_TEXT(limited(text, 4), "5 4: d");
  EXPECT_TEXT(limited(text, 5), "5 5");
}

// Of two arms only the one that nests too deep is linearized, and both if both do.
static void test_arms(void) {
  static const char *const form =
      "function f\na: b B\nb: c d\nc: e f\ne: g\nf: g\ng: h\nd: h\nh: z\n"
      "B: C D\nC: %s\nE: G\nF: G\nG: H\nD: H\nH: z\nz: return\n";
  char text[300];
  snprintf(text, sizeof text, form, "G");
  char *unreachable = strstr(text, "E: G\nF: G\n");
  memmove(unreachable, unreachable + 10, strlen(unreachable + 10) + 1);
  EXPECT_TEXT(limited(text, 2), "3 2: b");
  EXPECT_TEXT(limited(text, 1), "3 1: a");
  snprintf(text, sizeof text, form, "E F");
  EXPECT_TEXT(limited(text, 2), "3 2: b B");
  EXPECT_TEXT(limited(text, 1), "3 1: a");
  EXPECT_TEXT(limited(text, 3), "3 3");
}

// A loop that threads leave one by one is a branch, and stays one.
static void test_loops(void) {
  EXPECT_TEXT(limited("function f\na: h\nh: h x\nx: return\n", 1), "1 1");
  EXPECT_TEXT(limited("function f\na: h\nh: g x\ng: g h\nx: return\n", 1), "2 2");
  // An if in a loop, and one with another one in it.
  EXPECT_TEXT(limited("function f\na: h\nh: b x\nb: c d\nc: e\nd: e\ne: h\nx: return\n", 1), "2 2");
  const char *deep =
      "function f\na: h\nh: b x\nb: c d\nc: p q\np: r\nq: r\nr: e\nd: e\ne: h\nx: return\n";
  EXPECT_TEXT(limited(deep, 1), "3 2: b");
  EXPECT_TEXT(limited(deep, 2), "3 2: b");
  EXPECT_TEXT(limited(deep, 3), "3 3");
  // An if around a loop: flat, the loop stays in it. That saves nothing unless the loop holds more.
  EXPECT_TEXT(limited("function f\na: h y\nh: h x\nx: y\ny: return\n", 1), "2 2");
  const char *around = "function f\na: h y\nh: b x\nb: c d\nc: e\nd: e\ne: h\nx: y\ny: return\n";
  EXPECT_TEXT(limited(around, 1), "3 2: a");
  EXPECT_TEXT(limited(around, 2), "3 2: a");
  EXPECT_TEXT(limited(around, 3), "3 3");
  // Two loops in each other count as two in what is flat.
  EXPECT_TEXT(limited("function f\na: h y\nh: g x\ng: b i\nb: c d\nc: e\nd: e\ne: g\ni: h\nx: y\n"
                      "y: return\n",
                      1),
              "4 3: a");
  // A branch that leaves the loop counts with the loop; one that leaves two with the outer one.
  EXPECT_TEXT(limited("function f\na: h\nh: b x\nb: e y\ny: z\ne: h\nx: z\nz: return\n", 9), "1 1");
  EXPECT_TEXT(limited("function f\na: h\nh: g x\ng: b i\nb: g x\ni: h\nx: return\n", 9), "2 2");
  EXPECT_TEXT(limited("function f\na: h\nh: g i\ng: b g\nb: h x\ni: h\nx: return\n", 9), "2 2");
}

// Branches that all threads of a warp take together don't nest; what is in their arms does, as if
// they weren't there.
static void test_uniform(void) {
  const char *text = "function f\na: b v\nb [uniform]: c u\nc: s t\ns: w\nt: w\nw: x\nu: x\nx: y\n"
                     "v: y\ny: return\n";
  EXPECT_TEXT(limited_to(text, 2, true), "2 2");
  EXPECT_TEXT(limited_to(text, 1, true), "2 1: a");
  EXPECT_TEXT(limited_to(text, 2, false), "3 2: b");
  EXPECT_TEXT(limited_to("function f\na [uniform]: b c\nb: d\nc: d\nd: return\n", 1, true), "0 0");
  // A loop that all leave together.
  EXPECT_TEXT(
      limited_to("function f\na: h\nh [uniform]: b x\nb: c d\nc: e\nd: e\ne: h\nx: return\n", 1,
                 true),
      "1 1");
  EXPECT_TEXT(limited_to("function f\na: h\nh [uniform]: b x\nb: h x\nx: return\n", 1, true),
              "1 1");
}

// What may not be guarded keeps what is around it from being flattened, not what is beside it.
static void test_kept_out(void) {
  static const char *const form =
      "function f\na: b v\nb: c u\nc: s t\ns: w\nt: w\nw: x\nu [%s]: x\n"
      "x: y\nv [%s]: y\ny: return\n";
  char text[300];
  snprintf(text, sizeof text, form, "refused", "cost 8");
  EXPECT_TEXT(limited(text, 1), "3 3");
  EXPECT_TEXT(limited(text, 2), "3 3");
  snprintf(text, sizeof text, form, "cost 8", "refused");
  EXPECT_TEXT(limited(text, 1), "3 2: b"); // as few as possible
  EXPECT_TEXT(limited(text, 2), "3 2: b");
  snprintf(text, sizeof text, form, "cost 8", "cross-lane");
  EXPECT_TEXT(limited(text, 1), "3 2: b");
  snprintf(text, sizeof text, form, "waits", "polls");
  EXPECT_TEXT(limited(text, 1), "3 1: a");
}

// A scope with another way in, or out, is none to flatten; those in it may be.
static void test_unstructured(void) {
  EXPECT_TEXT(limited("function f\nA: a u\na: b v\nb: c u\nc: s t\ns: w\nt: w\nw: x\nu: x\nx: y\n"
                      "v: y\ny: return\n",
                      2),
              "4 1: A");
  // A jump into an arm, from outside of a; b is closed.
  const char *entered = "function f\nA: a v\na: b v\nb: c u\nc: s t\ns: w\nt: w\nw: x\nu: x\nx: y\n"
                        "v: y\ny: Z\nZ: return\n";
  EXPECT_TEXT(limited(entered, 3), "4 3: b");
  // An arm ends in a trap: it isn't behind guards, for nobody comes from it.
  EXPECT_TEXT(limited("function f\na: b v\nb: c u\nc: s t\ns: w\nt: trap\nw: x\nu: x\nx: y\nv: y\n"
                      "y: return\n",
                      1),
              "3 1: a");
  // A switch.
  EXPECT_TEXT(limited("function f\na: b c d\nb: p q e\np: e\nq: e\nc: e\nd: e\ne: return\n", 1),
              "2 1: a");
}

// The regions are linearized flat: in each, no guard is nested in another one.
static void test_flat(void) {
  for (int level = 0; level <= 4; level++) {
    lin_policy policy = {.mode = LIN_MODE_LIMIT_DEPTH, .most_nested = 1};
    lin_result result = linearize(THREE, policy, level);
    EXPECT(result.num_regions == 1);
    const lin_plan *plan = result.plan;
    for (uint32_t node = 0; node < plan->num_nodes; node++)
      for (uint32_t above = plan->node[node].parent;
           plan->node[node].kind == LIN_IF && above != LIN_NONE; above = plan->node[above].parent)
        EXPECT(plan->node[above].kind != LIN_IF);
    for (lin_block block = 0; block < result.shape.order->graph->num_blocks; block++)
      EXPECT(plan->leaf_of[block] == LIN_NONE || plan->size[plan->leaf_of[block]] == 1);
  }
}

// ---- what lies between a branch and where its threads meet

// The blocks between the two, in the order found, `+` if an edge passes them by; or "no".
static const char *between(const char *text, const char *above, const char *below,
                           uint32_t kept_out, uint32_t most) {
  const lin_graph *graph = parse(text);
  const lin_analysis *analysis = lin_analysis_build(&arena, graph, lin_loops_build(&arena, graph));
  lin_between *b = lin_between_new(&arena, analysis);
  char *answer = lin_arena_bytes(&arena, 64);
  for (int again = 0; again < 2; again++) { // what one walk saw is new to the next
    size_t used = 0;
    answer[0] = '\0';
    if (!lin_between_find(b, find(graph, above), find(graph, below), kept_out, most))
      return "no";
    for (uint32_t i = 0; i < b->count; i++)
      used += (size_t)snprintf(answer + used, 64 - used, "%s", graph->name[b->block[i]]);
    snprintf(answer + used, 64 - used, "%s", b->leads_past ? "+" : "");
  }
  return answer;
}

static void test_between(void) {
  EXPECT_TEXT(between(THREE, "c", "w", 0, 99), "st");
  EXPECT_TEXT(between(THREE, "b", "x", 0, 99), "custw");
  EXPECT_TEXT(between(THREE, "c", "x", 0, 99), "stw"); // further down
  EXPECT_TEXT(between(THREE, "c", "y", 0, 99), "no");  // u comes to x, too
  EXPECT_TEXT(between(THREE, "c", "c", 0, 99), "no");
  EXPECT_TEXT(between(THREE, "c", "u", 0, 99), "no");
  EXPECT_TEXT(between(THREE, "w", "x", 0, 99), "no"); // nothing
  EXPECT_TEXT(between(THREE, "b", "x", 0, 5), "custw");
  EXPECT_TEXT(between(THREE, "b", "x", 0, 4), "no");
  const char *past = "function f\na: b z\nb [refused]: z\nz: return\n";
  EXPECT_TEXT(between(past, "a", "z", 0, 99), "b+");
  EXPECT_TEXT(between(past, "a", "z", LIN_REFUSED, 99), "no");
  EXPECT_TEXT(between(past, "a", "z", LIN_CROSS_LANE, 99), "b+");
  // A way in from elsewhere; a trap, which no way leads out of; a loop.
  EXPECT_TEXT(between("function f\nA: a c\na: b c\nb: d\nc: d\nd: return\n", "a", "d", 0, 99),
              "no");
  EXPECT_TEXT(between("function f\na: b c t\nt: trap\nb: d t\nc: d\nd: return\n", "a", "d", 0, 99),
              "bc");
  EXPECT_TEXT(between("function f\na: b c\nb: b d\nc: d\nd: return\n", "a", "d", 0, 99), "bc");
  EXPECT_TEXT(between("function f\nA: a\na: b c\nb: d\nc: a d\nd: return\n", "a", "d", 0, 99),
              "no");
}

int main(void) {
  test_limits();
  test_lopsided();
  test_arms();
  test_loops();
  test_uniform();
  test_kept_out();
  test_unstructured();
  test_flat();
  test_between();
  lin_arena_release(&arena);
  return expect_end();
}
