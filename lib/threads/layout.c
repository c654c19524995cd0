// Arrays that are indexed by the thread, in another order of threads, and back
// (linearize/layout.h).
//
//     destination  3 0 2 1      in place: along the cycle 0 ▶ 3 ▶ 1 ▶ 0, by swaps with its first
//                               element; of 2, which stays, nothing is read or written
#include "linearize/layout.h"
#include "complain.h"
#include "memory.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { WORD = 64 };

// Places that were seen, a bit for each.
typedef struct seen {
  uint64_t *bits; // [n / WORD + 1]
} seen;

static bool see(seen s, size_t place) {
  uint64_t bit = UINT64_C(1) << place % WORD, before = s.bits[place / WORD];
  s.bits[place / WORD] |= bit;
  return (before & bit) == 0;
}

static int done(lin_memory *memory, int error) {
  lin_memory_release(memory);
  if (error != 0)
    errno = error;
  return error == 0 ? 0 : -1;
}

// ---- what is right -----------------------------------------------------------------------------

static bool is_permutation(const char *function, const uint32_t *p, size_t n, seen s) {
  for (size_t i = 0; i < n; i++) {
    if (p[i] >= n)
      return lin_complain(
          function, "no permutation: place %" PRIu32 " of element %zu is none of %zu", p[i], i, n);
    if (!see(s, p[i])) {
      size_t first = 0;
      while (p[first] != p[i])
        first++;
      return lin_complain(function,
                          "no permutation: elements %zu and %zu both go to place %" PRIu32, first,
                          i, p[i]);
    }
  }
  return true;
}

// Memory of an array, from `begin` up to `end`.
typedef struct range {
  uintptr_t begin, end;
  size_t array;
  bool is_written; // here, or when it is put back
} range;

static range range_of(const linearize_array *a, size_t number, bool is_own, size_t n) {
  uintptr_t begin = (uintptr_t)(is_own ? a->own : a->moved);
  bool is_written = (a->use & (is_own ? LINEARIZE_WRITTEN : LINEARIZE_READ)) != 0;
  return (range){begin, begin + n * a->size, number, is_written || a->own == a->moved};
}

// `own` and `moved` of an array may be the same, but not overlap.
static bool are_apart(const linearize_array *arrays, range a, range b) {
  bool is_one = a.array == b.array && arrays[a.array].own == arrays[a.array].moved;
  return is_one || a.end <= b.begin || b.end <= a.begin || (!a.is_written && !b.is_written);
}

// Also what the kernel writes to `moved`, and reads there, mustn't be another array's.
static bool is_apart(const char *function, const linearize_array *arrays, size_t n, size_t i,
                     size_t j) {
  for (int k = 0; k < 4; k++) {
    range a = range_of(&arrays[i], i, (k & 1) != 0, n), b = range_of(&arrays[j], j, k >= 2, n);
    if (i == j && (k & 1) == (k >= 2))
      continue;
    if (!are_apart(arrays, a, b))
      return lin_complain(function, "memory overlaps: %s of array %zu and %s of array %zu",
                          (k & 1) != 0 ? "own" : "moved", i, k >= 2 ? "own" : "moved", j);
  }
  return true;
}

static bool is_array(const char *function, const linearize_array *a, size_t i, size_t n) {
  bool has_memory = n == 0 || (a->own != NULL && a->moved != NULL);
  if (!has_memory || a->size == 0 || (n > 0 && a->size > SIZE_MAX / n))
    return lin_complain(function, "array %zu has no memory, or elements of %zu bytes", i, a->size);
  if (a->use < LINEARIZE_READ || a->use > LINEARIZE_CHANGED)
    return lin_complain(function, "array %zu is neither read nor written", i);
  return true;
}

static bool are_good(const char *function, const linearize_array *arrays, size_t num_arrays,
                     size_t n) {
  for (size_t i = 0; i < num_arrays; i++) {
    if (!is_array(function, &arrays[i], i, n))
      return false;
    for (size_t j = 0; j <= i; j++)
      if (!is_apart(function, arrays, n, i, j))
        return false;
  }
  return true;
}

// ---- moving ------------------------------------------------------------------------------------

// The size is a constant for those that most arrays have, so that no function is called for an
// element.
static inline void copy(unsigned char *to, const unsigned char *from, size_t size) {
  if (size == 4)
    memcpy(to, from, 4);
  else if (size == 8)
    memcpy(to, from, 8);
  else
    memcpy(to, from, size);
}

static void swap(unsigned char *a, unsigned char *b, size_t size) {
  enum { PIECE = 64 };
  unsigned char kept[PIECE];
  for (size_t at = 0; at < size; at += PIECE) {
    size_t bytes = size - at < PIECE ? size - at : PIECE;
    copy(kept, a + at, bytes);
    copy(a + at, b + at, bytes);
    copy(b + at, kept, bytes);
  }
}

// Along a cycle of places from `first` on: what stands at each goes to the next one, the last one's
// to the first; or, if they are put back, what stands at each comes from the next one.
static void turn(unsigned char *data, size_t size, const uint32_t *destination, size_t first,
                 bool is_back, seen s) {
  for (size_t at = first, next; see(s, at) && (next = destination[at]) != first; at = next)
    swap(data + (is_back ? at : first) * size, data + next * size, size);
}

static void move_in_place(const linearize_array *a, const uint32_t *destination, size_t n,
                          bool is_back, seen s) {
  memset(s.bits, 0, (n / WORD + 1) * sizeof *s.bits);
  for (size_t i = 0; i < n; i++)
    if (destination[i] != i)
      turn(a->own, a->size, destination, i, is_back, s);
}

static void move(const linearize_array *a, const uint32_t *destination, size_t n, bool is_back) {
  unsigned char *own = a->own, *moved = a->moved;
  for (size_t i = 0; i < n; i++) {
    unsigned char *here = own + i * a->size, *there = moved + destination[i] * a->size;
    copy(is_back ? here : there, is_back ? there : here, a->size);
  }
}

static int lay_out(const char *function, const linearize_array *arrays, size_t num_arrays,
                   const uint32_t *destination, size_t n, linearize_use use) {
  lin_memory memory = {0};
  bool is_back = use == LINEARIZE_WRITTEN;
  if (n > UINT32_MAX || (n > 0 && destination == NULL) || (num_arrays > 0 && arrays == NULL))
    return done(&memory, EINVAL);
  seen s = {LIN_HAVE(&memory, uint64_t, n / WORD + 1)};
  if (memory.is_out)
    return done(&memory, ENOMEM);
  if (!are_good(function, arrays, num_arrays, n) || !is_permutation(function, destination, n, s))
    return done(&memory, EINVAL);
  for (size_t i = 0; i < num_arrays; i++) {
    bool is_in_place = arrays[i].own == arrays[i].moved;
    if ((arrays[i].use & use) == 0 && !(is_back && is_in_place))
      continue;
    if (is_in_place)
      move_in_place(&arrays[i], destination, n, is_back, s);
    else
      move(&arrays[i], destination, n, is_back);
  }
  return done(&memory, 0);
}

int linearize_layout(const linearize_array *arrays, size_t num_arrays, const uint32_t *destination,
                     size_t n) {
  return lay_out("linearize_layout", arrays, num_arrays, destination, n, LINEARIZE_READ);
}

int linearize_layout_back(const linearize_array *arrays, size_t num_arrays,
                          const uint32_t *destination, size_t n) {
  return lay_out("linearize_layout_back", arrays, num_arrays, destination, n, LINEARIZE_WRITTEN);
}

int linearize_inverse(const uint32_t *permutation, size_t n, uint32_t *inverse) {
  lin_memory memory = {0};
  if (n > UINT32_MAX || (n > 0 && (permutation == NULL || inverse == NULL)))
    return done(&memory, EINVAL);
  seen s = {LIN_HAVE(&memory, uint64_t, n / WORD + 1)};
  if (memory.is_out)
    return done(&memory, ENOMEM);
  if (!is_permutation("linearize_inverse", permutation, n, s))
    return done(&memory, EINVAL);
  for (size_t i = 0; i < n; i++)
    inverse[permutation[i]] = (uint32_t)i;
  return done(&memory, 0);
}
