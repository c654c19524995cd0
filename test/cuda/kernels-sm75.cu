// REQUIRES: ptxas
// The kernels of Inputs/kernels.h for sm_75, whole program: clang with the plugin at each -O, then
// ptxas. The IR that clang hands to the back end must be structured: nothing that touches
// control flow runs behind the plugin.
// DEFINE: %{clang} = %cudacc --cuda-gpu-arch=sm_75 %s -S
// DEFINE: %{assembles} = -o %t.ptx && %ptxas -arch=sm_75 %t.ptx -o %t.cubin
// DEFINE: %{paper} = %fplugin -mllvm -linearize-mode=paper
// RUN: sh -ec 'for o in 1 2 3; do %{clang} -O$o %{paper} -emit-llvm -o %t.ll; %opt %load -passes="verify<linearized>" -disable-output %t.ll; done'
// RUN: sh -ec 'for o in 1 2 3; do %{clang} -O$o %{paper} %{assembles} || exit 1; done'
// The default mode, all, and the ends of the levels:
// RUN: %{clang} -O3 %fplugin %{assembles}
// RUN: %{clang} -O3 %fplugin -mllvm -linearize-mode=all -mllvm -linearize-level=O0 %{assembles}
// RUN: %{clang} -O3 %fplugin -mllvm -linearize-mode=all -mllvm -linearize-level=O4 %{assembles}
// Without the plugin the same source is not structured (or this test tests nothing).
// RUN: %{clang} -O2 -emit-llvm -o %t.ll
// RUN: %not %opt %load -passes='verify<linearized>' -disable-output %t.ll
#include "kernels.h"
