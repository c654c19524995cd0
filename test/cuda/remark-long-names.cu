// A long name is cut short in what a person reads; the record has all of it.
// RUN: %cudacc --cuda-gpu-arch=sm_80 -O2 -S -o %t.s -gline-tables-only -fno-caret-diagnostics -Rpass=linearize %fplugin %s 2>&1 | %FileCheck %s --check-prefix=BRIEF
// BRIEF: remark: function 'void kernel<...>(pair<...>*{{.*}}...', block '%8': linearized {{.*}} (for sm_80)
// RUN: %cudacc --cuda-gpu-arch=sm_80 -O2 -S -o %t.s -gline-tables-only -fno-caret-diagnostics -Rpass=linearize -Rpass-analysis=linearize %fplugin %s -fsave-optimization-record=yaml -foptimization-record-file=%t.yaml 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=YAML < %t.yaml
// CHECK: remark: function 'void kernel<...>(pair<...>*, unsigned int const*)', block
// CHECK: remark: function 'void limits<&operator<(pair<pair<pair<{{.*}}pair<pair...', block
// YAML: Name: Linearized
// YAML: Function: {{ *}}'void kernel<pair<pair<{{.*}}>(pair<{{.*}}unsigned int const*)
// YAML: Name: Linearized
#include "gpu.h"
template <class A, class B> struct pair {
  A a;
  B b;
};
using two = pair<pair<unsigned long long, unsigned long long>, pair<unsigned long long, int>>;
using four = pair<two, two>;
__device__ bool operator<(const four &, const four &);

static __device__ unsigned work(unsigned x) {
  for (unsigned i = 0; i < 8; i++)
    x = (x ^ x >> 15) * 0x85ebca6b;
  return x;
}

static __device__ unsigned worth(const unsigned *in, unsigned x) {
  if ((in[tid] || in[tid + 1]) && work(in[tid + 2]) & 4)
    x = work(x);
  else
    x += x << 5;
  return x;
}

template <class T> __global__ void kernel(T *to, const unsigned *in) {
  ((unsigned *)to)[tid] = worth(in, tid);
}
template __global__ void kernel<four>(four *, const unsigned *);

template <bool (*less)(const four &, const four &)> __global__ void limits(unsigned *to, const unsigned *in) {
  to[tid] = worth(in, tid);
}
template __global__ void limits<operator<>(unsigned *, const unsigned *);
