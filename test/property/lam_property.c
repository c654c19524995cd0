// lam_property [first_seed] [count] [elements]
//
// Does linearize_lam do what threads.h says? Of up to `elements` (300) elements, with classes of
// all sizes, in any order, sorted, in runs, and segments from 1 to more than all elements:
//   1. the destinations are a permutation: none is lost, none comes twice;
//   2. there are as many segments of one class as can be, counted by class, and no fewer than
//      sorting has;
//   3. an element that is in a segment which becomes its class's own stays;
//   4. none moves where segments are as good as they can be, but for a small one at the end.
// The last line is `N inputs, F failed`.
#include "linearize/threads.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct input {
  size_t n, segment;
  uint32_t classes;
  uint32_t *class_of, *destination, *moved, *sorted, *count; // [elements], count [classes]
} input;

static uint64_t state;

static uint32_t below(uint32_t limit) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)((state >> 20) % limit);
}

static int by_number(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return left < right ? -1 : left > right;
}

static void make(input *in, uint32_t most) {
  static const uint32_t segments[] = {1, 2, 3, 4, 8, 32};
  in->n = below(8) == 0 ? below(9) : below(most + 1);
  in->segment = below(8) == 0 ? 1 + below(most) : segments[below(6)];
  in->classes = 1 + below(below(2) == 0 ? 4 : most);
  uint32_t kind = below(5), narrow = 1 + below(in->classes), run = 1 + below(40), c = 0;
  for (size_t i = 0; i < in->n; i++) {
    if (kind == 0 || i % run == 0)
      c = below(in->classes);
    in->class_of[i] = kind == 1 && below(10) != 0 ? c % narrow : c;
  }
  if (kind == 4)
    qsort(in->class_of, in->n, sizeof *in->class_of, by_number);
}

static bool complain(const char *what) {
  printf("%s\n", what);
  return false;
}

static bool is_pure(const input *in, const uint32_t *class_of, size_t begin) {
  for (size_t i = begin; i < in->n && i < begin + in->segment; i++)
    if (class_of[i] != class_of[begin])
      return false;
  return true;
}

static size_t num_pure(const input *in, const uint32_t *class_of) {
  size_t pure = 0;
  for (size_t begin = 0; begin < in->n; begin += in->segment)
    pure += is_pure(in, class_of, begin);
  return pure;
}

// Of n elements n / segment; and one more if some class's rest does for the last segment.
static size_t most_pure(const input *in) {
  size_t pure = 0, rest = in->n % in->segment;
  bool is_last_pure = false;
  for (uint32_t c = 0; c < in->classes; c++) {
    pure += in->count[c] / in->segment;
    is_last_pure |= rest > 0 && in->count[c] % in->segment >= rest;
  }
  return pure + is_last_pure;
}

static bool check(input *in) {
  for (uint32_t c = 0; c < in->classes; c++)
    in->count[c] = 0;
  for (size_t i = 0; i < in->n; i++) {
    in->count[in->class_of[i]]++;
    in->sorted[i] = in->class_of[i];
    in->moved[i] = UINT32_MAX;
  }
  qsort(in->sorted, in->n, sizeof *in->sorted, by_number);
  if (linearize_lam(in->class_of, in->n, in->classes, in->segment, in->destination) != 0)
    return complain("refused");
  bool has_moved = false;
  for (size_t i = 0; i < in->n; i++) {
    if (in->destination[i] >= in->n || in->moved[in->destination[i]] != UINT32_MAX)
      return complain("no permutation");
    in->moved[in->destination[i]] = in->class_of[i];
    has_moved |= in->destination[i] != i;
  }
  size_t pure = num_pure(in, in->moved);
  if (pure != most_pure(in))
    return complain("not as many segments of one class as can be");
  if (pure < num_pure(in, in->sorted))
    return complain("fewer segments of one class than sorted");
  for (size_t i = 0; i < in->n; i++) {
    size_t begin = i / in->segment * in->segment;
    if (in->destination[i] != i && is_pure(in, in->moved, begin) &&
        in->moved[begin] == in->class_of[i])
      return complain("an element moves out of a segment of its class");
  }
  size_t rest = in->n % in->segment;
  bool is_last_pure = rest > 0 && is_pure(in, in->class_of, in->n - rest);
  return !has_moved || is_last_pure || num_pure(in, in->class_of) < pure ||
         complain("elements move, and nothing is gained");
}

int main(int argc, char **argv) {
  unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
  unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 10000;
  uint32_t elements = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 300;
  uint32_t *room = calloc((size_t)elements * 5 + 50, sizeof *room);
  size_t each = elements + 10;
  input in = {.class_of = room,
              .destination = room + each,
              .moved = room + 2 * each,
              .sorted = room + 3 * each,
              .count = room + 4 * each};
  unsigned long failed = 0;
  for (unsigned long seed = first; seed < first + count && failed < 10; seed++) {
    state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    make(&in, elements);
    if (!check(&in)) {
      printf("seed %lu: %zu elements of %u classes, segments of %zu\n", seed, in.n, in.classes,
             in.segment);
      failed++;
    }
  }
  free(room);
  printf("%lu inputs, %lu failed\n", count, failed);
  return failed != 0;
}
