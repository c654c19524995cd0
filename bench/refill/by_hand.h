// What somebody writes by hand: a warp of which T lanes are idle takes as many items from a counter, and looks again
// after S steps. A stock: the warp takes that many items at a time from the counter, and deals them out.
#pragma once
#include "common.h"

// An Item has init(i), false where nothing is left to do, and step(), false behind the last one.
template <int T, int S, int STOCK, class Item> __global__ void by_hand(Item item, int *counter, int n) {
  const unsigned lane = threadIdx.x & 31;
  int next = 0, left = 0; // the stock, the same in all lanes
  bool has = false, is_over = false;
  for (;;) {
    const unsigned idle = __ballot_sync(~0u, !has);
    if (!is_over && __popc(idle) >= T) {
      const int wanted = __popc(idle), place = __popc(idle & ((1u << lane) - 1));
      const int taken = wanted <= left ? 0 : STOCK > wanted ? STOCK : wanted;
      int base = next;
      if (taken > 0) {
        if (lane == __ffs(idle) - 1)
          base = atomicAdd(counter, taken);
        base = __shfl_sync(~0u, base, __ffs(idle) - 1);
      }
      const int i = place < left ? next + place : base + place - (taken > 0 ? left : 0);
      next = taken > 0 ? base + wanted - left : next + wanted;
      left += taken - wanted;
      is_over = next >= n;
      if (!has)
        has = i < n && item.init(i);
    } else if (is_over && idle == ~0u) {
      break;
    }
#pragma unroll 1
    for (int s = 0; s < S; s++)
      if (has)
        has = item.step();
  }
}

template <int T, int S, int STOCK, class O, class Item>
void report_by_hand(const O *out, int n, int launches, const Item &item) {
  char name[32];
  int *counter;
  CHECK(cudaMalloc(&counter, sizeof *counter));
  snprintf(name, sizeof name, "T %d S %d of %d", T, S, STOCK);
  report(name, out, n, launches, [&] {
    cudaMemsetAsync(counter, 0, sizeof *counter);
    by_hand<T, S, STOCK><<<(n + 127) / 128, 128>>>(item, counter, n);
  });
}

template <class O, class Item> void report_all_by_hand(const O *out, int n, int launches, const Item &item) {
  report_by_hand<4, 1, 0>(out, n, launches, item);
  report_by_hand<4, 4, 0>(out, n, launches, item);
  report_by_hand<8, 1, 0>(out, n, launches, item);
  report_by_hand<8, 4, 0>(out, n, launches, item);
  report_by_hand<8, 16, 0>(out, n, launches, item);
  report_by_hand<16, 4, 0>(out, n, launches, item);
  report_by_hand<16, 8, 0>(out, n, launches, item);
  report_by_hand<4, 4, 32>(out, n, launches, item);
  report_by_hand<8, 4, 32>(out, n, launches, item);
  report_by_hand<8, 4, 128>(out, n, launches, item);
  report_by_hand<16, 8, 64>(out, n, launches, item);
}
