// A loop that has another one merged with it isn't unrolled before: of two copies of the inner loop
// neither is worth it. Where no loop is to be merged, clang unrolls as it does without the plugin.
//
// RUN: %cudacc -I %source/bench/include --cuda-gpu-arch=sm_75 -O3 -S -emit-llvm %s -o %t.clang.ll
// RUN: %FileCheck --check-prefix=TWICE %s --input-file=%t.clang.ll
// RUN: %opt %load -passes=linearize-merge-loops -pass-remarks-analysis=linearize -disable-output \
// RUN:   %t.clang.ll 2>&1 | %FileCheck --check-prefix=LATE %s
// RUN: %cudacc -I %source/bench/include --cuda-gpu-arch=sm_75 -O3 %fplugin -mllvm -linearize-merge-loops -Rpass=linearize \
// RUN:   -S -emit-llvm %s -o %t.merged.ll 2>&1 | %FileCheck %s
// RUN: %cudacc -I %source/bench/include --cuda-gpu-arch=sm_75 -O3 %fplugin -S -emit-llvm %s -o %t.ll
// RUN: %FileCheck --check-prefix=TWICE %s --input-file=%t.ll
//
// TWICE-COUNT-2: mul i32 {{.*}}, 1664525
// LATE-COUNT-2: not merged with the loop around it: it gains too little
// CHECK: function 'tasks', block {{.*}}: merged this loop with the one around it
#include "linearize_device.h"

extern "C" __global__ void tasks(const unsigned *words, unsigned *out) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (unsigned i = 0; i < 64; i++) {
    unsigned x = words[thread * 64 + i];
    while (x & 63) {
      x = x * 1664525u + 1013904223u;
      x ^= x >> 9;
      x = x * 22695477u + 1u;
      x ^= x >> 10;
      x = x * 69069u + 5u;
      x ^= x >> 11;
      x = x * 1103515245u + 12345u;
      x ^= x >> 12;
    }
    sum += x;
  }
  out[thread] = sum;
}
