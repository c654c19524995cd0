// By a profile threads are regrouped where none of the branches behind is a key, too: by how often they will go
// around a loop; and in an arm that not each iteration of a loop comes by, in front of a loop in that.
//
// The kernels don't say how large their thread blocks are. They are made for those of the profile, 128 threads;
// larger and smaller ones take the plain form, and so no launch has another result.
//
// DEFINE: %{clang} = %clangxx @%source/docs/examples/device.flags -I%source/bench/include -w -S -emit-llvm %s
// RUN: cd %source && %{clang} -o %t.ll
// RUN: %simt %t.ll --kernel counted --grid 8 --block 128 --arg buf:u32:2048:random --arg buf:u32:2048 --counts %t.counted > %t.out
// RUN: cd %source && %{clang} %fplugin -mllvm -linearize-mode=none -mllvm -linearize-regroup -mllvm -linearize-profile=%t.counted -Rpass=linearize -Rpass-analysis=linearize -fno-caret-diagnostics -o %t.after.ll 2> %t.remarks
// RUN: %FileCheck %s --check-prefix COUNTED < %t.remarks
// COUNTED: function 'counted', {{.*}}: threads are to be regrouped here, by how often they will go around the loop at regroup-places.cu:[[#@LINE+32]]: warps execute about {{[23].}}% less
// COUNTED: function 'counted', {{.*}}: threads are regrouped here by 5 bits, with votes: {{.*}}, in blocks of 128 threads, as the profile has them
// RUN: echo --kernel counted --grid 8 --block 128 --arg buf:u32:2048:random --arg buf:u32:2048 > %t.launch
// RUN: %python %source/test/simt/Inputs/saved.py %simt %t.launch %t.ll %t.after.ll 0.65 0.8
// RUN: %simt %t.ll --kernel counted --grid 8 --block 256 --arg buf:u32:2048:random --arg buf:u32:2048 --compare %t.after.ll > %t.out
// RUN: %simt %t.ll --kernel counted --grid 8 --block 100 --arg buf:u32:2048:random --arg buf:u32:2048 --compare %t.after.ll > %t.out
// RUN: %simt %t.ll --kernel counted --grid 2 --block 16,8,8 --arg buf:u32:2048:random --arg buf:u32:2048 --compare %t.after.ll > %t.out
//
// RUN: %simt %t.ll --kernel skipped --grid 8 --block 128 --arg buf:u32:2048:random --arg buf:u32:2048 --counts %t.skipped > %t.out
// RUN: cd %source && %{clang} %fplugin -mllvm -linearize-mode=none -mllvm -linearize-regroup -mllvm -linearize-profile=%t.skipped -Rpass=linearize -fno-caret-diagnostics -o %t.after.ll 2> %t.remarks
// RUN: %FileCheck %s --check-prefix SKIPPED < %t.remarks
// SKIPPED: function 'skipped', {{.*}}: threads are to be regrouped here: warps execute about {{[78].}}% less
// SKIPPED: function 'skipped', {{.*}}: threads are regrouped here by 0 bits
// RUN: echo --kernel skipped --grid 8 --block 128 --arg buf:u32:2048:random --arg buf:u32:2048 > %t.launch
// RUN: %python %source/test/simt/Inputs/saved.py %simt %t.launch %t.ll %t.after.ll 0.25 0.4
// RUN: %simt %t.ll --kernel skipped --grid 8 --block 1024 --arg buf:u32:8192:random --arg buf:u32:8192 --compare %t.after.ll > %t.out
#include "linearize_device.h"

static __device__ __forceinline__ unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

extern "C" __global__ void counted(const unsigned *in, unsigned *out) {
  unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  unsigned own = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned i = blockIdx.x * threads + own, x = in[i], trips = x % 100;
#pragma unroll 1
  for (unsigned trip = 0; trip < trips; trip++)
    x = mix(mix(mix(x + trip) ^ i) / (trip + 3));
  out[i] = x;
}

extern "C" __global__ void skipped(const unsigned *in, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i], sum = 0;
#pragma unroll 1
  for (unsigned turn = 0; turn < 24; turn++) {
    x = x * 1664525u + 1013904223u;
    if (x >> 28 != 0)
      continue;
#pragma unroll 1
    for (unsigned step = 0; step < 7; step++)
      sum = mix(mix(mix(sum + step) ^ x) / (step + 3));
  }
  out[i] = sum + x;
}
