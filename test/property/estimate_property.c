// estimate_property [first_seed] [count]
//
// How good is the estimate (estimate.h) of how often a warp comes to each block? On random acyclic
// graphs warps run in lock step, their threads choosing among a branch's edges alike, and the mean
// number of times that they enter a block is compared with its passes. Prints how far off these
// are, and what must hold; the last line is `N passed, M failed`.
#include "check/check_facts.h"
#include "check/simulate.h"
#include "choose/estimate.h"
#include "driver/pipeline.h"
#include "expect.h"
#include "random_graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARPS = 64, MOST_BLOCKS = 48 };

// What was seen, of blocks that warps come to.
typedef struct totals {
  uint32_t graphs, blocks;
  uint32_t repeated;         // blocks that warps come to again
  uint32_t repeated_right;   // of these, those where estimate and mean are within a fifth
  double sum_of_logs;        // of the estimate over the mean
  double highest, lowest;    // of these
  double estimated, entered; // sums
} totals;

static double *count_entries(lin_arena *arena, const lin_graph *graph, uint64_t seed) {
  const lin_facts *f = lin_facts_find(arena, graph, 0);
  lin_block *meet = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    meet[block] = lin_facts_next_below(f, block);
  double *mean = LIN_ARRAY(arena, double, graph->num_blocks);
  lin_warp warp = {.graph = graph, .reconverge = meet, .limit = UINT32_MAX};
  lin_stream stream[LIN_LANES];
  for (uint32_t i = 0; i < WARPS; i++) {
    for (uint32_t lane = 0; lane < LIN_LANES; lane++) {
      stream[lane] = (lin_stream){.seed = random_next(&seed) & ~(uint64_t)1};
      warp.oracle[lane] = (lin_oracle){lin_stream_decide, &stream[lane]};
    }
    lin_simulation run = lin_simulate(arena, &warp);
    for (lin_block block = 0; block < graph->num_blocks; block++)
      mean[block] += (double)run.entered[block] / (double)WARPS;
  }
  return mean;
}

static void compare(totals *t, double estimate, double mean) {
  double ratio = estimate / mean;
  t->blocks++;
  t->repeated += mean > 1.5;
  t->repeated_right += mean > 1.5 && ratio > 0.8 && ratio < 1.2;
  t->sum_of_logs += log(ratio);
  t->highest = fmax(t->highest, ratio);
  t->lowest = fmin(t->lowest, ratio);
  t->estimated += estimate;
  t->entered += mean;
}

static void compare_graph(totals *t, uint64_t seed) {
  lin_arena arena = {0};
  lin_graph *input = random_graph(&arena, seed, 4, MOST_BLOCKS);
  for (lin_edge edge = 0; edge < input->num_edges; edge++)
    input->weight[edge] = 1;
  const lin_analysis *a = lin_shape_build(&arena, input).analysis;
  const lin_joins *joins = lin_joins_find(&arena, a, false, true);
  const double *passes =
      lin_estimate_passes(&arena, a, joins, lin_ways_find(&arena, joins->compiled, joins));
  const double *mean = count_entries(&arena, a->graph, seed);
  t->graphs++;
  for (lin_block block = 0; block < a->graph->num_blocks; block++)
    if (mean[block] > 0.2) // else chance decides
      compare(t, passes[block], mean[block]);
  lin_arena_release(&arena);
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 2000;
  totals t = {.lowest = 1, .highest = 1};
  for (uint64_t seed = first; seed < first + count; seed++)
    if (strncmp(random_graph_kind(seed), "acyclic", 7) == 0)
      compare_graph(&t, seed);
  double mean = exp(t.sum_of_logs / t.blocks), whole = t.estimated / t.entered;
  double right = (double)t.repeated_right / t.repeated;
  printf("%u graphs, %u blocks: estimate over simulation %.3f in the mean, %.3f in all, from %.2f "
         "to %.2f; of %u blocks that are run again %.0f%% within a fifth\n",
         t.graphs, t.blocks, mean, whole, t.lowest, t.highest, t.repeated, 100 * right);
  EXPECT(mean > 0.95 && mean < 1.15);
  EXPECT(whole > 0.95 && whole < 1.3);
  EXPECT(right > 0.5);
  EXPECT(t.lowest > 0.1 && t.highest < 32);
  return expect_end();
}
