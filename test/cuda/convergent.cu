// REQUIRES: ptxas
// Operations that concern other threads of the warp, in unstructured control flow: what is
// guaranteed, and what is refused.
//
//   - Each stands exactly once in the result, and stays convergent. Threads that come to it by
//     different ways come together (its block has one guard), never apart.
//   - From sm_70 on threads that wait for each other in two places may be linearized: every thread
//     makes progress by itself. Below sm_70 the warp would wait for ever: refused.
//   - One place where all wait is no such danger: linearized on every target.
//   - What answers who happens to be there (activemask) is left alone, unless the mode asks.
//
// RUN: %cudacc --cuda-gpu-arch=sm_75 -O1 %fplugin -mllvm -linearize-mode=paper -fno-discard-value-names -S -emit-llvm -o %t.75.ll %s
// RUN: %FileCheck %s --check-prefixes=CHECK,NEW < %t.75.ll
// RUN: %cudacc --cuda-gpu-arch=sm_75 -O1 %fplugin -mllvm -linearize-mode=paper -S -o %t.ptx %s
// RUN: %FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %ptxas -arch=sm_75 %t.ptx -o %t.cubin
// RUN: %cudacc --cuda-gpu-arch=sm_60 -O1 %fplugin -mllvm -linearize-mode=paper -fno-discard-value-names -S -emit-llvm -o %t.60.ll %s
// RUN: %FileCheck %s --check-prefixes=CHECK,OLD < %t.60.ll
// RUN: %cudacc --cuda-gpu-arch=sm_75 -O1 %fplugin -mllvm -linearize-mode=needed -fno-discard-value-names -S -emit-llvm -o %t.needed.ll %s
// RUN: %FileCheck %s --check-prefix=NEEDED < %t.needed.ll
//
// The refusals are told, with what waits.
// RUN: %cudacc --cuda-gpu-arch=sm_60 -O1 %fplugin -mllvm -linearize-mode=paper -Wno-error -Rpass-missed=linearize -S -o /dev/null %s 2> %t.missed
// RUN: %FileCheck %s --check-prefix=MISSED < %t.missed
// MISSED-NOT: _at_one_place
// MISSED-DAG: function 'barriers'{{.*}}wait for each other
// MISSED-DAG: function 'syncwarps'{{.*}}wait for each other
// MISSED-DAG: function 'shuffles'{{.*}}wait for each other
// MISSED-DAG: function 'votes'{{.*}}wait for each other
// MISSED-DAG: function 'hidden'{{.*}}wait for each other
// MISSED-DAG: function 'lock'{{.*}}wait for each other
#include "gpu.h"

#define FULL 0xffffffffu
#define KERNEL(name) extern "C" __global__ void name(volatile int *p, int n)

// Figure 1's short circuit: three blocks, two ways into the second, the third for the rest.
#define SHORT_CIRCUIT(v, first, second)                                                            \
  if ((v) > 0) {                                                                                   \
    first;                                                                                         \
    if (p[tid + 1] > 3)                                                                            \
      goto shared;                                                                                 \
  } else {                                                                                         \
    p[tid] = 2;                                                                                    \
    if (p[tid + 2] < -3)                                                                           \
      goto shared;                                                                                 \
    p[tid] = 3;                                                                                    \
    second;                                                                                        \
  }                                                                                                \
  return;                                                                                          \
  shared:                                                                                          \
  p[tid + 3] = v;

// CHECK-LABEL: define {{.*}}@barrier_at_one_place(
// CHECK: linearize.guard
// CHECK: call void @llvm.nvvm.barrier
// CHECK-NOT: call void @llvm.nvvm.barrier
// CHECK: ret void
// PTX-LABEL: .entry barrier_at_one_place(
// PTX: bar{{.*}}.sync
// PTX-NOT: bar{{.*}}.sync
// PTX: ret;
KERNEL(barrier_at_one_place) {
  int v = p[tid];
  SHORT_CIRCUIT(v, p[tid] = 1, p[tid] = 4)
  block_barrier();
  p[tid + 4] = n;
}

// CHECK-LABEL: define {{.*}}@barriers(
// OLD-NOT: linearize.guard
// CHECK-COUNT-2: call void @llvm.nvvm.barrier
// NEW: linearize.guard
// OLD-NOT: linearize.guard
// CHECK-NOT: call void @llvm.nvvm.barrier
// CHECK: ret void
KERNEL(barriers) {
  int v = p[tid];
  SHORT_CIRCUIT(v, block_barrier(); p[tid] = 1, block_barrier(); p[tid] = 4)
}

// CHECK-LABEL: define {{.*}}@syncwarps(
// OLD-NOT: linearize.guard
// CHECK-COUNT-2: call void @llvm.nvvm.bar.warp.sync(
// NEW: linearize.guard
// OLD-NOT: linearize.guard
// CHECK-NOT: call void @llvm.nvvm.bar.warp.sync(
// CHECK: ret void
KERNEL(syncwarps) {
  int v = p[tid];
  SHORT_CIRCUIT(v, __nvvm_bar_warp_sync(FULL); p[tid] = 1, __nvvm_bar_warp_sync(FULL); p[tid] = 4)
}

// CHECK-LABEL: define {{.*}}@shuffles(
// OLD-NOT: linearize.guard
// CHECK-COUNT-2: call i32 @llvm.nvvm.shfl.sync.bfly.i32(
// NEW: linearize.guard
// OLD-NOT: linearize.guard
// CHECK-NOT: call i32 @llvm.nvvm.shfl
// CHECK: ret void
KERNEL(shuffles) {
  int v = p[tid];
  SHORT_CIRCUIT(v, p[tid] = __nvvm_shfl_sync_bfly_i32(FULL, v, 1, 31),
                p[tid] = __nvvm_shfl_sync_bfly_i32(FULL, v, 2, 31))
}

// A shuffle with a mask answers all whom the mask names, in whatever order they come.
// CHECK-LABEL: define {{.*}}@shuffle_at_one_place(
// CHECK: linearize.guard
// CHECK: call i32 @llvm.nvvm.shfl.sync.bfly.i32(
// CHECK-NOT: call i32 @llvm.nvvm.shfl
// CHECK: ret void
KERNEL(shuffle_at_one_place) {
  int v = p[tid];
  SHORT_CIRCUIT(v, p[tid] = 1, p[tid] = 4)
  p[tid + 4] = __nvvm_shfl_sync_bfly_i32(n, v, 1, 31);
}

// CHECK-LABEL: define {{.*}}@votes(
// OLD-NOT: linearize.guard
// CHECK-COUNT-2: call i32 @llvm.nvvm.vote.ballot.sync(
// NEW: linearize.guard
// OLD-NOT: linearize.guard
// CHECK-NOT: call i32 @llvm.nvvm.vote
// CHECK: ret void
KERNEL(votes) {
  int v = p[tid];
  SHORT_CIRCUIT(v, p[tid] = (int)__nvvm_vote_ballot_sync(FULL, v & 1),
                p[tid] = (int)__nvvm_vote_ballot_sync(FULL, v & 2))
}

// Below sm_70 as above it: nobody waits, but who is counted may change.
// CHECK-LABEL: define {{.*}}@active_at_one_place(
// CHECK: linearize.guard
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK-NOT: call i32 @llvm.nvvm.activemask()
// CHECK: ret void
// NEEDED-LABEL: define {{.*}}@active_at_one_place(
// NEEDED-NOT: linearize.guard
// NEEDED: ret void
KERNEL(active_at_one_place) {
  int v = p[tid];
  SHORT_CIRCUIT(v, p[tid] = 1, p[tid] = 4)
  p[tid + 4] = (int)__nvvm_activemask();
}

static __device__ __noinline__ void waits(volatile int *p, int n) {
  for (int i = 0; i < n; i++)
    p[i] += i;
  __nvvm_bar_warp_sync(FULL);
}

static __device__ __noinline__ void calls_what_waits(volatile int *p, int n) {
  p[0] = n;
  waits(p, n);
}

// CHECK-LABEL: define {{.*}}@hidden(
// OLD-NOT: linearize.guard
// CHECK-COUNT-2: call {{.*}}calls_what_waits
// NEW: linearize.guard
// OLD-NOT: linearize.guard
// CHECK-NOT: call {{.*}}calls_what_waits
// CHECK: ret void
KERNEL(hidden) {
  int v = p[tid];
  SHORT_CIRCUIT(v, calls_what_waits(p, 2); p[tid] = 1, calls_what_waits(p, 3); p[tid] = 4)
}

// The loop that takes a lock is left where it is taken; who holds the lock releases it below.
// CHECK-LABEL: define {{.*}}@lock(
// OLD-NOT: linearize.guard
// CHECK: cmpxchg
// NEW: linearize.guard
// OLD-NOT: linearize.guard
// CHECK-NOT: cmpxchg
// CHECK: ret void
KERNEL(lock) {
  int *taken = (int *)p + 64;
  for (int i = 0; i < n; i++) {
    while (__nvvm_atom_cas_gen_i(taken, 0, 1) != 0)
      if (p[70] == i)
        return;
    if (p[71] == i)
      goto out;
    p[72] += tid;
    *(volatile int *)taken = 0;
  }
out:
  p[tid] = 5;
}

// The calls are still what no pass may duplicate or sink into a branch.
// CHECK: attributes #{{[0-9]+}} = { convergent
