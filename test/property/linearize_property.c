// Graphs through the whole pipeline, every property checked (properties.h):
//
//     linearize_property [first_seed] [count] [max_blocks] [min_blocks] [one_mode]
//     linearize_property --graph FILE [--mode MODE] [--level N] [--seed N]
//
// The first form looks at random graphs, each in every mode, or if one_mode is 1 in one that the
// seed chooses. The second looks at the graph in FILE, of which each mode
// and level that isn't given is tried, with some seeds; FILE is a .cfg, or bytes that libFuzzer
// found.
//
// A failure is printed as a .cfg whose comments say what is violated and how to see it again,
// shrunk as far as the same check still fails. The last line says `N passed, M failed`.
#define _DEFAULT_SOURCE

#include "byte_graph.h"
#include "graph/sorted.h"
#include "graph/text.h"
#include "properties.h"
#include "random_graph.h"
#include "shrink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  MOST_SECONDS = 300, // for one graph
  MOST_REPORTS = 12,  // that are shrunk
  MOST_SEEDS = 8,     // of a graph in a file
};

static void die(const char *what, const char *why) {
  fprintf(stderr, "linearize_property: %s: %s\n", what, why);
  exit(2);
}

// ---- one graph in a process of its own

// What the process leaves behind.
typedef struct outcome {
  property_stats stats; // of all processes
  char wrong[512];      // empty: nothing
} outcome;

static outcome *shared;

// Returns the first violation of `graph`, until the next call, or NULL. A crash, a failed
// assertion, a sanitizer's report and a run without an end are violations too, so that they can be
// shrunk.
static const char *violation(const lin_graph *graph, const property_case *test, bool quiet) {
  shared->wrong[0] = '\0';
  fflush(stdout);
  pid_t child = fork();
  if (child < 0)
    die("fork", strerror(errno));
  if (child == 0) {
    lin_arena arena = {0};
    if (quiet)
      dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    alarm(MOST_SECONDS);
    const char *wrong = property_violation(&arena, graph, test, &shared->stats);
    if (wrong != NULL)
      snprintf(shared->wrong, sizeof shared->wrong, "%s", wrong);
    lin_arena_release(&arena);
    exit(0); // not _exit: coverage is written at the end
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    snprintf(shared->wrong, sizeof shared->wrong, "crash: %s", strsignal(WTERMSIG(status)));
  else if (WEXITSTATUS(status) != 0)
    snprintf(shared->wrong, sizeof shared->wrong, "sanitizer: a report on stderr");
  return shared->wrong[0] == '\0' ? NULL : shared->wrong;
}

// ---- reports

typedef struct failure {
  property_case test;
  char wrong[sizeof((outcome *)NULL)->wrong];
} failure;

// What a seed draws hangs on the graph too, so that a smaller graph may need another one.
static bool still_fails(void *context, const lin_graph *graph) {
  failure *f = context;
  property_case test = f->test;
  uint32_t num_seeds = graph->num_blocks < 200 ? MOST_SEEDS : 0;
  for (uint64_t seed = 0; seed <= num_seeds; seed++) {
    const char *wrong = violation(graph, &test, true);
    if (wrong != NULL && property_same_check(f->wrong, wrong)) {
      f->test = test;
      return true;
    }
    test.seed = seed;
  }
  return false;
}

static void print_case(const property_case *test, const char *wrong) {
  printf("# mode %s, level %d, seed %llu: %s\n", property_mode_name[test->mode], test->level,
         (unsigned long long)test->seed, wrong);
}

// The last line about the case is the one of the graph printed.
static void report(const lin_graph *graph, const failure *found) {
  static uint32_t num_reports;
  print_case(&found->test, found->wrong);
  if (num_reports++ >= MOST_REPORTS)
    return;
  lin_arena arena = {0};
  failure f = *found;
  const lin_graph *small = shrink(&arena, graph, still_fails, &f);
  const char *wrong = small == NULL ? NULL : violation(small, &f.test, true);
  printf("# shrunk from %u blocks to %u:\n", graph->num_blocks,
         wrong == NULL ? graph->num_blocks : small->num_blocks);
  print_case(&f.test, wrong == NULL ? f.wrong : wrong);
  lin_text_print(stdout, wrong == NULL ? graph : small);
  fflush(stdout);
  lin_arena_release(&arena);
}

typedef struct totals {
  uint64_t passed, failed;
} totals;

static bool test_graph(const lin_graph *graph, const property_case *test, totals *t) {
  const char *wrong = violation(graph, test, false);
  t->passed += wrong == NULL;
  t->failed += wrong != NULL;
  if (wrong == NULL)
    return true;
  failure f = {.test = *test};
  snprintf(f.wrong, sizeof f.wrong, "%s", wrong);
  report(graph, &f);
  return false;
}

// ---- random graphs

// Small graphs are many, large ones few.
static uint32_t blocks_for(uint64_t seed, uint32_t min_blocks, uint32_t max_blocks) {
  uint64_t state = seed ^ 0x5deece66d;
  uint32_t blocks = 1u << (5 + random_below(&state, 3));
  if (random_chance(&state, 4) || blocks < min_blocks)
    blocks = max_blocks;
  return blocks < max_blocks ? blocks : max_blocks;
}

// Returns how many blocks the seed's graph has.
static uint32_t test_seed(uint64_t seed, uint32_t min_blocks, uint32_t max_blocks, bool one_mode,
                          totals *t) {
  lin_arena arena = {0};
  lin_graph *graph =
      random_graph(&arena, seed, min_blocks, blocks_for(seed, min_blocks, max_blocks));
  if (seed % 8 != 0) // mostly without refusals, so that everything must be structured
    for (lin_block block = 0; block < graph->num_blocks; block++)
      graph->flags[block] &= ~(uint32_t)LIN_REFUSED;
  property_case test = {.level = (int)(seed % PROPERTY_LEVELS), .seed = seed};
  for (test.mode = 0; test.mode < PROPERTY_MODES; test.mode++)
    if (!one_mode || test.mode == seed / PROPERTY_LEVELS % PROPERTY_MODES)
      test_graph(graph, &test, t);
  lin_arena_release(&arena);
  return shared->stats.num_blocks;
}

static void test_seeds(uint64_t first, uint64_t count, uint32_t min_blocks, uint32_t max_blocks,
                       bool one_mode, totals *t) {
  lin_arena arena = {0};
  uint32_t *blocks = LIN_ARRAY(&arena, uint32_t, count);
  uint64_t large = 0;
  for (uint64_t i = 0; i < count; i++) {
    blocks[i] = test_seed(first + i, min_blocks, max_blocks, one_mode, t);
    large += blocks[i] > 500;
  }
  qsort(blocks, count, sizeof *blocks, lin_rising);
  const lin_region_sizes *sizes = &shared->stats.sizes;
  printf("%u of %u regions larger than minimal, %u of %u seeds in a larger region than theirs\n",
         sizes->larger, sizes->regions, sizes->loose, sizes->seeds);
  printf("%llu graphs, of a median of %u reachable blocks, %llu with more than 500\n",
         (unsigned long long)count, count == 0 ? 0 : blocks[count / 2], (unsigned long long)large);
  lin_arena_release(&arena);
}

// ---- a graph in a file

static lin_graph *read_graph(lin_arena *arena, const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    die(path, strerror(errno));
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&text, &length);
  for (int c; memory != NULL && (c = fgetc(file)) != EOF;)
    fputc(c, memory);
  fclose(file);
  if (memory == NULL || fclose(memory) != 0)
    die(path, strerror(errno));
  size_t stem = strlen(path) < 4 ? 0 : strlen(path) - 4;
  lin_text_error error = {.message = "empty"};
  lin_graph *graph = NULL;
  if (strcmp(path + stem, ".cfg") == 0)
    graph = lin_text_parse(arena, text, length, &error);
  else if (length > 0)
    graph = byte_graph(arena, (const uint8_t *)text, length);
  if (graph == NULL)
    die(path, error.message);
  free(text);
  return graph;
}

// A case of which some may be given; what isn't is tried.
typedef struct request {
  bool mode, level, seed; // given
  property_case test;
} request;

// Stops at the first case that fails.
static void test_file(const char *path, const request *given, totals *t) {
  lin_arena arena = {0};
  const lin_graph *graph = read_graph(&arena, path);
  property_case test = given->test;
  bool passes = true;
  for (uint32_t mode = 0; mode < PROPERTY_MODES; mode++)
    for (int level = 0; level < PROPERTY_LEVELS; level++)
      for (uint64_t seed = 0; seed < MOST_SEEDS && passes; seed++) {
        if ((given->mode && mode > 0) || (given->level && level > 0) || (given->seed && seed > 0))
          continue;
        test.mode = given->mode ? given->test.mode : mode;
        test.level = given->level ? given->test.level : level;
        test.seed = given->seed ? given->test.seed : seed;
        passes = test_graph(graph, &test, t);
      }
  lin_arena_release(&arena);
}

static uint64_t number(const char *text) {
  char *end;
  uint64_t value = strtoull(text, &end, 10);
  if (*text == '\0' || *end != '\0')
    die(text, "not a number");
  return value;
}

static uint32_t mode_of(const char *name) {
  for (uint32_t mode = 0; mode < PROPERTY_MODES; mode++)
    if (strcmp(name, property_mode_name[mode]) == 0)
      return mode;
  die(name, "no such mode");
  return 0;
}

static void test_arguments(int argc, char **argv, totals *t) {
  request given = {0};
  for (int i = 3; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--mode") == 0)
      given.test.mode = mode_of(argv[i + 1]), given.mode = true;
    else if (strcmp(argv[i], "--level") == 0)
      given.test.level = (int)(number(argv[i + 1]) % PROPERTY_LEVELS), given.level = true;
    else if (strcmp(argv[i], "--seed") == 0)
      given.test.seed = number(argv[i + 1]), given.seed = true;
    else
      die(argv[i], "not an option");
  }
  if (argc < 3 || argc % 2 == 0)
    die("usage", "--graph FILE [--mode MODE] [--level N] [--seed N]");
  test_file(argv[2], &given, t);
}

int main(int argc, char **argv) {
  totals t = {0};
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    die("mmap", strerror(errno));
  if (argc > 1 && strcmp(argv[1], "--graph") == 0)
    test_arguments(argc, argv, &t);
  else
    test_seeds(argc > 1 ? number(argv[1]) : 0, argc > 2 ? number(argv[2]) : 500,
               argc > 4 ? (uint32_t)number(argv[4]) : 1,
               argc > 3 ? (uint32_t)number(argv[3]) : 2000, argc > 5 && number(argv[5]) == 1, &t);
  printf("%s%llu passed, %llu failed\n", argc > 1 && argv[1][0] == '-' ? "# " : "",
         (unsigned long long)t.passed, (unsigned long long)t.failed);
  return t.failed != 0;
}
