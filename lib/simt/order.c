#include "order.h"

#include "lanes.h"

#include <string.h>

typedef struct columns {
  uint32_t begin, end;
} columns;

static uint64_t *row_of(const simt_order *order, uint32_t thread) {
  return order->known + (size_t)thread * order->num_threads;
}

static uint64_t *barrier_of(const simt_order *order, uint32_t barrier) {
  return order->arrived + (size_t)barrier * order->num_threads;
}

// Of whom a thread of `warp` may know more than all threads do.
static columns columns_of(const simt_order *order, uint32_t warp) {
  return order->is_partial ? (columns){0, order->num_threads}
                           : (columns){warp * SIMT_LANES, (warp + 1) * SIMT_LANES};
}

static void join(uint64_t *row, const uint64_t *other, columns c) {
  for (uint32_t i = c.begin; i < c.end; i++)
    if (row[i] < other[i])
      row[i] = other[i];
}

simt_order simt_order_new(lin_arena *arena, uint32_t num_warps) {
  uint32_t n = num_warps * SIMT_LANES;
  return (simt_order){.num_threads = n,
                      .known = LIN_ARRAY(arena, uint64_t, (size_t)n *n),
                      .arrived = LIN_ARRAY(arena, uint64_t, (size_t)SIMT_NUM_BARRIERS *n),
                      .joined = LIN_ARRAY(arena, uint64_t, n)};
}

void simt_order_begin(simt_order *order) {
  order->block = order->all = ++order->now;
  order->is_partial = false;
  for (uint32_t i = 0; i < SIMT_NUM_BARRIERS; i++)
    simt_order_reset(order, i);
}

void simt_order_meet(simt_order *order, uint32_t warp, uint32_t lanes) {
  columns c = columns_of(order, warp);
  size_t size = (c.end - c.begin) * sizeof *order->joined;
  uint32_t first = warp * SIMT_LANES;
  uint64_t now = ++order->now;
  memset(order->joined + c.begin, 0, size);
  for (uint32_t left = lanes; left != 0; left &= left - 1)
    join(order->joined, row_of(order, first + simt_first_lane(left)), c);
  for (uint32_t left = lanes; left != 0; left &= left - 1)
    order->joined[first + simt_first_lane(left)] = now;
  for (uint32_t left = lanes; left != 0; left &= left - 1)
    memcpy(row_of(order, first + simt_first_lane(left)) + c.begin, order->joined + c.begin, size);
}

void simt_order_arrive(simt_order *order, uint32_t warp, uint32_t lanes, uint32_t barrier) {
  columns c = columns_of(order, warp);
  uint64_t now = ++order->now, *row = barrier_of(order, barrier);
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    uint32_t thread = warp * SIMT_LANES + simt_first_lane(left);
    join(row, row_of(order, thread), c);
    row[thread] = row_of(order, thread)[thread] = now;
  }
}

void simt_order_meet_all(simt_order *order, uint32_t barrier) {
  order->all = ++order->now;
  order->is_partial = false;
  simt_order_reset(order, barrier);
}

void simt_order_leave(simt_order *order, uint32_t warp, uint32_t lanes, uint32_t barrier) {
  order->is_partial = true;
  for (uint32_t left = lanes; left != 0; left &= left - 1)
    join(row_of(order, warp * SIMT_LANES + simt_first_lane(left)), barrier_of(order, barrier),
         (columns){0, order->num_threads});
}

void simt_order_reset(simt_order *order, uint32_t barrier) {
  memset(barrier_of(order, barrier), 0, order->num_threads * sizeof *order->arrived);
}
