// regroup THREADS DIFFERENT BLOCKS SHAPE [--all]
// regroup --lam ELEMENTS CLASSES RUN
//
// Times the three algorithms of linearize/threads.h on made-up vectors, and says what they gain by
// the metric BBV-weighted, on one core. Prints a line
//
//     THREADS DIFFERENT BLOCKS SHAPE  SECONDS GAIN  SECONDS GAIN  SECONDS GAIN  [GAIN GAIN]
//
// for Sorting, Greedy, Greedy-Max; GAIN is the metric of the threads as they are by that of the new
// order. --all adds the gains of Greedy and Greedy-Max if each group looks at all others.
//
// Shapes, DIFFERENT vectors of each, dealt at random:
//   loop     one loop of 0 to DIFFERENT - 1 iterations, with branches in it at every 2nd, 3rd, ...
//   paths    a loop of up to 50 iterations for each block: nothing in common, as hard as it gets
//   clusters one of 100 such vectors, in which a few counts are 1 more
//
// --lam times linearize_lam, of elements of random classes, of which RUN come one after the other,
// for segments of 32, and prints
//
//     SECONDS MOVED PURE SORTED
//
// MOVED is the share of elements that move, PURE and SORTED the segments of one class that it and
// sorting make.
#define _POSIX_C_SOURCE 200809L

#include "threads/regroup.h"
#include "linearize/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t state = 88172645463325252;

static uint32_t below(uint64_t limit) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)((state >> 16) % limit);
}

static _Noreturn void die(const char *what) {
  fprintf(stderr, "regroup: %s\n", what);
  exit(2);
}

static void *have(size_t count, size_t size) {
  void *result = calloc(count, size);
  if (result == NULL)
    die("out of memory");
  return result;
}

static void make_vector(uint32_t *vector, size_t blocks, uint32_t number, const char *shape,
                        const uint32_t *centers) {
  for (size_t b = 0; b < blocks; b++) {
    if (strcmp(shape, "loop") == 0)
      vector[b] = number / ((uint32_t)b + 1);
    else if (strcmp(shape, "paths") == 0)
      vector[b] = below(50);
    else
      vector[b] = centers[number % 100 * blocks + b] + (below(4) == 0);
  }
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum { SEGMENT = 32 };

static size_t pure_segments(const uint32_t *class_of, size_t n) {
  size_t pure = 0;
  for (size_t begin = 0; begin < n; begin += SEGMENT) {
    bool is_pure = true;
    for (size_t i = begin; i < n && i < begin + SEGMENT; i++)
      is_pure &= class_of[i] == class_of[begin];
    pure += is_pure;
  }
  return pure;
}

static int time_lam(size_t n, uint32_t classes, size_t run) {
  if (n == 0 || classes == 0 || run == 0)
    die("numbers from 1");
  uint32_t *class_of = have(n, sizeof *class_of), *destination = have(n, sizeof *destination);
  uint32_t *moved = have(n, sizeof *moved), *count = have(classes, sizeof *count);
  for (size_t i = 0; i < n; i++) {
    class_of[i] = i % run == 0 ? below(classes) : class_of[i - 1];
    count[class_of[i]]++;
  }
  memset(destination, 1, n * sizeof *destination);
  double best = 1e9;
  for (int again = 0; again < 5; again++) {
    double begin = seconds();
    if (linearize_lam(class_of, n, classes, SEGMENT, destination) != 0)
      die("linearize_lam failed");
    double took = seconds() - begin;
    best = took < best ? took : best;
  }
  size_t num_moved = 0;
  for (size_t i = 0; i < n; i++) {
    moved[destination[i]] = class_of[i];
    num_moved += destination[i] != i;
  }
  size_t pure = pure_segments(moved, n), at = 0;
  for (uint32_t c = 0; c < classes; c++)
    for (uint32_t k = 0; k < count[c]; k++)
      moved[at++] = c;
  printf("%.4f %.4f %zu %zu\n", best, (double)num_moved / (double)n, pure,
         pure_segments(moved, n));
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 5 && strcmp(argv[1], "--lam") == 0)
    return time_lam(strtoul(argv[2], NULL, 10), (uint32_t)strtoul(argv[3], NULL, 10),
                    strtoul(argv[4], NULL, 10));
  if (argc < 5)
    die("THREADS DIFFERENT BLOCKS loop|paths|clusters [--all], or --lam ELEMENTS CLASSES RUN");
  size_t threads = strtoul(argv[1], NULL, 10), blocks = strtoul(argv[3], NULL, 10);
  uint32_t different = (uint32_t)strtoul(argv[2], NULL, 10);
  if (threads == 0 || blocks == 0 || different == 0)
    die("numbers from 1");
  uint32_t *centers = have(100 * blocks, sizeof *centers);
  for (size_t i = 0; i < 100 * blocks; i++)
    centers[i] = below(50);
  uint32_t *kinds = have(different * blocks, sizeof *kinds);
  for (uint32_t i = 0; i < different; i++)
    make_vector(kinds + i * blocks, blocks, i, argv[4], centers);
  uint32_t *vectors = have(threads * blocks, sizeof *vectors);
  for (size_t t = 0; t < threads; t++)
    memcpy(vectors + t * blocks, kinds + (t < different ? t : below(different)) * blocks,
           blocks * sizeof *vectors);
  double *latency = have(blocks, sizeof *latency);
  for (size_t b = 0; b < blocks; b++)
    latency[b] = 10 + below(200);
  uint32_t *order = have(threads, sizeof *order);
  memset(order, 1, threads * sizeof *order);

  double before = linearize_bbv_weighted(vectors, threads, blocks, latency, NULL, 256, 1);
  printf("%8zu %8u %4zu %-9s", threads, different, blocks, argv[4]);
  static const linearize_regrouping how[] = {LINEARIZE_SORTING, LINEARIZE_GREEDY,
                                             LINEARIZE_GREEDY_MAX};
  for (size_t i = 0; i < 3; i++) {
    double best = 1e9;
    for (int again = 0; again < 3; again++) {
      double begin = seconds();
      if (linearize_regroup(how[i], vectors, threads, blocks, latency, 32, order) != 0)
        die("linearize_regroup failed");
      double took = seconds() - begin;
      best = took < best ? took : best;
    }
    double after = linearize_bbv_weighted(vectors, threads, blocks, latency, order, 256, 1);
    printf("  %8.4f %7.3f", best, after > 0 ? before / after : 1);
  }
  if (argc > 5) {
    bool (*const algorithms[])(const lin_problem *, lin_memory *, uint32_t *) = {lin_greedy,
                                                                                 lin_greedy_max};
    for (size_t i = 0; i < 2; i++) {
      lin_problem problem = {{vectors, threads, blocks}, latency, 32, 0, SIZE_MAX / 4};
      lin_memory memory = {0};
      if (!algorithms[i](&problem, &memory, order))
        die("out of memory");
      lin_memory_release(&memory);
      double after = linearize_bbv_weighted(vectors, threads, blocks, latency, order, 256, 1);
      printf("  %7.3f", after > 0 ? before / after : 1);
    }
  }
  printf("\n");
  return 0;
}
