// Unit tests of which regions are linearized and which are left alone: threads that wait for others
// below sm_70, divergence, what an edge and a region are worth. A failure prints its line; the last
// line is `N passed, M failed`.
#include "choose/estimate.h"
#include "driver/passes.h"
#include "linearized.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                             result.shape.order->graph->name[r.block], (int)strcspn(r.reason, " "),
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
  for (lin_block block = 0; block < result.shape.order->graph->num_blocks; block++)
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
  snprintf(text, sizeof text, form, "[waits]", "[]", "[]"); // every iteration passes it
  EXPECT_TEXT(outcome(text, lock_step), "2");
  snprintf(text, sizeof text, form, "[]", "[waits]", "[]"); // some iterations do
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
  static const char *const nested =
      "function f\nA: B1\nB1: B3 B2\nB2: B3 B5\nB3 [uniform]: i2 i3\n"
      "i2 [uniform]: i3 i4\ni3 [cost %u]: E\ni4 [cost %u]: E\nE: B4 B5\n"
      "B4: B6\nB5: B6\nB6: return\n";
  snprintf(text, sizeof text, nested, 200, LIN_USUAL_COST);
  EXPECT_TEXT(outcome(text, known), "1");
  EXPECT_TEXT(outcome(text, needed), "2");
  // So does what gains too little.
  snprintf(text, sizeof text, nested, LIN_USUAL_COST, 200);
  lin_policy careful = needed;
  careful.many_registers = true;
  EXPECT_TEXT(outcome(text, careful), "1");
  EXPECT_TEXT(outcome(text, paper), "2");
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
  snprintf(text, sizeof text, ways, "70");
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
  snprintf(text, sizeof text, join, "20");
  EXPECT_TEXT(outcome(text, newer), "0");
  EXPECT_TEXT(outcome("function f\nA: B C\nB: C E\nC [cost 40]: D E\nD: F\nE [cost 20]: F\n"
                      "F: return\n",
                      newer),
              "1");
  // Nothing is gained in a loop that polls memory, and in one around it only outside.
  const char *spin = "function f\nA: H\nH [%s]: X B\nB: Y H\nX [cost 80]: Z\nY [cost 80]: Z\n"
                     "Z: return\n";
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
  const lin_analysis *analysis = lin_shape_build(&arena, parse(text)).analysis;
  const lin_joins *joins = lin_joins_find(&arena, analysis, true, in_lock_step);
  bool *seed = lin_policy_seeds(&arena, analysis, joins, &paper);
  const lin_regions *regions = lin_regions_build(&arena, analysis, seed);
  const lin_estimate *estimate = lin_estimate_regions(
      &arena, analysis, joins, lin_ways_find(&arena, joins->compiled, joins), regions, seed);
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
  EXPECT_TEXT(estimate_of(text, true), "17033.2 of 28139.3, guards 10.0");
  EXPECT_TEXT(estimate_of(text, false), "990.7 of 12096.8, guards 10.0");
  // S1 has two arms of its own, that meet again.
  EXPECT_TEXT(estimate_of("function f\nA [cost 0]: c1\nc1 [cost 1]: c3 c2\nc2 [cost 10]: c3 S2\n"
                          "c3 [cost 100]: S1 S2\nS1 [cost 0]: p q\np [cost 0]: r\n"
                          "q [cost 0]: r\nr [cost 1000]: S3\nS2 [cost 10000]: S3\nS3: return\n",
                          true),
              "17033.2 of 28139.3, guards 10.0");
  // Hardly a thread takes c1 to c2; and all threads take c3 to the same place.
  snprintf(text, sizeof text, form, "*1", "*0", "");
  EXPECT_TEXT(estimate_of(text, false), "0.0 of 10510.0, guards 6.0");
  snprintf(text, sizeof text, form, "", "", "uniform ");
  EXPECT_TEXT(estimate_of(text, false), "704.7 of 11481.3, guards 10.0");
  // Two ways out of a loop, each in four iterations, and its blocks for as many.
  EXPECT_TEXT(estimate_of("function f\nA [cost 0]: H\nH [cost 1]: X B\nB [cost 10]: Y H\n"
                          "X [cost 100]: Z\nY [cost 1000]: Z\nZ: return\n",
                          true),
              "12817.0 of 14240.3, guards 239.2");
  // All threads leave together by Y, once in 100 iterations, or some by X; J in two passes.
  EXPECT_TEXT(estimate_of("function f\nA [cost 0]: H\nH [cost 1]: X*0 B*1\n"
                          "B [uniform cost 10]: Y*1 H*99\nX [cost 100]: J\nY [cost 1000]: J Z\n"
                          "J [cost 10000]: Z\nZ: return\n",
                          true),
              "0.0 of 11984.9, guards 808.0");
  // What goes around B doesn't come to it once more.
  EXPECT_TEXT(estimate_of("function f\nA [cost 0]: B J\nB [cost 10]: B C\nC [cost 100]: J S\n"
                          "J [cost 1000]: Z\nS [cost 10000]: Z\nZ: return\n",
                          true),
              "853.9 of 12163.6, guards 4.0");
  // 24 threads come to B, of which each goes on to J in one of 8 cases: 0.96 passes more.
  EXPECT_TEXT(estimate_of("function f\nA [cost 0]: J*1 B*3\nB [cost 10]: J*1 C*7\n"
                          "C [cost 100]: Z\nJ [cost 1000]: Z\nZ: return\n",
                          true),
              "959.3 of 2069.3, guards 4.0");
  // Edges to one block are one way.
  EXPECT_TEXT(estimate_of("function f\nA [cost 0]: B J J J\nB [cost 10]: J C\nJ [cost 100]: Z\n"
                          "C [cost 1000]: Z\nZ: return\n",
                          true),
              "85.7 of 1176.5, guards 4.0");
}

// Regions in a region: that which gains more.
static void test_choose(void) {
  const uint32_t around[] = {2, 2, LIN_NONE};
  const lin_regions regions = {.num_regions = 3, .parent = (uint32_t *)around};
  const struct {
    lin_estimate estimate[3];
    const char *chosen;
  } cases[] = {
      {{{100, 50, 10, 100, 0}, {100, 12, 10, 100, 0}, {300, 100, 20, 0, 0}},
       "101"}, // 40 inside, 80 outside
      {{{100, 50, 10, 100, 0}, {100, 60, 10, 100, 0}, {300, 100, 20, 0, 0}}, "110"}, // 90 and 80
      {{{100, 50, 10, 50, 0}, {100, 60, 10, 50, 0}, {300, 100, 20, 0, 0}},
       "111"}, // half of that, there
      {{{100, 50, 10, 1, 0}, {100, 12, 10, 1, 0}, {800, 33, 10, 0, 0}},
       "100"}, // too little of the outer one
      {{{100, 50, 10, 1, 0}, {100, 12, 10, 1, 0}, {800, 34, 10, 0, 0}}, "101"}, // enough
      {{{100, 15, 10, 1, 0}, {100, 14, 10, 1, 0}, {800, 9, 10, 0, 0}},
       "100"}, // half more than guards take
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const bool *chosen =
        lin_estimate_choose(&arena, cases[i].estimate, &regions, 0.03, LIN_LEAST_FOR_GUARDS);
    const char got[] = {"01"[chosen[0]], "01"[chosen[1]], "01"[chosen[2]], 0};
    EXPECT_TEXT(got, cases[i].chosen);
  }
}

// B3 and B5 are run twice, which is the less of the region the more B2 costs. Where registers bound
// how many warps there are, that matters.
static void test_least_gain(void) {
  static const char *const form =
      "function f\nA: B1\nB1: B3 B2\nB2 [cost %d]: B3 B5\nB3 [cost 80]: B4 B5\nB4: B6\n"
      "B5 [cost 20]: B6\nB6: return\n";
  const struct {
    int cost;
    const char *in_lock_step, *apart, *of_many_registers;
  } cases[] = {{50, "1", "1", "1"}, {1400, "1", "1", "0"}, {4000, "1", "1", "0"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[200];
    snprintf(text, sizeof text, form, cases[i].cost);
    EXPECT_TEXT(outcome(text, needed), cases[i].in_lock_step);
    EXPECT_TEXT(outcome(text, (lin_policy){.mode = LIN_MODE_NEEDED}), cases[i].apart);
    EXPECT_TEXT(outcome(text, (lin_policy){.mode = LIN_MODE_NEEDED, .many_registers = true}),
                cases[i].of_many_registers);
  }
}

// Of edges with the same D, that with the nearest P comes first: B2->B3 leaves the loop for a place
// before B4, B1->B4 for B4 itself.
static void test_nearest_exit(void) {
  EXPECT_TEXT(outcome("function f\nB0: B3 B1\nB1: B2 B4\nB2: B1 B3\nB3: B4\nB4: return\n", paper),
              "2");
}

// Whoever can't find out where threads part does something for which that isn't needed, and every
// pass has a mode.
static void test_modes(void) {
  for (lin_mode mode = LIN_MODE_NEEDED; mode < LIN_NO_MODE; mode++) {
    lin_mode undecided = lin_modes[mode].undecided;
    EXPECT(undecided == LIN_NO_MODE
               ? lin_mode_has_own_regions(mode)
               : lin_modes[undecided].undecided == undecided && !lin_modes[undecided].gains);
    EXPECT(lin_modes[mode].rounds > 0);
  }
  for (const lin_pass *pass = lin_passes; pass->name != NULL; pass++) {
    lin_policy policy = {.mode = LIN_MODE_NEEDED};
    while (policy.mode < LIN_NO_MODE && !pass->is_wanted(&policy))
      policy.mode++;
    EXPECT(policy.mode < LIN_NO_MODE);
  }
}

int main(void) {
  test_modes();
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
  test_least_gain();
  test_nearest_exit();
  lin_arena_release(&arena);
  return expect_end();
}
