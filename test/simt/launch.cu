// Kernels as people write them: structures with pointers, tables in constant memory, counters,
// templates, two-dimensional blocks, arrays of pointers, math functions that nobody defines. Their memory
// is from files, values and other buffers, and is found by name.
//
// RUN: %cudacc --cuda-gpu-arch=sm_90 -O2 -S -emit-llvm %s -o %t.ll
// RUN: %not %simt %t.ll > %t.list 2>&1
// RUN: %FileCheck %s --check-prefix LIST < %t.list
// RUN: %python -c "import struct; open(r'%t.in', 'wb').write(struct.pack('<8f', *range(1, 9)))"
// RUN: %simt %t.ll --kernel step --block 4 --buffer at=f32:8:file=%t.in --buffer speed=f32:4:values=1,2,3,4 \
// RUN:   --arg 'value:{ptr:at;ptr:speed;u8:2;i32:4;f32:0.5,2}' --global weights=f32:values=10,20 \
// RUN:   --global 'sim::bias=f32:values=0.25' --print at --print count --print sim::bias --print weights \
// RUN:   --dump at=%t.out | %FileCheck %s --check-prefix STEP
// RUN: %simt %t.ll --kernel 'total' --block 2 --buffer row=f32:file=%t.out --arg buf:ptr:2:values=row,row+16 \
// RUN:   --arg buf:f32:2 --print 1 | %FileCheck %s --check-prefix TOTAL
// RUN: %simt %t.ll --kernel 'flip<float>' --block 4,2 --arg buf:f32:file=%t.in --arg buf:f32:8 --print 1 \
// RUN:   | %FileCheck %s --check-prefix FLIP
// RUN: %simt %t.ll --kernel 'flip<int>(int const *, int *)' --block 4,2 --arg buf:i32:8:values=1,-1 \
// RUN:   --arg buf:i32:8 --print 1 --print 1:u8 | %FileCheck %s --check-prefix INTEGERS
// RUN: %simt %t.ll --kernel list --block 1 --buffer 'nodes={ptr:nodes+16;u32:5;pad:4},{ptr:0;u32:7}' \
// RUN:   --arg ptr:nodes --arg buf:u32:1 --print 1 | %FileCheck %s --check-prefix NODES
// RUN: %simt %t.ll --kernel calls_by_value --block 2 --arg buf:f32:2 --print 0 | %FileCheck %s --check-prefix BYVALUE
// RUN: %simt %t.ll --kernel step --block 4 --buffer at=f32:8:file=%t.in --buffer speed=f32:4 \
// RUN:   --arg 'value:{ptr:at;ptr:speed;u8:2;i32:4;f32:0.5,2}' --compare %t.ll
//
// What is wrong is one line.
// RUN: %not %simt %t.ll --kernel flip --arg u32:1 2>&1 | %FileCheck %s --check-prefix SEVERAL
// RUN: %not %simt %t.ll --kernel total --arg ptr:0 2>&1 | %FileCheck %s --check-prefix COUNT
// RUN: %not %simt %t.ll --kernel total --arg buf:ptr:values=x --arg buf:f32:2 2>&1 | %FileCheck %s --check-prefix NAME
// RUN: %not %simt %t.ll --kernel total --arg buf:f32:file=%t.none --arg buf:f32:2 2>&1 | %FileCheck %s --check-prefix FILE
// RUN: %not %simt %t.ll --kernel total --arg buf:f32:9:file=%t.in --arg buf:f32:2 2>&1 | %FileCheck %s --check-prefix SIZE
// RUN: %not %simt %t.ll --kernel total --arg buf:f32:2:values=1,2,3 --arg buf:f32:2 2>&1 | %FileCheck %s --check-prefix MORE
// RUN: %not %simt %t.ll --kernel total --arg buf:f32 --arg buf:f32:2 2>&1 | %FileCheck %s --check-prefix NOCOUNT
// RUN: %not %simt %t.ll --kernel total --arg buf:u8:file=%S --arg buf:f32:2 2>&1 | %FileCheck %s --check-prefix FOLDER
// RUN: %not %simt %t.ll --kernel total --arg u32:1 --arg buf:f32:2 2>&1 | %FileCheck %s --check-prefix KIND
// RUN: %not %simt %t.ll --kernel step --arg 'value:{ptr:0;u32:1}' 2>&1 | %FileCheck %s --check-prefix BYTES
// RUN: %not %simt %t.ll --kernel step --arg 'value:{u32}' 2>&1 | %FileCheck %s --check-prefix FIELD
// RUN: %not %simt %t.ll --kernel step --arg 'value:{u32:1' 2>&1 | %FileCheck %s --check-prefix BRACE
// RUN: %not %simt %t.ll --kernel step --arg buf:f32:1 2>&1 | %FileCheck %s --check-prefix OTHER
// RUN: %not %simt %t.ll --kernel step --global nothing=u8:values=1 --arg value:00 2>&1 | %FileCheck %s --check-prefix GLOBAL
// RUN: %not %simt %t.ll --kernel step --global weights=f32:9 --arg value:00 2>&1 | %FileCheck %s --check-prefix LARGE
// RUN: %not %simt %t.ll --kernel total --print row --arg buf:ptr:2 --arg buf:f32:2 --allow-unwritten --block 0 2>&1 | %FileCheck %s --check-prefix BLOCK
// RUN: %not %simt %t.ll --kernel calls_by_value --arg buf:f32:32 --print row 2>&1 | %FileCheck %s --check-prefix PRINT
//
// LIST: --kernel 'step(sim::state)' --arg 'value:{ptr:NAME;ptr:NAME;u8:VALUE;u32:VALUE;f32:VALUE;f32:VALUE}'
// LIST: --kernel 'total(float const* const*, float*)' --arg buf:ptr:COUNT --arg buf:f32:COUNT
// LIST: --kernel 'void flip<float>(float const*, float*)' --arg buf:f32:COUNT --arg buf:f32:COUNT
// LIST: --kernel 'void flip<int>(int const*, int*)' --arg buf:i32:COUNT --arg buf:i32:COUNT
// LIST: linearize-simt: {{.*}}.ll: no --kernel; above are its kernels, with what each needs
//
// STEP: at:
// STEP-NEXT: 11.25 42.25 33.25 84.25 5 6 7 8
// STEP-NEXT: count:
// STEP-NEXT: 4
// STEP-NEXT: sim::bias:
// STEP-NEXT: 0.25
// STEP-NEXT: weights:
// STEP-NEXT: 10 20 3 4
// STEP-NEXT: model volta
// TOTAL: argument 1:
// TOTAL-NEXT: 171 26
// FLIP: argument 1:
// FLIP-NEXT: 1 5 2 6 3 7 4 8
// INTEGERS: argument 1:
// INTEGERS-NEXT: 1 0 -1 0 0 0 0 0
// INTEGERS-NEXT: argument 1:
// INTEGERS-NEXT: 1 0 0 0 0 0 0 0
// INTEGERS-NEXT: 255 255 255 255
// NODES: argument 1:
// NODES-NEXT: 12
// BYVALUE: argument 0:
// BYVALUE-NEXT: 6 7
//
// SEVERAL: void flip<float>(float const*, float*)
// SEVERAL: void flip<int>(int const*, int*)
// SEVERAL: --kernel flip: there are 2 of that name; write one as above
// COUNT: kernel total(float const* const*, float*) has 2 parameters, and there are 1 --arg; it takes --arg buf:ptr:COUNT --arg buf:f32:COUNT
// NAME: --arg buf:ptr:values=x: there is no buffer 'x'; --buffer x=TYPE:COUNT makes one
// FILE: --arg buf:f32:file={{.*}}.none: {{.*}}.none: No such file or directory
// SIZE: .in has 32 bytes, not 36
// MORE: --arg buf:f32:2:values=1,2,3: more values than 2
// NOCOUNT: --arg buf:f32: no count
// FOLDER: {{[^ ]*}}simt is a folder
// KIND: --arg u32:1: parameter 0 has 64 bits
// BYTES: --arg value:{ptr:0;u32:1}: these are 16 bytes, and the structure has 32
// FIELD: --arg value:{u32}: a structure is {TYPE:VALUE;TYPE:VALUE;...}
// BRACE: --arg value:{u32:1: a structure is {TYPE:VALUE;TYPE:VALUE;...}
// OTHER: --arg buf:f32:1: parameter 0 is of another kind; the kernel takes --arg 'value:{ptr:NAME;
// GLOBAL: --global nothing=u8:values=1: the kernel uses no global variable 'nothing'
// LARGE: --global weights=f32:9: 'weights' has 16 bytes
// BLOCK: --block: a size of 0
// PRINT: --print: there is no buffer 'row', and the kernel uses no global variable of that name
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
extern "C" __device__ float sqrtf(float);
extern "C" __device__ float exp2f(float);
__device__ float __fdividef(float, float);

__constant__ float weights[4] = {1, 2, 3, 4};
__device__ unsigned count;

namespace sim {
__constant__ float bias = 1;
struct state {
  float *at;
  const float *speed;
  unsigned char kinds;
  int n;
  float step, base;
};
} // namespace sim

// at += weight * speed * step * base * (base / 4 * 2) + bias; counts.
__global__ void step(sim::state s) {
  int i = __nvvm_read_ptx_sreg_tid_x();
  if (i >= s.n)
    return;
  float root = sqrtf(s.speed[i] * s.speed[i]) * __fdividef(s.base, 4) * exp2f(1);
  s.at[i] += weights[i % s.kinds] * root * s.base * s.step + sim::bias;
  __nvvm_atom_inc_gen_ui(&count, 100);
}

__global__ void total(const float *const *row, float *out) {
  int i = __nvvm_read_ptx_sreg_tid_x();
  out[i] = row[i][0] + row[i][1] + row[i][2] + row[i][3];
}

template <class T> __global__ void flip(const T *in, T *out) {
  int x = __nvvm_read_ptx_sreg_tid_x(), y = __nvvm_read_ptx_sreg_tid_y();
  out[x * 2 + y] = in[y * 4 + x];
}
template __global__ void flip<float>(const float *, float *);
template __global__ void flip<int>(const int *, int *);

struct node {
  node *next;
  unsigned value;
};

__global__ void list(const node *n, unsigned *out) {
  unsigned sum = 0;
  for (; n != nullptr; n = n->next)
    sum += n->value;
  *out = sum;
}

struct triple {
  float a, b, c;
};

// The callee's copy is its own.
__device__ __noinline__ float add_up(triple t, float more) {
  volatile float *first = &t.a;
  *first += more;
  return t.a + t.b + t.c;
}

__global__ void calls_by_value(float *out) {
  int i = __nvvm_read_ptx_sreg_tid_x();
  triple t = {1, 2, 3};
  out[i] = add_up(t, i) + 0 * add_up(t, 1);
}
