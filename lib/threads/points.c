#include "points.h"

#include "merge_sort.h"

typedef struct axes {
  const lin_vectors *vectors;
  const lin_classes *classes;
  uint32_t *column; // [count] the blocks that stand for an axis
  size_t count;
  uint64_t *hash;  // [num_blocks] of the block's counts
  double *latency; // [num_blocks] of all blocks that it stands for
} axes;

static uint32_t count_of(const axes *a, uint32_t c, uint32_t block) {
  return lin_class_vector(a->classes, a->vectors, c)[block];
}

static bool has_less_hash(uint32_t one, uint32_t two, const void *context) {
  const axes *a = context;
  return a->hash[one] < a->hash[two];
}

static bool differ(const axes *a, uint32_t one, uint32_t two) {
  for (uint32_t c = 0; c < a->classes->count; c++)
    if (count_of(a, c, one) != count_of(a, c, two))
      return true;
  return false;
}

static bool is_constant(const axes *a, uint32_t block) {
  for (uint32_t c = 1; c < a->classes->count; c++)
    if (count_of(a, c, block) != count_of(a, 0, block))
      return false;
  return true;
}

// Leaves the first block of those that are the same, by their hashes, which has all their latency.
static void unite(axes *a, uint32_t *other) {
  for (uint32_t c = 0; c < a->classes->count; c++)
    for (size_t i = 0; i < a->count; i++) {
      uint64_t *hash = &a->hash[a->column[i]];
      *hash = (*hash ^ count_of(a, c, a->column[i])) * UINT64_C(0x9e3779b97f4a7c15);
      *hash ^= *hash >> 32;
    }
  lin_merge_sort(a->column, other, a->count, has_less_hash, a);
  size_t kept = 0;
  for (size_t i = 0; i < a->count; i++) {
    uint32_t block = a->column[i];
    if (is_constant(a, block))
      continue;
    if (kept > 0 && a->hash[block] == a->hash[a->column[kept - 1]] &&
        !differ(a, block, a->column[kept - 1]))
      a->latency[a->column[kept - 1]] += a->latency[block];
    else
      a->column[kept++] = block;
  }
  a->count = kept;
}

bool lin_points_find(lin_points *points, lin_memory *memory, const lin_vectors *vectors,
                     const double *latency) {
  size_t num_blocks = vectors->num_blocks;
  axes a = {vectors,
            &points->classes,
            LIN_HAVE(memory, uint32_t, num_blocks),
            0,
            LIN_HAVE(memory, uint64_t, num_blocks),
            LIN_HAVE(memory, double, num_blocks)};
  uint32_t *other = LIN_HAVE(memory, uint32_t, num_blocks);
  if (memory->is_out)
    return false;
  for (size_t block = 0; block < num_blocks; block++)
    if (latency[block] > 0) {
      a.column[a.count++] = (uint32_t)block;
      a.latency[block] = latency[block];
    }
  if (!lin_classes_find(&points->classes, memory, vectors, a.column, a.count))
    return false;
  unite(&a, other);

  uint32_t num_classes = points->classes.count;
  points->num_axes = (a.count + 3) / 4 * 4;
  // A row more than there are classes: of no axes there would be no row at all.
  points->at = LIN_HAVE(memory, double, (num_classes + (size_t)1) * points->num_axes);
  points->latency = LIN_HAVE(memory, double, num_classes);
  if (memory->is_out)
    return false;
  for (uint32_t c = 0; c < num_classes; c++) {
    double *at = points->at + c * points->num_axes;
    for (size_t i = 0; i < a.count; i++) {
      at[i] = a.latency[a.column[i]] * count_of(&a, c, a.column[i]);
      points->latency[c] += at[i];
    }
  }
  return true;
}

static bool ranks_before(uint32_t a, uint32_t b, const void *context) {
  const lin_points *points = context;
  if (points->latency[a] != points->latency[b])
    return points->latency[a] > points->latency[b];
  const double *left = lin_point(points, a), *right = lin_point(points, b);
  for (size_t i = 0; i < points->num_axes; i++)
    if (left[i] != right[i])
      return left[i] > right[i];
  return false;
}

void lin_points_rank(const lin_points *points, uint32_t *rank, uint32_t *other) {
  for (uint32_t c = 0; c < points->classes.count; c++)
    rank[c] = c;
  lin_merge_sort(rank, other, points->classes.count, ranks_before, points);
}
