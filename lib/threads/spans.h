// What the threads of a group do at least and at most, along each axis (points.h): the paper's (6)
// and (7), times latency. And the gain of merging two groups, (8) to (10):
//
//     least   min |-----------|            gain = sum of latency * (2 * min - max)
//     most    max |------------------|            of both groups together
#ifndef LIN_THREADS_SPANS_H
#define LIN_THREADS_SPANS_H

#include "points.h"

typedef struct lin_spans {
  size_t num_axes;
  double *least_most; // [number of groups * 2 * num_axes]
  double *least;      // [number of groups] the sum
  double *most;
} lin_spans;

bool lin_spans_new(lin_spans *spans, lin_memory *memory, uint32_t num_groups, size_t num_axes);

// The group is of one point. O(axes).
void lin_spans_set(lin_spans *spans, uint32_t group, const double *point);

// Takes in a point; all of another group. O(axes).
void lin_spans_add(lin_spans *spans, uint32_t group, const double *point);
void lin_spans_unite(lin_spans *spans, uint32_t group, uint32_t other);

// O(axes).
double lin_spans_gain(const lin_spans *spans, uint32_t a, uint32_t b);

// The gain is that at most. O(1).
static inline double lin_spans_limit(const lin_spans *spans, uint32_t a, uint32_t b) {
  double least = spans->least[a] < spans->least[b] ? spans->least[a] : spans->least[b];
  double most = spans->most[a] > spans->most[b] ? spans->most[a] : spans->most[b];
  return 2 * least - most;
}

#endif
