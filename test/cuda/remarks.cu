// Remarks in clang, for a target on which all joins count: with the source line where there is debug information, by -Rpass..., and in the
// YAML file of -fsave-optimization-record; options by -mllvm, by annotation, by environment.
//
// DEFINE: %{compile} = %cudacc --cuda-gpu-arch=sm_60 -O1 -Wno-error=pass-failed %fplugin %s -S -emit-llvm -o %t.ll -fno-caret-diagnostics
// RUN: %{compile} -gline-tables-only -Rpass=linearize -Rpass-missed=linearize -Rpass-analysis=linearize 2>&1 \
// RUN:   | %FileCheck %s --implicit-check-not=remark:
// RUN: %{compile} -gline-tables-only -Rpass=linearize 2>&1 | %FileCheck %s --check-prefix=PASSED --implicit-check-not=remark:
// RUN: %{compile} -gline-tables-only -mllvm -linearize-max-blocks=1 -Rpass-missed=linearize 2>&1 | %FileCheck %s --check-prefix=LARGE
// RUN: %{compile} -gline-tables-only -mllvm -linearize-threshold=1000 -Rpass-analysis=linearize 2>&1 | %FileCheck %s --check-prefix=SMALL
// RUN: env LINEARIZE_OPTIONS=threshold=1000 %{compile} -gline-tables-only -Rpass-analysis=linearize 2>&1 | %FileCheck %s --check-prefix=SMALL
// RUN: %{compile} -gline-tables-only -fsave-optimization-record=yaml -foptimization-record-file=%t.yaml
// RUN: %FileCheck %s --check-prefix=YAML < %t.yaml
// RUN: %not %{compile} -DWRONG 2>&1 | %FileCheck %s --check-prefix=WRONG
// RUN: %not %{compile} -mllvm -linearize-threshold=x 2>&1 | %FileCheck %s --check-prefix=WRONG-OPTION
// RUN: env LINEARIZE_OPTIONS=threshold=x %not %{compile} 2>&1 | %FileCheck %s --check-prefix=WRONG-VARIABLE
//
// WRONG: error: linearize: function 'wrong': annotation "linearize:": threshold is 'seven', not a number from 1 to 4294967295
// WRONG-OPTION: error: linearize: -linearize-threshold: threshold is 'x', not a number from 1 to 4294967295
// WRONG-VARIABLE: error: linearize: LINEARIZE_OPTIONS: threshold is 'x', not a number from 1 to 4294967295
#include "gpu.h"

extern "C" __global__ void tails(const unsigned *in, unsigned *out) {
  unsigned a = in[tid], b = in[tid + 64], c = in[tid + 128];
  if (a > 3) {
    if (b > 4) // CHECK: remarks.cu:[[#@LINE]]:{{.*}}remark: function 'tails', {{.*}} linearized a region of
      goto first;
    goto second;
  }
  if (c > 5)
    goto second;
  if (c > 7)
    goto first;
  out[tid] = a / b;
  return;
first:
  out[tid] = b / c / a;
  if (a > 77)
    return;
second:
  out[tid + 1] = a / c;
}

// CHECK: remarks.cu:[[#@LINE+8]]:{{.*}}remark: function 'uniform', {{.*}} left alone region 0 of {{.*}}: all threads of a warp take each of its branches together
// YAML: --- !Analysis
// YAML: Name: Uniform
// YAML-NEXT: DebugLoc: { File:
// YAML: Line: [[#@LINE+4]],
// YAML: Function: uniform
// YAML: - Region: '0'
extern "C" __global__ void uniform(const unsigned *in, unsigned *out) {
  if ((in[1] || in[2]) && in[3])
    out[0] = in[3] * in[5];
  else
    out[1] = in[2] / in[6];
}

extern "C" __global__ __attribute__((annotate("linearize:mode=paper,max-blocks=1"))) void
large(const unsigned *in, unsigned *out) {
  if ((in[1] || in[2]) && in[3]) // CHECK: remarks.cu:[[#@LINE]]:{{.*}}remark: function 'large', {{.*}} over budget: its number of blocks is {{[0-9]+}}, max-blocks is 1 (region 0 of
    out[0] = in[3] * in[5];
  else
    out[1] = in[2] / in[6];
}

#ifdef WRONG
extern "C" __global__ __attribute__((annotate("linearize:threshold=seven"))) void wrong(unsigned *out) { *out = 1; }
#endif

// PASSED: remark: function 'tails'
// LARGE: function 'tails', {{.*}} over budget:
// SMALL: function 'tails', {{.*}} too small, {{[0-9]+}} instructions; the threshold is 1000
