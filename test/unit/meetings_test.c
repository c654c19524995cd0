// At which late joins threads are taken to wait (gpu/meetings.h), and which blocks are whole
// (gpu/whole.h): small graphs, each as ptxas made it. A failure prints its line; the last line is
// `N passed, M failed`.
#include "graphs.h"

#include "choose/joins.h"
#include "gpu/iterations.h"
#include "gpu/whole.h"

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
  EXPECT_TEXT(
      joins_of("c1: c2 c3\nc2: s2 c3\nc3 [cost 99]: s1 s2\ns1: p\ns2 [cost 20]: p\np: return\n"),
      "c3 [s2]");
  EXPECT_TEXT(joins_of("s: k j i p\nk [cost 99]: j p\nj: i p\ni [cost 20]: p\np: return\n"),
              "j [i]");
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
  EXPECT_TEXT(joins_of("a: a1 b\na1: p b\nb: b1 c\nb1: p c\nc [cost 20]: p\np: return\n"),
              "[b] [c]");
  static const char *const form = "s: x y k\nx: j p\ny: j p\nj [cost 99]: p\nk: l m\nl: n p\n"
                                  "m: n %s\nn [cost 20]: p\np: return\n";
  char text[200];
  snprintf(text, sizeof text, form, "p");
  EXPECT_TEXT(joins_of(text), "[j] [n]");
  snprintf(text, sizeof text, form, "j");
  EXPECT_TEXT(joins_of(text), "n [j]");
}

// if (c1 || c2) j, up to p: at no join with less than 11 instructions, unless they touch memory.
static void test_short_joins(void) {
  static const char *const form = "c1: j c2\nc2: j p\nj [%s]: k p\nk [cost %u]: p\np: return\n";
  const struct {
    const char *j;
    unsigned k;
    const char *joins;
  } cases[] = {{"cost 10", 0, "j"},
               {"cost 11", 0, "[j]"},
               {"cost 4", 6, "j"},
               {"cost 4", 7, "[j]"},
               {"memory cost 1", 0, "[j]"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[200];
    snprintf(text, sizeof text, form, cases[i].j, cases[i].k);
    EXPECT_TEXT(joins_of(text), cases[i].joins);
  }
  // It is the last join that has to be long, and what goes on around a loop is.
  EXPECT_TEXT(joins_of("c1: c2 c3\nc2: s2 c3\nc3 [cost 99]: s1 s2\ns1: p\ns2: p\np: return\n"),
              "c3 s2");
  EXPECT_TEXT(joins_of("a: h\nh: j c2\nc2: j p\nj [cost 1]: h\np: return\n"), "[j]");
}

// Behind a break out of a loop, for as long as not all that left it have come together.
static void test_breaks(void) {
  EXPECT_TEXT(joins_of("a: h\nh: j b\nb: j l\nl: h p\nj [cost 99]: p\np: return\n"), "j");
  EXPECT_TEXT(joins_of("a: j h\nh: j l\nl: h p\nj [cost 99]: p\np: return\n"), "j");
  EXPECT_TEXT(joins_of("a: j h\nh: x l\nx: j p\nl: h p\nj [cost 99]: p\np: return\n"), "x j");
  // all of the loop's threads come to y first
  EXPECT_TEXT(joins_of("a: j h\nh: y l\nl: h y\ny: j p\nj [cost 99]: p\np: return\n"), "[j]");
  // what is between the break and j is no matter of the loop
  EXPECT_TEXT(joins_of("a: h\nh: x l\nl: h p\nx: j s\ns: j y\nj [cost 99]: y\ny: p\n"
                       "p: return\n"),
              "x [j]");
  // for the loop o around, all that leave h come to m; who goes to p leaves both
  EXPECT_TEXT(joins_of("a: o\no: h\nh: m b\nb: h k\nk: m p\nm [cost 20]: o p\np: return\n"),
              "k [m]");
  EXPECT_TEXT(joins_of("a: o\no: h\nh: j b\nb: j l\nl: h m\nj [cost 99]: m\nm: o p\n"
                       "p: return\n"),
              "j");
}

// Where all come that stay in the iteration of the loop around: whoever leaves it is not waited
// for.
static void test_left_iterations(void) {
  // a break out of two loops: behind the inner one, and at neither of the ways out of both
  EXPECT_TEXT(joins_of("a: o\no: h\nh: l x\nl: h m\nm: o y\nx: p\ny [cost 3]: p\np: return\n"),
              "[m] x y");
  // a return out of three
  EXPECT_TEXT(joins_of("a: q\nq: o\no: h\nh: l x\nl: h m\nm: o n\nn: q y\nx: return\ny: return\n"),
              "[m] [n] x y");
  // a short join inside, with a break in one arm
  EXPECT_TEXT(joins_of("a: o\no: c j\nc: d x\nd: j\nj [cost 1]: o y\nx: p\ny: p\np: return\n"),
              "[j] x y");
}

// Loops that share their iterations are one, and what is behind the inner one is no place where
// threads wait.
static void test_iterations(void) {
  static const char *const form = "a: H\nH%s: h\nh: p c\nc: h b\nb [cost 40]: d p\nd: H\n"
                                  "p: return\n";
  char text[200];
  snprintf(text, sizeof text, form, "");
  EXPECT_TEXT(joins_of(text), "[b]");
  snprintf(text, sizeof text, form, " [vanishes]");
  EXPECT_TEXT(joins_of(text), "");
}

// The outer headers of such loops, each with the one in its place.
static const char *shared_of(const char *blocks) {
  char text[300];
  snprintf(text, sizeof text, "function f\n%s", blocks);
  const lin_order *order = lin_order_build(&arena, parse(text));
  const lin_graph *graph = order->graph;
  lin_iterations found =
      lin_iterations_find(&arena, graph, order->loops, lin_postdominators_build(&arena, graph));
  EXPECT(found.graph->num_edges == graph->num_edges);
  char *result = lin_arena_bytes(&arena, 300);
  size_t used = 0;
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    if (found.inner[block] == LIN_NONE)
      continue;
    used += (size_t)snprintf(result + used, 300 - used, "%s%s>%s", used > 0 ? " " : "",
                             graph->name[block], graph->name[found.inner[block]]);
    for (LIN_IN_EDGES(found.graph, block, i)) // those back to it lead to the other
      EXPECT(found.graph->source[found.graph->in_edge[i]] < block);
  }
  return result;
}

static void test_shared(void) {
  EXPECT_TEXT(shared_of("a: H\nH [vanishes]: h\nh: p c\nc: h b\nb: H p\np: return\n"), "H>h");
  EXPECT_TEXT(shared_of("a: H\nH: h\nh: p c\nc: h b\nb: H p\np: return\n"), "");
  // two in one another
  EXPECT_TEXT(shared_of("a: G\nG [vanishes]: H\nH [vanishes]: h\nh: p c\nc: h b\nb: H d\n"
                        "d: G p\np: return\n"),
              "G>h H>h");
  // all that leave the inner loop come to b, in the outer one
  EXPECT_TEXT(shared_of("a: H\nH [vanishes]: h\nh: b c\nc: h b\nb: H p\np: return\n"), "");
  // no loop of its own, or not directly inside
  EXPECT_TEXT(shared_of("a: H\nH [vanishes]: h\nh: H p\np: return\n"), "");
  // entered elsewhere, too
  EXPECT_TEXT(shared_of("a: H c\nH [vanishes]: h\nh: p c\nc: h b\nb: H p\np: return\n"), "");
}

// Blocks that end threads: at the longest one they wait, behind a break, too.
static void test_ends(void) {
  static const char *const form = "a: o\no: h\nh: l x\nl: h m\nm: o y\nx [cost %u]: return\n"
                                  "y [cost %u]: return\n";
  char text[200];
  snprintf(text, sizeof text, form, 40, 12);
  EXPECT_TEXT(joins_of(text), "[m] [x] y");
  snprintf(text, sizeof text, form, 12, 40);
  EXPECT_TEXT(joins_of(text), "[m] x [y]");
}

// Threads that leave two loops at once are too late for those that have left the inner one alone.
static void test_passed(void) {
  static const char *const form = "a: H\nH: h\nh: e s\ns: c d\nd: e s\nc [cost 30]: m%s\n"
                                  "m: h x\nx: z\ne [cost 18]: H z\nz [cost 9]: return\n";
  char text[200];
  snprintf(text, sizeof text, form, "");
  EXPECT_TEXT(joins_of(text), "c e x");
  snprintf(text, sizeof text, form, " e"); // c's may leave after them
  EXPECT_TEXT(joins_of(text), "c [e] x");
  // nor do those wait that stay in the inner one, at a c of their own
  EXPECT_TEXT(joins_of("a: H\nH: h\nh: e k\nk: s\ns: c d\nd: e s\nc [cost 30]: b q\nq: b\n"
                       "b: m n\nn: m\nm: h x\nx: z\ne [cost 18]: H z\nz [cost 9]: return\n"),
              "c e x");
}

// The whole blocks of the loop around `block`; and its entry, if it has one.
static const char *whole_of(const char *blocks, const char *block) {
  char text[300];
  snprintf(text, sizeof text, "function f\n%s", blocks);
  const lin_order *order = lin_order_build(&arena, parse(text));
  const lin_graph *graph = order->graph;
  const lin_analysis *analysis = lin_analysis_build(&arena, graph, order->loops);
  uint32_t loop = analysis->loops->loop_of[find(graph, block)];
  const bool *whole =
      lin_whole_find(&arena, graph, analysis->loops, analysis->postdominators, loop);
  lin_block entry = lin_whole_entry(graph, analysis->loops, loop);
  char *result = lin_arena_bytes(&arena, 300);
  size_t used =
      (size_t)snprintf(result, 300, "%s:", entry == LIN_NONE ? "none" : graph->name[entry]);
  for (lin_block at = 0; at < graph->num_blocks; at++)
    if (whole[at])
      used += (size_t)snprintf(result + used, 300 - used, " %s", graph->name[at]);
  return result;
}

static void test_whole(void) {
  // The loop of whole.h: all go around as often, and only b hangs on what may differ.
  static const char *const form = "p: h\nh: d\nd: b c\nb: c\nc%s: x l\nx: l\nl%s: h end\n"
                                  "end: return\n";
  char text[200];
  snprintf(text, sizeof text, form, " [uniform]", " [uniform]");
  EXPECT_TEXT(whole_of(text, "h"), "p: h d c x l");
  snprintf(text, sizeof text, form, "", " [uniform]");
  EXPECT_TEXT(whole_of(text, "h"), "p: h d c l");
  snprintf(text, sizeof text, form, " [uniform]", "");
  EXPECT_TEXT(whole_of(text, "h"), "p:");
  // What stands in an arm of threads that part, another branch in it doesn't bring together.
  EXPECT_TEXT(whole_of("p: h\nh: b l\nb [uniform]: c d\nc: e\nd: e\ne: l\n"
                       "l [uniform]: h end\nend: return\n",
                       "h"),
              "p: h l");
  // Of an inner loop, those that come to it: not all do, and in the one around they aren't whole.
  static const char *const nest = "p: o\no: q m\nq: i\ni [uniform]: i m\nm [uniform]: o end\n"
                                  "end: return\n";
  EXPECT_TEXT(whole_of(nest, "i"), "q: i");
  EXPECT_TEXT(whole_of(nest, "o"), "p: o m");
  // Who traps ends, and nobody has to wait for it; who spins doesn't.
  EXPECT_TEXT(whole_of("p: h\nh: l t\nt: trap\nl [uniform]: h end\nend: return\n", "h"), "p: h l");
  EXPECT_TEXT(whole_of("p: h\nh: l t\nt: t\nl [uniform]: h end\nend: return\n", "h"), "p:");
  // From the entry some go elsewhere, or there are several.
  EXPECT_TEXT(whole_of("p: h end\nh [uniform]: h end\nend: return\n", "h"), "none: h");
  EXPECT_TEXT(whole_of("p [uniform]: h end\nh [uniform]: h end\nend: return\n", "h"), "p: h");
  EXPECT_TEXT(whole_of("p: q r\nq: h\nr: h\nh [uniform]: h end\nend: return\n", "h"), "none: h");
}

int main(void) {
  test_passed();
  test_chain();
  test_lengths();
  test_apart();
  test_short_joins();
  test_breaks();
  test_left_iterations();
  test_iterations();
  test_shared();
  test_ends();
  test_whole();
  lin_arena_release(&arena);
  return expect_end();
}
