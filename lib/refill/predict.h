// What refilling gains: warps of counted items, as they are and refilled, round by round.
//
//     trips 9 1 2 1    as it is   9 rounds, of 36 places 13 busy
//     trips 3 3 3 3    refilled   a lane that is done takes an item of the next warp
//
// A few warps share a counter; the one that is behind goes on. Each has as many items for a lane as
// a launch of 2^22 threads on a GPU that holds 2^18.
#ifndef LIN_REFILL_PREDICT_H
#define LIN_REFILL_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

enum { LIN_REFILL_WARPS = 256, LIN_REFILL_LANES = 32 }; // that are simulated, at most

// Instructions of a warp: a look at its lanes, going around once more, and taking items. Counted in
// the PTX that llc-22 -mcpu=sm_90 makes of mandelbrot of bench/refill, refilled, along those ways.
enum { LIN_REFILL_LOOK = 15, LIN_REFILL_ROUND = 3, LIN_REFILL_FETCH = 30 };

// Items as they were counted, warp by warp.
typedef struct lin_refill_items {
  uint32_t num_warps;
  uint32_t first[LIN_REFILL_WARPS + 1]; // of each warp's items; a warp has at most 32
  uint32_t trips[LIN_REFILL_WARPS * LIN_REFILL_LANES]; // steps of the loop
} lin_refill_items;

// What a warp runs, all in one unit.
typedef struct lin_refill_costs {
  double around; // init and finish
  double step;
  double look, round, fetch; // as above, in this unit
  double beside,
      alone; // sectors of 32 bytes that an item asks for together with its neighbours, as
             // warps were, and by itself; 0: nobody knows. Of instructions only
} lin_refill_costs;

typedef struct lin_refill_prediction {
  uint32_t idle_lanes, steps;
  double before, after;    // of an item, in the costs' unit; before 0: nothing is known
  double gain;             // so many times as fast, as far as is known; 1: nothing is
  bool is_bound_by_memory; // which allows no more
} lin_refill_prediction;

// Of `idle_lanes` and `steps`, where they aren't 0, else of those of a few that are fastest.
// Deterministic. O(items * lanes), for each of them.
lin_refill_prediction lin_refill_predict(const lin_refill_items *items,
                                         const lin_refill_costs *costs, uint32_t idle_lanes,
                                         uint32_t steps);

#endif
