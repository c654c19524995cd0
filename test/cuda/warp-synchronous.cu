// Lanes of a warp fill shared memory and read each other's columns without __syncwarp: a race by
// CUDA's rules, but it works wherever a warp's threads are in the same iteration of the outer loop. Such
// a nest is merged only if that is forced, and a remark says why.
//
// DEFINE: %{cuda} = %cudacc -I %source/bench/include --cuda-gpu-arch=sm_75 -O3 -S -emit-llvm %s
// DEFINE: %{merge} = %fplugin -mllvm -linearize-merge-loops -Rpass=linearize -Rpass-missed=linearize
// DEFINE: %{launch} = %simt --grid 2 --arg buf:u32:4096:random --arg buf:u32:4096
// RUN: %{cuda} -o %t.clang.ll
// RUN: %{cuda} %{merge} -o %t.merged.ll 2>&1 | %FileCheck %s
// RUN: %{cuda} %{merge} -mllvm -linearize-force -o %t.forced.ll 2>&1 | %FileCheck %s --check-prefix FORCED
// RUN: %{cuda} %fplugin -mllvm -linearize-mode=paper -o %t.paper.ll
//
// CHECK: function 'denoise', block {{.*}}: not merged with the loop around it: it stores to memory of which other threads of the warp may load what they need
// FORCED: function 'denoise', block {{.*}}: merged this loop with the one around it
//
// Results are what they were without the plugin, unless it is forced.
// RUN: %{launch} --block 8,8 %t.clang.ll --model ipdom --compare %t.merged.ll
// RUN: %{launch} --block 8,8 %t.clang.ll --model volta --compare %t.merged.ll
// RUN: %{launch} --block 8,8 %t.clang.ll --model ipdom --compare %t.paper.ll
// RUN: %{launch} --block 8,8 %t.clang.ll --model volta --compare %t.paper.ll
// RUN: %not %{launch} --block 8,8 %t.clang.ll --model ipdom --compare %t.forced.ll
// RUN: %not %{launch} --block 8,8 %t.clang.ll --model volta --compare %t.forced.ll
//
// The simulator names such accesses, in either model.
// RUN: %not %{launch} --block 8,8 %t.clang.ll --model ipdom --races 2>&1 | %FileCheck %s --check-prefix RACE
// RUN: %not %{launch} --block 8,8 %t.clang.ll --model volta --races 2>&1 | %FileCheck %s --check-prefix RACE
// RACE: race: load of 4 bytes at offset {{.*}}tile{{.*}}has written byte
//
// Where each thread of a warp has places of its own, nothing is in the way.
// RUN: %{cuda} -DOWN -o %t.own.clang.ll
// RUN: %{cuda} -DOWN %{merge} -o %t.own.merged.ll 2>&1 | %FileCheck %s --check-prefix OWN
// RUN: %{launch} --block 64 %t.own.clang.ll --kernel place --compare %t.own.merged.ll
// RUN: %{launch} --block 64 %t.own.clang.ll --kernel stack --compare %t.own.merged.ll
// RUN: %{launch} --block 64 %t.own.merged.ll --kernel place --races
// RUN: %{launch} --block 64 %t.own.merged.ll --kernel stack --races
// OWN-DAG: function 'place', block {{.*}}: merged this loop with the one around it
// OWN-DAG: function 'stack', block {{.*}}: merged this loop with the one around it
// OWN-DAG: function 'neighbour', block {{.*}}: not merged with the loop around it: it stores to memory of which
// OWN-DAG: function 'narrow', block {{.*}}: not merged with the loop around it: it stores to memory of which
#include "linearize_device.h"

// The number of iterations depends on the data.
__device__ unsigned refine(unsigned x) {
  while (x & 62) {
    x = x * 1664525u + 1013904223u;
    x ^= x >> 9;
    x = x * 22695477u + 1u;
    x ^= x >> 9;
    x = x * 69069u + 5u;
    x ^= x >> 9;
    x = x * 1103515245u + 12345u;
    x ^= x >> 9;
    x = x * 134775813u + 3u;
    x ^= x >> 9;
    x = x * 214013u + 2531011u;
    x ^= x >> 9;
    x = x * 16843009u + 826366247u;
    x ^= x >> 9;
    x = x * 48271u + 7u;
    x ^= x >> 9;
    x = x * 65793u + 4282663u;
    x ^= x >> 9;
    x = x * 1140671485u + 12820163u;
    x ^= x >> 9;
  }
  return x;
}

#ifndef OWN

extern "C" __global__ void denoise(const unsigned *in, unsigned *out) {
  __shared__ unsigned tile[8][8];
  unsigned x = threadIdx.x, y = threadIdx.y, first = y & ~3u; // a warp has four rows
  for (unsigned patch = 0; patch < 32; patch++) {
    unsigned at = (blockIdx.x * 32 + patch) * 64 + y * 8 + x;
    tile[y][x] = in[at];
    unsigned sum = 0;
    for (unsigned row = 0; row < 4; row++)
      sum += tile[first + row][x] * ((row ^ y) + 1);
    out[at] = refine(sum);
  }
}

#else

extern "C" __global__ void place(const unsigned *in, unsigned *out) {
  __shared__ volatile unsigned last[64];
  unsigned thread = threadIdx.x;
  last[thread] = 0;
  for (unsigned turn = 0; turn < 32; turn++) {
    unsigned at = (blockIdx.x * 32 + turn) * 64 + thread;
    last[thread] = refine(in[at] + last[thread]);
    out[at] = last[thread];
  }
}

extern "C" __global__ void stack(const unsigned *in, unsigned *out) {
  __shared__ unsigned rows[8][64];
  unsigned thread = threadIdx.x, depth = 0;
  for (unsigned turn = 0; turn < 32; turn++) {
    unsigned at = (blockIdx.x * 32 + turn) * 64 + thread, x = refine(in[at]);
    if (x & 64 && depth < 8)
      rows[depth++][thread] = x;
    else if (depth > 0)
      x += rows[--depth][thread];
    out[at] = x;
  }
}

extern "C" __global__ void neighbour(const unsigned *in, unsigned *out) {
  __shared__ unsigned last[64];
  unsigned thread = threadIdx.x;
  for (unsigned turn = 0; turn < 32; turn++) {
    unsigned at = (blockIdx.x * 32 + turn) * 64 + thread;
    last[thread] = in[at];
    out[at] = refine(last[(thread + turn) & 63]);
  }
}

// A warp has two threads for each place of a row.
extern "C" __global__ void narrow(const unsigned *in, unsigned *out) {
  __shared__ unsigned rows[16][16];
  unsigned thread = threadIdx.x, *row = rows[0];
  for (unsigned turn = 0; turn < 32; turn++) {
    unsigned at = (blockIdx.x * 32 + turn) * 64 + thread, x = in[at];
    row[(x & 7) * 16 + thread] = x;
    out[at] = refine(row[(x >> 3 & 7) * 16 + thread]);
  }
}
#endif
