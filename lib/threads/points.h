// The different vectors as points, for the greedy algorithms, which compare gains: along each axis
// latency times count. As few axes as tell them apart:
//
//     block          A   B   C   D   E
//     latency        5   4   3   2   0
//     vectors        1   7   7   2   9    A: all the same, no axis. B and C: one axis, of latency 7
//                    1   3   3   8   1    E: costs nothing, no axis
//                        `-- 7 --'
// All gains become less by the same constant for A; else they stay.
#ifndef LIN_THREADS_POINTS_H
#define LIN_THREADS_POINTS_H

#include "classes.h"

typedef struct lin_points {
  lin_classes classes; // of vectors that are equal in all blocks that cost anything
  size_t num_axes;     // a multiple of 4: those past the last have 0 for all
  double *at;          // [classes.count * num_axes]
  double *latency;     // [classes.count] of a thread, (11): the sum of its point
} lin_points;

// O(num_threads * num_blocks + classes * blocks + blocks log blocks).
bool lin_points_find(lin_points *points, lin_memory *memory, const lin_vectors *vectors,
                     const double *latency);

static inline const double *lin_point(const lin_points *points, uint32_t c) {
  return points->at + c * points->num_axes;
}

// Their order for who looks for alike ones: the longest first, of the same latency by their points.
// `rank` and `other` have room for all classes. O(classes log classes * axes).
void lin_points_rank(const lin_points *points, uint32_t *rank, uint32_t *other);

#endif
