// Unit tests of lib/graph. A failure prints its line; the last line is `N passed, M failed`.
#include "graph/dominators.h"
#include "graph/dot.h"
#include "graph/order.h"
#include "graphs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Helpers.

// What the parser says about `length` bytes, as `line: message`.
static const char *error_in(const char *text, size_t length) {
  lin_text_error error;
  char *copy = lin_arena_bytes(&arena, length); // nothing behind it may be read
  memcpy(copy, text, length);
  if (lin_text_parse(&arena, copy, length, &error) != NULL)
    return "no error";
  size_t size = strlen(error.message) + 32;
  char *result = lin_arena_bytes(&arena, size);
  snprintf(result, size, "%zu: %s", error.line, error.message);
  return result;
}

static const char *error_of(const char *text) { return error_in(text, strlen(text)); }

static FILE *open_file(void) {
  FILE *file = tmpfile();
  if (file == NULL) {
    perror("tmpfile");
    exit(2);
  }
  return file;
}

static const char *read_back(FILE *file) {
  size_t length = (size_t)ftell(file);
  rewind(file);
  char *text = lin_arena_bytes(&arena, length + 1);
  EXPECT(fread(text, 1, length, file) == length);
  fclose(file);
  return text;
}

static const char *printed(const lin_graph *graph) {
  FILE *file = open_file();
  lin_text_print(file, graph);
  return read_back(file);
}

static const char *drawn(const lin_graph *graph, const lin_dot_style *style) {
  FILE *file = open_file();
  lin_dot_print(file, graph, style);
  return read_back(file);
}

// `B C` for each block B of `tree` and its parent C, `-` for the root; other blocks are left out.
static const char *parents(const lin_graph *graph, const lin_tree *tree) {
  size_t size = 64 * ((size_t)graph->num_blocks + 1), used = 0;
  char *text = lin_arena_bytes(&arena, size);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    if (!lin_tree_has(tree, block))
      continue;
    uint32_t parent = tree->parent[block];
    const char *name = parent == LIN_NONE ? "-" : "exit";
    if (parent < graph->num_blocks)
      name = graph->name[parent];
    used += (size_t)snprintf(text + used, size - used, "%s%s %s", used > 0 ? ", " : "",
                             graph->name[block], name);
  }
  return text;
}

static const char *dominators(const char *text) {
  const lin_graph *graph = parse(text);
  return parents(graph, lin_dominators_build(&arena, graph, 0));
}

static const char *postdominators(const char *text) {
  const lin_graph *graph = parse(text);
  return parents(graph, lin_postdominators_build(&arena, graph)->tree);
}

// `B<I<H` for a block B in the loop of I, nested in that of H; an irreducible loop has a `!`.
static const char *nesting(const lin_graph *graph, const lin_loops *loops) {
  size_t size = 64 * ((size_t)graph->num_blocks + 1), used = 0;
  char *text = lin_arena_bytes(&arena, size);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    uint32_t loop = loops->loop_of[block];
    used +=
        (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "", graph->name[block]);
    for (; loop != 0; loop = loops->tree->parent[loop])
      used += (size_t)snprintf(text + used, size - used, "<%s%s", graph->name[loops->header[loop]],
                               loops->irreducible[loop] ? "!" : "");
  }
  return text;
}

static const char *loops_of(const char *text) {
  const lin_graph *graph = parse(text);
  return nesting(graph, lin_loops_build(&arena, graph));
}

static const char *order_of(const char *text) {
  const lin_order *order = lin_order_build(&arena, parse(text));
  return nesting(order->graph, order->loops);
}

// Tests.

static void test_arena(void) {
  lin_arena own = {NULL, 0};
  for (size_t size = 0; size < 2000; size += 7) {
    unsigned char *bytes = lin_arena_bytes(&own, size);
    bool zero = true;
    for (size_t i = 0; i < size; i++)
      zero = zero && bytes[i] == 0;
    EXPECT(zero);
    EXPECT((uintptr_t)bytes % _Alignof(max_align_t) == 0);
    memset(bytes, 0xff, size);
  }
  unsigned char *large = lin_arena_bytes(&own, 3u << 20);
  EXPECT(large[0] == 0 && large[(3u << 20) - 1] == 0);
  uint64_t *numbers = LIN_ARRAY(&own, uint64_t, 10);
  EXPECT(numbers[9] == 0);
  EXPECT_TEXT(lin_arena_text(&own, "abcdef", 3), "abc");
  lin_arena_release(&own);
  EXPECT(own.chunk == NULL && own.used == 0);
  lin_arena_release(&own);
  EXPECT(LIN_NEW(&own, lin_graph)->num_blocks == 0);
  lin_arena_release(&own);
}

static void test_graph(void) {
  const lin_graph *graph = parse("function f\na: b c b\nb: c\nc: b d\nd: return\n");
  EXPECT(graph->num_blocks == 4 && graph->num_edges == 6);
  EXPECT(lin_out_degree(graph, 0) == 3 && lin_in_degree(graph, 0) == 0);
  EXPECT(lin_out_degree(graph, 3) == 0 && lin_in_degree(graph, 3) == 1);
  static const lin_edge into_b[] = {0, 2, 4};
  EXPECT(lin_in_degree(graph, 1) == 3);
  EXPECT(memcmp(&graph->in_edge[graph->first_in[1]], into_b, sizeof into_b) == 0);
  EXPECT(graph->source[2] == 0 && graph->source[3] == 1 && graph->source[5] == 2);
  uint32_t visited = 0;
  for (LIN_OUT_EDGES(graph, 0, edge))
    visited += graph->destination[edge];
  for (LIN_IN_EDGES(graph, 1, i))
    visited += graph->in_edge[i];
  EXPECT(visited == 4 + 6);
}

static void test_graph_check(void) {
  lin_block block;
  lin_graph *graph = lin_graph_new(&arena, 0, 0);
  lin_graph_finish(&arena, graph);
  EXPECT_TEXT(lin_graph_check(graph, &block), "the function has no block");

  graph = parse("function f\na: b\nb: c\nc: return\n");
  EXPECT(lin_graph_check(graph, &block) == NULL);
  graph->destination[1] = 7;
  EXPECT_TEXT(lin_graph_check(graph, &block), "a successor that doesn't exist");
  EXPECT(block == 1);
  graph->destination[1] = 0;
  EXPECT_TEXT(lin_graph_check(graph, &block), "an edge to the entry block");
  EXPECT(block == 1);
  graph->destination[1] = 2;
  graph->flags[1] = LIN_TRAP;
  EXPECT_TEXT(lin_graph_check(graph, &block), "a block that returns or traps has successors");
  EXPECT(block == 1);
  graph->flags[1] = graph->flags[2] = 0;
  EXPECT_TEXT(lin_graph_check(graph, &block),
              "a block without successors neither returns nor traps");
  EXPECT(block == 2);
}

static void test_reverse(void) {
  const lin_graph *graph = parse("function f\na: b c\nb: c\nc: return\n");
  const bool is_exit[] = {false, true, true}, dropped[] = {false, true, false};
  lin_graph *reverse = lin_graph_reverse(&arena, graph, is_exit, dropped);
  EXPECT(reverse->num_blocks == 4 && reverse->num_edges == 4);
  static const lin_block destination[] = {0, 1, 1, 2};
  EXPECT(memcmp(reverse->destination, destination, sizeof destination) == 0);
  EXPECT(lin_out_degree(reverse, 3) == 2 && lin_in_degree(reverse, 3) == 0);
  EXPECT(lin_graph_reverse(&arena, graph, is_exit, NULL)->num_edges == 5);
}

static void test_text(void) {
  const char *canonical = "function short_circuit\n"
                          "B1: B3 B2\n"
                          "B2: B3 T B3\n"
                          "B3 [uniform waits polls releases cross-lane refused]: B4 B4\n"
                          "B4: return\n"
                          "T [waits]: trap\n";
  const lin_graph *graph = parse(canonical);
  EXPECT_TEXT(printed(graph), canonical);
  EXPECT_TEXT(graph->title, "short_circuit");
  EXPECT_TEXT(graph->reason[2], "refused in the input");
  EXPECT(graph->reason[0] == NULL);
  EXPECT(graph->flags[4] == (LIN_TRAP | LIN_WAITS) && graph->flags[3] == LIN_RETURN);
  EXPECT_TEXT(printed(parse("# first\n\n function\tf#x\r\n a[uniform  uniform] :b.$-_9# b\n"
                            "\r\nb.$-_9 []:trap")),
              "function f\na [uniform]: b.$-_9\nb.$-_9: trap\n");
  EXPECT_TEXT(printed(parse("function function\nfunction: uniform\nuniform: return")),
              "function function\nfunction: uniform\nuniform: return\n");
  EXPECT_TEXT(printed(parse("function f\nazAZ09: return")), "function f\nazAZ09: return\n");
}

static void test_text_errors(void) {
  EXPECT_TEXT(error_of(""), "1: expected 'function NAME', found nothing");
  EXPECT_TEXT(error_of("\n# nothing\n"), "3: expected 'function NAME', found nothing");
  EXPECT_TEXT(error_of("function f\n"), "2: function 'f' has no block");
  EXPECT_TEXT(error_of("function f g\n"), "1: the line should end here, found 'g'");
  EXPECT_TEXT(error_of("function f\na: return\nfunction g\n"),
              "3: a second function, 'g'; a file has one");
  EXPECT_TEXT(error_of("a: return"), "1: expected 'function NAME' before block 'a'");
  EXPECT_TEXT(error_of("function f\n: a"), "2: expected a block's name, found ':'");
  EXPECT_TEXT(error_of("function f\na b"), "2: expected ':' behind the block's name, found 'b'");
  EXPECT_TEXT(error_of("function f\na"), "2: expected ':' behind the block's name, found nothing");
  EXPECT_TEXT(error_of("function f\nreturn: a"), "2: a block can't be named 'return'");
  EXPECT_TEXT(error_of("function f\na: b\nb: return b"), "3: the line should end here, found 'b'");
  EXPECT_TEXT(error_of("function f\na: b trap\nb: trap"), "2: 'trap' stands behind a successor");
  EXPECT_TEXT(error_of("function f\na: b, c"), "2: the line should end here, found ','");
  EXPECT_TEXT(error_of("function f\na [fast]: return"), "2: unknown attribute 'fast'");
  EXPECT_TEXT(error_of("function f\na [cost 1x]: return"), "2: a cost can't be '1x'");
  EXPECT_TEXT(error_of("function f\na [cost -]: return"), "2: a cost can't be '-'");
  EXPECT_TEXT(error_of("function f\na [cost 1234567890]: return"),
              "2: a cost can't be '1234567890'");
  EXPECT_TEXT(error_of("function f\na [cost"), "2: a cost can't be nothing");
  EXPECT_TEXT(error_of("function f\na: b * c"), "2: a weight can't be 'c'");
  EXPECT_TEXT(error_of("function f\na: * 3"), "2: the line should end here, found '*'");
  EXPECT_TEXT(error_of("function f\na [waits: return"),
              "2: expected an attribute or ']', found ':'");
  EXPECT_TEXT(error_of("function f\na [waits"), "2: expected an attribute or ']', found nothing");
  EXPECT_TEXT(error_of("function f\na: b\n\nb: c B7\nc: d"), "4: block 'B7' is not defined");
  EXPECT_TEXT(error_of("function f\na: b\nb: return\nc: trap\nb: trap\na: trap\n"),
              "5: block 'b' is defined a second time");
  EXPECT_TEXT(error_of("function f\na: b\nb: a"), "3: block 'b': an edge to the entry block");
  EXPECT_TEXT(error_of("function f\na:\n"),
              "2: block 'a': a block without successors neither returns nor traps");
  static const char with_nul[] = "function f\na\0: return";
  EXPECT_TEXT(error_in(with_nul, sizeof with_nul - 1),
              "2: expected ':' behind the block's name, found byte 0x00");
  EXPECT_TEXT(error_of("function f\na: \xc3\xa4"), "2: the line should end here, found byte 0xc3");
  EXPECT_TEXT(error_of("function f\na: \x7f"), "2: the line should end here, found byte 0x7f");
  EXPECT_TEXT(error_of("function f\na: ~"), "2: the line should end here, found '~'");
  EXPECT_TEXT(error_of("function f # a: return"), "1: function 'f' has no block");
  char long_name[200] = "function ";
  memset(long_name + strlen(long_name), 'x', 150);
  EXPECT_TEXT(error_of(long_name),
              "1: function 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' has "
              "no block");
}

// Names that a compiler may give but the text form doesn't have.
static void test_text_names(void) {
  lin_graph *graph = parse("function f\na: b c\nb: return\nc: return\n");
  graph->name[1] = "for body";
  graph->name[2] = "return";
  graph->title = "operator()";
  EXPECT_TEXT(printed(graph), "function operator__\n"
                              "a: for_body.1 return.2\n"
                              "for_body.1: return\n"
                              "return.2: return\n");
  graph->name[0] = "for_body.1";
  graph->name[2] = "";
  graph->title = "";
  EXPECT_TEXT(printed(graph), "function _\n"
                              "for_body.1.0: for_body.1 .2\n"
                              "for_body.1: return\n"
                              ".2: return\n");
}

static void test_dot(void) {
  lin_graph *graph = parse("function f\na: b c\nb: c\nc: return\n");
  graph->name[1] = "\\ \x01\n";
  EXPECT(strstr(drawn(graph, NULL), "  1 [label=\"\\\\ ?\\n\"];\n") != NULL);
  graph->name[1] = "say \"b\"";
  EXPECT_TEXT(drawn(graph, NULL), "digraph \"f\" {\n"
                                  "  node [shape=box, fontname=monospace];\n"
                                  "  0 [label=\"a\"];\n"
                                  "  1 [label=\"say \\\"b\\\"\"];\n"
                                  "  2 [label=\"c\"];\n"
                                  "  0 -> 1 [];\n"
                                  "  0 -> 2 [];\n"
                                  "  1 -> 2 [];\n"
                                  "}\n");
  const char *label[] = {NULL, "x\ny", NULL}, *colour[] = {"red", NULL, NULL};
  const char *edge_label[] = {NULL, "no", NULL};
  const uint32_t cluster[] = {LIN_NONE, 0, 1}, cluster_parent[] = {1, LIN_NONE};
  const lin_dot_style style = {.label = label,
                               .colour = colour,
                               .edge_label = edge_label,
                               .cluster = cluster,
                               .num_clusters = 2,
                               .cluster_parent = cluster_parent};
  EXPECT_TEXT(drawn(graph, &style),
              "digraph \"f\" {\n"
              "  node [shape=box, fontname=monospace];\n"
              "  0 [label=\"a\" style=filled fillcolor=\"red\"];\n"
              "  subgraph cluster_1 { graph [color=gray50 label=\"region 1\"];\n"
              "  2 [label=\"c\"];\n"
              "  subgraph cluster_0 { graph [color=gray50 label=\"region 0\"];\n"
              "  1 [label=\"say \\\"b\\\"\\nx\\ny\"];\n"
              "  }\n"
              "  }\n"
              "  0 -> 1 [];\n"
              "  0 -> 2 [ label=\"no\"];\n"
              "  1 -> 2 [];\n"
              "}\n");
}

static void test_tree(void) {
  //       3        2 is not in the tree
  //     ┌─┴─┐
  //     0   5
  //   ┌─┴─┐
  //   1   4
  uint32_t parent[] = {3, 0, LIN_NONE, LIN_NONE, 0, 3};
  const lin_tree *tree = lin_tree_build(&arena, 6, 3, parent);
  EXPECT(!lin_tree_has(tree, 2) && lin_tree_has(tree, 3) && lin_tree_has(tree, 4));
  EXPECT(tree->depth[3] == 0 && tree->depth[0] == 1 && tree->depth[4] == 2);
  EXPECT(lin_tree_contains(tree, 3, 4) && lin_tree_contains(tree, 0, 1));
  EXPECT(lin_tree_contains(tree, 1, 1) && !lin_tree_contains(tree, 1, 0));
  EXPECT(!lin_tree_contains(tree, 5, 4) && !lin_tree_contains(tree, 1, 4));
  EXPECT(lin_tree_meet(tree, 1, 4) == 0 && lin_tree_meet(tree, 4, 5) == 3);
  EXPECT(lin_tree_meet(tree, 0, 4) == 0 && lin_tree_meet(tree, 5, 5) == 5);
  EXPECT(lin_tree_ancestor(tree, 4, 0) == 3 && lin_tree_ancestor(tree, 4, 2) == 4);

  enum { LENGTH = 100000 };
  uint32_t *above = LIN_ARRAY(&arena, uint32_t, LENGTH);
  for (uint32_t node = 0; node < LENGTH; node++)
    above[node] = node == 0 ? LIN_NONE : node - 1;
  tree = lin_tree_build(&arena, LENGTH, 0, above);
  for (uint32_t node = 0; node < LENGTH; node += 777)
    EXPECT(lin_tree_ancestor(tree, LENGTH - 1, node) == node);
}

static void test_dominators(void) {
  EXPECT_TEXT(dominators("function f\na: return"), "a -");
  EXPECT_TEXT(dominators("function f\na: b c\nb: d\nc: d\nd: return\ndead: d"),
              "a -, b a, c a, d a");
  EXPECT_TEXT(dominators("function f\na: b c\nb: c\nc: b d\nd: return"), "a -, b a, c a, d c");
  // Figure 1 of Lengauer and Tarjan, 1979, with an end.
  EXPECT_TEXT(dominators("function f\nr: a b c\na: d\nb: a d e\nc: f g\nd: l\ne: h\nf: i\n"
                         "g: i j\nh: e k\ni: k\nj: i\nk: i end\nl: h\nend: return"),
              "r -, a r, b r, c r, d r, e r, f c, g c, h r, i r, j g, k r, l d, end k");
  const lin_graph *graph = parse("function f\na: b c\nb: c d\nc: d\nd: b e\ne: return");
  EXPECT_TEXT(parents(graph, lin_dominators_build(&arena, graph, 1)), "b -, c b, d b, e d");
}

static void test_postdominators(void) {
  EXPECT_TEXT(postdominators("function f\na: b c\nb: d\nc: d\nd: return"), "a d, b d, c d, d exit");
  EXPECT_TEXT(postdominators("function f\na: b c\nb: return\nc: return"), "a exit, b exit, c exit");
  // An edge to a trap hides neither d from a, nor the trap's own part.
  EXPECT_TEXT(postdominators("function f\na: b t\nb: d\nd: return\nt: u v\nu: w\nv: w\nw: trap"),
              "a b, b d, d exit, t w, u w, v w, w exit");
  EXPECT_TEXT(postdominators("function f\na: b t\nb: c d\nc: e\nd: e\ne: b\nt: trap"),
              "a t, b e, c e, d e, e exit, t exit");
  // The loop of b and c can be left, the one of d cannot.
  EXPECT_TEXT(postdominators("function f\na: b\nb: c d\nc: b\nd: d"), "a b, b d, c b, d exit");
  const lin_postdominators *post = lin_postdominators_build(
      &arena, parse("function f\na: b t s\nb: return\nt: u s\nu: trap\ns: s"));
  static const uint8_t fate[] = {LIN_RETURNS, LIN_RETURNS, LIN_TRAPS, LIN_TRAPS, LIN_SPINS};
  static const bool doomed[] = {false, true, true, false, true, false};
  EXPECT(memcmp(post->fate, fate, sizeof fate) == 0);
  EXPECT(memcmp(post->doomed, doomed, sizeof doomed) == 0);
}

static void test_loops(void) {
  EXPECT_TEXT(loops_of("function f\na: b\nb: c\nc: return"), "a b c");
  EXPECT_TEXT(loops_of("function f\na: b\nb: b c\nc: return"), "a b<b c");
  EXPECT_TEXT(loops_of("function f\na: b\nb: c\nc: c d\nd: b c e\ne: return"),
              "a b<b c<c<b d<c<b e");
  // Two back edges to one header are one loop.
  EXPECT_TEXT(loops_of("function f\na: b\nb: c d\nc: b d\nd: b e\ne: return"), "a b<b c<b d<b e");
  EXPECT_TEXT(loops_of("function f\na: b c\nb: c\nc: b d\nd: return"), "a b<b! c<b! d");
  EXPECT_TEXT(loops_of("function f\na: c b\nb: c\nc: b d\nd: return"), "a b<c! c<c! d");
  // An edge from a to d enters both loops, c's past its header too.
  EXPECT_TEXT(loops_of("function f\na: b d\nb: c\nc: d\nd: c e\ne: b x\nx: return"),
              "a b<b! c<c!<b! d<c!<b! e<b! x");
  // An edge into the header of the inner loop enters only the outer one past its header.
  EXPECT_TEXT(loops_of("function f\na: b c\nb: c\nc: d\nd: c e\ne: b x\nx: return"),
              "a b<b! c<c<b! d<c<b! e<b! x");
  // Of c's loop in b's the outermost one around c is b's; around a there is none.
  const lin_graph *nest = parse("function f\na: b\nb: c\nc: c d\nd: b e\ne: return");
  const lin_loops *loops = lin_loops_build(&arena, nest);
  EXPECT(loops->header[lin_loops_outermost(loops, find(nest, "c"))] == find(nest, "b"));
  EXPECT(loops->header[lin_loops_outermost(loops, find(nest, "d"))] == find(nest, "b"));
  EXPECT(lin_loops_outermost(loops, find(nest, "a")) == 0);
}

static void test_order(void) {
  // The picture in order.h: 4 is not in the loop and comes last.
  EXPECT_TEXT(order_of("function f\n0: 1\n1: 3 2\n2: 4 1\n3: 1 1\n4: return"), "0 1<1 3<1 2<1 4");
  // An arm is finished before the other one begins; x isn't reachable.
  EXPECT_TEXT(order_of("function f\na: b d\nx: f\nd: e\ne: f\nb: c\nc: f\nf: return"),
              "a b c d e f");
  EXPECT_TEXT(order_of("function f\na: x b\nx: return\nb: c\nc: d x\nd: c b\n"),
              "a b<b c<c<b d<c<b x");
  const lin_graph *input = parse("function f\na: c b c\ndead: b\nb [waits]: return\nc: b\n");
  const lin_order *order = lin_order_build(&arena, input);
  EXPECT_TEXT(printed(order->graph), "function f\na: c b c\nc: b\nb [waits]: return\n");
  EXPECT(order->number[find(input, "dead")] == LIN_NONE);
  EXPECT(order->number[find(input, "b")] == 2 && order->origin[2] == find(input, "b"));
  EXPECT(order->old_edge[3] == 4);
}

int main(void) {
  test_arena();
  test_graph();
  test_graph_check();
  test_reverse();
  test_text();
  test_text_errors();
  test_text_names();
  test_dot();
  test_tree();
  test_dominators();
  test_postdominators();
  test_loops();
  test_order();
  lin_arena_release(&arena);
  return expect_end();
}
