// layout_property [first_seed] [count]
//
// Does linearize/layout.h do what it says? Of random arrays, elements of 1 to 200 bytes, in place
// or not, read, written or both, and random permutations, of all kinds of cycles:
//   1. what a kernel reads in `moved` is what the permutation says, and `own` is as it was;
//   2. after a kernel that changes each element by what is in it, put back, all is as if it had run
//   on `own`;
//   3. the inverse is that;
//   4. permutations with an error, and memory that overlaps, are refused, and nothing has changed.
// The last line is `N inputs, F failed`.
#include "linearize/layout.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 150, ARRAYS = 4, SIZE = 200 };

static unsigned char own[ARRAYS][MOST * SIZE], moved[ARRAYS][MOST * SIZE];
static unsigned char before[ARRAYS][MOST * SIZE], wanted[ARRAYS][MOST * SIZE];
static uint32_t destination[MOST], inverse[MOST];
static linearize_array arrays[ARRAYS];
static size_t n, num_arrays;
static uint64_t state;

static uint32_t below(uint32_t limit) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)((state >> 20) % limit);
}

static bool complain(const char *what) {
  printf("%s\n", what);
  return false;
}

// Shuffled as a whole, in pieces, or not at all.
static void make_permutation(void) {
  uint32_t reach = below(3) == 0 ? 1 : 1 + below((uint32_t)n + 1);
  for (size_t i = 0; i < n; i++)
    destination[i] = (uint32_t)i;
  for (size_t i = 0; i < n; i++) {
    size_t other = i + below(reach);
    if (other >= n || below(4) == 0)
      continue;
    uint32_t kept = destination[i];
    destination[i] = destination[other];
    destination[other] = kept;
  }
}

static void make(void) {
  static const size_t sizes[] = {1, 4, 4, 8, 12, 16, 64, 65, SIZE};
  n = below(8) == 0 ? below(3) : below(MOST + 1);
  num_arrays = below(ARRAYS + 1);
  make_permutation();
  for (size_t a = 0; a < num_arrays; a++) {
    arrays[a] = (linearize_array){.own = own[a],
                                  .moved = below(2) == 0 ? own[a] : moved[a],
                                  .size = sizes[below(sizeof sizes / sizeof *sizes)],
                                  .use = (linearize_use)(1 + below(3))};
    for (size_t i = 0; i < sizeof own[a]; i++)
      own[a][i] = moved[a][i] = (unsigned char)below(256);
  }
  memcpy(before, own, sizeof own);
}

static bool is_in_place(size_t a) { return arrays[a].own == arrays[a].moved; }

// What a thread does with an element that was `from`.
static void run(unsigned char *to, const unsigned char *from, size_t size) {
  for (size_t b = 0; b < size; b++)
    to[b] = (unsigned char)(from[b] * 5 + b);
}

// Thread `i` of the kernel works on what thread inverse[i] would.
static void run_all(void) {
  for (size_t a = 0; a < num_arrays; a++) {
    const size_t size = arrays[a].size;
    unsigned char *data = arrays[a].moved;
    for (size_t i = 0; i < n; i++) {
      const unsigned char *original = before[a] + inverse[i] * size;
      if ((arrays[a].use & LINEARIZE_WRITTEN) != 0)
        run(data + i * size, original, size);
    }
  }
}

static void want_all(void) {
  memcpy(wanted, before, sizeof wanted);
  for (size_t a = 0; a < num_arrays; a++)
    for (size_t i = 0; i < n && (arrays[a].use & LINEARIZE_WRITTEN) != 0; i++)
      run(wanted[a] + i * arrays[a].size, before[a] + i * arrays[a].size, arrays[a].size);
}

static bool is_moved(void) {
  for (size_t a = 0; a < num_arrays; a++) {
    const size_t size = arrays[a].size;
    if (!is_in_place(a) && memcmp(own[a], before[a], sizeof own[a]) != 0)
      return complain("moving changes the program's own array");
    for (size_t i = 0; i < n && (arrays[a].use & LINEARIZE_READ) != 0; i++)
      if (memcmp((unsigned char *)arrays[a].moved + destination[i] * size, before[a] + i * size,
                 size) != 0)
        return complain("an element isn't where it should go");
  }
  return true;
}

static bool is_back(void) {
  for (size_t a = 0; a < num_arrays; a++)
    if (memcmp(own[a], wanted[a], sizeof own[a]) != 0)
      return complain("the kernel's results differ from those without a layout");
  return true;
}

static bool check(void) {
  if (linearize_inverse(destination, n, inverse) != 0)
    return complain("the inverse is refused");
  for (size_t i = 0; i < n; i++)
    if (inverse[destination[i]] != i)
      return complain("the inverse is another permutation");
  if (linearize_layout(arrays, num_arrays, destination, n) != 0)
    return complain("refused");
  if (!is_moved())
    return false;
  want_all();
  run_all();
  if (linearize_layout_back(arrays, num_arrays, destination, n) != 0)
    return complain("putting back is refused");
  return is_back();
}

// ---- wrong use

static bool is_refused(void) {
  unsigned char was[2][sizeof own];
  memcpy(was[0], own, sizeof own);
  memcpy(was[1], moved, sizeof moved);
  bool is_wrong = false;
  errno = 0;
  is_wrong |= linearize_layout(arrays, num_arrays, destination, n) != -1 || errno != EINVAL;
  is_wrong |= linearize_layout_back(arrays, num_arrays, destination, n) != -1 || errno != EINVAL;
  return !is_wrong && memcmp(was[0], own, sizeof own) == 0 &&
         memcmp(was[1], moved, sizeof moved) == 0;
}

static bool check_permutations(void) {
  if (n == 0)
    return true;
  size_t at = below((uint32_t)n), other = below((uint32_t)n);
  uint32_t kept = destination[at];
  bool is_duplicate = other != at && below(2) == 0;
  destination[at] = is_duplicate ? destination[other] : (uint32_t)n + below(1000);
  bool is_good = is_refused() && linearize_inverse(destination, n, inverse) == -1;
  destination[at] = kept;
  return is_good || complain("what is no permutation isn't refused, or something has changed");
}

// Two ranges that have a byte in common; at least one of them is written.
static bool check_overlaps(void) {
  if (n == 0 || num_arrays < 2)
    return true;
  linearize_array *a = &arrays[below((uint32_t)num_arrays)], *b = a;
  while (b == a)
    b = &arrays[below((uint32_t)num_arrays)];
  linearize_array kept = *b;
  bool is_in_one = below(2) == 0;
  b->use = LINEARIZE_CHANGED;
  if (is_in_one)
    b->moved = (unsigned char *)b->own + n * b->size - 1;
  else
    b->moved = (unsigned char *)a->own + below((uint32_t)(n * a->size));
  bool is_good = (is_in_one && n * b->size == 1) || is_refused();
  *b = kept;
  return is_good || complain("memory that overlaps isn't refused, or something has changed");
}

int main(int argc, char **argv) {
  unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
  unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 2000;
  unsigned long failed = 0;
  for (unsigned long seed = first; seed < first + count && failed < 10; seed++) {
    state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    make();
    if (!check_permutations() || !check_overlaps() || !check()) {
      printf("seed %lu: %zu arrays of %zu elements\n", seed, num_arrays, n);
      failed++;
    }
  }
  printf("%lu inputs, %lu failed\n", count, failed);
  return failed != 0;
}
