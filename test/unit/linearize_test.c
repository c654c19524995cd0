// Unit tests of what lib/linearize decides and no checker looks at (which regions are left alone,
// flags or an integer), and of graphs that random tests
// seldom meet. A failure prints its line; the last line is `N passed, M failed`.
#include "graphs.h"
#include "linearize/carry.h"
#include "linearize/check.h"
#include "linearize/estimate.h"
#include "linearize/guards.h"
#include "linearize/simulate.h"
#include "linearize/subregions.h"
#include "linearize/webs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Helpers.

static lin_result linearize(const char *text, lin_policy policy, int level) {
  lin_options options = {.policy = policy, .level = level};
  lin_result result;
  EXPECT(lin_ok(lin_linearize(&arena, parse(text), &options, &result)));
  return result;
}

// ---- policy

static const char *const hang = "threads that run in lock step could wait for each other for ever";

// How many regions are linearized, and for each refused one the block at fault and the first word
// of the reason; `!` if an irreducible loop is left behind.
static const char *outcome(const char *text, lin_policy policy) {
  lin_result result = linearize(text, policy, 4);
  char *answer = lin_arena_bytes(&arena, 400);
  size_t used = (size_t)snprintf(answer, 400, "%u", (unsigned)result.num_regions);
  for (uint32_t i = 0; i < result.refusals.count; i++) {
    lin_refusal r = result.refusals.refusal[i];
    used += (size_t)snprintf(answer + used, 400 - used, ", %s %.*s%s",
                             result.order->graph->name[r.block], (int)strcspn(r.reason, " "),
                             r.reason, r.irreducible ? "!" : "");
  }
  return answer;
}

static const lin_policy needed = {.mode = LIN_MODE_NEEDED, .lock_step = true};
static const lin_policy paper = {.mode = LIN_MODE_PAPER};
static const lin_policy lock_step = {.mode = LIN_MODE_PAPER, .lock_step = true};
static const lin_policy forced = {.mode = LIN_MODE_PAPER, .lock_step = true, .force = true};
static const lin_policy known = {
    .mode = LIN_MODE_NEEDED, .lock_step = true, .divergence_known = true};

// A short circuit: {B2, B3, B4, B5} is its region.
#define SHORT_CIRCUIT(b3, b4, b5) "function f\nB1: B3 B2\nB2: B3 B5\n" b3 b4 b5 "B6: return\n"

static void test_waiting(void) {
  // Both arms wait: one could be waited for by the other, whose turn comes later.
  const char *text = SHORT_CIRCUIT("B3: B4 B5\n", "B4 [waits]: B6\n", "B5 [waits]: B6\n");
  EXPECT_TEXT(outcome(text, lock_step), "0, B5 threads");
  EXPECT_TEXT(outcome(text, forced), "1");
  EXPECT_TEXT(outcome(text, paper), "1");
  EXPECT(strncmp(hang, "threads", 7) == 0);
  // One waits, or two of which every thread at the second one has passed the first.
  text = SHORT_CIRCUIT("B3: B4 B5\n", "B4 [waits]: B6\n", "B5: B6\n");
  EXPECT_TEXT(outcome(text, lock_step), "1");
  text = SHORT_CIRCUIT("B3: B4 B5\n", "B4 [waits]: C\nC [waits]: B6\n", "B5: B6\n");
  EXPECT_TEXT(outcome(text, lock_step), "1");
  text = SHORT_CIRCUIT("B3: B4 B5\n", "B4 [waits]: C\nC [waits]: B6\n", "B5 [waits]: B6\n");
  EXPECT_TEXT(outcome(text, lock_step), "0, B5 threads");
}

// Threads that no branch parts are never in both arms, nor before and behind what they wait for.
static void test_together(void) {
  static const char *const form =
      "function f\nB1 [uniform]: B3 B2\nB2 [uniform]: B3 B5\nB3 [%s]: B4 B5\nB4 [waits]: B6\n"
      "B5 [waits]: B6\nB6: return\n";
  lin_policy policy = lock_step;
  policy.divergence_known = true;
  char text[200];
  snprintf(text, sizeof text, form, "uniform");
  EXPECT_TEXT(outcome(text, policy), "1");
  EXPECT_TEXT(outcome(text, lock_step), "0, B5 threads");
  snprintf(text, sizeof text, form, "cost 1");
  EXPECT_TEXT(outcome(text, policy), "0, B5 threads");
}

static void test_spinning(void) {
  // B3 spins until somebody else lets it go.
  const char *const arms[] = {"B5: B6\n", "B5 [releases]: B6\n"};
  const char *const wanted[] = {"1", "0, B5 threads"};
  for (int i = 0; i < 2; i++) {
    char text[300];
    snprintf(text, sizeof text,
             SHORT_CIRCUIT("B3: L\nL [polls]: L B4\n", "B4: M B5\nM: B6\n", "%s"), arms[i]);
    EXPECT_TEXT(outcome(text, lock_step), wanted[i]);
    EXPECT_TEXT(outcome(text, paper), "1");
  }
  // It may release itself, or somebody else too.
  EXPECT_TEXT(
      outcome(SHORT_CIRCUIT("B3: L\nL [polls releases]: L B4\n", "B4: M B5\nM: B6\n", "B5: B6\n"),
              lock_step),
      "1");
  EXPECT_TEXT(outcome(SHORT_CIRCUIT("B3: L\nL [polls releases]: L B4\n", "B4: M B5\nM: B6\n",
                                    "B5 [releases]: B6\n"),
                      lock_step),
              "0, B5 threads");
  // Who asks once doesn't spin; nor is it the region's doing if the loop is around the region.
  EXPECT_TEXT(
      outcome(SHORT_CIRCUIT("B3 [polls]: B4 B5\n", "B4: B6\n", "B5 [releases]: B6\n"), lock_step),
      "1");
  EXPECT_TEXT(outcome("function f\nA: B1\nB1: B3 B2\nB2: B3 B5\nB3 [polls]: B4 B5\nB4: B6\n"
                      "B5 [releases]: B6\nB6: B1 R\nR: return\n",
                      lock_step),
              "1");
}

// Whether what spins and what releases are in one loop of the plan, or one after the other.
static void test_releasing(void) {
  // In the loop itself; before it; before a loop, but in a loop around both; behind the inner one.
  EXPECT_TEXT(outcome("function f\nA: L\nL [polls]: C D\nC [releases]: D E\nD: L E\nE: return\n",
                      lock_step),
              "2");
  EXPECT_TEXT(outcome("function f\nA: C B\nC [releases]: L\nB: L E\nL [polls]: L E\nE: return\n",
                      lock_step),
              "1");
  EXPECT_TEXT(outcome("function f\nA: X\nX: C B\nC [releases]: L\nB: L E\nL [polls]: L T\n"
                      "T: X E\nE: return\n",
                      lock_step),
              "0, C threads, C threads");
  EXPECT_TEXT(outcome("function f\nA: X\nX: C B\nC: L\nB: L E\nL [polls]: L T\n"
                      "T [releases]: X E\nE: return\n",
                      lock_step),
              "0, T threads, T threads");
  // A block that spins by itself is no loop, and passes its own release only when it is done.
  static const char *const form =
      "function f\nA: C B\nC %s: S\nB: S E\nS [%s]: F\nF %s: E\nE: return\n";
  char text[200];
  snprintf(text, sizeof text, form, "[releases]", "polls spins", "[]");
  EXPECT_TEXT(outcome(text, lock_step), "1");
  snprintf(text, sizeof text, form, "[]", "polls spins", "[releases]");
  EXPECT_TEXT(outcome(text, lock_step), "0, F threads");
  snprintf(text, sizeof text, form, "[]", "polls spins releases", "[]");
  EXPECT_TEXT(outcome(text, lock_step), "0, S threads");
  EXPECT_TEXT(outcome(text, forced), "1");
  EXPECT_TEXT(outcome(text, paper), "1");
  // Its own release is no matter where nobody comes to it who came later.
  snprintf(text, sizeof text, form, "[polls spins releases]", "cost 1", "[]");
  EXPECT_TEXT(outcome(text, lock_step), "1");
  // The loop of the forest that polls is cut by the plan's: {8, 6, 4} goes around without 3.
  EXPECT_TEXT(outcome("function f\nb0: b2 b1\nb2: b5\nb5: b8 b4\nb8 [polls]: b9 b6\n"
                      "b6: b7 b4\nb4: b1 b8\nb1: b5 b3\nb3 [releases]: b7 b4\nb7: b9\n"
                      "b9: return\n",
                      lock_step),
              "0, b3 threads!, b3 threads!, b3 threads!");
}

// What spins and releases has every block behind its own guard, in Algorithm 1's order.
static bool is_plain(const char *text, lin_policy policy) {
  const lin_result result = linearize(text, policy, 4);
  bool plain = result.num_regions > 0;
  for (uint32_t guard = 0; guard < result.plan->num_guards; guard++)
    plain &= result.plan->guard[guard].everywhere;
  for (lin_block block = 0; block < result.order->graph->num_blocks; block++)
    if (result.plan->leaf_of[block] != LIN_NONE)
      plain &= result.plan->size[result.plan->leaf_of[block]] == 1;
  return plain;
}

static void test_plain(void) {
  static const char *const form = "function f\nA: C B\nC [%s]: U V\nU: W\nV: W\nW: L\nB: L E\n"
                                  "L [polls]: L E\nE: return\n";
  char text[200];
  snprintf(text, sizeof text, form, "releases");
  EXPECT(is_plain(text, lock_step));
  EXPECT(!is_plain(text, forced));
  EXPECT(!is_plain(text, paper));
  snprintf(text, sizeof text, form, "polls");
  EXPECT(!is_plain(text, lock_step));
}

// Whether threads that were together are together again where they wait in a loop.
static void test_waiting_in_loops(void) {
  static const char *const form = "function f\nA: L\nL %s: C D\nC %s: D E\nD %s: L E\nE: return\n";
  char text[200];
  snprintf(text, sizeof text, form, "[waits]", "[]", "[]"); // every turn passes it
  EXPECT_TEXT(outcome(text, lock_step), "2");
  snprintf(text, sizeof text, form, "[]", "[waits]", "[]"); // some turns do
  EXPECT_TEXT(outcome(text, lock_step), "0, C threads, C threads");
  snprintf(text, sizeof text, form, "[]", "[]", "[waits]");
  EXPECT_TEXT(outcome(text, lock_step), "2");
  // The loop goes around from the middle of an inner one, and the plan has one loop for both.
  EXPECT_TEXT(
      outcome("function f\nA: L\nL [waits]: M\nM: S\nS: L T\nT: M E\nE: return\n", lock_step),
      "0, L threads");
  // Nobody goes another way than the rest.
  EXPECT_TEXT(
      outcome("function f\nA: L\nL [uniform]: C D\nC [uniform waits]: D E\n"
              "D [uniform]: L E\nE: return\n",
              (lin_policy){.mode = LIN_MODE_PAPER, .lock_step = true, .divergence_known = true}),
      "2");
}

// Where threads of a region are not all together at its end, order is not known: no spins at all.
static void test_apart(void) {
  // D's threads come to the region {a, b, c} over two ways, and to d; they meet at Q.
  static const char *const form = "function f\nD: a b d\na: P c\nb: c\nc %s: P\nP %s: Q\n"
                                  "d %s: Q\nQ: return\n";
  static const lin_policy only = {.mode = LIN_MODE_PAPER, .lock_step = true};
  char text[200];
  snprintf(text, sizeof text, form, "[spins]", "[]", "[]");
  EXPECT_TEXT(outcome(text, only), "1");
  snprintf(text, sizeof text, form, "[spins]", "[releases]", "[]");
  EXPECT_TEXT(outcome(text, only), "0, a threads");
  snprintf(text, sizeof text, form, "[spins]", "[]", "[releases]");
  EXPECT_TEXT(outcome(text, only), "0, a threads");
  // Without another way out of D all come to P.
  EXPECT_TEXT(outcome("function f\nO: D d\nD: a b\na: P c\nb: c\nc [spins]: P\n"
                      "P [releases]: Q\nd: Q\nQ: return\n",
                      only),
              "1");
  // Who leaves over a doomed edge releases, before it ends, who waits before that edge.
  EXPECT_TEXT(outcome("function f\nD: a b\na: P c\nb [spins]: c\nc: P X\n"
                      "X [releases]: trap\nP: return\n",
                      only),
              "0, c threads");
}

static void test_refusing(void) {
  const char *text = SHORT_CIRCUIT("B3: B4 B5\n", "B4 [cross-lane]: B6\n", "B5: B6\n");
  EXPECT_TEXT(outcome(text, needed), "0, B4 its");
  EXPECT_TEXT(outcome(text, paper), "1");
  EXPECT_TEXT(outcome(text, (lin_policy){.mode = LIN_MODE_ALL}), "1");
  EXPECT_TEXT(outcome(text, (lin_policy){.mode = LIN_MODE_IRREDUCIBLE}), "0");
  text = SHORT_CIRCUIT("B3: B4 B5\n", "B4: B6\n", "B5 [refused]: B6\n");
  EXPECT_TEXT(outcome(text, forced), "0, B5 refused");
  // An irreducible loop that is left behind is worth a warning.
  text = "function f\nA: B C\nB: C\nC [refused]: B D\nD: return\n";
  EXPECT_TEXT(outcome(text, (lin_policy){.mode = LIN_MODE_IRREDUCIBLE}), "0, C refused!");
}

// What is wrong with a region is wrong with those around it, but not the other way round.
static void test_nested(void) {
  static const char *const form = "function f\nA: B1\nB1: B3 B2\nB2 %s: B3 B5\nB3: i2 i3\n"
                                  "i2 [uniform]: i3 i4\ni3: E\ni4 %s: E\nE: B4 B5\nB4: B6\n"
                                  "B5: B6\nB6: return\n";
  char text[400];
  snprintf(text, sizeof text, form, "[]", "[]");
  EXPECT_TEXT(outcome(text, paper), "2");
  snprintf(text, sizeof text, form, "[refused]", "[]");
  EXPECT_TEXT(outcome(text, paper), "1, B2 refused");
  snprintf(text, sizeof text, form, "[]", "[refused]");
  EXPECT_TEXT(outcome(text, paper), "0, i4 refused, i4 refused");
}

static void test_divergence(void) {
  // Nothing to gain where no branch in a region or into it diverges.
  static const char *const form = "function f\nA: B1\nB1 %s: B3 B2\nB2 [uniform]: B3 B5\n"
                                  "B3 %s: B4 B5\nB4: B6\nB5: B6\nB6: return\n";
  char text[300];
  snprintf(text, sizeof text, form, "[uniform]", "[uniform]");
  EXPECT_TEXT(outcome(text, known), "0");
  EXPECT_TEXT(outcome(text, needed), "1");
  EXPECT_TEXT(outcome(text, (lin_policy){.mode = LIN_MODE_PAPER, .divergence_known = true}), "1");
  EXPECT_TEXT(outcome(text, (lin_policy){.mode = LIN_MODE_ALL, .divergence_known = true}), "1");
  snprintf(text, sizeof text, form, "[]", "[uniform cost 200]");
  EXPECT_TEXT(outcome(text, known), "1");
  // Threads that part at B3 come to no join over different ways.
  snprintf(text, sizeof text, form, "[uniform]", "[cost 200]");
  EXPECT_TEXT(outcome(text, known), "0");
  // Who enters the function together stays together.
  EXPECT_TEXT(outcome("function f\nA [uniform]: B C\nB: C\nC [uniform]: B D\nD: return\n", known),
              "0");
  EXPECT_TEXT(outcome("function f\nA: B C\nB: C\nC [uniform]: B D\nD: return\n", known), "1");
  EXPECT_TEXT(outcome("function f\nA [uniform]: B C\nB: C\nC: B D\nD: return\n", known), "1");
  // What is unstructured and uniform stays as it is inside a region, too: one leaf.
  static const char *const nested = "function f\nA: B1\nB1: B3 B2\nB2: B3 B5\nB3 [uniform]: i2 i3\n"
                                    "i2 [uniform]: i3 i4\ni3: E\ni4: E\nE: B4 B5\nB4: B6\nB5: B6\n"
                                    "B6: return\n";
  EXPECT_TEXT(outcome(nested, known), "1");
  EXPECT_TEXT(outcome(nested, needed), "2");
}

// Mode needed takes what a warp runs more often than it has to.
static void test_worth(void) {
  // Breaks to one place: all wait there for each other, at the loop's post-dominator.
  const char *breaks = "function f\nA: H\nH: X B\nB: X L\nL: H X\nX: return\n";
  EXPECT_TEXT(outcome(breaks, needed), "0");
  EXPECT_TEXT(outcome(breaks, paper), "1");
  // Ways out to different places are run one by one, unless they are short.
  const char *ways = "function f\nA: H\nH [cost 1]: X B\nB [cost 1]: Y H\nX [cost %s]: Z\n"
                     "Y [cost 0]: Z\nZ: return\n";
  char text[200];
  snprintf(text, sizeof text, ways, "7");
  EXPECT_TEXT(outcome(text, needed), "1");
  snprintf(text, sizeof text, ways, "6");
  EXPECT_TEXT(outcome(text, needed), "0");
  // What is behind a join counts, up to where all meet.
  const char *join = "function f\nA: B C\nB [cost 0]: C S\nC [cost 3]: D E\nD [cost %s]: E\n"
                     "E [cost 0]: F\nS [cost 0]: C T\nT [cost 0]: F\nF: return\n";
  snprintf(text, sizeof text, join, "4");
  EXPECT_TEXT(outcome(text, needed), "1");
  snprintf(text, sizeof text, join, "3");
  EXPECT_TEXT(outcome(text, needed), "0");
  // One of two joins: the smallest region around it.
  EXPECT_TEXT(outcome("function f\nA: B C\nB: C S\nC [cost 1]: S\nS [cost 1]: T\nT: U V\nU: V W\n"
                      "V [cost 40]: X\nW: X\nX: return\n",
                      needed),
              "1");
  // Where threads run independently, ptxas has them wait at the last join, but at no other.
  const lin_policy newer = {.mode = LIN_MODE_NEEDED};
  snprintf(text, sizeof text, join, "4");
  EXPECT_TEXT(outcome(text, newer), "0");
  EXPECT_TEXT(
      outcome("function f\nA: B C\nB: C E\nC [cost 40]: D E\nD: F\nE: F\nF: return\n", newer), "1");
  // Nothing is gained in a loop that polls memory, and in one around it only outside.
  const char *spin = "function f\nA: H\nH [%s]: X B\nB: Y H\nX: Z\nY: Z\nZ: return\n";
  snprintf(text, sizeof text, spin, "uniform");
  EXPECT_TEXT(outcome(text, needed), "1");
  snprintf(text, sizeof text, spin, "polls");
  EXPECT_TEXT(outcome(text, needed), "0");
  // An irreducible loop always, whatever it costs.
  EXPECT_TEXT(outcome("function f\nA: B C\nB [cost 0]: C\nC [cost 0]: B D\nD: return\n", needed),
              "1");
}

// What is saved in the one region of mode paper, of all that a warp runs there, and guards.
static const char *estimate_of(const char *text, bool in_lock_step) {
  const lin_order *order = lin_order_build(&arena, lin_graph_unite_returns(&arena, parse(text)));
  const lin_analysis *analysis = lin_analysis_build(&arena, order->graph, order->loops);
  const lin_joins *joins = lin_joins_find(&arena, analysis, true, in_lock_step);
  bool *seed = lin_policy_seeds(&arena, analysis, joins, &paper);
  const lin_regions *regions = lin_regions_build(&arena, analysis, seed);
  const lin_estimate *estimate = lin_estimate_regions(&arena, analysis, joins, regions);
  char *result = lin_arena_bytes(&arena, 100);
  snprintf(result, 100, "%.1f of %.1f, guards %.1f", estimate[0].saved, estimate[0].total,
           estimate[0].guards);
  return result;
}

static void test_estimate(void) {
  // Figure 1: c3 and S2 in two passes each; where threads run independently, they meet at S2.
  static const char *const form = "function f\nA [cost 0]: c1\nc1 [cost 1]: c3%s c2%s\n"
                                  "c2 [cost 10]: c3 S2\nc3 [%scost 100]: S1 S2\n"
                                  "S1 [cost 1000]: S3\nS2 [cost 10000]: S3\nS3: return\n";
  char text[300];
  snprintf(text, sizeof text, form, "", "", "");
  EXPECT_TEXT(estimate_of(text, true), "21100.0 of 32210.0, guards 8.0");
  EXPECT_TEXT(estimate_of(text, false), "1100.0 of 12210.0, guards 8.0");
  // S1 has two arms of its own, that meet again.
  EXPECT_TEXT(estimate_of("function f\nA [cost 0]: c1\nc1 [cost 1]: c3 c2\nc2 [cost 10]: c3 S2\n"
                          "c3 [cost 100]: S1 S2\nS1 [cost 0]: p q\np [cost 0]: r\n"
                          "q [cost 0]: r\nr [cost 1000]: S3\nS2 [cost 10000]: S3\nS3: return\n",
                          true),
              "21100.0 of 32210.0, guards 8.0");
  // Hardly a thread takes c1 to c2; and all threads take c3 to the same place.
  snprintf(text, sizeof text, form, "*1", "*0", "");
  EXPECT_TEXT(estimate_of(text, false), "0.0 of 11100.0, guards 8.0");
  snprintf(text, sizeof text, form, "", "", "uniform ");
  EXPECT_TEXT(estimate_of(text, false), "100.0 of 11210.0, guards 8.0");
  // Two ways out of a loop, each in turns; the loop's blocks for one turn.
  EXPECT_TEXT(estimate_of("function f\nA [cost 0]: H\nH [cost 1]: X B\nB [cost 10]: Y H\n"
                          "X [cost 100]: Z\nY [cost 1000]: Z\nZ: return\n",
                          true),
              "3300.0 of 4411.0, guards 8.0");
  // All threads leave together by Y, once in 100 turns, or some by X; J in two passes.
  EXPECT_TEXT(estimate_of("function f\nA [cost 0]: H\nH [cost 1]: X*0 B*1\n"
                          "B [uniform cost 10]: Y*1 H*99\nX [cost 100]: J\nY [cost 1000]: J Z\n"
                          "J [cost 10000]: Z\nZ: return\n",
                          true),
              "0.0 of 11011.0, guards 12.0");
  // What goes around B doesn't come to it once more.
  EXPECT_TEXT(estimate_of("function f\nA [cost 0]: B J\nB [cost 10]: B C\nC [cost 100]: J S\n"
                          "J [cost 1000]: Z\nS [cost 10000]: Z\nZ: return\n",
                          true),
              "1000.0 of 12110.0, guards 4.0");
  // 24 threads come to B, of which each goes on to J in one of 8 cases: 0.96 passes more.
  EXPECT_TEXT(estimate_of("function f\nA [cost 0]: J*1 B*3\nB [cost 10]: J*1 C*7\n"
                          "C [cost 100]: Z\nJ [cost 1000]: Z\nZ: return\n",
                          true),
              "959.3 of 2069.3, guards 4.0");
  // Edges to one block are one way.
  EXPECT_TEXT(estimate_of("function f\nA [cost 0]: B J J J\nB [cost 10]: J C\nJ [cost 100]: Z\n"
                          "C [cost 1000]: Z\nZ: return\n",
                          true),
              "100.0 of 1209.9, guards 4.0");
}

// Regions in a region: that which gains more.
static void test_choose(void) {
  const uint32_t around[] = {2, 2, LIN_NONE};
  const lin_regions regions = {.num_regions = 3, .parent = (uint32_t *)around};
  const struct {
    lin_estimate estimate[3];
    const char *chosen;
  } cases[] = {
      {{{100, 50, 10}, {100, 20, 10}, {300, 100, 20}}, "101"}, // 40 inside, 80 outside
      {{{100, 50, 10}, {100, 60, 10}, {300, 100, 20}}, "110"}, // 90 and 80
      {{{100, 50, 10}, {100, 34, 10}, {300, 84, 10}}, "100"},  // too little of the outer one
      {{{100, 35, 10}, {100, 34, 10}, {300, 84, 10}}, "100"},  // a quarter is enough
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const bool *chosen = lin_estimate_choose(&arena, cases[i].estimate, &regions);
    const char got[] = {"01"[chosen[0]], "01"[chosen[1]], "01"[chosen[2]], 0};
    EXPECT_TEXT(got, cases[i].chosen);
  }
}

// Of edges with the same D, that with the nearest P comes first: B2->B3 leaves the loop for a place
// before B4, B1->B4 for B4 itself.
static void test_nearest_exit(void) {
  EXPECT_TEXT(outcome("function f\nB0: B3 B1\nB1: B2 B4\nB2: B1 B3\nB3: B4\nB4: return\n", paper),
              "2");
}

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
    bool flat; // two regions, both
  } cases[] = {
      {"function f\nB0: B5 B2 B1\nB1: B2 B4 B2\nB2: B3\nB3: B5 B5\nB4: B5\nB5: B5 B3\n", false},
      {"function f\nB0: B3 B2\nB1: B3\nB2: B2 B4 B1 B2\nB3: B4 B2\nB4: B2 B1 B2\n", true},
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
  const char *text = "function f\nB0: B2 B4 B1\nB1: B2\nB2: B6 B8\nB4: B5\nB5: B4\nB6: B8 B5\n"
                     "B8: B1 B13\nB13: return\n";
  lin_result plain = linearize(text, paper, 0), best = linearize(text, paper, 4);
  EXPECT(num_phis(&best) == num_phis(&plain));
  EXPECT(best.flow->num_guards == plain.flow->num_guards);
}

// Only guards that meet become one, if that is enough: here one has no phi.
static void test_meeting_guards(void) {
  lin_result result =
      linearize("function f\nB0: B3 B1\nB1: B2 B3\nB2: B4\nB3: B4\nB4: B3\n", paper, 4);
  EXPECT(result.plan->num_guards == 3 && num_guards_tested(result.plan) == 2);
  EXPECT(num_phis(&result) == 4);
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
    EXPECT(best.analysis->num_unstructured == 3);
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

// The flag of a loop that is left in many ways says to leave it: few edges say to go around.
static void test_many_exits(void) {
  static const char *const ends[] = {"J: K X\nK: H X\n", "J: H X\n"};
  for (uint32_t around = 0; around < 2; around++) {
    char text[100];
    snprintf(text, sizeof text, "function f\nA: H\nH: I X\nI: J X\n%sX: return\n", ends[around]);
    const lin_plan *plan = linearize(text, (lin_policy){.mode = LIN_MODE_ALL}, 2).plan;
    for (uint32_t node = 0; node < plan->num_nodes; node++)
      if (plan->node[node].kind == LIN_LOOP)
        EXPECT(plan->node[node].low == around && plan->node[node].high == around);
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
  test_waiting();
  test_together();
  test_spinning();
  test_releasing();
  test_plain();
  test_waiting_in_loops();
  test_apart();
  test_refusing();
  test_nested();
  test_divergence();
  test_worth();
  test_estimate();
  test_choose();
  test_nearest_exit();
  test_subregion();
  test_flags();
  test_phis();
  test_shared_guards();
  test_one_flat_region();
  test_meeting_guards();
  test_all_flat();
  test_kept();
  test_last_leaf();
  test_decided_loop();
  test_many_exits();
  test_common_end();
  test_seldom();
  test_wrong_input();
  test_names();
  test_simulate();
  lin_arena_release(&arena);
  return expect_end();
}
