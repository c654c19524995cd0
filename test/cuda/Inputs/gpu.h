// What these tests need of CUDA's headers, so that they run without a toolkit.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __noinline__ __attribute__((noinline))

#define tid ((int)__nvvm_read_ptx_sreg_tid_x())
#define gid ((int)(__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x()) + tid)

static __device__ inline void block_barrier() { __syncthreads(); }
