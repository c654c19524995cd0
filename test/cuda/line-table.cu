// REQUIRES: ptxas
// -g -O2 (line tables) and -O0 -g (full debug info, where the plugin is loaded too): the lines
// of blocks that are guarded now are still there in the PTX, and ptxas takes it.
// RUN: %cudacc --cuda-gpu-arch=sm_75 -O2 -gline-tables-only %fplugin -mllvm -linearize-mode=paper -S -o %t.ptx %s
// RUN: %FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_75 -lineinfo %t.ptx -o %t.cubin
// RUN: %cudacc --cuda-gpu-arch=sm_75 -O1 -g --no-cuda-noopt-device-debug %fplugin -mllvm -linearize-mode=paper -S -o %t.ptx %s
// RUN: %FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_75 -lineinfo %t.ptx -o %t.cubin
// RUN: %cudacc --cuda-gpu-arch=sm_75 -O1 -g --cuda-noopt-device-debug %fplugin -mllvm -linearize-mode=paper -S -o %t.ptx %s
// RUN: %ptxas -arch=sm_75 -g -O0 %t.ptx -o %t.cubin
//
// The .loc stands right in front of each mark.
#include "gpu.h"

// asm: calls of one function would be merged into one by the optimiser, at no line.
__global__ void marks(int *p, int n) {
  int i = tid;
  int v = p[i];
  if (v > 0) {
    if (v > 10)
      goto shared;
    asm volatile("// mark one %0" ::"r"(v)); // CHECK-DAG: .loc {{[0-9]+ }}[[#@LINE]] {{.*[[:space:]]+.*// begin inline asm[[:space:]]+}}// mark one
  } else {
    if (v > -10)
      asm volatile("// mark two %0" ::"r"(v)); // CHECK-DAG: .loc {{[0-9]+ }}[[#@LINE]] {{.*[[:space:]]+.*// begin inline asm[[:space:]]+}}// mark two
    else
      goto shared;
    if (v == -3)
      asm volatile("// mark three %0" ::"r"(v)); // CHECK-DAG: .loc {{[0-9]+ }}[[#@LINE]] {{.*[[:space:]]+.*// begin inline asm[[:space:]]+}}// mark three
    goto out;
shared:
    asm volatile("// mark four %0" ::"r"(v)); // CHECK-DAG: .loc {{[0-9]+ }}[[#@LINE]] {{.*[[:space:]]+.*// begin inline asm[[:space:]]+}}// mark four
  }
  p[i + 32] = v;
out:;
}
