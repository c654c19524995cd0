// REQUIRES: ptxas
// A kernel without launch bounds can be launched in blocks of 1,024 threads with its point as without: it has no
// more than 64 registers, also with a function that isn't inlined, and with assertions.
//
// RUN: %clangxx -x cuda --cuda-device-only --cuda-path=/nonexistent -nocudainc -nocudalib --cuda-feature=+ptx78 --cuda-gpu-arch=sm_90 -O2 -w -fpass-plugin=%plugin -I%source/bench/include -I%source/include -S -emit-llvm %s -o %t.ll
// RUN: %llc -O3 -mcpu=sm_90 %t.ll -o %t.ptx
// RUN: %FileCheck %s < %t.ptx
// RUN: %ptxas -v -O3 -arch=sm_90 -c %t.ptx -o %t.cubin 2>&1 | %FileCheck %s --check-prefix PTXAS
//
// CHECK:     .entry many(
// CHECK:     .maxnreg 64
// CHECK:     .entry bounded(
// CHECK-NOT: .maxnreg
//
// PTXAS: Compiling entry function 'many'
// PTXAS: Used {{([1-5]?[0-9]|6[0-4])}} registers
#include "linearize_device.h"
#include "linearize/reorder.h"

static __device__ __attribute__((noinline)) void poke(float *at, unsigned i) { at[i] += 1.0f; }
extern "C" __device__ void __assertfail(const void *, const void *, unsigned, const void *, unsigned long);

static __device__ __forceinline__ void work(float *p, unsigned rounds) {
  float x[24];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < 24; k++)
    x[k] = p[i * 24 + k];
  while (x[0] < (float)rounds) {
    linearize_reorder((unsigned)x[1], 3);
#pragma unroll
    for (unsigned k = 0; k < 24; k++)
      x[k] = x[k] * x[(k * 7 + 3) % 24] + 1.0f;
  }
#pragma unroll
  for (unsigned k = 0; k < 24; k++)
    p[i * 24 + k] = x[k];
  poke(p, i);
  if (x[3] == 77.0f)
    __assertfail(p, p, 1, p, 1);
}

extern "C" __global__ void many(float *p, unsigned rounds) { work(p, rounds); }
extern "C" __global__ void __launch_bounds__(128) bounded(float *p, unsigned rounds) { work(p, rounds); }
