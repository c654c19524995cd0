// What the tests' programs use of CUDA's runtime, for clang without a toolkit. With one they
// compile with its own cuda_runtime.h, too, and run on a GPU.
#ifndef LIN_TEST_CUDA_RUNTIME_H
#define LIN_TEST_CUDA_RUNTIME_H

#include <stddef.h>

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

#ifdef __CUDA_ARCH__
#define STANDIN_SPECIAL(name, reg)                                                                 \
  struct standin_##name {                                                                          \
    __declspec(property(get = get_x)) unsigned x;                                                  \
    __declspec(property(get = get_y)) unsigned y;                                                  \
    static __device__ unsigned get_x() { return __nvvm_read_ptx_sreg_##reg##_x(); }                \
    static __device__ unsigned get_y() { return __nvvm_read_ptx_sreg_##reg##_y(); }                \
  };                                                                                               \
  extern const __device__ standin_##name name
STANDIN_SPECIAL(threadIdx, tid);
STANDIN_SPECIAL(blockIdx, ctaid);
STANDIN_SPECIAL(blockDim, ntid);
STANDIN_SPECIAL(gridDim, nctaid);
static __device__ unsigned atomicAdd(unsigned *p, unsigned v) {
  return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v);
}
#else
struct standin_index {
  unsigned x, y, z;
};
extern const standin_index threadIdx, blockIdx, blockDim, gridDim;
extern "C" __device__ void __syncthreads();
__device__ unsigned atomicAdd(unsigned *p, unsigned v);
#endif

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};

typedef int cudaError_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUfunc_st *cudaFunction_t;

enum {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700
};
enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDefault = 4 };
enum { cudaStreamNonBlocking = 1 };
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1 };

union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  struct {
    unsigned x, y, z;
  } clusterDim;
};
enum cudaLaunchAttributeID {
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeClusterDimension = 4
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  char pad[8 - sizeof(cudaLaunchAttributeID)];
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};

extern "C" {
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaSetDevice(int);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t);
cudaError_t cudaFree(void *);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaMemcpy(void *, const void *, size_t, int);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, int, cudaStream_t);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaLaunchHostFunc(cudaStream_t, void (*)(void *), void *);
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long = 0);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *, const void *);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
int __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);
// Of these the toolkit has templates.
cudaError_t cudaMalloc(void **, size_t);
cudaError_t cudaMallocHost(void **, size_t);
cudaError_t cudaMallocManaged(void **, size_t, unsigned);
cudaError_t cudaMemcpyToSymbol(const void *, const void *, size_t, size_t, int);
cudaError_t cudaMemcpyFromSymbol(void *, const void *, size_t, size_t, int);
cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int);
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache);
}

template <typename T> cudaError_t cudaMalloc(T **at, size_t size) {
  return cudaMalloc((void **)at, size);
}
template <typename T> cudaError_t cudaMallocHost(T **at, size_t size) {
  return cudaMallocHost((void **)at, size);
}
template <typename T> cudaError_t cudaMallocManaged(T **at, size_t size) {
  return cudaMallocManaged((void **)at, size, 1);
}
template <typename T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size) {
  return cudaMemcpyToSymbol((const void *)&symbol, from, size, 0, cudaMemcpyHostToDevice);
}
template <typename T> cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size) {
  return cudaMemcpyFromSymbol(to, (const void *)&symbol, size, 0, cudaMemcpyDeviceToHost);
}
template <typename T>
cudaError_t cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <typename T> cudaError_t cudaFuncSetCacheConfig(T *function, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void *)function, config);
}
template <typename T>
cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)function, grid, block, arguments, shared, stream);
}
template <typename T>
cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                        size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared,
                                     stream);
}

#endif
