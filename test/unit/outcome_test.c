// Unit tests of what is told of regions: verdicts on edges, the numbers of minimal regions, the
// budget, and what became of each region. A failure prints its line; the last line is
// `N passed, M failed`.
#include "driver/outcome.h"
#include "linearized.h"

#include <stdio.h>
#include <string.h>

// The fate of each minimal region with the name of its first block: "a linearized, b small".
static const char *fates(const char *text, lin_policy policy) {
  static const char *const names[] = {"unasked", NULL, "refused", "part", "linearized"};
  static const char *const verdicts[] = {"structured", "uniform", "meets", "waits", "small",
                                         "polls",      "calls",   "holds", "dear",  "worth"};
  lin_result result = linearize(text, policy, 4);
  const lin_outcomes *outcomes = lin_outcomes_build(&arena, &result, &policy);
  char *answer = lin_arena_bytes(&arena, 400);
  size_t used = 0;
  for (uint32_t number = 0; number < outcomes->count; number++) {
    const lin_outcome *o = &outcomes->outcome[number];
    used += (size_t)snprintf(answer + used, 400 - used, "%s%s %s", number > 0 ? ", " : "",
                             result.shape.order->graph->name[o->first],
                             o->fate == LIN_FATE_UNWORTHY ? verdicts[o->verdict] : names[o->fate]);
  }
  return answer;
}

static lin_outcome outcome(const char *text, lin_policy policy, uint32_t number) {
  lin_result result = linearize(text, policy, 4);
  const lin_outcomes *outcomes = lin_outcomes_build(&arena, &result, &policy);
  EXPECT(number < outcomes->count);
  return outcomes->outcome[number];
}

static const lin_policy needed = {.mode = LIN_MODE_NEEDED, .lock_step = true};
static const lin_policy newer = {.mode = LIN_MODE_NEEDED};
static const lin_policy known = {
    .mode = LIN_MODE_NEEDED, .lock_step = true, .divergence_known = true};
static const lin_policy paper = {.mode = LIN_MODE_PAPER};
static const lin_policy all = {.mode = LIN_MODE_ALL};

// A short circuit around another one, and a third behind both.
static const char three[] = "function f\nA: o1 o2\no1: o2 i0\ni0: i1 i2\ni1: i2 i3\ni2: i3\ni3: m\n"
                            "o2: m\nm: t1 t2\nt1: t2 e\nt2: e\ne: return\n";

// ---- verdicts

static void test_verdicts(void) {
  const char *join = "function f\nA %s: B C\nB %s: C S\nC [cost %s]: F\nS [uniform cost 0]: C T\n"
                     "T [cost 0]: F\nF: return\n";
  char text[300];
  snprintf(text, sizeof text, join, "[]", "[cost 0]", "7");
  EXPECT_TEXT(fates(text, needed), "B linearized");
  snprintf(text, sizeof text, join, "[]", "[cost 0]", "11");
  EXPECT_TEXT(fates(text, newer), "B waits");
  snprintf(text, sizeof text, join, "[]", "[cost 0]", "6");
  EXPECT_TEXT(fates(text, needed), "B small");
  EXPECT(outcome(text, needed, 0).largest == 6);
  snprintf(text, sizeof text, join, "[uniform]", "[uniform cost 0]", "7");
  EXPECT_TEXT(fates(text, known), "B uniform");
  EXPECT_TEXT(fates(text, needed), "B linearized");
  // Less than seven instructions saved, of over three hundred, where registers bound the warps.
  lin_policy careful = needed;
  careful.many_registers = true;
  snprintf(text, sizeof text, join, "[]", "[cost 300]", "7");
  EXPECT_TEXT(fates(text, careful), "B dear");
  EXPECT_TEXT(fates("function f\nA: H\nH: X B\nB: X L\nL: H X\nX: return\n", needed), "H meets");
  EXPECT_TEXT(fates("function f\nA: H\nH [uniform]: X B\nB [uniform]: X L\nL [uniform]: H X\n"
                    "X: return\n",
                    known),
              "H uniform");
  // Uniform are only regions of which all branches are.
  EXPECT_TEXT(
      fates("function f\nA: H\nH [uniform]: X B\nB [uniform]: X L\nL: H X\nX: return\n", known),
      "H meets");
  EXPECT_TEXT(fates("function f\nA: H\nH [polls]: X B\nB: Y H\nX: Z\nY: Z\nZ: return\n", needed),
              "H polls");
  // A light continue, of which LLVM has made a loop: guards would hold threads behind it. Not where
  // weights say how often threads continue, and all the rest costs far more.
  const char *held = "function f\nA: H\nH [vanishes cost 0]: h\nh: p%s c%s\nc [cost 18]: h%s d%s\n"
                     "d [cost 600]: x%s f%s\nf [cost 60]: x%s g%s\ng: H\nx [cost 12]: y\np: y\n"
                     "y: return\n";
  snprintf(text, sizeof text, held, "", "", "", "", "", "", "", "");
  EXPECT_TEXT(fates(text, newer), "H holds");
  snprintf(text, sizeof text, held, "*1", "*9", "*1", "*99", "*1", "*9", "*1", "*9");
  EXPECT_TEXT(fates(text, newer), "H dear");
  snprintf(text, sizeof text, held, "*1", "*99", "*3", "*1", "*1", "*9", "*1", "*9");
  EXPECT_TEXT(fates(text, newer), "H linearized");
  // An irreducible loop that all threads enter together, and leave together.
  EXPECT_TEXT(fates("function f\nA [uniform]: B C\nB: C\nC [uniform]: B D\nD: return\n", known),
              "A uniform");
}

static void test_texts(void) {
  for (lin_verdict verdict = LIN_VERDICT_STRUCTURED; verdict <= LIN_VERDICT_WORTH_IT; verdict++)
    EXPECT((lin_verdict_text(verdict)[0] == '\0') == (verdict == LIN_VERDICT_WORTH_IT));
}

// A cost of its own for a join.
static void test_threshold(void) {
  const char *text = "function f\nA: B C\nB: C S\nC [cost 20]: F\nS: F\nF: return\n";
  lin_policy policy = needed;
  policy.least_cost = 20;
  EXPECT_TEXT(fates(text, policy), "B linearized");
  policy.least_cost = 21;
  EXPECT_TEXT(fates(text, policy), "B small");
}

// ---- numbers

static void test_numbers(void) {
  const lin_graph *graph = parse(three);
  const lin_order *order = lin_order_build(&arena, graph);
  const lin_analysis *a = lin_analysis_build(&arena, order->graph, order->loops);
  const lin_minimal *minimal = lin_minimal_build(&arena, a);
  EXPECT(minimal->regions->num_regions == 3);
  for (uint32_t number = 0; number < 3; number++)
    EXPECT(minimal->number[minimal->region[number]] == number);
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++) {
    uint32_t region = minimal->of_edge[edge];
    EXPECT((region != LIN_NONE) == (a->kinds[edge] != 0));
    if (region == LIN_NONE)
      continue;
    EXPECT(lin_region_contains(minimal->regions, region, a->graph->source[edge]));
    EXPECT(lin_region_contains(minimal->regions, region, a->graph->destination[edge]));
    char first = a->graph->name[a->graph->source[edge]][0];
    EXPECT(minimal->number[region] == (first == 'o' ? 0 : first == 'i' ? 1 : 2));
  }
}

// The numbers are the same whatever is asked for.
static void test_only(void) {
  static const uint32_t numbers[] = {0, 2, 77};
  lin_policy policy = {.mode = LIN_MODE_IRREDUCIBLE};
  EXPECT_TEXT(fates(three, policy), "o1 unasked, i1 unasked, t1 unasked");
  EXPECT_TEXT(fates(three, paper), "o1 linearized, i1 linearized, t1 linearized");
  EXPECT_TEXT(fates(three, all), "o1 part, i1 part, t1 part");
  policy.only = numbers;
  policy.num_only = 1;
  EXPECT_TEXT(fates(three, policy), "o1 linearized, i1 unasked, t1 unasked");
  policy.num_only = 3;
  EXPECT_TEXT(fates(three, policy), "o1 linearized, i1 unasked, t1 linearized");
  policy.only = &numbers[2];
  policy.num_only = 1;
  EXPECT_TEXT(fates(three, policy), "o1 unasked, i1 unasked, t1 unasked");
  policy.only = &numbers[1];
  policy.mode = LIN_MODE_ALL; // doesn't make one region of the function
  EXPECT_TEXT(fates(three, policy), "o1 unasked, i1 unasked, t1 linearized");
}

// ---- the budget

static void test_budget(void) {
  lin_policy policy = paper;
  policy.most_blocks = 6;
  EXPECT_TEXT(fates(three, policy), "o1 linearized, i1 linearized, t1 linearized");
  policy.most_blocks = 5; // what is too large doesn't keep others from being linearized
  EXPECT_TEXT(fates(three, policy), "o1 refused, i1 linearized, t1 linearized");
  policy.most_blocks = 1;
  EXPECT_TEXT(fates(three, policy), "o1 refused, i1 refused, t1 refused");
  policy = paper;
  policy.most_work = 12; // 4 blocks, and 2 in two regions
  EXPECT_TEXT(fates(three, policy), "o1 linearized, i1 linearized, t1 linearized");
  policy.most_work = 11;
  EXPECT_TEXT(fates(three, policy), "o1 refused, i1 linearized, t1 linearized");
  lin_result result = linearize(three, policy, 4);
  EXPECT(result.refusals.count == 1 && result.refusals.refusal[0].over_budget);
  EXPECT(strcmp(result.shape.order->graph->name[result.refusals.refusal[0].block], "o1") == 0);
  EXPECT_TEXT(result.refusals.refusal[0].reason, "over budget: its work is 12, max-work is 11");
  policy.mode = LIN_MODE_ALL;
  policy.most_blocks = 3;
  EXPECT_TEXT(fates(three, policy), "o1 refused, i1 refused, t1 refused");
  // What is uniform isn't missed, however large it is.
  policy = known;
  policy.most_blocks = 1;
  EXPECT_TEXT(fates("function f\nA [uniform]: B C\nB: C\nC [uniform]: B D\nD: return\n", policy),
              "A uniform");
  // An irreducible loop that stays is one to warn of.
  result = linearize("function f\nA: B C\nB: C\nC: B D\nD: return\n", policy, 4);
  EXPECT(result.refusals.count == 1 && result.refusals.refusal[0].irreducible);
}

// ---- what became of regions

static void test_refused(void) {
  // An inner region that is refused keeps those around it.
  char text[sizeof three + 20];
  snprintf(text, sizeof text, "%.*si2 [refused]%s", (int)(strstr(three, "i2: ") - three), three,
           strstr(three, "i2: ") + 2);
  lin_result result = linearize(text, paper, 4);
  const lin_outcomes *outcomes = lin_outcomes_build(&arena, &result, &paper);
  EXPECT_TEXT(fates(text, paper), "o1 refused, i1 refused, t1 linearized");
  EXPECT(result.refusals.count == 2);
  for (uint32_t i = 0; i < 2; i++)
    EXPECT(outcomes->number_of_refused[result.refusals.refusal[i].region] == 1 - i);
}

// A region that is dissolved into the one around it is a part of that.
static void test_part(void) {
  const char *text = "function f\nB0: B3 B1\nB1: B2 B4\nB2: B1 B3\nB3: B4\nB4: return\n";
  EXPECT_TEXT(fates(text, paper), "B1 part, B1 linearized");
  EXPECT(outcome(text, paper, 0).into == 1 && outcome(text, paper, 1).into == 1);
  EXPECT(outcome(text, all, 0).into == LIN_NONE);
}

static void test_measures(void) {
  const char *text = "function f\nA: B C\nB [cost 3]: C S\nC [cost 20]: D E\nD [cost 9]: E\n"
                     "E [cost 4]: F\nS [cost 2]: F\nF: return\n";
  lin_outcome o = outcome(text, needed, 0);
  EXPECT(o.fate == LIN_FATE_LINEARIZED && o.instructions == 38 && o.blocks == 5);
  EXPECT(o.gain == 28); // C and what it dominates
  lin_result result = linearize(text, needed, 4);
  const lin_linearized *l = lin_linearized_build(&arena, &result);
  uint32_t region = result.regions->num_regions - 1;
  EXPECT(l[region].blocks == 5 && l[region].guards == 1 && l[region].cost == 1);
  EXPECT(strcmp(result.shape.order->graph->name[l[region].first], "B") == 0);
  EXPECT(l[region].cross_lane == LIN_NONE);
  EXPECT(outcome(text, newer, 0).gain == 0); // threads wait for each other before C
  // An inner region counts for the one around it.
  o = outcome(three, (lin_policy){.mode = LIN_MODE_PAPER, .lock_step = true}, 0);
  EXPECT(o.blocks == 6 && o.instructions == 48 && o.gain == 13);
  o = outcome(three, (lin_policy){.mode = LIN_MODE_PAPER, .lock_step = true}, 1);
  EXPECT(o.blocks == 2 && o.instructions == 16 && o.gain == 7);
  // What an integer guard takes: a comparison and a branch, or a subtraction too.
  lin_options options = {.policy = paper, .level = 0};
  EXPECT(lin_ok(lin_linearize(&arena, parse(text), &options, &result)));
  l = lin_linearized_build(&arena, &result);
  EXPECT(l[0].guards * 2 <= l[0].cost && l[0].cost <= l[0].guards * 3);
}

int main(void) {
  test_verdicts();
  test_texts();
  test_threshold();
  test_numbers();
  test_only();
  test_budget();
  test_refused();
  test_part();
  test_measures();
  lin_arena_release(&arena);
  return expect_end();
}
