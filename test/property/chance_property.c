// chance_property [first_seed] [count]
//
// Is the correction of equation (2) what linearize/threads.h says?
//   1. Warps that run random programs in which each thread takes branches, and stays in loops, by
//      chance (blocks in blocks, each entered from the one around it): they enter blocks as often
//      as `passes` says for a correction of 1: within 3% of all cycles; 40% if loops are in loops,
//      and 5% in the mean.
//   2. mean <= most <= passes <= what the threads do all together; without correction passes are
//      `most`.
//   3. What linearize_bbv_correction learns gives the counts that it learned from, wherever warps
//      counted between (2) and chance; and 0 where they counted (2).
//   4. Which threads a warp has decides, not their places in it.
// Meant for a build with sanitizers, too. The last line is `N programs, F failed`.
#include "linearize/threads.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 8, WARPS = 64, WARP = 32, THREADS = WARPS * WARP };

static uint64_t state;

static uint32_t below(uint32_t limit) {
  state += 0x9e3779b97f4a7c15u; // splitmix64
  uint64_t z = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ (z >> 31)) % limit);
}

static double unit(void) { return below(1 << 24) / (double)(1 << 24); }

static bool complain(const char *what) {
  printf("%s\n", what);
  return false;
}

typedef struct program {
  uint32_t around[BLOCKS];
  bool is_loop[BLOCKS];
  double chance[BLOCKS]; // to enter an arm, or to go around a loop again
  double latency[BLOCKS];
  double of_thread[THREADS]; // what a thread makes of its chances: to its power
  uint32_t vectors[THREADS][BLOCKS];
  double counted[BLOCKS];
} program;

static uint32_t depth(const program *p, uint32_t block) {
  uint32_t depth = 0;
  for (; p->around[block] != UINT32_MAX; block = p->around[block])
    depth++;
  return depth;
}

static void make(program *p, bool nests) {
  p->around[0] = UINT32_MAX;
  for (uint32_t b = 0; b < BLOCKS; b++) {
    if (b > 0)
      do
        p->around[b] = below(b);
      while (p->around[b] > 0 && !p->is_loop[p->around[b]]);
    p->is_loop[b] = b > 0 && depth(p, b) < (nests ? 3 : 2) && below(3) == 0;
    p->chance[b] = p->is_loop[b] ? 0.9 * unit() : unit();
    p->latency[b] = below(100);
  }
  bool alike = below(2) == 0;
  for (uint32_t t = 0; t < THREADS; t++)
    p->of_thread[t] = alike ? 1 : 0.5 + unit();
}

static bool takes(const program *p, uint32_t block, uint32_t thread) {
  return unit() < pow(p->chance[block], p->of_thread[thread]);
}

// The lanes `active` of a warp pass over `block`, and over what it is around.
static void pass(program *p, uint32_t block, uint32_t warp, uint32_t active) {
  p->counted[block]++;
  for (uint32_t lane = 0; lane < WARP; lane++)
    p->vectors[warp * WARP + lane][block] += active >> lane & 1;
  for (uint32_t inner = block + 1; inner < BLOCKS; inner++) {
    if (p->around[inner] != block)
      continue;
    // an arm is entered once by whoever takes it; a loop by all, and again
    for (uint32_t going = active, first = 1; going != 0; first = 0) {
      for (uint32_t lane = 0; lane < WARP && !(first && p->is_loop[inner]); lane++)
        if ((going >> lane & 1) != 0 && !takes(p, inner, warp * WARP + lane))
          going &= ~(UINT32_C(1) << lane);
      if (going != 0)
        pass(p, inner, warp, going);
      if (!p->is_loop[inner])
        break;
    }
  }
}

static void run(program *p) {
  memset(p->vectors, 0, sizeof p->vectors);
  memset(p->counted, 0, sizeof p->counted);
  for (uint32_t warp = 0; warp < WARPS; warp++)
    pass(p, 0, warp, UINT32_MAX);
}

typedef struct result {
  double mean[BLOCKS], most[BLOCKS], passes[BLOCKS];
} result;

static result passes(const program *p, const double *correction, const uint32_t *order) {
  result r;
  if (linearize_bbv_passes(p->vectors[0], THREADS, BLOCKS, p->around, correction, order, 64, r.mean,
                           r.most, r.passes) != 0)
    abort();
  return r;
}

static double cycles(const program *p, const double *passes) {
  double sum = 0;
  for (uint32_t b = 0; b < BLOCKS; b++)
    sum += p->latency[b] * passes[b];
  return sum;
}

static bool check_bounds(const program *p, const result *r) {
  for (uint32_t b = 0; b < BLOCKS; b++) {
    double all = 0;
    for (uint32_t t = 0; t < THREADS; t++)
      all += p->vectors[t][b];
    if (r->mean[b] > r->most[b] * (1 + 1e-9) || r->most[b] > r->passes[b] * (1 + 1e-9) ||
        r->passes[b] > all * (1 + 1e-9))
      return complain("out of bounds");
  }
  return true;
}

static bool are_near(double a, double b, double by) { return fabs(a - b) <= by * fabs(b) + 1e-6; }

static double errors;

static bool check(program *p, bool nests) {
  double one[BLOCKS], learned[BLOCKS], halfway[BLOCKS];
  for (uint32_t b = 0; b < BLOCKS; b++)
    one[b] = 1;
  result chance = passes(p, one, NULL), plain = passes(p, NULL, NULL);
  double off =
      cycles(p, p->counted) == 0 ? 0 : cycles(p, chance.passes) / cycles(p, p->counted) - 1;
  errors += nests ? fabs(off) : 0;
  if (fabs(off) > (nests ? 0.4 : 0.03))
    return complain("not what happens by chance");
  if (!check_bounds(p, &chance) || !check_bounds(p, &plain) ||
      memcmp(plain.most, plain.passes, sizeof plain.most) != 0)
    return complain("passes without correction");
  for (uint32_t b = 0; b < BLOCKS; b++) {
    learned[b] = 0.25;
    halfway[b] = plain.most[b];
  }
  result quarter = passes(p, learned, NULL);
  if (linearize_bbv_correction(p->vectors[0], THREADS, BLOCKS, p->around, quarter.passes, NULL, 64,
                               learned) != 0)
    return complain("no correction");
  result again = passes(p, learned, NULL);
  for (uint32_t b = 0; b < BLOCKS; b++)
    if (!are_near(again.passes[b], quarter.passes[b], 1e-9))
      return complain("not what was learned");
  if (linearize_bbv_correction(p->vectors[0], THREADS, BLOCKS, p->around, halfway, NULL, 64,
                               learned) != 0)
    return complain("no correction");
  for (uint32_t b = 0; b < BLOCKS; b++)
    if (learned[b] != 0)
      return complain("a correction of what is right");
  uint32_t order[THREADS];
  for (uint32_t t = 0; t < THREADS; t++) // lanes of each warp backwards
    order[t] = t / WARP * WARP + (WARP - 1 - t % WARP);
  result turned = passes(p, one, order);
  for (uint32_t b = 0; b < BLOCKS; b++)
    if (!are_near(turned.passes[b], chance.passes[b], 1e-9))
      return complain("places in the warp matter");
  return true;
}

int main(int argc, char **argv) {
  unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
  unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 200, failed = 0;
  static program p;
  for (unsigned long seed = first; seed < first + count && failed < 10; seed++) {
    state = seed * UINT64_C(0xd1342543de82ef95);
    bool nests = seed % 2 == 0;
    make(&p, nests);
    run(&p);
    if (!check(&p, nests)) {
      printf("seed %lu\n", seed);
      failed++;
    }
  }
  double mean = errors / (double)(count / 2 + 1);
  printf("loops in loops: off by %.1f%% of the cycles in the mean\n", 100 * mean);
  if (mean > 0.05) {
    complain("more than 5%");
    failed++;
  }
  printf("%lu programs, %lu failed\n", count, failed);
  return failed != 0;
}
