// REQUIRES: cuda-toolkit, llvm-22
// The plugin for the device side alone, options too.
// RUN: %clangxx -x cuda --cuda-path=%toolkit --cuda-gpu-arch=sm_75 -Wno-unknown-cuda-version -O2 -Xarch_device -fpass-plugin=%plugin -Xarch_device -mllvm=-linearize-mode=all -Rpass=linearize -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK: remark:
// CHECK-SAME: linearize
__global__ void join(int *p, int n) {
  int v = p[threadIdx.x];
  if (v > 3 || (p[threadIdx.x + 32] < n && v != 1))
    p[threadIdx.x] = v * v + n;
  else
    p[threadIdx.x + 64] = v;
}
