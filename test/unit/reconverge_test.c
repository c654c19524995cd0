// Where lanes meet, and what is copied and peeled before (lib/simt/reconverge.h, reshape.h). The
// graphs are those of kernels of which the machine code was read. A failure prints its line; the
// last line is `N passed, M failed`.
#include "graphs.h"
#include "simt/reconverge.h"
#include "simt/reshape.h"

static lin_graph *graph_of(const char *blocks) {
  char text[300];
  snprintf(text, sizeof text, "function f\n%s", blocks);
  return parse(text);
}

// `A: B C` for each block A in order that sets up meetings, at B and C, the outer one first.
static const char *meetings_of(const lin_graph *graph) {
  const lin_order *order = lin_order_build(&arena, graph);
  const simt_reconvergence *r = simt_reconvergence_build(&arena, order);
  char *text = lin_arena_bytes(&arena, 300);
  size_t used = 0;
  text[0] = '\0';
  for (lin_block b = 0; b < order->graph->num_blocks; b++) {
    uint32_t first = r->first_meeting[b], end = r->first_meeting[b + 1];
    if (first < end)
      used += (size_t)snprintf(text + used, 300 - used, "%s%s:", used > 0 ? ", " : "",
                               order->graph->name[b]);
    for (uint32_t i = first; i < end; i++)
      used +=
          (size_t)snprintf(text + used, 300 - used, " %s", order->graph->name[r->meeting[i].at]);
  }
  return text;
}

static bool is_inside(const lin_graph *graph, const char *before, const char *at,
                      const char *block) {
  const lin_order *order = lin_order_build(&arena, graph);
  const simt_reconvergence *r = simt_reconvergence_build(&arena, order);
  lin_block b = find(order->graph, before), inner = find(order->graph, block);
  for (uint32_t i = r->first_meeting[b]; i < r->first_meeting[b + 1]; i++)
    if (r->meeting[i].at == find(order->graph, at))
      return r->meeting[i].inside == NULL || (r->meeting[i].inside[inner / 32] >> inner % 32 & 1);
  return expect_at(false, __FILE__, __LINE__, "that meeting");
}

// bench/kernels/short_circuit.cu: ((c1 || c2) && c3) ? s1 : s2.
static void test_short_circuit(void) {
  const char *text = "c1: c2 c3\nc2: s2 c3\nc3: s1 s2\ns1: end\ns2 [cost 20]: end\nend: return\n";
  EXPECT_TEXT(meetings_of(graph_of(text)), "c1: end s2");
  EXPECT(is_inside(graph_of(text), "c1", "s2", "c3"));
  EXPECT(!is_inside(graph_of(text), "c1", "s2", "s1"));
  EXPECT(!is_inside(graph_of(text), "c1", "s2", "end"));
  EXPECT(is_inside(graph_of(text), "c1", "end", "s1"));
}

// Three in a row, each with a way out to the end.
static void test_sequence(void) {
  EXPECT_TEXT(meetings_of(graph_of(
                  "a: a1 b\na1: end b\nb: b1 c\nb1: end c\nc [cost 20]: end\nend: return\n")),
              "a: end b, b: c");
}

// Of two joins of one branch the later one has a meeting.
static void test_two_joins(void) {
  EXPECT_TEXT(meetings_of(graph_of(
                  "d: l r\nl: j1 l2\nl2: j2 p\nr: j1 j2\nj1: p\nj2 [cost 20]: p\np: return\n")),
              "d: p j2");
}

// Fall-through of a switch: j is a's post-dominator, but lanes come there that were not in a.
static void test_not_dominated(void) {
  EXPECT_TEXT(meetings_of(graph_of("s: a j i p\na: k j\nk: j\nj: i\ni [cost 20]: p\np: return\n")),
              "s: p i");
}

// What is behind a loop is waited for from before the loop; an inner loop's end is inside.
static void test_loops(void) {
  EXPECT_TEXT(meetings_of(graph_of("begin: h\nh: x body\nbody: h x\nx: return\n")), "begin: x");
  EXPECT_TEXT(meetings_of(graph_of("begin: h\nh: i x\ni: j h\nj: i k\nk: h\nx: return\n")),
              "begin: x, h: h");
  // a way around the loop: who takes it isn't waited for behind the loop
  const char *around = "a: h e\nh: h x\nx: e\ne: return\n";
  EXPECT_TEXT(meetings_of(graph_of(around)), "a: e x");
  EXPECT(is_inside(graph_of(around), "a", "x", "h"));
  EXPECT(!is_inside(graph_of(around), "a", "x", "e"));
  // mum: two ways out of the inner loop, one of them on in the outer one
  EXPECT_TEXT(
      meetings_of(graph_of("b: o\no: i\ni: m j\nj: i k\nk: m done\nm: o done\ndone: return\n")),
      "b: done, o: m");
}

// Two loops that share their iterations: lanes wait where one ends, and not behind the inner one. H
// is on the way around. Where all that leave the inner one come to b, they wait there.
static void test_iterations(void) {
  const char *shared = "a: H\nH [vanishes]: h\nh: p c\nc: h b\nb [cost 40]: d p\nd: H\np: return\n";
  EXPECT_TEXT(meetings_of(graph_of(shared)), "H: p, h: h");
  EXPECT(is_inside(graph_of(shared), "h", "h", "H"));
  EXPECT(is_inside(graph_of(shared), "H", "p", "h"));
  EXPECT(!is_inside(graph_of(shared), "h", "h", "p"));
  EXPECT_TEXT(meetings_of(graph_of("a: H\nH: h\nh: p c\nc: h b\nb [cost 40]: d p\nd: H\n"
                                   "p: return\n")),
              "a: p, H: b");
  EXPECT_TEXT(meetings_of(graph_of("a: H\nH [vanishes]: h\nh: b c\nc: h b\nb: d p\nd: H\n"
                                   "p: return\n")),
              "a: p, H: b");
  // left together with the loop around it: nobody waits where its iterations end
  EXPECT_TEXT(meetings_of(graph_of("a: o\no: H\nH [vanishes]: h\nh: k c\nc: h b\nb: d r\nd: H\n"
                                   "k: o p\np: r\nr: return\n")),
              "a: r, H: k");
}

// The only way back to the outer header leaves the inner loop: lanes that take it in different
// iterations wait there for those that stay, as for a block on that edge.
static void test_two_latches(void) {
  const char *text = "a: h\nh: b\nb: e c\nc: h b\ne: return\n";
  EXPECT_TEXT(meetings_of(graph_of(text)), "a: e, h: h");
  EXPECT(is_inside(graph_of(text), "h", "h", "c"));
  EXPECT(!is_inside(graph_of(text), "h", "h", "e"));
  // of one loop, no lane waits where its iteration ends
  EXPECT_TEXT(meetings_of(graph_of("a: h\nh: e b\nb: e h\ne: return\n")), "a: e");
}

// Whoever takes an edge that never comes back is not waited for.
static void test_fates(void) {
  EXPECT_TEXT(meetings_of(graph_of("a: b t\nb: c d\nc: e\nd: e t\ne: return\nt: trap\n")),
              "a: b, b: e");
}

static void test_irreducible(void) {
  const char *text = "b: x y\nx: y e\ny: x e\ne: return\n";
  EXPECT_TEXT(meetings_of(graph_of(text)), "b: e");
  const simt_reshaped *same = simt_reshape(&arena, graph_of(text), false);
  EXPECT(same->graph->num_blocks == 4);
  // bench/kernels/irreducible_2.cu: the later entry is copied, and lanes meet at the other one.
  const simt_reshaped *split = simt_reshape(&arena, graph_of(text), true);
  EXPECT(split->graph->num_blocks == 5);
  EXPECT(!lin_order_build(&arena, split->graph)->loops->irreducible[1]);
  EXPECT(strstr(meetings_of(split->graph), "b: e ") != NULL);
  // more between the entries both ways, or three entries: left alone
  EXPECT(simt_reshape(&arena,
                      graph_of("b: x y\nx: x1 x2\nx1: y\nx2: y e\ny: y1 y2\ny1: x\ny2: x\n"
                               "e: return\n"),
                      true)
             ->graph->num_blocks == 8);
  EXPECT(
      simt_reshape(&arena, graph_of("b: x b2\nb2: y z\nx: y e\ny: z e\nz: x e\ne: return\n"), true)
          ->graph->num_blocks == 6);
}

static void test_switches(void) {
  // only case 1 goes around
  lin_graph *graph = graph_of("b: h\nh: s\ns: a h c\na: e\nc: e\ne: return\n");
  const simt_reshaped *shape = simt_reshape(&arena, graph, false);
  EXPECT(shape->graph->num_blocks == graph->num_blocks + 1);
  lin_block s = find(shape->graph, "s"), rest = find(shape->graph, "s.rest");
  EXPECT(shape->peeled[s] == 1 && shape->peeled[rest] == 1);
  EXPECT(shape->is_rest[rest] && !shape->is_rest[s]);
  EXPECT(lin_out_degree(shape->graph, s) == 2 && lin_out_degree(shape->graph, rest) == 2);
  EXPECT_TEXT(meetings_of(shape->graph), "b: s.rest, s.rest: e");
  // two cases go around, the default does, none does: not peeled
  EXPECT(simt_reshape(&arena, graph_of("b: h\nh: s\ns: a h h\na: return\n"), false)
             ->graph->num_blocks == 4);
  EXPECT(simt_reshape(&arena, graph_of("b: h\nh: s\ns: h a c\na: c\nc: return\n"), false)
             ->graph->num_blocks == 5);
  EXPECT(simt_reshape(&arena, graph_of("s: a a c\na: c\nc: return\n"), false)->graph->num_blocks ==
         3);
}

int main(void) {
  test_short_circuit();
  test_sequence();
  test_two_joins();
  test_not_dominated();
  test_loops();
  test_iterations();
  test_two_latches();
  test_fates();
  test_irreducible();
  test_switches();
  lin_arena_release(&arena);
  return expect_end();
}
