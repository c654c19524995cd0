// graph_scale [max_blocks]
//
// Times every analysis on graphs of 1,000, 10,000 and 100,000 blocks that are deep, or bad for an
// algorithm that is not near-linear. Run by hand: the time per block should stay about the same
// from line to line, and no stack may overflow (try `ulimit -s 256`).
#include "graph/dominators.h"
#include "graph/dot.h"
#include "graph/order.h"
#include "graph/text.h"
#include "random_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct maker {
  lin_arena *arena;
  uint32_t count; // blocks
  lin_block *from, *to;
  uint32_t num_edges;
} maker;

// Edges come in any order of blocks; a block with none returns.
static void add(maker *m, lin_block from, lin_block to) {
  m->from[m->num_edges] = from;
  m->to[m->num_edges++] = to;
}

static void add_chain(maker *m) {
  for (lin_block block = 0; block + 1 < m->count; block++)
    add(m, block, block + 1);
}

// 0 -> 1 -> 2 -> ... -> 2 -> 1, each first half block the header of a loop around the next one.
static void add_nest(maker *m) {
  add_chain(m);
  for (lin_block header = 1; header < m->count / 2; header++)
    add(m, m->count - 1 - header, header);
}

static void make_chain(maker *m) { add_chain(m); }

static void make_diamonds(maker *m) {
  add_chain(m);
  for (lin_block block = 0; block + 2 < m->count; block += 2)
    add(m, block, block + 2);
}

static void make_short_circuit(maker *m) {
  add_chain(m);
  for (lin_block block = 0; block + 2 < m->count; block++)
    add(m, block, m->count - 1);
}

static void make_nest(maker *m) { add_nest(m); }

static void make_nest_left_early(maker *m) {
  add_nest(m);
  for (lin_block block = 1; block + 2 < m->count; block++)
    add(m, block, m->count - 1);
}

// Edges from outside into the middle of the deepest loops: all of them are irreducible.
static void make_nest_entered_late(maker *m) {
  lin_block inside = m->count / 2, outside = m->count - m->count / 4;
  for (lin_block header = 1; header < inside / 2; header++)
    add(m, inside - 1 - header, header);
  for (lin_block block = 0; block + 1 < inside; block++)
    add(m, block, block + 1);
  add(m, 0, inside);
  for (lin_block block = inside; block + 1 < m->count; block++) {
    add(m, block, block + 1);
    if (block < outside)
      add(m, block, inside / 2);
  }
}

static void make_shared_header(maker *m) {
  add_chain(m);
  for (lin_block block = 2; block + 1 < m->count; block++)
    add(m, block, 1);
}

// Two rails with rungs both ways: one irreducible loop within the other.
static void make_ladder(maker *m) {
  add(m, 0, 1);
  add(m, 0, 2);
  for (lin_block block = 1; block + 2 < m->count; block++) {
    add(m, block, block + 2);
    add(m, block, block % 2 == 1 ? block + 1 : block - 1);
  }
}

static void make_back_and_forth(maker *m) {
  add_chain(m);
  for (lin_block block = 2; block + 1 < m->count; block++)
    add(m, block, block - 1);
}

static void make_switch(maker *m) {
  for (lin_block block = 1; block + 1 < m->count; block++) {
    add(m, 0, block);
    add(m, block, block % 3 == 0 ? block + 1 : m->count - 1);
  }
}

// Every block spins, each in a loop of its own that cannot be left.
static void make_spins(maker *m) {
  for (lin_block block = 1; block < m->count; block++) {
    add(m, 0, block);
    add(m, block, block);
  }
}

static void make_spinning_nest(maker *m) {
  add_nest(m);
  add(m, m->count - 1, 1);
}

static void make_random(maker *m) {
  uint64_t state = 1;
  add_chain(m);
  for (uint32_t i = 0; i < m->count; i++) {
    lin_block from = random_below(&state, m->count - 1);
    add(m, from, 1 + random_below(&state, m->count - 1));
  }
}

static const struct {
  const char *name;
  void (*make)(maker *m);
} shapes[] = {
    {"chain", make_chain},
    {"diamonds", make_diamonds},
    {"short circuit", make_short_circuit},
    {"nest", make_nest},
    {"nest left early", make_nest_left_early},
    {"nest entered late", make_nest_entered_late},
    {"shared header", make_shared_header},
    {"ladder", make_ladder},
    {"back and forth", make_back_and_forth},
    {"switch", make_switch},
    {"spins", make_spins},
    {"spinning nest", make_spinning_nest},
    {"random", make_random},
};
enum { NUM_SHAPES = sizeof shapes / sizeof shapes[0] };

static lin_graph *finish(maker *m) {
  lin_graph *graph = lin_graph_new(m->arena, m->count, m->num_edges);
  for (uint32_t i = 0; i < m->num_edges; i++)
    graph->first_edge[m->from[i] + 1]++;
  for (lin_block block = 0; block < m->count; block++) {
    char name[16];
    int length = snprintf(name, sizeof name, "B%u", (unsigned)block);
    graph->name[block] = lin_arena_text(m->arena, name, (size_t)length);
    if (graph->first_edge[block + 1] == 0)
      graph->flags[block] = LIN_RETURN;
    graph->first_edge[block + 1] += graph->first_edge[block];
  }
  uint32_t *used = LIN_ARRAY(m->arena, uint32_t, m->count);
  for (uint32_t i = 0; i < m->num_edges; i++)
    graph->destination[graph->first_edge[m->from[i]] + used[m->from[i]]++] = m->to[i];
  lin_graph_finish(m->arena, graph);
  lin_block block;
  const char *wrong = lin_graph_check(graph, &block);
  if (wrong != NULL) {
    fprintf(stderr, "block %u: %s\n", (unsigned)block, wrong);
    exit(1);
  }
  return graph;
}

// Nanoseconds a block since the last call.
static double lap(clock_t *last, uint32_t count) {
  clock_t now = clock();
  double time = 1e9 * (double)(now - *last) / CLOCKS_PER_SEC / count;
  *last = clock();
  return time;
}

static double time_text(lin_arena *arena, const lin_graph *graph) {
  FILE *file = tmpfile();
  if (file == NULL)
    exit(2);
  clock_t last = clock();
  lin_dot_print(file, graph, NULL);
  rewind(file);
  lin_text_print(file, graph);
  size_t length = (size_t)ftell(file);
  rewind(file);
  char *text = lin_arena_bytes(arena, length);
  lin_text_error error;
  if (fread(text, 1, length, file) != length || lin_text_parse(arena, text, length, &error) == NULL)
    exit(1);
  fclose(file);
  return lap(&last, graph->num_blocks);
}

static void time_shape(uint32_t shape, uint32_t count) {
  lin_arena arena = {NULL, 0};
  maker m = {.arena = &arena, .count = count};
  m.from = LIN_ARRAY(&arena, lin_block, 4 * (size_t)count);
  m.to = LIN_ARRAY(&arena, lin_block, 4 * (size_t)count);
  shapes[shape].make(&m);
  const lin_graph *graph = finish(&m);
  clock_t last = clock();
  lin_dominators_build(&arena, graph, 0);
  double dominators = lap(&last, count);
  lin_postdominators_build(&arena, graph);
  double postdominators = lap(&last, count);
  lin_loops *loops = lin_loops_build(&arena, graph);
  double loop = lap(&last, count);
  lin_order_build(&arena, graph);
  double order = lap(&last, count);
  printf("%-18s %7u %7u %10.0f %10.0f %10.0f %10.0f %10.0f\n", shapes[shape].name, (unsigned)count,
         (unsigned)loops->num_loops, dominators, postdominators, loop, order,
         time_text(&arena, graph));
  fflush(stdout);
  lin_arena_release(&arena);
}

int main(int argc, char **argv) {
  uint32_t max_blocks = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100000;
  printf("%-18s %7s %7s %10s %10s %10s %10s %10s\n", "nanoseconds a block", "blocks", "loops",
         "dominators", "post-dom.", "loops", "order", "text+dot");
  for (uint32_t shape = 0; shape < NUM_SHAPES; shape++)
    for (uint32_t count = 1000; count <= max_blocks; count *= 10)
      time_shape(shape, count);
  return 0;
}
