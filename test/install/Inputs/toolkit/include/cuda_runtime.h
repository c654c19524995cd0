// As much of CUDA's header as the project needs, for machines that have no toolkit.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))

typedef decltype(sizeof(0)) size_t;
struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ dim3(uint3 of) : x(of.x), y(of.y), z(of.z) {}
  __host__ __device__ operator uint3() const { return {x, y, z}; }
};
#include <__clang_cuda_builtin_vars.h>

enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
extern "C" {
int cudaMalloc(void **, size_t);
int cudaMemset(void *, int, size_t);
int cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, struct CUstream *);
int cudaConfigureCall(dim3, dim3, size_t = 0, struct CUstream * = 0); // before CUDA 9.2
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, struct CUstream * = 0);
}
