// docs/compilers.md's kernel: a structure with pointers, a table, a counter and a math function.
#include "linearize_device.h" // __global__, threadIdx and so on, where there is no toolkit

#ifdef LIN_DEVICE
extern "C" __device__ float exp2f(float);
#endif

struct view {
  const float *age;
  float *left;
  int count;
};

__constant__ float half_life[2] = {1, 5};
__device__ unsigned old;

template <class T> __global__ void decay(view v, T scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= v.count)
    return;
  v.left[i] = scale * exp2f(-v.age[i] / half_life[i & 1]);
  if (v.age[i] > 5)
    atomicAdd(&old, 1u);
}

template __global__ void decay<float>(view v, float scale);
