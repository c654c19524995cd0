// What somebody writes by hand: a warp of which T lanes are idle takes as many items from a counter, and looks again
// after S steps.
#pragma once
#include "common.h"

// An Item has init(i), false where nothing is left to do, and step(), false behind the last one.
template <int T, int S, class Item> __global__ void by_hand(Item item, int *counter, int n) {
  const unsigned lane = threadIdx.x & 31;
  bool has = false, is_over = false;
  for (;;) {
    const unsigned idle = __ballot_sync(~0u, !has);
    if (!is_over && __popc(idle) >= T) {
      int base = 0;
      if (lane == __ffs(idle) - 1)
        base = atomicAdd(counter, __popc(idle));
      base = __shfl_sync(~0u, base, __ffs(idle) - 1);
      is_over = base >= n - __popc(idle);
      if (!has) {
        const int i = base + __popc(idle & ((1u << lane) - 1));
        has = i < n && item.init(i);
      }
    } else if (is_over && idle == ~0u) {
      break;
    }
#pragma unroll 1
    for (int s = 0; s < S; s++)
      if (has)
        has = item.step();
  }
}

template <int T, int S, class O, class Item>
void report_by_hand(const O *out, int n, int launches, const Item &item) {
  char name[32];
  int *counter;
  CHECK(cudaMalloc(&counter, sizeof *counter));
  snprintf(name, sizeof name, "T %d S %d", T, S);
  report(name, out, n, launches, [&] {
    cudaMemsetAsync(counter, 0, sizeof *counter);
    by_hand<T, S><<<(n + 127) / 128, 128>>>(item, counter, n);
  });
}

template <class O, class Item> void report_all_by_hand(const O *out, int n, int launches, const Item &item) {
  report_by_hand<4, 1>(out, n, launches, item);
  report_by_hand<4, 4>(out, n, launches, item);
  report_by_hand<8, 1>(out, n, launches, item);
  report_by_hand<8, 4>(out, n, launches, item);
  report_by_hand<8, 16>(out, n, launches, item);
  report_by_hand<16, 4>(out, n, launches, item);
  report_by_hand<16, 8>(out, n, launches, item);
}
