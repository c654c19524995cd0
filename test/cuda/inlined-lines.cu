// A loop that begins with an inlined function's code is named by a line of its own.
//
// RUN: %cudacc --cuda-gpu-arch=sm_90 -O3 -gline-tables-only %fplugin -Rpass=linearize -Rpass-analysis=linearize %s -S -emit-llvm -o %t.ll 2>&1 | %FileCheck %s
#include "gpu.h"

__device__ inline float chance(unsigned &state) {
  state = state * 747796405u + 2891336453u;
  return (state >> 8) * (1.0f / 16777216.0f);
}

// CHECK: function 'walk', {{.*}} linearized a region {{.*}} if the loop at inlined-lines.cu:[[#@LINE+6]] goes around 8 times
extern "C" __global__ void walk(float *p, const float *q) {
  unsigned state = tid;
  float x = p[state], sum = 0;
  if (q[state] > 0 || q[state + 99] > 1) {
    for (int step = 0; step < 64; step++) {
      x += chance(state) - 0.55f;
      if (x < 0)
        break;
      if (chance(state) < 0.03f || x > 1)
        return;
      sum += q[step];
    }
    p[tid] = sum;
  } else if (q[state] < -1) {
    p[tid] = sum + 1;
  }
}
