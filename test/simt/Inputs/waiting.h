// What bench/device/waiting.cu needs of CUDA's headers, for the simulator: it is compiled without a
// toolkit. `clang -include waiting.h`.
#include "linearize_device.h"

#ifdef LIN_DEVICE

static __device__ __forceinline__ long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
static __device__ __forceinline__ unsigned __shfl_sync(unsigned mask, unsigned value,
                                                       unsigned lane) {
  return (unsigned)__nvvm_shfl_sync_idx_i32(mask, (int)value, (int)lane, 31);
}
static __device__ __forceinline__ unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  return (unsigned)__nvvm_redux_sync_add((int)value, (int)mask);
}
static __device__ __forceinline__ unsigned __ballot_sync(unsigned mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate != 0);
}
static __device__ __forceinline__ void __threadfence_block() { __nvvm_membar_cta(); }

#endif
