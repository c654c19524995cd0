// A profile decides of a kernel that has been edited before, and of one whose threads were regrouped it is said
// that it ends there.
//
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{clang} = %cudacc --cuda-gpu-arch=sm_90 -O3 -I%source/bench/include -S -emit-llvm %s
// DEFINE: %{launch} = %simt %t/counting.ll --grid 4 --block 128 --arg buf:u32:512 --arg u32:24
// RUN: %{clang} -o %t/plain.ll
// RUN: %{clang} %fplugin -mllvm -linearize-mode=none -mllvm -linearize-count-passes -o %t/counting.ll
//
// The exits of the inner loop are combined, and then it is asked whether loops are merged: as the counts say.
// RUN: %{launch} --kernel walk --counters %t/walk > %t/ignored
// RUN: %opt %load -passes='linearize<profile=%t/walk;merge-loops>,verify' -pass-remarks=linearize -pass-remarks-missed=linearize -pass-remarks-analysis=linearize -S %t/plain.ll -o %t/out.ll 2>&1 | grep "'walk'" | %FileCheck %s --check-prefix WALK --implicit-check-not='merged this loop'
// WALK: not merged with the loop around it: it gains too little
//
// The arm that few threads come to in an iteration is run by warps of which the threads have come together; what
// is planned next is planned without the profile.
// RUN: %{launch} --kernel filter --counters %t/filter > %t/ignored
// RUN: %opt %load -passes='linearize-regroup<profile=%t/filter>,function(linearize<profile=%t/filter;merge-loops>)' -pass-remarks=linearize -pass-remarks-missed=linearize -S %t/plain.ll -o %t/out.ll 2>&1 | grep "'filter'" | %FileCheck %s --check-prefix FILTER --implicit-check-not='of other code' --implicit-check-not='merged this loop'
// FILTER: threads are regrouped here by 0 bits
// FILTER: the profile is of the kernel before its threads were regrouped: what follows is decided without it
// FILTER-NOT: the profile is
// RUN: printf -- '--kernel filter --grid 4 --block 128 --arg buf:u32:512 --arg u32:24\n' > %t/launch
// RUN: %python %source/test/simt/Inputs/saved.py %simt %t/launch %t/plain.ll %t/out.ll 0.3 0.46
#include "linearize_device.h"

typedef unsigned u32;

static __device__ u32 mix(u32 x) {
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

static __device__ u32 index() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void walk(u32 *out, int walks) {
  u32 s = index() * 2654435761u + 977u, sum = 0;
  for (int walk = 0; walk < walks; walk++) {
    float at = 0.f, weight = 1.f;
    for (;;) {
      s = mix(s);
      float step = (s & 511) * (1.f / 256.f);
      at += (s & 8192) ? step : -step;
      if (at < -5.f || at > 5.f) {
        sum++;
        break;
      }
      weight *= 0.75f;
      if (weight < 0.15f) {
        s = mix(s);
        if ((s & 7) != 0)
          break;
        weight *= 8.f;
      }
    }
  }
  out[index()] = sum * 65536u + (s & 65535u);
}

extern "C" __global__ void filter(u32 *out, int count) {
  u32 sum = 0, x = index() * 2654435761u + 12345u;
  for (int i = 0; i < count; i++) {
    x = mix(x + i);
    if (x & 1)
      continue;
    if ((x & 6) == 2) {
      sum += 3;
      continue;
    }
    if ((x & 24) == 24)
      break;
    u32 y = x;
#pragma unroll
    for (int j = 0; j < 24; j++)
      y = mix(y) / ((y >> 20) | 3u) + 1664525u * y;
    if (y & 64)
      continue;
    sum += y;
  }
  out[index()] = sum;
}
