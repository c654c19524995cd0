// What divergence costs, and which threads to put together: docs/threads.md.
//
//     cc -std=c11 -Iinclude docs/examples/regroup.c -Lbuild/lib -llinearize-threads
#include "linearize/threads.h"

#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 1 << 14, BLOCKS = 4, PER_BLOCK = 256, SMS = 4, OCCUPANCY = 2 };

// Threads go around a loop 1 to 64 times, as a hash says; every fourth iteration takes a branch.
static void fill(uint32_t *vectors) {
  for (uint32_t thread = 0; thread < THREADS; thread++) {
    uint32_t iterations = (thread * 2654435761u >> 26) + 1;
    uint32_t *vector = vectors + (size_t)thread * BLOCKS;
    vector[0] = 1;              // in front of the loop
    vector[1] = iterations;     // its test
    vector[2] = iterations / 4; // the branch
    vector[3] = 1;              // behind it
  }
}

static void print_costs(const char *what, const uint32_t *vectors, const uint32_t *order) {
  const double latency[BLOCKS] = {40, 30, 400, 20}; // cycles
  double warps = linearize_divergent_warps(vectors, THREADS, BLOCKS, order, PER_BLOCK);
  double sum = linearize_bbv_weighted(vectors, THREADS, BLOCKS, latency, order, PER_BLOCK, SMS);
  double end = linearize_bbv_weighted_scheduled(vectors, THREADS, BLOCKS, latency, order, PER_BLOCK,
                                                SMS, OCCUPANCY);
  if (warps < 0 || sum < 0 || end < 0) {
    perror("metrics");
    exit(1);
  }
  printf("%-11s %5.1f%% of warps diverge, %8.0f cycles, scheduled %8.0f\n", what, 100 * warps, sum,
         end);
}

int main(void) {
  static uint32_t vectors[(size_t)THREADS * BLOCKS], order[THREADS];
  static const char *const names[] = {"Sorting", "Greedy", "Greedy-Max"};
  const double latency[BLOCKS] = {40, 30, 400, 20};
  fill(vectors);
  print_costs("as they are", vectors, NULL);
  for (int how = LINEARIZE_SORTING; how <= LINEARIZE_GREEDY_MAX; how++) {
    if (linearize_regroup((linearize_regrouping)how, vectors, THREADS, BLOCKS, latency, 32,
                          order) != 0) {
      perror("linearize_regroup");
      return 1;
    }
    print_costs(names[how], vectors, order);
  }
  return 0;
}
