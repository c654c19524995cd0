// Random graphs through the whole pipeline, every property checked, in the modes paper, irreducible
// and all:
//
//     linearize_property [first_seed] [count] [max_blocks]
//
// A failure is printed with its seed, its mode, what is violated and the graph, shrunk as far as
// the same check still fails: edges and blocks are taken out one by one. The last line says `N
// passed, M failed`.
#define _POSIX_C_SOURCE 200809L

#include "graph/text.h"
#include "linearize/check.h"
#include "linearize/check_facts.h"
#include "linearize/guards.h"
#include "random_graph.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lin_mode modes[] = {LIN_MODE_PAPER, LIN_MODE_IRREDUCIBLE, LIN_MODE_ALL};
static const char *const mode_names[] = {"paper", "irreducible", "all"};
enum { NUM_MODES = sizeof modes / sizeof modes[0], NUM_LEVELS = 5 };

static lin_region_sizes sizes;

// Optimising guards never makes more of them, more blocks or more phis. A graph has no other
// values.
static const char *check_levels(lin_arena *arena, const lin_graph *graph, lin_options options) {
  uint32_t guards[2], blocks[2], phis[2];
  for (int i = 0; i < 2; i++) {
    lin_result result;
    options.level = i == 0 ? 0 : NUM_LEVELS - 1;
    lin_linearize(arena, graph, &options, &result);
    guards[i] = result.flow->num_guards;
    blocks[i] = result.flow->graph->num_blocks;
    phis[i] = lin_guard_phis_build(arena, result.flow)->total;
  }
  if (guards[1] <= guards[0] && blocks[1] <= blocks[0] && phis[1] <= phis[0])
    return NULL;
  return lin_check_describe(arena,
                            "levels: O0 has %u guards, %u blocks and %u phis, O4 has %u, %u and %u",
                            guards[0], blocks[0], phis[0], guards[1], blocks[1], phis[1]);
}

// Returns the first violation of `graph` in a mode, or NULL.
static const char *find_violation(lin_arena *arena, const lin_graph *graph, lin_mode mode,
                                  uint64_t seed) {
  lin_options options = {.policy = {.mode = mode}, .level = (int)(seed % NUM_LEVELS)};
  lin_result result;
  lin_block block;
  if (lin_graph_check(graph, &block) != NULL)
    return NULL; // shrunk too far
  lin_status status = lin_linearize(arena, graph, &options, &result);
  if (!lin_ok(status))
    return "pipeline: the graph is refused";
  const char *wrong = NULL;
#define CHECK(call)                                                                                \
  do {                                                                                             \
    wrong = (call);                                                                                \
    if (wrong != NULL)                                                                             \
      return wrong;                                                                                \
  } while (0)
  CHECK(lin_check_order(arena, result.united, result.order));
  CHECK(lin_check_analysis(arena, result.analysis));
  if (mode != LIN_MODE_ALL)
    CHECK(lin_check_regions(arena, result.analysis,
                            lin_regions_build(arena, result.analysis, result.seed), result.seed,
                            &sizes));
  if (result.flow == NULL)
    return NULL;
  if (mode != LIN_MODE_ALL)
    CHECK(lin_check_leaves(arena, result.plan, result.seed));
  CHECK(lin_check_blocks(arena, result.flow));
  CHECK(lin_check_edges(arena, result.flow));
  CHECK(lin_check_traces(arena, graph, &result, seed, 4));
  CHECK(lin_check_values(arena, result.flow, seed));
  CHECK(lin_check_structure(arena, result.flow, mode));
  CHECK(lin_check_size(arena, result.flow));
  CHECK(check_levels(arena, graph, options));
  uint32_t warps = graph->num_blocks < 200 ? 3 : 1;
  for (uint32_t warp = 0; warp < warps; warp++)
    CHECK(lin_check_warp(arena, result.flow, mode, seed + warp, graph->num_blocks / 2 + 40));
  if (mode == LIN_MODE_ALL)
    options.policy.mode = LIN_MODE_PAPER;
  if (mode != LIN_MODE_IRREDUCIBLE || result.refusals.count == 0)
    CHECK(lin_check_again(arena, result.flow, &options));
#undef CHECK
  return NULL;
}

static sigjmp_buf before_crash;

static void on_crash(int signal) { siglongjmp(before_crash, signal); }

// The same, and a crash or a failed assertion is a violation too, so that its graph can be shrunk.
static const char *violation(lin_arena *arena, const lin_graph *graph, lin_mode mode,
                             uint64_t seed) {
#ifndef LIN_FUZZER
  int signal = sigsetjmp(before_crash, 1);
  if (signal != 0)
    return signal == SIGABRT ? "crash: abort" : "crash: segmentation fault";
#endif
  return find_violation(arena, graph, mode, seed);
}

// ---- shrinking

// `graph` without the edges of dropped[], with every edge into `bypassed` led on to where that
// block's first edge goes, and without unreachable blocks; a block that loses its last edge
// returns.
static lin_graph *reduce(lin_arena *arena, const lin_graph *graph, const bool *dropped,
                         lin_block bypassed) {
  uint32_t n = graph->num_blocks;
  lin_block *stack = LIN_ARRAY(arena, lin_block, n);
  lin_block *number = LIN_ARRAY(arena, lin_block, n);
  bool *seen = LIN_ARRAY(arena, bool, n);
  uint32_t top = 0, count = 0, num_edges = 0;
#define TARGET(edge)                                                                               \
  (graph->destination[edge] == bypassed ? graph->destination[graph->first_edge[bypassed]]          \
                                        : graph->destination[edge])
  seen[0] = true;
  for (stack[top++] = 0; top > 0;) {
    lin_block block = stack[--top];
    for (LIN_OUT_EDGES(graph, block, edge)) {
      if (dropped[edge])
        continue;
      if (!seen[TARGET(edge)])
        stack[top++] = TARGET(edge);
      seen[TARGET(edge)] = true;
    }
  }
  for (lin_block block = 0; block < n; block++) {
    number[block] = count;
    count += seen[block];
    for (LIN_OUT_EDGES(graph, block, edge))
      num_edges += seen[block] && !dropped[edge];
  }
  lin_graph *result = lin_graph_new(arena, count, num_edges);
  result->title = graph->title;
  lin_edge next = 0;
  for (lin_block block = 0; block < n; block++) {
    if (!seen[block])
      continue;
    lin_block at = number[block];
    result->first_edge[at] = next;
    result->flags[at] = graph->flags[block];
    result->name[at] = graph->name[block];
    result->reason[at] = graph->reason[block];
    for (LIN_OUT_EDGES(graph, block, edge))
      if (!dropped[edge])
        result->destination[next++] = number[TARGET(edge)];
    if (next == result->first_edge[at] && (result->flags[at] & LIN_TRAP) == 0)
      result->flags[at] |= LIN_RETURN;
  }
#undef TARGET
  result->first_edge[count] = next;
  lin_graph_finish(arena, result);
  return result;
}

// True if two violations are of the same check: equal up to the colon.
static bool same_check(const char *a, const char *b) {
  return b != NULL && strncmp(a, b, strcspn(a, ":") + 1) == 0;
}

typedef struct shrinker {
  lin_mode mode;
  uint64_t seed;
  const char *wrong;
  uint32_t tries;
  lin_arena *kept; // owns the smallest graph so far
} shrinker;

// Replaces `graph` by the reduction if it still fails and is smaller.
static bool try_reduction(shrinker *s, lin_graph **graph, const bool *dropped, lin_block bypassed) {
  lin_arena scratch = {0};
  s->tries++;
  lin_graph *smaller = reduce(&scratch, *graph, dropped, bypassed);
  bool is_smaller =
      smaller->num_blocks < (*graph)->num_blocks || smaller->num_edges < (*graph)->num_edges;
  bool fails = is_smaller && same_check(s->wrong, violation(&scratch, smaller, s->mode, s->seed));
  if (fails)
    *graph = reduce(s->kept, *graph, dropped, bypassed);
  lin_arena_release(&scratch);
  return fails;
}

static bool shrink_edges(shrinker *s, lin_graph **graph, uint32_t width) {
  bool any = false;
  for (lin_edge edge = 0; edge < (*graph)->num_edges && s->tries < 6000;) {
    bool *dropped = LIN_ARRAY(s->kept, bool, (*graph)->num_edges);
    for (lin_edge e = edge; e < edge + width && e < (*graph)->num_edges; e++)
      dropped[e] = true;
    if (try_reduction(s, graph, dropped, LIN_NONE))
      any = true;
    else
      edge += width;
  }
  return any;
}

static bool shrink_blocks(shrinker *s, lin_graph **graph) {
  bool any = false;
  for (lin_block block = 1; block < (*graph)->num_blocks && s->tries < 6000;) {
    bool *dropped = LIN_ARRAY(s->kept, bool, (*graph)->num_edges);
    lin_edge edge = (*graph)->first_edge[block];
    bool possible = lin_out_degree(*graph, block) == 1 && (*graph)->destination[edge] != block;
    if (possible && try_reduction(s, graph, dropped, block))
      any = true;
    else
      block++;
  }
  return any;
}

static bool shrink_flags(shrinker *s, lin_graph *graph) {
  bool any = false;
  for (lin_block block = 0; block < graph->num_blocks; block++)
    for (uint32_t bit = LIN_UNIFORM; bit <= LIN_REFUSED; bit <<= 1) {
      if ((graph->flags[block] & bit) == 0)
        continue;
      lin_arena scratch = {0};
      graph->flags[block] &= ~bit;
      bool fails = same_check(s->wrong, violation(&scratch, graph, s->mode, s->seed));
      lin_arena_release(&scratch);
      if (!fails)
        graph->flags[block] |= bit;
      any |= fails;
    }
  return any;
}

static void report(const lin_graph *graph, lin_mode mode, const char *mode_name, uint64_t seed,
                   const char *wrong) {
  lin_arena kept = {0};
  shrinker s = {.mode = mode, .seed = seed, .wrong = wrong, .kept = &kept};
  bool *nothing = LIN_ARRAY(&kept, bool, graph->num_edges);
  lin_graph *small = reduce(&kept, graph, nothing, LIN_NONE);
  if (same_check(wrong, violation(&kept, small, mode, seed))) {
    for (uint32_t width = small->num_edges / 2; width > 1; width /= 2)
      shrink_edges(&s, &small, width);
    while (s.tries < 6000 && shrink_edges(&s, &small, 1) + shrink_blocks(&s, &small) > 0)
      ;
    shrink_flags(&s, small);
  } else {
    small = reduce(&kept, graph, nothing, LIN_NONE);
  }
  const char *last = violation(&kept, small, mode, seed);
  printf("seed %llu, mode %s: %s\n  shrunk to %u blocks: %s\n", (unsigned long long)seed, mode_name,
         wrong, small->num_blocks, last == NULL ? "(only unshrunk)" : last);
  lin_text_print(stdout, small);
  fflush(stdout);
  lin_arena_release(&kept);
}

// ---- one seed

// Small graphs are many, large ones few.
static uint32_t blocks_for(uint64_t seed, uint32_t max_blocks) {
  uint64_t state = seed ^ 0x5deece66d;
  uint32_t bits = 5 + random_below(&state, 3);
  if (random_chance(&state, 4))
    bits = 11;
  uint32_t blocks = bits == 11 ? 2000 : 1u << bits;
  return blocks < max_blocks ? blocks : max_blocks;
}

enum { MOST_REPORTS = 12 }; // that are shrunk
static uint32_t num_reported;

// The whole test of one seed; returns how many modes failed.
static uint32_t test_seed(uint64_t seed, uint32_t max_blocks) {
  uint32_t failed = 0;
  for (uint32_t mode = 0; mode < NUM_MODES; mode++) {
    lin_arena arena = {0};
    lin_graph *graph = random_graph(&arena, seed, blocks_for(seed, max_blocks));
    if (seed % 8 != 0) // mostly without refusals, so that everything must be structured
      for (lin_block block = 0; block < graph->num_blocks; block++)
        graph->flags[block] &= ~(uint32_t)LIN_REFUSED;
    const char *wrong = violation(&arena, graph, modes[mode], seed);
    if (wrong != NULL && num_reported++ >= MOST_REPORTS) {
      printf("seed %llu, mode %s: %s\n", (unsigned long long)seed, mode_names[mode], wrong);
      failed++;
    } else if (wrong != NULL) {
      report(graph, modes[mode], mode_names[mode], seed, wrong);
      failed++;
    }
    lin_arena_release(&arena);
  }
  return failed;
}

#ifdef LIN_FUZZER

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t seed = 0;
  memcpy(&seed, data, size < sizeof seed ? size : sizeof seed);
  if (test_seed(seed, 128) > 0)
    abort();
  return 0;
}

#else

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 500;
  uint32_t max_blocks = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 2000;
  uint64_t passed = 0, failed = 0;
  struct sigaction action = {.sa_handler = on_crash};
  sigaction(SIGABRT, &action, NULL);
  sigaction(SIGSEGV, &action, NULL);
  for (uint64_t i = 0; i < count; i++) {
    uint32_t modes_failed = test_seed(first + i, max_blocks);
    failed += modes_failed;
    passed += NUM_MODES - modes_failed;
  }
  printf("%u of %u regions larger than minimal, %u of %u seeds in a larger region than theirs\n",
         sizes.larger, sizes.regions, sizes.loose, sizes.seeds);
  printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
  return failed != 0;
}

#endif
