// The newest times of a version of a kernel, and what they say, whatever their distribution is.
#ifndef LIN_VERSIONS_TIMES_H
#define LIN_VERSIONS_TIMES_H

#include "format.h"

enum {
  LIN_TIMES = 16,
  LIN_KINDS_APART = 10,    // times as long, and no launch in between: two kinds of launches
  LIN_KINDS_CROSSINGS = 3, // from one kind to the other, at least
};

typedef struct lin_times {
  uint64_t time[LIN_TIMES]; // nanoseconds; the newest one is at (count - 1) % LIN_TIMES
  uint32_t count;           // that there ever were
} lin_times;

// O(1).
void lin_times_add(lin_times *times, uint64_t time);

// By how much `a` is more, or 0. O(1).
static inline uint64_t lin_above(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

// 2.5 times as long. O(1).
static inline bool lin_is_far(uint64_t time, uint64_t best) { return 2 * time >= 5 * best; }

// The time that is `age` before the newest one, less than what is kept. O(1).
uint64_t lin_times_at(const lin_times *times, uint32_t age);

// How many are kept. O(1).
static inline uint32_t lin_times_kept(const lin_times *times) {
  return times->count < LIN_TIMES ? times->count : LIN_TIMES;
}

// The median of what is kept but for the newest `skip`, the lower one of two; 0 if nothing is.
// O(LIN_TIMES^2).
uint64_t lin_times_median(const lin_times *times, uint32_t skip);

// The `number`th largest of these, from 0, or the smallest; 0 if there are fewer. O(LIN_TIMES^2).
uint64_t lin_times_large(const lin_times *times, uint32_t skip, uint32_t number);
uint64_t lin_times_small(const lin_times *times, uint32_t skip, uint32_t number);

// The larger of two measures that agree for a normal distribution. One is the median of the
// distances from the median, the upper one of two: of two times, what they differ by. The other one
// is half the distance between the quartiles: it is large where nearly half of the launches do
// other work. O(LIN_TIMES^2).
uint64_t lin_times_noise(const lin_times *times);

// Where launches of one shape are of two kinds, the long kind takes nearly all of the time:
//
//      │   ▄     ▄  ▄     ▄
//      │   █     █  █     █      the long kind
//      │───█─────█──█─────█───   its floor
//      │▄▄ █▄▄▄▄ █▄ █▄▄▄▄ █▄▄▄   the short kind
//
// The least time that may be of the long kind: a fourth of the shortest one above a gap that is
// crossed to and fro, so that it isn't a change; 0: there is one kind. O(LIN_TIMES^2).
uint64_t lin_times_floor(const lin_times *times);

// What is kept and not below the floor. O(LIN_TIMES).
lin_times lin_times_from(const lin_times *times, uint64_t floor);

// By Mann and Whitney's U: -1 if the times of `a` are smaller than those of `b`, 1 if they are
// larger, 0 if chance may make them so. U of two samples of the same distribution, of n and m
// times, has mean nm/2 and variance nm(n+m+1)/12; it is asked to be 2.5 standard deviations off,
// with half a step for its being a whole number: of 5 and 5 times all have to be smaller, which
// chance does once in 252 cases. O(LIN_TIMES^2).
int lin_times_compare(const lin_times *a, const lin_times *b);

#endif
