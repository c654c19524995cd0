// lib/counts on the examples of its headers: which edges are counted, where, and what follows.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "counts/decode.h"
#include "expect.h"
#include "graph/text.h"

#include <stdlib.h>

static lin_graph *parse(lin_arena *arena, const char *text) {
  lin_text_error error;
  lin_graph *graph = lin_text_parse(arena, text, strlen(text), &error);
  EXPECT(graph != NULL);
  return graph;
}

static lin_edge edge_of(const lin_graph *graph, const char *from, const char *to) {
  for (lin_edge e = 0; e < graph->num_edges; e++)
    if (strcmp(graph->name[graph->source[e]], from) == 0 &&
        strcmp(graph->name[graph->destination[e]], to) == 0)
      return e;
  EXPECT(false);
  return 0;
}

// A-B is rarer than what is in the loop, so it is counted before those would be.
static void test_example(void) {
  lin_arena arena = {0};
  const lin_graph *g = parse(&arena, "function f\nA: B C\nB: B C\nC: return\n");
  lin_counters *c = lin_counters_choose(&arena, g, NULL);
  EXPECT(c->count == 3);
  EXPECT(c->of_edge[edge_of(g, "B", "B")] != LIN_NONE); // no tree has it
  EXPECT(c->of_edge[edge_of(g, "B", "C")] == LIN_NONE); // the dearest
  EXPECT(lin_count_place_of(g, edge_of(g, "B", "C")) == LIN_COUNT_IF_TAKEN);
  EXPECT(lin_count_place_of(g, edge_of(g, "A", "C")) == LIN_COUNT_IF_TAKEN);

  // All threads go around B eight times, two threads behind each other: a stride of 2.
  uint32_t counters[6] = {0};
  uint64_t entries[3];
  for (lin_edge e = 0; e < g->num_edges; e++)
    if (c->of_edge[e] != LIN_NONE)
      counters[2 * c->of_edge[e] + 1] = e == edge_of(g, "B", "B") ? 7 : e == edge_of(g, "A", "B");
  if (c->of_exit[2] != LIN_NONE)
    counters[2 * c->of_exit[2] + 1] = 1;
  lin_count_solver *solver = lin_count_solver_new(&arena, g, c);
  EXPECT(solver != NULL);
  lin_count_solve(solver, counters + 1, 2, entries);
  EXPECT(entries[0] == 1 && entries[1] == 8 && entries[2] == 1);
  lin_count_solve(solver, counters, 2, entries);
  EXPECT(entries[0] == 0 && entries[1] == 0 && entries[2] == 0);
  lin_arena_release(&arena);
}

static void test_places(void) {
  lin_arena arena = {0};
  const lin_graph *g = parse(&arena, "function f\nA: B C\nB: D\nC: B D\nD: return\n");
  EXPECT(lin_count_place_of(g, edge_of(g, "B", "D")) == LIN_COUNT_AT_SOURCE);
  EXPECT(lin_count_place_of(g, edge_of(g, "A", "C")) == LIN_COUNT_AT_DESTINATION);
  EXPECT(lin_count_place_of(g, edge_of(g, "C", "B")) == LIN_COUNT_IF_TAKEN);
  lin_arena_release(&arena);
}

// Weights decide what is dear; and an edge of which it is dear to say whether it is taken is not
// counted if another one can be.
static void test_weights(void) {
  lin_arena arena = {0};
  static const char *const texts[] = {"function f\nA: B * 9 C\nB: D\nC: D\nD: return\n",
                                      "function f\nA: B C * 9\nB: D\nC: D\nD: return\n"};
  for (int i = 0; i < 2; i++) {
    const lin_graph *g = parse(&arena, texts[i]);
    lin_counters *c = lin_counters_choose(&arena, g, NULL);
    EXPECT(c->count == 2);
    const char *rare = i == 0 ? "C" : "B", *often = i == 0 ? "B" : "C";
    EXPECT(c->of_edge[edge_of(g, "A", often)] == LIN_NONE);
    EXPECT(c->of_edge[edge_of(g, often, "D")] == LIN_NONE);
    EXPECT((c->of_edge[edge_of(g, "A", rare)] == LIN_NONE) +
               (c->of_edge[edge_of(g, rare, "D")] == LIN_NONE) ==
           1);
  }
  const lin_graph *g = parse(&arena, "function f\nA: B C\nB: D C\nC: D B\nD: return\n");
  for (lin_edge dear = 0; dear < g->num_edges; dear++) {
    bool is_dear[6] = {0};
    is_dear[dear] = true;
    lin_counters *c = lin_counters_choose(&arena, g, is_dear);
    EXPECT(c->of_edge[dear] == LIN_NONE);
  }
  lin_arena_release(&arena);
}

// Who traps is not counted; counters that are too few are refused.
static void test_traps(void) {
  lin_arena arena = {0};
  const lin_graph *g = parse(&arena, "function f\nA: B T\nB: return\nT: trap\n");
  lin_counters *c = lin_counters_choose(&arena, g, NULL);
  EXPECT(c->count == 1);
  EXPECT(c->of_exit[2] == LIN_NONE);
  for (lin_edge e = 0; e < g->num_edges; e++)
    c->of_edge[e] = LIN_NONE;
  c->of_exit[1] = LIN_NONE;
  EXPECT(lin_count_solver_new(&arena, g, c) == NULL);
  lin_arena_release(&arena);
}

// The text of a kernel that calls a function of which each block is counted, as the header has it.
static const char description[] = "linearize blocks 1\n"
                                  "5d3c1b0a49e7f268\n"
                                  "3 2\n"
                                  "3 walk\n"
                                  "entry\t20\twalk.cu:3\t1 2=0\n"
                                  "loop\t85\twalk.cu:5\t1=1 2\n"
                                  "exit\t4\t\tr\n"
                                  "1 f\n"
                                  "entry\t9\t\t#2 r\n";

static lin_count_description *read_text(lin_arena *arena, const char *text) {
  return lin_count_parse(arena, text, strlen(text));
}

// Counters by slots: threads of one thread block of four, then nothing of the second one, which
// isn't counted. The third thread never wrote, and the fourth has no slot.
static void test_decode(void) {
  lin_arena arena = {0};
  lin_memory memory = {0};
  // No edge of the kernel follows from two counters: it takes three.
  EXPECT(read_text(&arena, description) == NULL);
  char *text = lin_arena_bytes(&arena, sizeof description + 16);
  memcpy(text, description, sizeof description);
  sprintf(strstr(text, "\t\tr\n"), "\t\tr=3\n1 f\nentry\t9\t\t#2 r\n");
  *strstr(text, "3 2") = '4';
  lin_count_description *d = read_text(&arena, text);
  if (!EXPECT(d != NULL))
    return;
  EXPECT(d->num_blocks == 4 && d->num_functions == 2 && d->num_counters == 4);
  EXPECT_TEXT(d->function[1].graph->title, "f");

  static const uint32_t counters[] = {0, 1, 0, /**/ 7, 0, 0, /**/ 5, 6, 0, /**/ 1, 1, 0};
  lin_counts_launch l = {
      .kernel = "walk", .times = 1, .grid = {2, 1, 1}, .block = {4, 1, 1}, .sample = 2, .gpu = ""};
  EXPECT(lin_count_slots(&l) == 4);
  EXPECT(lin_count_decode(&arena, &memory, d, counters, 3, NULL, &l));
  EXPECT(l.num_vectors == 2 && l.num_runs == 3 && l.hash == UINT64_C(0x5d3c1b0a49e7f268));
  EXPECT(l.run[2].vector == LIN_COUNTS_UNKNOWN && l.run[2].num_threads == 6);
  static const uint64_t expected[] = {1, 8, 1, 5, 1, 0, 1, 6};
  EXPECT(memcmp(l.vector, expected, sizeof expected) == 0);
  EXPECT(l.blocks[1].latency == 85);
  EXPECT_TEXT(l.blocks[1].source, "walk.cu:5");

  // What is written of it is read as the same; cut off anywhere it is refused, or shorter.
  char *again = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&again, &length);
  lin_count_write(file, d);
  fclose(file);
  EXPECT_TEXT(again, text);
  for (size_t i = 0; i < length; i++)
    EXPECT(lin_count_parse(&arena, again, i) == NULL);
  // Damaged anywhere it does no harm; sanitizers look.
  for (size_t i = 0; i < length; i++) {
    const char kept = again[i];
    for (const char *other = "0 \n\tr=#9x"; *other != '\0'; other++) {
      again[i] = *other;
      (void)lin_count_parse(&arena, again, length);
    }
    again[i] = kept;
  }
  free(again);
  lin_memory_release(&memory);
  lin_arena_release(&arena);
}

int main(void) {
  test_example();
  test_places();
  test_weights();
  test_traps();
  test_decode();
  return expect_end();
}
