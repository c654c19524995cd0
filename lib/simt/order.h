// What orders the threads of a block: for each two, until when the one knows what the other did.
//
// Time is a number that rises from event to event; accesses have the time of the event before them.
// Threads that meet know of each other all that was before, and all that the others knew. Blocks
// know nothing of each other.
#ifndef LIN_SIMT_ORDER_H
#define LIN_SIMT_ORDER_H

#include "program.h"

enum { SIMT_NUM_BARRIERS = 16 };

typedef struct simt_order {
  uint32_t num_threads; // of a block, whole warps
  uint64_t now;
  uint64_t block;    // when it began
  uint64_t all;      // what was before that, all threads of the block know
  bool is_partial;   // since then threads of several warps have met, but not all threads
  uint64_t *known;   // [num_threads][num_threads] until when a thread knows another one
  uint64_t *arrived; // [SIMT_NUM_BARRIERS][num_threads] what who has come to a barrier knows
  uint64_t *joined;  // [num_threads] for one call
} simt_order;

// Before the first block. What it holds is in the arena. O(num_threads^2).
simt_order simt_order_new(lin_arena *arena, uint32_t num_warps);

// Another block begins. O(num_threads).
void simt_order_begin(simt_order *order);

// Another event. O(1).
static inline void simt_order_step(simt_order *order) { order->now++; }

// Lanes of a warp meet. O(lanes * 32); O(lanes * num_threads) after a barrier for a part of the
// block.
void simt_order_meet(simt_order *order, uint32_t warp, uint32_t lanes);

// Lanes of a warp come to a barrier: to wait there, or not. As simt_order_meet.
void simt_order_arrive(simt_order *order, uint32_t warp, uint32_t lanes, uint32_t barrier);

// A barrier is complete: all threads of the block have met there; or those who wait there are let
// go, which know then what all who came knew, and simt_order_reset follows. O(num_threads);
// O(lanes * num_threads); O(num_threads).
void simt_order_meet_all(simt_order *order, uint32_t barrier);
void simt_order_leave(simt_order *order, uint32_t warp, uint32_t lanes, uint32_t barrier);
void simt_order_reset(simt_order *order, uint32_t barrier);

// Whether `thread` knows what `other` did at `time`. O(1).
static inline bool simt_order_knows(const simt_order *order, uint32_t thread, uint32_t other,
                                    uint64_t time) {
  return time >= order->block && (thread == other || time < order->all ||
                                  time < order->known[(size_t)thread * order->num_threads + other]);
}

// When `thread` last met another one. Of what it did since, others know nothing, and once one does,
// all. O(1).
static inline uint64_t simt_order_last(const simt_order *order, uint32_t thread) {
  uint64_t own = order->known[(size_t)thread * order->num_threads + thread];
  return own > order->all ? own : order->all;
}

#endif
