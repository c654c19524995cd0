// REQUIRES: libclc, ptxas, llvm-22
// OpenCL C with libclc: linked as bitcode before optimisation, so that its functions (sin with
// its range reduction, clamp, get_global_id) go through the plugin too; then llc and ptxas.
// RUN: %clang --target=nvptx64--nvidiacl -march=sm_75 -nogpulib -x cl -cl-std=CL1.2 -O2 -Xclang -mlink-builtin-bitcode -Xclang %libclc/nvptx64--nvidiacl.bc %fplugin -mllvm -linearize-mode=paper -S -emit-llvm -o %t.ll %s
// RUN: %opt %load -passes='verify<linearized>' -disable-output %t.ll
// RUN: %FileCheck %s < %t.ll
// RUN: %llc -mcpu=sm_75 -O3 %t.ll -o %t.ptx
// RUN: %FileCheck %s --check-prefix=PTX < %t.ptx
// libclc calls __nv_isinff of CUDA's libdevice, so the object keeps a hole: -c.
// RUN: %ptxas -c -arch=sm_75 %t.ptx -o %t.o
//
// CHECK: define {{.*}}ptx_kernel void @filter(
// PTX: .entry filter(
// PTX: .entry machine(

kernel void filter(global float *p, global const int *k, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float v = p[i];
  if ((k[i] > 3 || v > 1.0f) && (k[i] < 100 || sin(v) < 0.25f))
    v = sin(v) * 3.0f + cos(v);
  else
    v = clamp(v, -1.0f, 1.0f);
  p[i] = v;
}

kernel void machine(global int *p, constant uchar *code, local int *line, int n) {
  int i = get_global_id(0), acc = p[i], pc = i & 7;
  line[get_local_id(0)] = acc;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < n; step++) {
    switch (code[pc]) {
    case 0: acc += line[pc];
    case 1: acc *= 5;
    case 2:
      if (acc < 0)
        goto halt;
      acc ^= pc;
      break;
    default: acc--;
    case 4: pc += acc & 3; continue;
    case 5: return;
    }
    pc = (pc + 1) & 31;
  }
halt:
  p[i] = acc;
}
