// REQUIRES: ptxas
// The kernels of Inputs/kernels.h for sm_75, relocatable (-fgpu-rdc): clang with the plugin at each -O, then
// ptxas. The IR that clang hands to the back end must be structured: nothing that touches
// control flow runs behind the plugin.
// RUN: %cudacc --cuda-gpu-arch=sm_75 -fgpu-rdc -O1 %fplugin -mllvm -linearize-mode=paper -S -emit-llvm -o %t.ll %s
// RUN: %opt %load -passes='verify<linearized>' -disable-output %t.ll
// RUN: %cudacc --cuda-gpu-arch=sm_75 -fgpu-rdc -O1 %fplugin -mllvm -linearize-mode=paper -S -o %t.ptx %s
// RUN: %ptxas -c -arch=sm_75 %t.ptx -o %t.cubin
// RUN: %cudacc --cuda-gpu-arch=sm_75 -fgpu-rdc -O2 %fplugin -mllvm -linearize-mode=paper -S -emit-llvm -o %t.ll %s
// RUN: %opt %load -passes='verify<linearized>' -disable-output %t.ll
// RUN: %cudacc --cuda-gpu-arch=sm_75 -fgpu-rdc -O2 %fplugin -mllvm -linearize-mode=paper -S -o %t.ptx %s
// RUN: %ptxas -c -arch=sm_75 %t.ptx -o %t.cubin
// RUN: %cudacc --cuda-gpu-arch=sm_75 -fgpu-rdc -O3 %fplugin -mllvm -linearize-mode=paper -S -emit-llvm -o %t.ll %s
// RUN: %opt %load -passes='verify<linearized>' -disable-output %t.ll
// RUN: %cudacc --cuda-gpu-arch=sm_75 -fgpu-rdc -O3 %fplugin -mllvm -linearize-mode=paper -S -o %t.ptx %s
// RUN: %ptxas -c -arch=sm_75 %t.ptx -o %t.cubin
// The default mode, all, and the ends of the levels:
// RUN: %cudacc --cuda-gpu-arch=sm_75 -fgpu-rdc -O3 %fplugin  -S -o %t.ptx %s
// RUN: %ptxas -c -arch=sm_75 %t.ptx -o %t.cubin
// RUN: %cudacc --cuda-gpu-arch=sm_75 -fgpu-rdc -O3 %fplugin -mllvm -linearize-mode=all -mllvm -linearize-level=O0 -S -o %t.ptx %s
// RUN: %ptxas -c -arch=sm_75 %t.ptx -o %t.cubin
// RUN: %cudacc --cuda-gpu-arch=sm_75 -fgpu-rdc -O3 %fplugin -mllvm -linearize-mode=all -mllvm -linearize-level=O4 -S -o %t.ptx %s
// RUN: %ptxas -c -arch=sm_75 %t.ptx -o %t.cubin
// Without the plugin the same source is not structured (or this test tests nothing).
// RUN: %cudacc --cuda-gpu-arch=sm_75 -fgpu-rdc -O2 -S -emit-llvm -o %t.ll %s
// RUN: %not %opt %load -passes='verify<linearized>' -disable-output %t.ll
#include "kernels.h"
