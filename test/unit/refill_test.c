// refill/plan.h: which loop, what is in front of it and behind it, what has no plan.
#include "expect.h"
#include "graph/text.h"
#include "refill/plan.h"

static lin_arena arena;

static lin_refill_plan plan_of(const char *text, lin_graph **graph) {
  lin_text_error error;
  *graph = lin_text_parse(&arena, text, strlen(text), &error);
  return lin_refill_find(&arena, *graph, lin_loops_build(&arena, *graph), false);
}

static lin_block find(const lin_graph *graph, const char *name) {
  lin_block b = 0;
  while (strcmp(graph->name[b], name) != 0)
    b++;
  return b;
}

// Of two loops the second one has more work, for it has another one inside; X is behind it, and
// where threads come without it.
static void test_parts(void) {
  static const char text[] = "function f\n"
                             "entry: first X\n"
                             "first [cost 40]: first second\n"
                             "second [cost 2]: inner R\n"
                             "inner [cost 5]: inner latch\n"
                             "latch [cost 1]: second X\n"
                             "R: return\n"
                             "X: return\n";
  lin_graph *g;
  const lin_refill_plan p = plan_of(text, &g);
  EXPECT(p.why == NULL && p.num_exits == 2);
  EXPECT(p.exit[0] == find(g, "R") && p.exit[1] == find(g, "X"));
  EXPECT(p.number[find(g, "X")] == 1 && p.number[find(g, "inner")] == LIN_NONE);
  EXPECT(p.is_init[0] && p.is_init[find(g, "first")] && p.is_init[find(g, "X")]);
  EXPECT(!p.is_init[find(g, "second")] && !p.is_init[find(g, "R")]);
  EXPECT(p.is_finish[find(g, "X")] && p.is_finish[find(g, "R")] && !p.is_finish[0]);
  EXPECT(p.steps == 5); // of 53 instructions
}

static void test_steps(void) {
  lin_graph *g;
  EXPECT(plan_of("function f\nA: B\nB [cost 100]: B C\nC: return\n", &g).steps == 4);
  EXPECT(plan_of("function f\nA: B\nB [cost 1]: B C\nC: return\n", &g).steps == 8);
}

// In front of a step of 2000 instructions others wait less long; where most items may have none,
// longer.
static void test_idle(void) {
  lin_graph *g;
  EXPECT(plan_of("function f\nA: B\nB [cost 20]: B C\nC: return\n", &g).idle_lanes == 8);
  EXPECT(plan_of("function f\nA: B\nB [cost 2000]: B C\nC: return\n", &g).idle_lanes == 4);
  EXPECT(plan_of("function f\nA [cost 31]: B\nB [cost 300]: B C\nC: return\n", &g).idle_lanes == 6);
  EXPECT(plan_of("function f\nA: B C\nB [uniform cost 20]: B C\nC: return\n", &g).idle_lanes == 16);
}

static void test_refused(void) {
  lin_graph *g;
  EXPECT_TEXT(plan_of("function f\nA: return\n", &g).why, "it has no loop");
  EXPECT_TEXT(plan_of("function f\nA: B C\nB: B\nC: return\n", &g).why, "its loop has no end");
  EXPECT_TEXT(plan_of("function f\nA: B C\nB: C D\nC: B D\nD: return\n", &g).why,
              "its loop is irreducible");
}

static const char equally[] = "its items go around the loop equally often";

// One iteration leaves like all others; a test in front of the loop, by the launch's size, too.
static void test_alike(void) {
  lin_graph *g;
  EXPECT_TEXT(plan_of("function f\nA [coherent]: B X\nB [uniform]: B X\nX: return\n", &g).why,
              equally);
  EXPECT_TEXT(plan_of("function f\nA: C B\nC: B\nB [uniform]: B X\nX: return\n", &g).why, equally);
  EXPECT_TEXT(plan_of("function f\nA: B\nB: C D\nC: D\nD [uniform]: B X\nX: return\n", &g).why,
              equally);
}

static void test_differ(void) {
  lin_graph *g;
  EXPECT(plan_of("function f\nA: B\nB: B X\nX: return\n", &g).why == NULL);
  // Some return at once.
  EXPECT(plan_of("function f\nA: B X\nB [uniform]: B X\nX: return\n", &g).why == NULL);
  EXPECT(plan_of("function f\nA: B R\nB [uniform]: B X\nX: return\nR: return\n", &g).why == NULL);
  // Some come to a test by which all who come leave.
  EXPECT(plan_of("function f\nA: B\nB: C D\nC [uniform]: D X\nD [uniform]: B X\nX: return\n", &g)
             .why == NULL);
}

static void test_regardless(void) {
  static const char text[] = "function f\nA: B\nB [uniform]: B X\nX: return\n";
  lin_text_error error;
  lin_graph *g = lin_text_parse(&arena, text, strlen(text), &error);
  EXPECT(lin_refill_find(&arena, g, lin_loops_build(&arena, g), true).why == NULL);
}

int main(void) {
  test_alike();
  test_differ();
  test_regardless();
  test_parts();
  test_steps();
  test_idle();
  test_refused();
  lin_arena_release(&arena);
  return expect_end();
}
