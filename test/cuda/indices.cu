// Branches on the thread's index alone, with -linearize-regroup: which get other threads, and what is said of
// those that don't, with the line that is in the way.
//
// RUN: %cudacc --cuda-gpu-arch=sm_75 -O2 %fplugin -mllvm -linearize-mode=none -mllvm -linearize-regroup -gline-tables-only -fno-discard-value-names -Rpass=linearize -Rpass-missed=linearize -Rpass-analysis=linearize -Wno-error -S -emit-llvm -o %t.ll %s 2> %t.said
// RUN: %FileCheck %s --check-prefix=SAID < %t.said
// RUN: %FileCheck %s < %t.ll
//
// Without the option nothing happens, and nothing is said.
// RUN: %cudacc --cuda-gpu-arch=sm_75 -O2 %fplugin -gline-tables-only -Rpass=linearize -Rpass-missed=linearize -Rpass-analysis=linearize -S -emit-llvm -o - %s 2> %t.without | %FileCheck %s --check-prefix=WITHOUT
// RUN: %not grep "side by side" %t.without
// WITHOUT-NOT: linearize.index
#include "gpu.h"

#define KERNEL(name) extern "C" __global__ void name(float *p, const float *q, int n)
#define LONG(x)                                                                                    \
  for (int i = 0; i < 40; i++)                                                                     \
  x = x * 0.9f + 1.0f

__shared__ float x[1024], y[1024];

// ---- done

// CHECK-LABEL: @tree(
// CHECK: %linearize.index = mul i32
// CHECK: icmp ult i32 %linearize.index
// CHECK: br i1 {{.*}}, label %linearize.work,
// SAID: indices.cu:[[#@LINE+6]]:{{.*}}function 'tree'{{.*}}gave the threads of a block other indices for this branch: warps execute {{[0-9]+}}% less there, with {{[0-9.]+}} threads active instead of {{[0-9.]+}} (blocks of 128 threads)
KERNEL(tree) {
  int t = tid;
  x[t] = q[t];
  for (int s = 1; s < 512; s *= 2) {
    __syncthreads();
    if (t % (2 * s) == 0) {
      float sum = x[t] + x[t + s];
      LONG(sum);
      x[t] = sum;
    }
  }
  if (t == 0) // index 0 stays with thread 0, so no barrier is needed
    p[0] = x[0];
}

// A remainder by a number that nobody knows when compiling.
// CHECK-LABEL: @rest(
// CHECK: %linearize.index = mul
// SAID: function 'rest'{{.*}}gave the threads
KERNEL(rest) {
  __syncthreads();
  if (tid % n == 0) {
    float v = x[tid];
    LONG(v);
    x[tid] = v;
  }
  __syncthreads();
  p[tid] = x[tid];
}

// Half of the threads, by a bit; the first k of every 16.
// CHECK-LABEL: @bit(
// CHECK: linearize.work:
// SAID: function 'bit'{{.*}}gave the threads
KERNEL(bit) {
  __syncthreads();
  if ((tid ^ 4) > tid) {
    float v = x[tid];
    LONG(v);
    x[tid] = v;
  }
  __syncthreads();
  p[tid] = x[tid];
}

// CHECK-LABEL: @first_of_16(
// CHECK: linearize.work:
// SAID: function 'first_of_16'{{.*}}gave the threads
KERNEL(first_of_16) {
  __syncthreads();
  if ((tid & 15) < 4 && tid < n) {
    float v = x[tid];
    LONG(v);
    x[tid] = v;
  }
  __syncthreads();
  p[tid] = x[tid];
}

// All that the kernel does goes to other threads, early returns and all.
// CHECK-LABEL: @roles(
// CHECK: %linearize.index =
// SAID: function 'roles'{{.*}}gave the threads
KERNEL(roles) {
  int i = gid;
  if (i >= n)
    return;
  float v = q[i];
  switch (tid % 3) {
  case 0:
    LONG(v);
    break;
  case 1:
    v = 1.0f / v;
    LONG(v);
    v += 1.0f;
    break;
  default:
    v = v * v;
    LONG(v);
  }
  p[i] = v;
}

// Results that nobody reads may come in any order.
// CHECK-LABEL: @counts(
// CHECK: linearize.work:
// SAID: function 'counts'{{.*}}gave the threads
KERNEL(counts) {
  if (tid % 4 == 0) {
    float v = q[tid];
    LONG(v);
    __nvvm_atom_add_gen_i((int *)p, (int)v);
  }
}

// What compilers compute in both arms is the same on all ways; for a thread that goes none of them, only
// without what is promised of it there.
// CHECK-LABEL: @computed_twice(
// CHECK-NOT: zext nneg i32 %{{[0-9]+}} to i64
// CHECK: %linearize.index =
// SAID: function 'computed_twice'{{.*}}gave the threads
KERNEL(computed_twice) {
  __syncthreads();
  if (tid % 4 == 0) {
    float v = q[gid];
    LONG(v);
    x[tid] = v;
  }
  __syncthreads();
  p[tid] = x[tid + 1];
}

// ---- not done

// SAID: function 'needed_inside'{{.*}}threads that go the same way here could stand side by side, but what is in line [[#@LINE+2]] is needed inside of the branch, and belongs to the thread that computed it: compute it inside, or leave it in shared memory, with __syncthreads() before the branch: warps execute {{[0-9]+}}% less there
KERNEL(needed_inside) {
  float w = q[gid];
  __syncthreads();
  if (tid % 2 == 0) {
    float v = x[tid] + w;
    LONG(v);
    x[tid] = v;
  }
  __syncthreads();
  p[tid] = x[tid];
}

// SAID: function 'needed_behind'{{.*}}, but what is in {{line|block}} {{.*(is needed behind the branch|depends on which way the thread took)}}
KERNEL(needed_behind) {
  float v = 1.0f;
  __syncthreads();
  if (tid % 2 == 0) {
    v = x[tid];
    LONG(v);
  }
  __syncthreads();
  p[tid] = v;
}

// The section between the barriers is larger than the branch, and nothing is in its way; but the branch's own
// memory is accessed once more where a loop begins again.
// SAID: function 'no_barrier'{{.*}}, but what is in line [[#@LINE+4]] accesses memory that the branch accesses, and there is no __syncthreads() between the two: put one there
KERNEL(no_barrier) {
  float sum = q[gid];
  for (int i = 0; i < n; i++) {
    sum += x[(tid + i) & 1023];
    if (tid % 2 == 0) {
      float v = x[tid];
      LONG(v);
      x[tid] = v;
    }
  }
  p[tid] = sum;
}

// Threads of a warp that rely on being one.
// SAID: function 'exchange'{{.*}}, but what is in line [[#@LINE+5]] may load what another thread has stored since the last __syncthreads(): put one in between, or give -linearize-force if it is never another thread's
KERNEL(exchange) {
  __syncthreads();
  if (tid % 4 == 0) {
    x[tid] = q[gid];
    float v = x[tid ^ 4];
    LONG(v);
    y[tid] = v;
  }
  __syncthreads();
  p[tid] = y[tid + 1];
}

// SAID: function 'warp'{{.*}}, but what is in line [[#@LINE+5]] is an operation among the threads of a warp, which would be others
KERNEL(warp) {
  __syncthreads();
  if (tid % 2 == 0) {
    float v = x[tid];
    v += __nvvm_shfl_sync_down_f32(0x55555555, v, 2, 31);
    LONG(v);
    x[tid] = v;
  }
  __syncthreads();
  p[tid] = x[tid];
}

// SAID: function 'lane'{{.*}}, but what is in line {{[0-9]+}} asks for a number of the warp or the lane, or for the time
KERNEL(lane) {
  __syncthreads();
  if (tid % 2 == 0) {
    float v = x[tid] + (float)__nvvm_read_ptx_sreg_laneid();
    LONG(v);
    x[tid] = v;
  }
  __syncthreads();
  p[tid] = x[tid];
}

// SAID: function 'first_come'{{.*}}, but what is in line {{[0-9]+}} is an atomic operation whose result, or whose rounding, tells which thread comes first
KERNEL(first_come) {
  __syncthreads();
  if (tid % 2 == 0) {
    float v = x[tid] + (float)__nvvm_atom_add_gen_i((int *)p, 1);
    LONG(v);
    x[tid] = v;
  }
  __syncthreads();
  p[tid + 1] = x[tid];
}

// SAID: function 'watched'{{.*}}, but what is in line {{[0-9]+}} is volatile or atomic here
KERNEL(watched) {
  __syncthreads();
  if (tid % 2 == 0) {
    float v = *(volatile float *)&x[tid];
    LONG(v);
    x[tid] = v;
  }
  __syncthreads();
  p[tid] = x[tid];
}

extern "C" __device__ __noinline__ float unknown(float v);

// SAID: function 'calls'{{.*}}, but what is in line {{[0-9]+}} is a call, an operation or assembly of which nobody knows
KERNEL(calls) {
  __syncthreads();
  if (tid % 2 == 0) {
    float v = unknown(x[tid]);
    LONG(v);
    x[tid] = v;
  }
  __syncthreads();
  p[tid] = x[tid];
}

// ---- nothing to do, nothing to say

// What ptxas predicates, all threads run anyway.
// CHECK-LABEL: @short_arm(
// CHECK-NOT: linearize.index
// SAID-NOT: short_arm
KERNEL(short_arm) {
  __syncthreads();
  if (tid % 2 == 1)
    x[tid] = 1.0f;
  __syncthreads();
  p[tid] = x[tid];
}

// Neighbours go the same way as it is.
// CHECK-LABEL: @neighbours(
// CHECK-NOT: linearize.index
// SAID-NOT: neighbours
KERNEL(neighbours) {
  __syncthreads();
  if (tid < n) {
    float v = x[tid];
    LONG(v);
    x[tid] = v;
  }
  __syncthreads();
  p[tid] = x[tid];
}

// Some threads may be gone, and the others' indices have gaps.
// CHECK-LABEL: @gone(
// CHECK-NOT: linearize.index
// SAID-NOT: 'gone'
KERNEL(gone) {
  if (q[gid] > 1.0f)
    return;
  __syncthreads();
  if (tid % 2 == 0) {
    float v = x[tid];
    LONG(v);
    x[tid] = v;
  }
  __syncthreads();
  p[tid] = x[tid];
}

// By data, not by the index.
// CHECK-LABEL: @data(
// CHECK-NOT: linearize.index
// SAID-NOT: 'data'
KERNEL(data) {
  __syncthreads();
  if (y[tid] > 1.0f) {
    float v = x[tid];
    LONG(v);
    x[tid] = v;
  }
  __syncthreads();
  p[tid] = x[tid];
}

// Left alone if it says so.
// CHECK-LABEL: @asked_not(
// CHECK-NOT: linearize.index
// SAID-NOT: asked_not
extern "C" __attribute__((annotate("no-linearize"))) __global__ void asked_not(float *p) {
  if (tid % 2 == 0) {
    float v = p[tid];
    LONG(v);
    p[tid] = v;
  }
}
