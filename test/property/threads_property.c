// threads_property [first_seed] [count] [threads]
//
// Does lib/threads do what the paper says? On random vectors of up to `threads` threads (40), with
// many equal ones, few, sparse ones, nearly alike ones, of whole latencies, some 0, so that sums
// are exact:
//   1. both metrics are those of the equations (as_printed.h), in the threads' order and in a
//      random one;
//   2. Greedy and Greedy-Max give the permutation that the printed algorithms give (of Greedy's
//      last group: the same threads), for groups of 2 threads and more;
//   3. Sorting gives vectors that rise, of equal ones the threads;
//   4. with one candidate to look at all give permutations, and Greedy makes as many groups of
//      equal vectors as there is room for;
//   5. of up to six threads no permutation has a lower metric than the lowest of all, and the
//      algorithms are somewhere between the lowest and the highest; how far from the lowest is
//      printed.
// The last line is `N inputs, F failed`.
#include "as_printed.h"
#include "linearize/threads.h"
#include "threads/regroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 24 };

typedef struct input {
  printed p;
  uint32_t *vectors;
  double latency[MOST_BLOCKS];
  size_t group, threads_per_block;
  unsigned num_sms, blocks_per_sm;
  uint32_t *order, *expected; // [threads]
} input;

static uint64_t state;

static uint32_t below(uint32_t limit) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)((state >> 20) % limit);
}

static void make(input *in, uint32_t most_threads) {
  static const uint32_t mosts[] = {2, 3, 5, 20, 1000, UINT32_MAX};
  size_t n = below(8) == 0 ? below(7) : 1 + below(most_threads);
  size_t blocks = below(16) == 0 ? below(MOST_BLOCKS + 1) : 1 + below(6);
  uint32_t most = mosts[below(6)], latencies = 1 + below(12), different = 1 + below(most_threads);
  uint32_t kind = below(4);
  for (size_t b = 0; b < blocks; b++)
    in->latency[b] = below(5) == 0 ? 0 : below(latencies) + 1;
  for (size_t t = 0; t < n; t++) {
    uint32_t *vector = in->vectors + t * blocks;
    uint32_t like = t == 0 ? 0 : below((uint32_t)t);
    for (size_t b = 0; b < blocks; b++)
      vector[b] = kind == 1 && below(4) != 0 ? 0 : below(most);
    if (t > 0 && (t >= different || kind == 2)) // another's, or nearly
      memcpy(vector, in->vectors + like * blocks, blocks * sizeof *vector);
    if (kind == 2 && blocks > 0 && below(2) == 0)
      vector[below((uint32_t)blocks)] = below(most);
    for (size_t b = 1; kind == 3 && b < blocks; b++) // a loop's blocks
      vector[b] = vector[0] - (b % 2 != 0 && vector[0] > 0);
  }
  in->p = (printed){in->vectors, n, blocks, in->latency};
  in->group = 2 + below(below(2) == 0 ? 4 : most_threads);
  in->threads_per_block = 1 + below(below(2) == 0 ? 5 : 2 * most_threads);
  in->num_sms = 1 + below(4);
  in->blocks_per_sm = 1 + below(3);
}

static bool complain(const char *what) {
  printf("%s\n", what);
  return false;
}

static bool is_permutation(const uint32_t *order, size_t n) {
  bool *seen = calloc(n + 1, sizeof *seen), right = true;
  for (size_t i = 0; i < n && right; i++) {
    right = order[i] < n && !seen[order[i]];
    if (right)
      seen[order[i]] = true;
  }
  free(seen);
  return right;
}

// ---- 1

static double weighted(const input *in, const uint32_t *order) {
  return linearize_bbv_weighted(in->vectors, in->p.num_threads, in->p.num_blocks, in->latency,
                                order, in->threads_per_block, in->num_sms);
}

static bool check_metrics(const input *in, const uint32_t *order) {
  if (weighted(in, order) != printed_weighted(&in->p, order, in->threads_per_block, in->num_sms))
    return complain("BBV-weighted");
  double scheduled = linearize_bbv_weighted_scheduled(
      in->vectors, in->p.num_threads, in->p.num_blocks, in->latency, order, in->threads_per_block,
      in->num_sms, in->blocks_per_sm);
  if (scheduled !=
      printed_scheduled(&in->p, order, in->threads_per_block, in->num_sms * in->blocks_per_sm))
    return complain("BBV-weighted-scheduled");
  return true;
}

// ---- 2 to 4

typedef bool algorithm(const lin_problem *, lin_memory *, uint32_t *);

static bool run(const input *in, algorithm *regroup, size_t pairs) {
  lin_memory memory = {0};
  lin_problem problem = {{in->vectors, in->p.num_threads, in->p.num_blocks},
                         in->latency,
                         (uint32_t)in->group,
                         pairs,
                         1};
  bool done = regroup(&problem, &memory, in->order);
  lin_memory_release(&memory);
  return done && is_permutation(in->order, in->p.num_threads);
}

static int by_number(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return left < right ? -1 : left > right;
}

static bool check_greedy(const input *in) {
  size_t n = in->p.num_threads, last = n == 0 ? 0 : (n - 1) / in->group * in->group;
  if (!run(in, lin_greedy, LIN_PAIRS))
    return complain("Greedy: no permutation");
  printed_greedy(&in->p, in->group, in->expected);
  qsort(in->order + last, n - last, sizeof *in->order, by_number);
  return memcmp(in->order, in->expected, n * sizeof *in->order) == 0 ||
         complain("Greedy: not Algorithm 1");
}

static bool check_greedy_max(const input *in) {
  if (!run(in, lin_greedy_max, LIN_PAIRS))
    return complain("Greedy-Max: no permutation");
  printed_greedy_max(&in->p, in->group, in->expected);
  return memcmp(in->order, in->expected, in->p.num_threads * sizeof *in->order) == 0 ||
         complain("Greedy-Max: not Algorithm 2");
}

// As a number: below, equal, above.
static int compare(const input *in, uint32_t one, uint32_t other) {
  for (size_t b = 0; b < in->p.num_blocks; b++) {
    uint32_t left = in->vectors[one * in->p.num_blocks + b];
    uint32_t right = in->vectors[other * in->p.num_blocks + b];
    if (left != right)
      return left < right ? -1 : 1;
  }
  return 0;
}

static bool check_sorting(const input *in) {
  if (!run(in, lin_sorting, LIN_PAIRS))
    return complain("Sorting: no permutation");
  for (size_t i = 1; i < in->p.num_threads; i++) {
    int order = compare(in, in->order[i - 1], in->order[i]);
    if (order > 0 || (order == 0 && in->order[i - 1] > in->order[i]))
      return complain("Sorting: not sorted");
  }
  return true;
}

// How many groups have threads of the vector of `thread` alone; how many threads have that vector.
static size_t groups_of(const input *in, uint32_t thread, size_t *threads) {
  size_t groups = 0, here = 0;
  *threads = 0;
  for (size_t i = 0; i < in->p.num_threads; i++) {
    here = i % in->group == 0 ? 0 : here;
    here += compare(in, in->order[i], thread) == 0;
    *threads += compare(in, in->order[i], thread) == 0;
    groups += here == in->group;
  }
  return groups;
}

static bool check_few_candidates(const input *in) {
  if (!run(in, lin_greedy_max, 0) || !run(in, lin_greedy, 0))
    return complain("few candidates: no permutation");
  for (size_t b = 0; b < in->p.num_blocks; b++)
    if (in->latency[b] == 0) // then others are as good as equal ones
      return true;
  for (uint32_t t = 0; t < in->p.num_threads && t < 64; t++) {
    size_t threads, groups = groups_of(in, t, &threads);
    if (groups < threads / in->group)
      return complain("few candidates: Greedy takes equal threads apart");
  }
  return true;
}

// ---- 5

static double sum_of_ratios;
static unsigned long num_ratios;

static bool next_permutation(uint32_t *order, size_t n) {
  size_t i = n;
  while (i >= 2 && order[i - 2] > order[i - 1])
    i--;
  if (i < 2)
    return false;
  size_t j = n - 1;
  while (order[j] < order[i - 2])
    j--;
  uint32_t swapped = order[j];
  order[j] = order[i - 2];
  order[i - 2] = swapped;
  for (size_t a = i - 1, b = n - 1; a < b; a++, b--) {
    swapped = order[a];
    order[a] = order[b];
    order[b] = swapped;
  }
  return true;
}

static bool check_all_permutations(input *in) {
  static algorithm *const algorithms[] = {lin_sorting, lin_greedy, lin_greedy_max};
  size_t n = in->p.num_threads;
  in->threads_per_block = in->group;
  double least = -1, most = 0;
  for (uint32_t i = 0; i < n; i++)
    in->expected[i] = i;
  do {
    if (!check_metrics(in, in->expected))
      return false;
    double cycles = weighted(in, in->expected);
    least = least < 0 || cycles < least ? cycles : least;
    most = cycles > most ? cycles : most;
  } while (next_permutation(in->expected, n));
  for (size_t a = 0; a < 3; a++) {
    run(in, algorithms[a], LIN_PAIRS);
    double cycles = weighted(in, in->order);
    if (cycles < least || cycles > most)
      return complain("better than the best, or worse than the worst");
    if (a == 1 && least > 0) {
      sum_of_ratios += cycles / least;
      num_ratios++;
    }
  }
  return true;
}

static bool check(input *in) {
  size_t n = in->p.num_threads;
  uint32_t *random = calloc(n + 1, sizeof *random);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t j = below(i + 1);
    random[i] = random[j];
    random[j] = i;
  }
  bool good = check_metrics(in, NULL) && check_metrics(in, random) && check_sorting(in) &&
              check_greedy(in) && check_greedy_max(in) && check_few_candidates(in) &&
              (n > 6 || check_all_permutations(in));
  free(random);
  return good;
}

int main(int argc, char **argv) {
  unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
  unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 2000;
  uint32_t threads = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 40;
  input in = {.vectors = calloc((size_t)threads * MOST_BLOCKS + 8 * MOST_BLOCKS, sizeof(uint32_t)),
              .order = calloc(threads + 8, sizeof(uint32_t)),
              .expected = calloc(threads + 8, sizeof(uint32_t))};
  unsigned long failed = 0;
  for (unsigned long seed = first; seed < first + count && failed < 10; seed++) {
    state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    make(&in, threads);
    if (!check(&in)) {
      printf("seed %lu: %zu threads of %zu blocks, groups of %zu, thread blocks of %zu\n", seed,
             in.p.num_threads, in.p.num_blocks, in.group, in.threads_per_block);
      failed++;
    }
  }
  free(in.vectors);
  free(in.order);
  free(in.expected);
  printf("Greedy takes %.3f times the least of all permutations, %lu inputs\n",
         num_ratios > 0 ? sum_of_ratios / (double)num_ratios : 1, num_ratios);
  printf("%lu inputs, %lu failed\n", count, failed);
  return failed != 0;
}
