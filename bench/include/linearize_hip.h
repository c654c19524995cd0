// What the kernels of bench/kernels need of HIP, where there is no ROCm:
//
//   clang++ -x hip -nogpuinc -nogpulib -include linearize_hip.h --offload-arch=gfx90a ...
//
// With it in front, linearize_device.h takes the toolkit for given.
#ifndef LINEARIZE_HIP_H
#define LINEARIZE_HIP_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))

// threadIdx.x is a property, as in linearize_device.h.
#define LIN_HIP_INDEX(name, builtin)                                                               \
  struct lin_##name {                                                                              \
    __declspec(property(get = get_x)) unsigned x;                                                  \
    static __device__ __forceinline__ unsigned get_x() {                                           \
      return __builtin_amdgcn_##builtin##_x();                                                     \
    }                                                                                              \
  };                                                                                               \
  extern const __device__ lin_##name name
LIN_HIP_INDEX(threadIdx, workitem_id);
LIN_HIP_INDEX(blockIdx, workgroup_id);
LIN_HIP_INDEX(blockDim, workgroup_size);
#undef LIN_HIP_INDEX

// What clang calls on the host's side of a kernel.
struct dim3 {
  unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                               __SIZE_TYPE__ shared, struct ihipStream_t *stream);
extern "C" int __hipPopCallConfiguration(dim3 *grid, dim3 *block, __SIZE_TYPE__ *shared,
                                         void *stream);

#endif
