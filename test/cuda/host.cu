// REQUIRES: cuda-toolkit, llvm-22
// (clang 19 cannot read the headers of CUDA 13.)
// A .cu with host code: clang loads the plugin for the host side too, which must come out as it
// would without it, while the device side is linearized.
// RUN: %clangxx -x cuda --cuda-path=%toolkit --cuda-gpu-arch=sm_75 -Wno-unknown-cuda-version -O2 %fplugin -mllvm -linearize-mode=all -c %s -o %t.o
// RUN: %clangxx -x cuda --cuda-path=%toolkit --cuda-host-only -Wno-unknown-cuda-version -O2 -S -emit-llvm %s -o %t.plain.ll
// RUN: %clangxx -x cuda --cuda-path=%toolkit --cuda-host-only -Wno-unknown-cuda-version -O2 %fplugin -mllvm -linearize-mode=all -S -emit-llvm %s -o %t.plugin.ll
// RUN: diff %t.plain.ll %t.plugin.ll
// RUN: %clangxx -x cuda --cuda-path=%toolkit --cuda-device-only --cuda-gpu-arch=sm_75 -Wno-unknown-cuda-version -O2 %fplugin -mllvm -linearize-mode=paper -S -emit-llvm %s -o %t.dev.ll
// RUN: %opt %load -passes='verify<linearized>' -disable-output %t.dev.ll

__global__ void ring(int *p, int n) {
  int v = p[threadIdx.x];
  if (v & 1)
    goto second;
first:
  v += n;
  if (v > 100)
    goto out;
second:
  v ^= 5;
  if (v & 4)
    goto first;
out:
  p[threadIdx.x] = v;
}

// Unstructured on the host.
int host(int *p, int n) {
  for (int i = 0; i < n; i++) {
    if (p[i] == 3 || (p[i] > 7 && p[i + 1] < 2))
      return i;
    if (p[i] < 0)
      break;
  }
  return -1;
}

int main(int argc, char **argv) {
  int *p = nullptr;
  if (cudaMalloc(&p, 4096) != cudaSuccess)
    return 0;
  ring<<<1, 32>>>(p, argc);
  return cudaDeviceSynchronize() != cudaSuccess;
}
