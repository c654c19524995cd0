// A version that merges loops is copied before loops are unrolled, and its nest is kept; the plain kernel is
// unrolled as ever, and is what clang makes of it. Where there is nothing to merge there is no such version,
// and nothing is left of the copy.
//
// RUN: %cudacc -I %source/bench/include --cuda-gpu-arch=sm_75 -O3 -S -emit-llvm %s -o %t.clang.ll
// RUN: %cudacc -I %source/bench/include --cuda-gpu-arch=sm_75 -O3 %fplugin -mllvm -linearize-versions=needed,merge-loops,needed.merge-loops \
// RUN:   -Rpass=linearize -Rpass-analysis=linearize -S -emit-llvm %s -o %t.remarks.ll 2>&1 | %FileCheck %s
// RUN: %cudacc -I %source/bench/include --cuda-gpu-arch=sm_75 -O3 %fplugin -mllvm -linearize-versions=needed,merge-loops,needed.merge-loops \
// RUN:   -S -emit-llvm %s -o %t.ll
// RUN: %python %S/../ir/Inputs/same_functions.py %t.clang.ll %t.ll tasks flat
// RUN: %FileCheck --check-prefix=MODULE --implicit-check-not=flat__linearize %s --input-file=%t.ll
//
// Where a file knows that it is the fastest it stands in the kernel's place; and nothing is left of the copy where
// the file is of other code.
// RUN: %python %S/../ir/Inputs/tuned.py %t.ll tasks=merge-loops > %t.linearize
// RUN: %cudacc -I %source/bench/include --cuda-gpu-arch=sm_75 -O3 %fplugin -mllvm -linearize-tuned=%t.linearize -S -emit-llvm %s -o %t.tuned.ll
// RUN: %FileCheck --check-prefix=TUNED --implicit-check-not=__linearize %s --input-file=%t.tuned.ll
// RUN: %python %S/../ir/Inputs/tuned.py %t.ll 'tasks!=merge-loops' > %t.other.linearize
// RUN: %cudacc -I %source/bench/include --cuda-gpu-arch=sm_75 -O3 %fplugin -mllvm -linearize-tuned=%t.other.linearize -S -emit-llvm %s -o %t.other.ll
// RUN: %FileCheck --check-prefix=OTHER --implicit-check-not=__linearize %s --input-file=%t.other.ll
//
// TUNED: define {{.*}} @tasks(
// TUNED: linearize.guard
// TUNED: mul i32 {{.*}}, 1664525
// TUNED-NOT: mul i32 {{.*}}, 1664525
// TUNED: define {{.*}} @flat(
// OTHER: define {{.*}} @tasks(
// OTHER-COUNT-2: mul i32 {{.*}}, 1664525
// OTHER: define {{.*}} @flat(
//
// MODULE: define {{.*}} @tasks(
// MODULE-COUNT-2: mul i32 {{.*}}, 1664525
// MODULE: define {{.*}} @flat(
// MODULE: define {{.*}} @tasks__linearize_merge_loops(
// MODULE: mul i32 {{.*}}, 1664525
// MODULE-NOT: mul i32 {{.*}}, 1664525
// MODULE: ret void
// CHECK: function 'tasks__linearize_merge_loops', block {{.*}}: merged this loop with the one around it
// CHECK: function 'tasks': 1 version beside the plain one: merge-loops; plain is also needed; merge-loops is also needed.merge-loops
// CHECK: function 'flat': no version differs from the plain one; plain is also needed, merge-loops, needed.merge-loops
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

extern "C" __global__ void flat(const unsigned *words, unsigned *out) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 64; i++)
    sum += words[i * 3];
  out[threadIdx.x] = sum;
}
