// REQUIRES: libclc, ptxas, llvm-22
// The other way to link: llvm-link first, then opt's own pipeline, in which the plugin registers
// itself at the end; no inlining of libclc's functions is forced, so they are linearized too.
// RUN: %clang --target=nvptx64--nvidiacl -march=sm_75 -nogpulib -x cl -cl-std=CL1.2 -O1 -Xclang -disable-llvm-passes -c -emit-llvm -o %t.bc %s
// RUN: %llvm-link --internalize --only-needed %t.bc %libclc/nvptx64--nvidiacl.bc -o %t.linked.bc
// RUN: %opt %load -linearize-mode=paper -passes='default<O2>' -S %t.linked.bc -o %t.ll
// RUN: %opt %load -passes='verify<linearized>' -disable-output %t.ll
// RUN: %llc -mcpu=sm_75 -O3 %t.ll -o %t.ptx
// RUN: %ptxas -c -arch=sm_75 %t.ptx -o %t.o

kernel void powers(global float *p, int n) {
  int i = get_global_id(0);
  float v = p[i];
  for (int j = 0; j < n; j++) {
    if (v > 100.0f || (v < 0.0f && j > 3))
      break;
    v = pow(v, 1.5f) + tan(v);
    if (v == 7.0f)
      goto out;
  }
  p[i] = v;
out:
  p[i + 1] = fmod(v, 3.0f);
}
