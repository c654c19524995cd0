// graph_property [first_seed] [count] [max_blocks]
//
// Builds the analyses of lib/graph for random graphs and compares them with brute_force.h. A graph
// that fails is printed as .cfg, with its seed; the last line is `N passed, M failed`.
#include "brute_force.h"
#include "graph/dominators.h"
#include "graph/order.h"
#include "graph/text.h"
#include "random_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The graph under test, and what was wrong with it first.
typedef struct test {
  lin_arena arena;
  const lin_graph *graph;
  uint64_t state; // of random choices
  const char *wrong;
  uint32_t at, and_at;
} test;

// Requires `condition`; `at` and `and_at` say where it doesn't hold.
static void require(test *t, bool condition, const char *what, uint32_t at, uint32_t and_at) {
  if (condition || t->wrong != NULL)
    return;
  t->wrong = what;
  t->at = at;
  t->and_at = and_at;
}

static void check_arrays(test *t, const lin_graph *graph) {
  uint32_t *seen = LIN_ARRAY(&t->arena, uint32_t, graph->num_edges);
  lin_block at;
  require(t, lin_graph_check(graph, &at) == NULL, "lin_graph_check complains", 0, 0);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    for (lin_edge e = graph->first_edge[block]; e < graph->first_edge[block + 1]; e++)
      require(t, graph->source[e] == block, "source of an edge", block, e);
    for (uint32_t i = graph->first_in[block]; i < graph->first_in[block + 1]; i++) {
      lin_edge edge = graph->in_edge[i];
      require(t, graph->destination[edge] == block, "in_edge goes elsewhere", block, edge);
      require(t, seen[edge]++ == 0, "in_edge twice", block, edge);
      require(t, i == graph->first_in[block] || graph->in_edge[i - 1] < edge,
              "in_edge isn't by edge number", block, edge);
    }
  }
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    require(t, seen[edge] == 1, "edge isn't in in_edge", edge, 0);
}

// Dominators.

static void check_tree_shape(test *t, const lin_tree *tree) {
  for (uint32_t node = 0; node < tree->count; node++) {
    if (!lin_tree_has(tree, node))
      continue;
    uint32_t parent = tree->parent[node];
    if (node == tree->root)
      require(t, parent == LIN_NONE && tree->depth[node] == 0, "root of a tree", node, parent);
    else
      require(t, parent < tree->count && tree->depth[node] == tree->depth[parent] + 1,
              "depth in a tree", node, parent);
  }
}

static void check_dominators(test *t, const lin_graph *graph, lin_block root) {
  const lin_tree *tree = lin_dominators_build(&t->arena, graph, root);
  const bool *reached = brute_reach(&t->arena, graph, root, LIN_NONE, NULL);
  require(t, tree->root == root && tree->count == graph->num_blocks, "dominator root", root, 0);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    require(t, lin_tree_has(tree, block) == reached[block], "dominator tree has", block, root);
  check_tree_shape(t, tree);
  for (lin_block above = 0; above < graph->num_blocks; above++) {
    if (!reached[above])
      continue;
    const bool *around = brute_reach(&t->arena, graph, root, above, NULL);
    for (lin_block block = 0; block < graph->num_blocks; block++)
      require(t, !reached[block] || lin_tree_contains(tree, above, block) == !around[block],
              "dominates", above, block);
  }
}

// True if `block` reaches an exit without `without` and without doomed edges.
static bool reaches_exit(test *t, const lin_graph *graph, lin_block block, lin_block without,
                         const bool *doomed, const bool *exits) {
  const bool *reached = brute_reach(&t->arena, graph, block, without, doomed);
  for (lin_block exit = 0; exit < graph->num_blocks; exit++)
    if (reached[exit] && exits[exit])
      return true;
  return false;
}

static void check_postdominators(test *t, const lin_graph *graph) {
  uint32_t n = graph->num_blocks;
  const lin_postdominators *post = lin_postdominators_build(&t->arena, graph);
  const uint8_t *fates = brute_fates(&t->arena, graph);
  const bool *exits = brute_exits(&t->arena, graph, fates);
  bool *doomed = LIN_ARRAY(&t->arena, bool, graph->num_edges);
  for (lin_block block = 0; block < n; block++)
    require(t, post->fate[block] == fates[block], "fate", block, post->fate[block]);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    doomed[edge] = fates[graph->destination[edge]] > fates[graph->source[edge]];
    require(t, post->doomed[edge] == doomed[edge], "doomed edge", graph->source[edge], edge);
  }
  const lin_tree *tree = post->tree;
  require(t, tree->root == n && tree->count == n + 1, "virtual exit", tree->root, tree->count);
  check_tree_shape(t, tree);
  for (lin_block below = 0; below < n; below++) {
    require(t, lin_tree_has(tree, below), "post-dominator tree has", below, 0);
    for (lin_block block = 0; block < n; block++)
      require(t,
              lin_tree_contains(tree, below, block) !=
                  reaches_exit(t, graph, block, below, doomed, exits),
              "post-dominates", below, block);
  }
}

// Trees.

static uint32_t climb(const lin_tree *tree, uint32_t node, uint32_t depth) {
  while (tree->depth[node] > depth)
    node = tree->parent[node];
  return node;
}

static uint32_t climb_to_meet(const lin_tree *tree, uint32_t a, uint32_t b) {
  while (a != b)
    if (tree->depth[a] >= tree->depth[b])
      a = tree->parent[a];
    else
      b = tree->parent[b];
  return a;
}

// A random tree of the shape between a star and a path, with its nodes in random order.
static lin_tree *random_tree(test *t, uint32_t count) {
  uint32_t *parent = LIN_ARRAY(&t->arena, uint32_t, count);
  uint32_t *node = LIN_ARRAY(&t->arena, uint32_t, count);
  uint32_t width = 1 + random_below(&t->state, count);
  uint32_t num_in = 1 + random_below(&t->state, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t other = random_below(&t->state, i + 1);
    node[i] = node[other];
    node[other] = i;
    parent[i] = LIN_NONE;
  }
  for (uint32_t i = 1; i < num_in; i++) {
    uint32_t back = random_below(&t->state, i < width ? i : width);
    parent[node[i]] = node[i - 1 - back];
  }
  return lin_tree_build(&t->arena, count, node[0], parent);
}

static void check_tree(test *t) {
  uint32_t count = 1 + random_below(&t->state, t->graph->num_blocks * 4);
  const lin_tree *tree = random_tree(t, count);
  check_tree_shape(t, tree);
  for (uint32_t i = 0; i < 4 * count; i++) {
    uint32_t a = random_below(&t->state, count), b = random_below(&t->state, count);
    require(t, lin_tree_has(tree, a) == (a == tree->root || tree->parent[a] != LIN_NONE),
            "tree has", a, 0);
    if (!lin_tree_has(tree, a) || !lin_tree_has(tree, b))
      continue;
    uint32_t depth = random_below(&t->state, tree->depth[a] + 1);
    require(t, lin_tree_ancestor(tree, a, depth) == climb(tree, a, depth), "ancestor at a depth", a,
            depth);
    require(t, lin_tree_meet(tree, a, b) == climb_to_meet(tree, a, b), "meet", a, b);
    bool contains = climb_to_meet(tree, a, b) == a;
    require(t, lin_tree_contains(tree, a, b) == contains, "contains", a, b);
  }
}

// Loops and order.

static void check_loops(test *t, const lin_graph *graph, const lin_loops *loops,
                        const brute_loops *expected) {
  require(t, loops->num_loops == expected->count + 1, "number of loops", loops->num_loops,
          expected->count + 1);
  require(t, loops->tree->count == loops->num_loops && loops->tree->root == 0, "tree of loops",
          loops->tree->count, loops->tree->root);
  if (t->wrong != NULL)
    return;
  check_tree_shape(t, loops->tree);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    uint32_t loop = loops->loop_of[block];
    require(t, loop < loops->num_loops, "loop of a block", block, loop);
    if (t->wrong != NULL)
      return;
    lin_block header = loop == 0 ? LIN_NONE : loops->header[loop];
    require(t, header == expected->around[block], "innermost loop of a block", block,
            expected->around[block]);
  }
  require(t, loops->header[0] == 0 && !loops->irreducible[0], "loop 0", loops->header[0], 0);
  for (uint32_t loop = 1; loop < loops->num_loops && t->wrong == NULL; loop++) {
    lin_block header = loops->header[loop];
    uint32_t parent = loops->tree->parent[loop];
    require(t, lin_tree_has(loops->tree, loop), "tree of loops has", loop, header);
    require(t, (parent == 0 ? LIN_NONE : loops->header[parent]) == expected->parent[header],
            "parent of the loop of a header", header, expected->parent[header]);
    require(t, loops->irreducible[loop] == expected->irreducible[header],
            "irreducible loop of a header", header, loop);
  }
  for (uint32_t i = 0; i < graph->num_blocks; i++) {
    lin_block a = random_below(&t->state, graph->num_blocks), common = expected->around[a];
    lin_block b = random_below(&t->state, graph->num_blocks);
    while (common != LIN_NONE && !brute_loop_contains(expected, common, b))
      common = expected->parent[common];
    uint32_t loop = lin_loops_common(loops, a, b);
    require(t, (loop == 0 ? LIN_NONE : loops->header[loop]) == common, "common loop", a, b);
    require(t, lin_loop_contains(loops, loop, a), "loop contains", loop, a);
  }
}

// Loops stand together, headers first, and only edges to headers of loops around go back.
static void check_sequence(test *t, const lin_graph *graph, const brute_loops *loops) {
  for (lin_block header = 0; header < graph->num_blocks; header++) {
    if (loops->around[header] != header)
      continue;
    lin_block last = header;
    for (lin_block block = 0; block < graph->num_blocks; block++)
      if (brute_loop_contains(loops, header, block))
        last = block;
    for (lin_block block = 0; block <= last; block++)
      require(t, brute_loop_contains(loops, header, block) == (block >= header),
              "loop isn't together behind its header", header, block);
  }
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block from = graph->source[edge], to = graph->destination[edge];
    require(t, from < to || (loops->around[to] == to && brute_loop_contains(loops, to, from)),
            "edge goes back, and not to its loop's header", from, to);
  }
}

static void check_renumbering(test *t, const lin_order *order) {
  const lin_graph *input = t->graph, *graph = order->graph;
  const bool *reached = brute_reach(&t->arena, input, 0, LIN_NONE, NULL);
  uint32_t count = 0;
  for (lin_block old = 0; old < input->num_blocks; old++) {
    lin_block block = order->number[old];
    require(t, (block != LIN_NONE) == reached[old], "reachable blocks have numbers", old, block);
    if (block == LIN_NONE)
      continue;
    count++;
    require(t, block < graph->num_blocks && order->origin[block] == old, "origin", old, block);
    if (t->wrong != NULL)
      return;
    require(t,
            graph->flags[block] == input->flags[old] && graph->cost[block] == input->cost[old] &&
                graph->most_trips[block] == input->most_trips[old] &&
                graph->name[block] == input->name[old] &&
                graph->reason[block] == input->reason[old],
            "what is known of a block", old, block);
    uint32_t degree = lin_out_degree(input, old);
    require(t, lin_out_degree(graph, block) == degree, "successors", old, block);
    for (uint32_t i = 0; i < degree && t->wrong == NULL; i++) {
      lin_edge edge = graph->first_edge[block] + i;
      require(t, order->old_edge[edge] == input->first_edge[old] + i, "old_edge", edge, old);
      require(t, graph->weight[edge] == input->weight[input->first_edge[old] + i], "weight", edge,
              old);
      require(t,
              order->origin[graph->destination[edge]] ==
                  input->destination[input->first_edge[old] + i],
              "destination of an edge", edge, old);
    }
  }
  require(t, count == graph->num_blocks, "number of blocks in order", graph->num_blocks, count);
}

static void check_order(test *t) {
  const lin_order *order = lin_order_build(&t->arena, t->graph);
  check_renumbering(t, order);
  if (t->wrong != NULL)
    return;
  check_arrays(t, order->graph);
  const brute_loops *expected = brute_loops_of(&t->arena, order->graph);
  check_sequence(t, order->graph, expected);
  check_loops(t, order->graph, order->loops, expected);
}

// Text.

static char *print_to_text(test *t, const lin_graph *graph, size_t *length) {
  FILE *file = tmpfile();
  if (file == NULL) {
    perror("tmpfile");
    exit(2);
  }
  lin_text_print(file, graph);
  *length = (size_t)ftell(file);
  rewind(file);
  char *text = lin_arena_bytes(&t->arena, *length + 1);
  if (fread(text, 1, *length, file) != *length)
    require(t, false, "reading back the printed text", 0, 0);
  fclose(file);
  return text;
}

static bool same_text(const char *a, const char *b) {
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void check_text(test *t) {
  size_t length, again_length;
  const lin_graph *graph = t->graph;
  const char *text = print_to_text(t, graph, &length);
  lin_text_error error;
  const lin_graph *again = lin_text_parse(&t->arena, text, length, &error);
  require(t, again != NULL, "printed text doesn't parse", 0, 0);
  if (again == NULL)
    return;
  require(t, again->num_blocks == graph->num_blocks && again->num_edges == graph->num_edges,
          "size of the parsed graph", again->num_blocks, again->num_edges);
  if (t->wrong != NULL)
    return;
  require(t, same_text(again->title, graph->title), "parsed title", 0, 0);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    require(t, same_text(again->name[block], graph->name[block]), "parsed name", block, 0);
    require(t, same_text(again->reason[block], graph->reason[block]), "parsed reason", block, 0);
    require(t, again->flags[block] == graph->flags[block], "parsed flags", block, 0);
    require(t, again->cost[block] == graph->cost[block], "parsed cost", block, 0);
    require(t, again->most_trips[block] == graph->most_trips[block], "parsed turns", block, 0);
    require(t, again->first_edge[block] == graph->first_edge[block], "parsed edges", block, 0);
  }
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    require(t,
            again->destination[edge] == graph->destination[edge] &&
                again->weight[edge] == graph->weight[edge],
            "parsed edge", edge, 0);
  const char *text_again = print_to_text(t, again, &again_length);
  require(t, length == again_length && memcmp(text, text_again, length) == 0, "text twice", 0, 0);
}

// Every byte of a text can be changed without harm: the parser refuses it or reads a good graph.
static void check_broken_text(test *t) {
  static const char bytes[] = "B: \n[]#01*return\ttrap\0\x80";
  size_t length;
  char *text = print_to_text(t, t->graph, &length);
  for (uint32_t i = 0; i < 8; i++) {
    text[random_below(&t->state, (uint32_t)length)] = bytes[random_below(&t->state, sizeof bytes)];
    lin_text_error error = {0, NULL};
    const lin_graph *graph = lin_text_parse(&t->arena, text, length, &error);
    if (graph != NULL)
      check_arrays(t, graph);
    else
      require(t, error.line > 0 && error.message != NULL, "error of a broken text", i, 0);
  }
}

static void check_graph(test *t) {
  check_arrays(t, t->graph);
  check_text(t);
  check_broken_text(t);
  check_tree(t);
  check_dominators(t, t->graph, 0);
  check_dominators(t, t->graph, random_below(&t->state, t->graph->num_blocks));
  const lin_graph *part = brute_reachable_part(&t->arena, t->graph);
  check_arrays(t, part);
  check_postdominators(t, part);
  check_loops(t, part, lin_loops_build(&t->arena, part), brute_loops_of(&t->arena, part));
  check_order(t);
}

static bool check_seed(uint64_t seed, uint32_t max_blocks) {
  test t = {.state = ~seed};
  t.graph = random_graph(&t.arena, seed, 1, max_blocks);
  check_graph(&t);
  if (t.wrong != NULL) {
    printf("# seed %llu (%s): %s: %u, %u\n", (unsigned long long)seed, random_graph_kind(seed),
           t.wrong, (unsigned)t.at, (unsigned)t.and_at);
    lin_text_print(stdout, t.graph);
  }
  lin_arena_release(&t.arena);
  return t.wrong == NULL;
}

static uint64_t argument(int count, char **values, int index, uint64_t otherwise) {
  return index < count ? strtoull(values[index], NULL, 10) : otherwise;
}

int main(int argc, char **argv) {
  uint64_t first = argument(argc, argv, 1, 1), count = argument(argc, argv, 2, 4000);
  uint32_t max_blocks = (uint32_t)argument(argc, argv, 3, 20);
  uint64_t failed = 0;
  for (uint64_t seed = first; seed - first < count; seed++)
    failed += !check_seed(seed, max_blocks > 0 ? max_blocks : 1);
  printf("%llu passed, %llu failed\n", (unsigned long long)(count - failed),
         (unsigned long long)failed);
  return failed != 0;
}
