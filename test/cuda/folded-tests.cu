// Tests of a loop that became one take a comparison each in machine code: none is computed once more
// for who asks behind the loop by which test a thread has left. One more is in front of the loop.
//
// REQUIRES: ptxas, nvdisasm
// RUN: %cudacc --cuda-gpu-arch=sm_90 -O3 -ffp-contract=off %fplugin -Rpass=linearize %s -S -o %t.ptx 2> %t.remarks
// RUN: %FileCheck %s --check-prefix=REMARKS < %t.remarks
// RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
// RUN: %nvdisasm -c %t.cubin > %t.sass
// RUN: %FileCheck %s < %t.sass
//
// REMARKS: function 'escape', {{.*}} combined 2 exit tests
// REMARKS: function 'escape_double', {{.*}} combined 2 exit tests
// REMARKS: function 'search', {{.*}} combined 2 exit tests
// REMARKS: function 'search_three', {{.*}} combined 3 exit tests
#include "gpu.h"

#define ESCAPE(type)                                                                               \
  type x = 0, y = 0, cx = in[tid], cy = in[tid + 1];                                               \
  int i = 0;                                                                                       \
  _Pragma("unroll 1") for (; i < limit; i++) {                                                     \
    type x2 = x * x, y2 = y * y;                                                                   \
    if (x2 + y2 > 4)                                                                               \
      break;                                                                                       \
    y = 2 * x * y + cy;                                                                            \
    x = x2 - y2 + cx;                                                                              \
  }                                                                                                \
  out[tid] = i;

// nvdisasm's order is the reverse of the functions'.
//
// CHECK-LABEL: .text.search_three:
// CHECK-COUNT-4: SETP
// CHECK-NOT: SETP
// CHECK-LABEL: .text.search:
// CHECK-COUNT-3: SETP
// CHECK-NOT: SETP
// CHECK-LABEL: .text.escape_double:
// CHECK-COUNT-3: SETP
// CHECK-NOT: SETP
// CHECK-LABEL: .text.escape:
// CHECK-COUNT-3: SETP
// CHECK-NOT: SETP
extern "C" __global__ void escape(const float *in, int *out, int limit) { ESCAPE(float) }

extern "C" __global__ void escape_double(const double *in, int *out, int limit) { ESCAPE(double) }

extern "C" __global__ void search(const int *in, int *out, int n, int key) {
  int i = tid;
#pragma unroll 1
  for (; i < n; i++)
    if (in[i] == key)
      break;
  out[tid] = i;
}

extern "C" __global__ void search_three(const float *in, int *out, int n, float key, float most) {
  int i = tid, why = 0;
#pragma unroll 1
  for (; i < n; i++) {
    if (in[i] == key)
      break;
    if (in[i] > most) {
      why = 5;
      break;
    }
  }
  out[tid] = i * 3 + why;
}
