// pseudo_property [first_seed] [count] [max_blocks]
//
// Random functions are written as pseudo-code, before and after linearize, and the text is read
// again and followed: each edge before, and random walks after, must come to the block that the
// graph says. A function that fails is printed as .cfg, with its text and seed; the last line is
// `N passed, M failed`.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "graph/text.h"
#include "pseudo.h"
#include "random_graph.h"
#include "text_program.h"

#include <stdlib.h>
#include <string.h>

enum { WALKS = 20, STEPS = 100 };

typedef struct test {
  lin_arena arena;
  const lin_graph *graph;
  const uint32_t *rank; // of blocks, in the order of regions
  const text_program *program;
  uint64_t state; // of random choices
  const char *wrong;
  uint32_t at, and_at;
} test;

static void require(test *t, bool condition, const char *what, uint32_t at, uint32_t and_at) {
  if (condition || t->wrong != NULL)
    return;
  t->wrong = what;
  t->at = at;
  t->and_at = and_at;
}

// What comes after edge `position` of `block`, or after a block without edges.
static uint32_t wanted_after(const lin_graph *graph, lin_block block, uint32_t position) {
  if (lin_out_degree(graph, block) > 0)
    return graph->destination[graph->first_edge[block] + position];
  return (graph->flags[block] & LIN_RETURN) != 0 ? TEXT_RETURN : TEXT_TRAP;
}

static void check_blocks(test *t) {
  lin_order *order = lin_order_build(&t->arena, t->graph);
  for (lin_block block = 0; block < t->graph->num_blocks; block++)
    require(t, t->program->times[block] == (order->number[block] != LIN_NONE),
            "a block doesn't stand in the text once", block, t->program->times[block]);
}

// Each edge by itself.
static void check_edges(test *t) {
  for (lin_block block = 0; block < t->graph->num_blocks; block++)
    for (uint32_t i = 0; t->program->times[block] > 0 && t->wrong == NULL &&
                         (i == 0 || i < lin_out_degree(t->graph, block));
         i++) {
      text_state state = text_state_behind(t->program, block);
      require(t, text_step(t->program, &state, i) == wanted_after(t->graph, block, i),
              "an edge leads elsewhere", block, i);
    }
}

static void check_walk(test *t) {
  text_state state = text_state_start();
  uint32_t at = text_step(t->program, &state, 0);
  require(t, at == 0, "the text doesn't begin with the entry", at, 0);
  for (uint32_t step = 0; step < STEPS && at < t->graph->num_blocks && t->wrong == NULL; step++) {
    uint32_t degree = lin_out_degree(t->graph, at);
    uint32_t position = degree == 0 ? 0 : random_below(&t->state, degree);
    uint32_t next = text_step(t->program, &state, position);
    require(t, next == wanted_after(t->graph, at, position), "a walk leads elsewhere", at,
            position);
    at = next;
  }
}

// The text has a part before and one after, each behind a line that begins with the title.
static void check_part(test *t, const char *text, bool is_before, bool is_structured) {
  const char *wrong = NULL;
  t->program = text_program_read(&t->arena, t->graph, t->rank, text, &wrong);
  require(t, wrong == NULL, wrong, 0, 0);
  if (t->wrong != NULL)
    return;
  check_blocks(t);
  if (is_before) {
    check_edges(t);
    require(t, !text_has_unused(t->program), "a jump that no edge takes", 0, 0);
  }
  for (uint32_t walk = 0; walk < WALKS && t->wrong == NULL; walk++)
    check_walk(t);
  require(t, !is_structured || t->program->num_gotos == 0, "a goto in structured code", 0, 0);
}

// What mode all makes has no gotos, but for traps and endless loops, where a way there may come
// from anywhere, and switches, whose ways may come together two by two.
static bool is_plain(const tool_work *work, const lin_options *options) {
  const lin_analysis *a = work->result.shape.analysis;
  bool plain = options->policy.mode == LIN_MODE_ALL && work->result.refusals.count == 0;
  for (lin_block block = 0; block < a->graph->num_blocks; block++)
    plain &= a->postdominators->fate[block] == LIN_RETURNS && lin_out_degree(a->graph, block) <= 2;
  return plain;
}

static void check_text(test *t, const char *text, bool plain) {
  const char *after = strstr(text, "\n\nf, after:");
  require(t, after != NULL, "there is no text of what comes after", 0, 0);
  if (after == NULL)
    return;
  bool is_same = strstr(after, "after: as before") != NULL;
  char *before = lin_arena_text(&t->arena, text, (size_t)(after + 1 - text));
  check_part(t, before, true, false);
  if (!is_same)
    check_part(t, after + 2, false, plain);
}

static lin_options options_of(uint64_t seed) {
  lin_mode modes[] = {LIN_MODE_PAPER,     LIN_MODE_ALL,         LIN_MODE_NEEDED,
                      LIN_MODE_PAPER,     LIN_MODE_MERGE_LOOPS, LIN_MODE_LIMIT_DEPTH,
                      LIN_MODE_INTERLEAVE};
  lin_options options = {
      .policy = {.mode = modes[seed / 2 % 7], .most_nested = 1, .regardless = true},
      .level = (int)(seed / 14 % 5)};
  return options;
}

static char *print(tool_work *work, const lin_options *options) {
  lin_status status = lin_linearize(work->arena, work->function->graph, options, &work->result);
  if (!lin_ok(status))
    return NULL;
  char *text;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  if (file == NULL)
    abort();
  tool_print_pseudo(file, work, (tool_terminal){0});
  fclose(file);
  return text;
}

static void name(lin_arena *arena, lin_graph *graph) {
  graph->title = "f";
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    char text[16];
    int length = snprintf(text, sizeof text, "B%u", block);
    graph->name[block] = lin_arena_text(arena, text, (size_t)length);
  }
}

static bool check(uint64_t seed, uint32_t max_blocks) {
  test t = {.state = seed};
  lin_options options = options_of(seed);
  lin_graph *graph = options.policy.mode == LIN_MODE_INTERLEAVE
                         ? random_two_sided(&t.arena, seed)
                         : random_graph(&t.arena, seed, 1, max_blocks);
  name(&t.arena, graph);
  t.graph = graph;
  tool_function function = {.graph = graph, .refused_at = LIN_NONE};
  tool_work work = {.arena = &t.arena, .function = &function};
  char *text = print(&work, &options);
  require(&t, text != NULL, "the graph is refused", 0, 0);
  t.rank = work.result.shape.order->number;
  if (text != NULL)
    check_text(&t, text, is_plain(&work, &options));
  bool passed = t.wrong == NULL;
  if (!passed) {
    printf("# seed %llu (%s), mode %d, level %d: %s: %u, %u\n", (unsigned long long)seed,
           random_graph_kind(seed), (int)options.policy.mode, options.level, t.wrong, t.at,
           t.and_at);
    lin_text_print(stdout, graph);
    fputs(text == NULL ? "" : text, stdout);
  }
  free(text);
  lin_arena_release(&t.arena);
  return passed;
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 2000;
  uint32_t max_blocks = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 0) : 40;
  uint64_t failed = 0;
  for (uint64_t seed = first; seed < first + count; seed++)
    failed += !check(seed, max_blocks);
  printf("%llu passed, %llu failed\n", (unsigned long long)(count - failed),
         (unsigned long long)failed);
  return failed > 0;
}
