// Unit tests of loop nests: which loops are merged with the ones around them and why others are
// not, what that is estimated to gain, how often loops go around, and what the merged loops look
// like. A failure prints its line; the last line is `N passed, M failed`.
#include "choose/nests.h"
#include "choose/trip_counts.h"
#include "linearize/spans.h"
#include "linearized.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lin_policy merge = {.mode = LIN_MODE_MERGE_LOOPS, .regardless = true};
static const lin_policy worth = {.mode = LIN_MODE_MERGE_LOOPS};
static const lin_policy known = {
    .mode = LIN_MODE_MERGE_LOOPS, .regardless = true, .divergence_known = true};
static const lin_policy lock_step = {
    .mode = LIN_MODE_MERGE_LOOPS, .regardless = true, .lock_step = true};

// A nest of while loops: H around h.
#define NEST(H, h, b, l)                                                                           \
  "function f\nA: H\nH " H ": h X\nh " h ": b l\nb " b ": h\nl " l ": H\nX: return\n"

static uint32_t loop_at(const lin_result *result, const char *header) {
  return result->shape.analysis->loops->loop_of[find(result->shape.analysis->graph, header)];
}

static const lin_nest *nest_at(const lin_result *result, const char *header) {
  return &result->nests->nest[loop_at(result, header)];
}

// For each loop in another one: its header, what becomes of it, and the block at fault.
static const char *verdicts(const char *text, lin_policy policy) {
  static const char *const words[] = {
      [LIN_NEST_NONE] = "none",       [LIN_NEST_MERGED] = "merged",
      [LIN_NEST_REFUSED] = "refused", [LIN_NEST_IRREDUCIBLE] = "irreducible",
      [LIN_NEST_WAITS] = "waits",     [LIN_NEST_POLLS] = "polls",
      [LIN_NEST_SHARES] = "shares",   [LIN_NEST_UNIFORM] = "uniform",
      [LIN_NEST_DEAR] = "dear",       [LIN_NEST_SIBLING] = "sibling",
  };
  lin_result result = linearize(text, policy, 4);
  const lin_loops *loops = result.shape.analysis->loops;
  char *answer = lin_arena_bytes(&arena, 400);
  size_t used = 0;
  for (uint32_t loop = 1; loop < loops->num_loops; loop++) {
    const lin_nest *nest = &result.nests->nest[loop];
    lin_block header = loops->header[loop];
    if (loops->tree->depth[loop] < 2)
      continue;
    used += (size_t)snprintf(answer + used, 400 - used, "%s%s %s", used == 0 ? "" : ", ",
                             result.shape.analysis->graph->name[header], words[nest->verdict]);
    if (nest->block != header && nest->verdict != LIN_NEST_NONE)
      used += (size_t)snprintf(answer + used, 400 - used, " at %s",
                               result.shape.analysis->graph->name[nest->block]);
    EXPECT(!result.nests->merged[loop] || nest->verdict == LIN_NEST_MERGED);
  }
  return answer;
}

static void test_legal(void) {
  EXPECT_TEXT(verdicts(NEST("", "", "", ""), merge), "h merged");
  EXPECT_TEXT(verdicts("function f\nA: H\nH: H X\nX: return\n", merge), "");
  // A block of either loop may not stand behind a guard: the first one is named.
  EXPECT_TEXT(verdicts(NEST("", "", "", "[refused]"), merge), "h refused at l");
  EXPECT_TEXT(verdicts(NEST("", "", "[refused]", "[refused]"), merge), "h refused at b");
  // Threads wait, or notice who runs with them, anywhere in the two.
  EXPECT_TEXT(verdicts(NEST("[waits]", "", "", ""), merge), "h waits at H");
  EXPECT_TEXT(verdicts(NEST("", "", "[waits]", ""), merge), "h waits at b");
  EXPECT_TEXT(verdicts(NEST("", "", "", "[cross-lane]"), merge), "h waits at l");
  EXPECT_TEXT(verdicts(NEST("", "", "", "[spins]"), merge), "h waits at l");
  // What is behind the nest is no matter.
  EXPECT_TEXT(
      verdicts("function f\nA [waits]: H\nH: h X\nh: h l\nl: H\nX [waits]: Y\nY: return\n", merge),
      "h merged");
}

// What polls waits for others: in the inner loop always, around it if threads run in lock step.
static void test_polling(void) {
  EXPECT_TEXT(verdicts(NEST("", "", "[polls]", ""), merge), "h polls at b");
  EXPECT_TEXT(verdicts(NEST("", "", "", "[polls]"), merge), "h merged");
  EXPECT_TEXT(verdicts(NEST("", "", "", "[polls]"), lock_step), "h polls at l");
  EXPECT_TEXT(verdicts(NEST("", "[polls]", "", "[polls]"), lock_step), "h polls");
  EXPECT_TEXT(verdicts(NEST("", "", "", "[releases]"), lock_step), "h merged");
}

static void test_irreducible(void) {
  // The inner one has two entries; the outer one.
  EXPECT_TEXT(verdicts("function f\nA: H\nH: h b X\nh: b l\nb: h l\nl: H\nX: return\n", merge),
              "h irreducible");
  EXPECT_TEXT(verdicts("function f\nA: H l\nH: h X\nh: h l\nl: H\nX: return\n", merge),
              "h irreducible");
  // A loop beside them is no matter.
  EXPECT_TEXT(
      verdicts("function f\nA: p q H\np: q H\nq: p H\nH: h X\nh: h l\nl: H\nX: return\n", merge),
      "h merged");
}

static void test_uniform(void) {
  EXPECT_TEXT(verdicts(NEST("", "[uniform]", "", ""), known), "h uniform");
  EXPECT_TEXT(verdicts(NEST("", "[uniform]", "", ""), merge), "h merged");
  EXPECT_TEXT(verdicts(NEST("[uniform]", "", "", ""), known), "h merged");
  // One of two ways out of it is enough; a branch that stays in it is none.
  EXPECT_TEXT(
      verdicts("function f\nA: H\nH: h X\nh [uniform]: b l\nb: h l\nl: H\nX: return\n", known),
      "h merged");
  EXPECT_TEXT(verdicts("function f\nA: H\nH: h X\nh [uniform]: b l\nb: c d\nc: h\nd: h\nl: H\n"
                       "X: return\n",
                       known),
              "h uniform");
  // With a loop merged into it, threads leave the second loop one by one.
  const char *form = "function f\nA: F\nF [uniform]: S X\nS [uniform]: T s\nT [%s]: T t\nt: S\n"
                     "s: F\nX: return\n";
  char text[200];
  snprintf(text, sizeof text, form, "uniform");
  EXPECT_TEXT(verdicts(text, known), "S uniform, T uniform");
  snprintf(text, sizeof text, form, "cost 8");
  EXPECT_TEXT(verdicts(text, known), "S merged, T merged");
}

// Of two loops in one the better is merged, whichever comes first; a loop that isn't worth it or
// isn't legal doesn't stand in the way.
static void test_siblings(void) {
  static const char *const form = "function f\nA: H\nH: p X\np [%s]: p * 9 q * 1\n"
                                  "q [%s]: q * 9 l * 1\nl: H\nX: return\n";
  char text[200];
  snprintf(text, sizeof text, form, "cost 100", "cost 10");
  EXPECT_TEXT(verdicts(text, merge), "p merged, q sibling");
  snprintf(text, sizeof text, form, "cost 10", "cost 100");
  EXPECT_TEXT(verdicts(text, merge), "p sibling, q merged");
  snprintf(text, sizeof text, form, "cost 10", "cost 100 polls");
  EXPECT_TEXT(verdicts(text, merge), "p merged, q polls");
  snprintf(text, sizeof text, form, "cost 10", "cost 100");
  EXPECT_TEXT(verdicts(text, worth), "p dear, q merged");
  snprintf(text, sizeof text, form, "cost 10", "cost 10");
  EXPECT_TEXT(verdicts(text, worth), "p dear, q dear");
}

// A loop that was stripped stays, and what was stripped for it is merged at any price.
static void test_stripped(void) {
  static const char *const form = "function f\nA: H\nH [cost 500]: M X\nM: h\nh [cost 1%s]: h * 1 "
                                  "e * 1\ne: M * 1 l * 9\nl: H\nX: return\n";
  char text[200];
  snprintf(text, sizeof text, form, " strip");
  EXPECT_TEXT(verdicts(text, worth), "M merged, h none");
  snprintf(text, sizeof text, form, "");
  EXPECT_TEXT(verdicts(text, worth), "M dear, h dear");
  // Before any other loop beside it.
  EXPECT_TEXT(verdicts("function f\nA: H\nH: M X\nM: h\nh [strip]: h e\ne: M q\n"
                       "q [cost 1000]: q * 99 l * 1\nl: H\nX: return\n",
                       worth),
              "M merged, h none, q sibling");
}

// ---- estimates

static bool is_near(double got, double wanted) {
  bool near = fabs(got - wanted) <= 1e-6 * fabs(wanted) + 1e-9;
  if (!near)
    printf("got %.9g, wanted %.9g\n", got, wanted);
  return near;
}

static lin_trip_counts *trips_of(const char *text, lin_result *result) {
  *result = linearize(text, merge, 4);
  return lin_trip_counts_build(&arena, result->shape.analysis);
}

static void test_trips(void) {
  // The inner loop has 10 iterations and is entered in half of the 4 of the outer one.
  lin_result result;
  lin_trip_counts *trips =
      trips_of("function f\nA: H\nH [cost 3]: h * 1 l * 1\nh [cost 5]: h * 9 l * 1\n"
               "l [cost 7]: H * 3 X * 1\nX: return\n",
               &result);
  EXPECT(is_near(trips->trips[loop_at(&result, "H")], 4));
  EXPECT(is_near(trips->trips[loop_at(&result, "h")], 10));
  EXPECT(is_near(trips->entered[loop_at(&result, "h")], 0.5));
  EXPECT(is_near(trips->entered[loop_at(&result, "H")], 1));
  EXPECT(is_near(trips->cost[loop_at(&result, "h")], 5));
  EXPECT(is_near(trips->cost[loop_at(&result, "H")], 3 + 0.5 * 10 * 5 + 7));
  EXPECT(is_near(trips->trips[0], 1));
  // What leaves both loops at once isn't there for the rest of the outer one: of ten threads that
  // iteration, one leaves the inner loop and one both.
  trips = trips_of("function f\nA: H\nH: h\nh [cost 1]: h * 8 l * 1 X * 1\nl [cost 100]: H * 1\n"
                   "X: return\n",
                   &result);
  EXPECT(is_near(trips->trips[loop_at(&result, "h")], 5));
  EXPECT(is_near(trips->trips[loop_at(&result, "H")], 2));
  EXPECT(is_near(trips->cost[loop_at(&result, "H")], 8 + 5 * 1 + 0.5 * 100));
  // Three deep.
  trips = trips_of("function f\nA: F\nF [cost 1]: S\nS [cost 1]: T\nT [cost 1]: T * 4 t * 1\n"
                   "t [cost 1]: S * 1 s * 1\ns [cost 1]: F * 2 X * 1\nX: return\n",
                   &result);
  EXPECT(is_near(trips->trips[loop_at(&result, "T")], 5));
  EXPECT(is_near(trips->trips[loop_at(&result, "S")], 2));
  EXPECT(is_near(trips->trips[loop_at(&result, "F")], 3));
  EXPECT(is_near(trips->cost[loop_at(&result, "S")], 7));
  EXPECT(is_near(trips->cost[loop_at(&result, "F")], 1 + 2 * 7 + 1));
  // All that comes to an inner loop comes out again, though half of an iteration's threads seem to
  // leave it.
  trips = trips_of(
      "function f\nA: H\nH: h\nh [cost 1]: h l\nl [cost 100]: H * 1 X * 1\nX: return\n", &result);
  EXPECT(is_near(trips->trips[loop_at(&result, "h")], LIN_USUAL_TRIPS));
  EXPECT(is_near(trips->trips[loop_at(&result, "H")], 2));
  EXPECT(is_near(trips->cost[loop_at(&result, "H")], 8 + LIN_USUAL_TRIPS + 100));
  // Never more than anybody would wait for; a loop that nobody leaves has as many as any.
  trips = trips_of("function f\nA: h\nh: h * 100000000 X * 1\nX: return\n", &result);
  EXPECT(is_near(trips->trips[loop_at(&result, "h")], 1000000));
  trips = trips_of("function f\nA: h X\nh: h\nX: return\n", &result);
  EXPECT(is_near(trips->trips[loop_at(&result, "h")], LIN_USUAL_TRIPS));
}

// Without weights: what is known of the most iterations says something.
static void test_guesses(void) {
  static const struct {
    const char *attributes;
    double trips;
  } cases[] = {
      {"", 8},
      {"trips 40 counted", 20},
      {"trips 1 counted", 1},
      {"trips 1000 counted", 500},
      {"trips 1001 counted", 8},
      {"trips 1", 1},
      {"trips 4", 3},
      {"trips 16", 12},
      {"trips 17", 8},
      {"trips 200", 25},
      {"trips 1000", 125},
      {"trips 1001", 8},
      {"counted", 8},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[200];
    lin_result result;
    snprintf(text, sizeof text, "function f\nA: h\nh [cost 1 %s]: h X\nX: return\n",
             cases[i].attributes);
    const lin_trip_counts *trips = trips_of(text, &result);
    if (!EXPECT(is_near(trips->trips[loop_at(&result, "h")], cases[i].trips)))
      printf("%s", text);
  }
  // Weights win.
  lin_result result;
  const lin_trip_counts *trips =
      trips_of("function f\nA: h\nh [trips 40 counted]: h * 1 X * 1\nX: return\n", &result);
  EXPECT(is_near(trips->trips[loop_at(&result, "h")], 2));
}

// The chance that one of 32 threads begins or ends an inner loop of so many iterations in an
// iteration.
static double any_of(double trips) { return 1 - pow(1 - 1 / trips, 32); }

// How many iterations the thread needs that needs most, for each that one needs in the mean
// (SPREAD).
static const double spread = 5;

// nests.h says how before and after are estimated.
static void test_estimates(void) {
  lin_result result = linearize("function f\nA: H\nH [cost 6]: h\nh [cost 20]: b * 9 l * 1\n"
                                "b [cost 80]: h\nl [cost 34]: H * 1 X * 1\nX: return\n",
                                worth, 4);
  const lin_nest *nest = nest_at(&result, "h");
  double trips = 10, inner = 20 + 0.9 * 80, around = 40;
  EXPECT(nest->verdict == LIN_NEST_MERGED && nest->strip == 1);
  EXPECT(is_near(nest->before, around + spread * trips * inner));
  EXPECT(is_near(nest->after, 1.6 * trips * (inner + 12 + around * any_of(trips))));
  // Threads are no further apart than the most iterations allow: 15 are one and a half times 10.
  result = linearize("function f\nA: H\nH [cost 6]: h\nh [cost 20 trips 15]: b * 9 l * 1\n"
                     "b [cost 80]: h\nl [cost 34]: H * 1 X * 1\nX: return\n",
                     worth, 4);
  nest = nest_at(&result, "h");
  EXPECT(nest->verdict == LIN_NEST_DEAR);
  EXPECT(is_near(nest->before, around + 1.5 * trips * inner));
  result = linearize("function f\nA: H\nH [cost 6]: h\nh [cost 20 trips 10]: b * 9 l * 1\n"
                     "b [cost 80]: h\nl [cost 34]: H * 1 X * 1\nX: return\n",
                     worth, 4);
  EXPECT(is_near(nest_at(&result, "h")->before, around + trips * inner));
  // More iterations than there can be: no less than one is meant.
  result = linearize("function f\nA: H\nH [cost 6]: h\nh [cost 20 trips 5]: b * 9 l * 1\n"
                     "b [cost 80]: h\nl [cost 34]: H * 1 X * 1\nX: return\n",
                     worth, 4);
  EXPECT(is_near(nest_at(&result, "h")->before, around + trips * inner));
}

// For the loop around a merged one, the two are one loop, with the iterations of both.
static void test_deep_estimates(void) {
  lin_result result = linearize("function f\nA: F\nF [cost 500]: S\nS [cost 4]: T * 3 s * 1\n"
                                "T [cost 30]: U * 4 t * 1\nU [cost 30]: T\nt [cost 6]: S\n"
                                "s [cost 20]: F * 1 X * 1\nX: return\n",
                                merge, 4);
  double inner = 30 + 0.8 * 30, per_iteration = 0.75 * 5, beside = 4 + 0.75 * 6;
  double iteration = inner + 12 + beside * any_of(per_iteration);
  EXPECT(is_near(nest_at(&result, "T")->before, beside + spread * per_iteration * inner));
  EXPECT(is_near(nest_at(&result, "T")->after, 1.6 * per_iteration * iteration));
  double trips = 4 * per_iteration,
         around = 500 + 4 * (beside + per_iteration * inner) + 20 - trips * iteration;
  EXPECT(around > 0);
  EXPECT(is_near(nest_at(&result, "S")->before, around + spread * trips * iteration));
  EXPECT(is_near(nest_at(&result, "S")->after,
                 1.6 * trips * (iteration + 12 + around * any_of(trips))));
}

// ---- strips

static uint32_t strip_of(const char *inner) {
  char text[300];
  snprintf(text, sizeof text, "function f\nA: H\nH [cost 40]: h X\n%sl [cost 40]: H\nX: return\n",
           inner);
  lin_result result = linearize(text, merge, 4);
  EXPECT(nest_at(&result, "h")->verdict == LIN_NEST_MERGED);
  return nest_at(&result, "h")->strip;
}

// Strips are for small loops with one edge around them and one out of the same block.
static void test_strips(void) {
  EXPECT(strip_of("h [cost 4]: h * 30 l * 1\n") == 16);
  EXPECT(strip_of("h [cost 50]: h * 7 l * 1\n") == 4);
  EXPECT(strip_of("h [cost 400]: h * 7 l * 1\n") == 1);
  EXPECT(strip_of("h [cost 2]: b\nb [cost 2]: h * 30 l * 1\n") == 16);
  EXPECT(strip_of("h [cost 2]: b * 30 l * 1\nb [cost 2]: h\n") == 1);   // from the header
  EXPECT(strip_of("h [cost 2]: b l\nb [cost 2]: h * 30 l * 1\n") == 1); // two ways out
  EXPECT(strip_of("h [cost 2]: b h\nb [cost 2]: h * 30 l * 1\n") == 1); // two around
  EXPECT(strip_of("h [cost 4]: h * 15 h * 15 l * 1\n") == 1);           // the same
  EXPECT(strip_of("h [cost 4]: h * 30 l * 1 l * 1\n") == 1);
  EXPECT(strip_of("h [cost 1]: b c\nb [cost 1]: d\nc [cost 1]: d\nd [cost 1]: h * 30 l * 1\n") ==
         16);
}

// ---- by counts

typedef struct visited {
  const char *block;
  lin_visits visits;
} visited;

// A nest of which one warp has been counted: 32 threads, with 10 iterations of the outer loop and
// 40 of the inner one in all.
#define COUNTED                                                                                    \
  "function f\nA: H\nH [cost 6]: h\nh [cost 20]: b * 40 l * 10\n"                                  \
  "b [cost 80]: h\nl [cost 34]: H * 9 X * 1\nX: return\n"

static const lin_nest *counted(const char *text, const visited *block, uint32_t count) {
  lin_graph *graph = parse(text);
  graph->visits = LIN_ARRAY(&arena, lin_visits, graph->num_blocks);
  for (uint32_t i = 0; i < count; i++)
    graph->visits[find(graph, block[i].block)] = block[i].visits;
  lin_options options = {.policy = worth, .level = 4};
  lin_result *result = LIN_NEW(&arena, lin_result);
  EXPECT(lin_ok(lin_linearize(&arena, graph, &options, result)));
  return nest_at(result, "h");
}

// `passes` of the inner loop, of which the slowest thread has `slowest` iterations.
static const lin_nest *counted_inner(double passes, double slowest) {
  const visited block[] = {{"A", {32, 1, 1, 32}},
                           {"H", {320, 10, 10, 32}},
                           {"h", {1600, passes + 10, slowest + 10, 32}},
                           {"b", {1280, passes, slowest, 32}},
                           {"l", {320, 10, 10, 32}},
                           {"X", {32, 1, 1, 32}}};
  return counted(COUNTED, block, 6);
}

// Threads take turns at needing long, so that a warp waits for another one in each iteration of the
// outer loop: merged, it waits for the slowest one of all.
static void test_counted(void) {
  const lin_nest *nest = counted_inner(200, 60);
  EXPECT(nest->verdict == LIN_NEST_MERGED && nest->strip == 1);
  EXPECT(is_near(nest->before, 6 + 21 * 20 + 20 * 80 + 34));
  EXPECT(nest->after < 0.6 * nest->before);
  EXPECT(is_near(nest->saved, 10 * nest->before - 10 * nest->after));
  // All threads need the same, or always the same thread needs most: nobody waits for nothing.
  EXPECT(counted_inner(40, 40)->verdict == LIN_NEST_DEAR);
  EXPECT(counted_inner(200, 200)->verdict == LIN_NEST_DEAR);
  EXPECT(counted_inner(40, 40)->saved < 0);
  // The slowest thread has 10 iterations of H, and all of h but the first fifth. H and l are run in
  // most of these 178, by some of 1600 / 178 threads; h and b as often as that thread needs them.
  const double around = 178 * (1 - pow(0.8, 1600.0 / 178));
  EXPECT(
      is_near(counted_inner(200, 200)->after, (20 * 210 + 80 * 200 + 40 * around + 12 * 178) / 10));
}

// The same nest in a third loop, which calls (and isn't merged therefore): each of 10 times, all
// wait at its end, and by chance other threads are slow.
static const lin_nest *counted_again(double slowest) {
  const visited block[] = {{"A", {32, 1, 1, 32}},
                           {"G", {320, 10, 10, 32}},
                           {"H", {3200, 200, 120, 32}},
                           {"h", {16000, 2200, slowest + 120, 32}},
                           {"b", {12800, 2000, slowest, 32}},
                           {"l", {3200, 200, 120, 32}},
                           {"g", {320, 10, 10, 32}},
                           {"X", {32, 1, 1, 32}}};
  return counted("function f\nA: G\nG [cost 6]: H\nH [cost 6]: h\nh [cost 20]: b * 40 l * 10\n"
                 "b [cost 80]: h\nl [cost 34]: H * 9 g * 1\ng [refused]: G * 9 X * 1\nX: return\n",
                 block, 8);
}

static void test_counted_again(void) {
  const lin_nest *nest = counted_again(600);
  EXPECT(nest->before > 0 && nest->after < nest->before);
  // As if it were entered once, it would go around 600 times in place of 2000.
  EXPECT(nest->after > 0.4 * nest->before);
  EXPECT(counted_again(1900)->after > nest->after);
}

// A third loop that isn't merged: its threads need 10 iterations each, in each of H's the same, or
// now and then many.
static const lin_nest *counted_beside(double passes, const char *trips) {
  char text[400];
  snprintf(text, sizeof text,
           "function f\nA: H\nH [cost 6]: h\nh [cost 20]: b * 40 l * 10\nb [cost 80]: c\n"
           "c [cost 30%s]: c * 9 d * 1\nd: h\nl [cost 34]: H * 9 X * 1\nX: return\n",
           trips);
  const visited block[] = {{"A", {32, 1, 1, 32}},           {"H", {320, 10, 10, 32}},
                           {"h", {1600, 210, 70, 32}},      {"b", {1280, 200, 60, 32}},
                           {"c", {12800, passes, 600, 32}}, {"d", {1280, 200, 60, 32}},
                           {"l", {320, 10, 10, 32}},        {"X", {32, 1, 1, 32}}};
  return counted(text, block, 8);
}

// Threads that agreed, being in one iteration, agree less in several: the loop takes longer then,
// unless each goes around as often as it can at all.
static void test_counted_beside(void) {
  const double as_it_is = counted_beside(2000, " trips 10")->after,
               apart = counted_beside(2000, "")->after, wide = counted_beside(5000, "")->after;
  EXPECT(as_it_is < apart && apart < wide);
  EXPECT(counted_beside(2000, " trips 10")->verdict == LIN_NEST_MERGED);
}

// ---- what becomes of them

// The loops of the result: how many, and whether the blocks named are in one without any deeper.
static uint32_t loops_after(const lin_result *result, const char *const *names) {
  const lin_order *order = lin_order_build(&arena, result->flow->graph);
  const lin_loops *loops = order->loops;
  uint32_t together = LIN_NONE;
  for (; *names != NULL; names++) {
    uint32_t loop = loops->loop_of[find(order->graph, *names)];
    EXPECT(loop != 0 && (together == LIN_NONE || loop == together));
    together = loop;
  }
  for (uint32_t loop = 1; loop < loops->num_loops; loop++)
    EXPECT(!loops->irreducible[loop]);
  return loops->num_loops - 1;
}

#define TOGETHER(text, ...)                                                                        \
  for (int level = 0; level <= 4; level++) {                                                       \
    lin_result result = linearize(text, merge, level);                                             \
    EXPECT(result.num_regions == 1);                                                               \
    EXPECT(loops_after(&result, (const char *const[]){__VA_ARGS__, NULL}) == 1);                   \
  }

static void test_one_loop(void) {
  TOGETHER(NEST("", "", "", ""), "H", "h", "b", "l")
  // An inner loop of one block; one that is passed by where it has no iteration.
  TOGETHER("function f\nA: H\nH: h X\nh: h l\nl: H\nX: return\n", "H", "h", "l")
  TOGETHER("function f\nA: H\nH: h l\nh: h l\nl: H X\nX: return\n", "H", "h", "l")
  // The inner loop is left to several places, and both at once.
  TOGETHER("function f\nA: H\nH: h\nh: b m X\nb: h n\nm: H\nn: l\nl: H X\nX: return\n", "H", "h",
           "b", "m", "n", "l")
  // The outer loop is nothing but the inner one; its latch is the inner one's header.
  TOGETHER("function f\nA: H\nH: h\nh: h H X\nX: return\n", "H", "h")
  TOGETHER("function f\nA: H\nH: h\nh: b H X\nb: h\nX: return\n", "H", "h", "b")
  // Three deep, and four.
  TOGETHER("function f\nA: F\nF: S X\nS: T s\nT: T t\nt: S\ns: F\nX: return\n", "F", "S", "T", "t",
           "s")
  TOGETHER("function f\nA: F\nF: S X\nS: T s\nT: U t\nU: U u\nu: T\nt: S\ns: F\nX: return\n", "F",
           "S", "T", "U", "u", "t", "s")
}

// The merged loop begins at the header of the outermost one, to which threads go that go around.
static void test_header(void) {
  lin_result result =
      linearize("function f\nA: F\nF: S X\nS: T s\nT: T t\nt: S\ns: F\nX: return\n", merge, 4);
  const lin_loops *loops = result.shape.analysis->loops;
  lin_block outermost = find(result.shape.analysis->graph, "F");
  EXPECT(lin_merged_header(loops, result.nests->merged, loop_at(&result, "T")) == outermost);
  EXPECT(lin_merged_header(loops, result.nests->merged, loop_at(&result, "S")) == outermost);
  EXPECT(lin_merged_header(loops, result.nests->merged, loop_at(&result, "F")) == outermost);
  uint32_t seeds = 0;
  for (lin_edge edge = 0; edge < result.shape.analysis->graph->num_edges; edge++) {
    seeds += result.seed[edge];
    EXPECT(!result.seed[edge] || result.shape.analysis->graph->destination[edge] == outermost);
  }
  EXPECT(seeds == 1);
}

// A loop beside the merged one stays a loop in it.
static void test_apart(void) {
  lin_result result = linearize("function f\nA: H\nH: p X\np [cost 100]: p m\nm: q\nq: r l\nr: q\n"
                                "l: H\nX: return\n",
                                merge, 4);
  EXPECT(loops_after(&result, (const char *const[]){"H", "p", "l", NULL}) == 2);
  EXPECT(loops_after(&result, (const char *const[]){"q", "r", NULL}) == 2);
}

// ---- regions

// The region of the nest around B has no place for b and c, which go around with a.
#define BESIDE(behind)                                                                             \
  "function f\nE: a\na: " behind                                                                   \
  " p\np: b B\nb: c\nc [cost 99]: d c\nd: B b\nB: C m\nC: B C\nm: a\n"
static void test_beside(void) {
  static const char *const text = BESIDE("X") "X: return\n";
  EXPECT_TEXT(verdicts(text, merge), "b merged, c merged, B sibling, C merged");
  lin_result result = linearize(text, merge, 4);
  EXPECT(loops_after(&result, (const char *const[]){"a", "b", "c", "d", NULL}) == 2);
  EXPECT(loops_after(&result, (const char *const[]){"B", "C", NULL}) == 2);
}

// What may not be guarded stands beside the loops, in the region of the outermost one only.
static void test_refused_around(void) {
  lin_result result = linearize("function f\nA: H\nH: h X Y\nh: h l\nl: H\nX [refused]: Z\nY: Z\n"
                                "Z: return\n",
                                merge, 4);
  EXPECT(result.num_regions == 0);
  EXPECT(nest_at(&result, "h")->verdict == LIN_NEST_MERGED);
  EXPECT(!result.nests->merged[loop_at(&result, "h")]);
  // The nest beside it is merged still, and c with b, but not these with a.
  result = linearize(BESIDE("X Y") "X [refused]: Z\nY: Z\nZ: return\n", merge, 4);
  EXPECT(result.num_regions == 1);
  EXPECT(!result.nests->merged[loop_at(&result, "b")]);
  EXPECT(result.nests->merged[loop_at(&result, "c")]);
  EXPECT(result.nests->merged[loop_at(&result, "C")]);
  EXPECT(loops_after(&result, (const char *const[]){"b", "c", "d", NULL}) == 3);
  EXPECT(loops_after(&result, (const char *const[]){"B", "C", NULL}) == 3);
}

// A nest that is too large for the budget stays as it is.
static void test_budget(void) {
  lin_policy few = merge;
  few.most_blocks = 3;
  lin_result result = linearize(NEST("", "", "", ""), few, 4);
  EXPECT(result.num_regions == 0 && !result.nests->merged[loop_at(&result, "h")]);
  few.most_blocks = 4;
  result = linearize(NEST("", "", "", ""), few, 4);
  EXPECT(result.num_regions == 1 && result.nests->merged[loop_at(&result, "h")]);
}

int main(void) {
  test_legal();
  test_polling();
  test_irreducible();
  test_uniform();
  test_siblings();
  test_stripped();
  test_trips();
  test_guesses();
  test_estimates();
  test_deep_estimates();
  test_strips();
  test_counted();
  test_counted_again();
  test_counted_beside();
  test_one_loop();
  test_header();
  test_apart();
  test_beside();
  test_refused_around();
  test_budget();
  lin_arena_release(&arena);
  return expect_end();
}
