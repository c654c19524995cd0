// A function annotated "no-linearize" is left alone, one annotated "linearize" is linearized wherever
// it is unstructured: here although its branches are uniform.
//
// RUN: %cudacc --cuda-gpu-arch=sm_75 -O1 -Wno-error=pass-failed %fplugin -Rpass=linearize -Rpass-missed=linearize %s -S \
// RUN:   -emit-llvm -o %t.ll 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: %cudacc --cuda-gpu-arch=sm_75 -O1 -Wno-error=pass-failed %fplugin -mllvm -linearize-mode=paper -Rpass=linearize \
// RUN:   -Rpass-missed=linearize %s -S -emit-llvm -o %t.ll 2>&1 \
// RUN:   | %FileCheck %s --check-prefixes=CHECK,PAPER --implicit-check-not=remark:
#include "gpu.h"

#define SHORT_CIRCUIT(a, b, c)                                                                     \
  if ((in[a] || in[b]) && in[c] / in[a + c] % in[b + c] * in[c + 9] / in[c + 7])                     \
    out[0] = in[a + b] * in[5];                                                                    \
  else                                                                                             \
    out[1] = in[a * b] / in[6];

// PAPER: remark: function 'by_default', {{.*}} linearized
extern "C" __global__ void by_default(const unsigned *in, unsigned *out) { SHORT_CIRCUIT(1, 2, 3) }

// CHECK: remark: function 'wanted', {{.*}} linearized
extern "C" __global__ __attribute__((annotate("linearize"))) void wanted(const unsigned *in,
                                                                        unsigned *out) {
  SHORT_CIRCUIT(1, 2, 3)
}

// CHECK: remark: function 'unwanted': the function is annotated no-linearize
extern "C" __global__ __attribute__((annotate("no-linearize"))) void unwanted(const unsigned *in,
                                                                             unsigned *out) {
  unsigned t = tid;
  SHORT_CIRCUIT(t, t + 1, t + 2)
}

// CHECK: warning: function 'wrong', {{.*}} an irreducible loop stays: the function is annotated no-linearize
// CHECK: remark: function 'wrong': the function is annotated no-linearize
extern "C" __global__ __attribute__((annotate("no-linearize"))) void wrong(const unsigned *in,
                                                                          unsigned *out) {
  unsigned t = tid;
  if (in[t] & 1)
    goto second;
first:
  out[t] += in[t + 7];
  t += in[t];
second:
  out[t + 1] *= in[t + 9];
  t += 3;
  if (in[t] & 4)
    goto first;
}
