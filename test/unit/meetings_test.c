// At which late joins threads are taken to wait (graph/meetings.h): small graphs, each as ptxas
// made it. A failure prints its line; the last line is `N passed, M failed`.
#include "graphs.h"

#include "linearize/joins.h"

#include <stdio.h>
#include <string.h>

// The late joins of a graph, those where threads wait in brackets.
static const char *joins_of(const char *blocks) {
  char text[300];
  snprintf(text, sizeof text, "function f\n%s", blocks);
  const lin_order *order = lin_order_build(&arena, parse(text));
  const lin_analysis *analysis = lin_analysis_build(&arena, order->graph, order->loops);
  const lin_joins *joins = lin_joins_find(&arena, analysis, false, false);
  char *result = lin_arena_bytes(&arena, 300);
  size_t used = 0;
  for (lin_block block = 0; block < order->graph->num_blocks; block++)
    if (joins->late[block])
      used += (size_t)snprintf(result + used, 300 - used, joins->met[block] ? "%s[%s]" : "%s%s",
                               used > 0 ? " " : "", order->graph->name[block]);
  return result;
}

// Of joins that lead to each other the last one.
static void test_chain(void) {
  EXPECT_TEXT(joins_of("c1: c2 c3\nc2: s2 c3\nc3 [cost 99]: s1 s2\ns1: p\ns2: p\np: return\n"),
              "c3 [s2]");
  EXPECT_TEXT(joins_of("s: k j i p\nk [cost 99]: j p\nj: i p\ni: p\np: return\n"), "j [i]");
}

// if (c1 && (c2 || c3)) a else e: the one with more code up to p; not an empty one.
static void test_lengths(void) {
  static const char *const form = "c1: e c2\nc2: c3 a\nc3: a e\na [cost %u]: p\n"
                                  "e [cost %u]: f g\nf [cost %u]: p\ng: p\np: return\n";
  const struct {
    unsigned a, e, f;
    const char *joins;
  } cases[] = {
      {40, 10, 10, "[a] e"}, {40, 31, 10, "a [e]"}, {40, 1, 40, "a [e]"}, {40, 0, 90, "[a] e"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[200];
    snprintf(text, sizeof text, form, cases[i].a, cases[i].e, cases[i].f);
    EXPECT_TEXT(joins_of(text), cases[i].joins);
  }
}

// One for each place: behind a join there may be another one, and in an arm that leads to p alone.
static void test_apart(void) {
  EXPECT_TEXT(joins_of("a: a1 b\na1: p b\nb: b1 c\nb1: p c\nc: p\np: return\n"), "[b] [c]");
  static const char *const form = "s: x y k\nx: j p\ny: j p\nj [cost 99]: p\nk: l m\nl: n p\n"
                                  "m: n %s\nn: p\np: return\n";
  char text[200];
  snprintf(text, sizeof text, form, "p");
  EXPECT_TEXT(joins_of(text), "[j] [n]");
  snprintf(text, sizeof text, form, "j");
  EXPECT_TEXT(joins_of(text), "n [j]");
}

int main(void) {
  test_chain();
  test_lengths();
  test_apart();
  lin_arena_release(&arena);
  return expect_end();
}
