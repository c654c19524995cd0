// Kernels whose arms do similar work, for kernels.test.
#include "linearize_device.h"

static __device__ __forceinline__ float work(float x, float s, int n) {
  float r = x;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    r = r * s + x / (r + 1.5f);
    if (r > 100.f)
      r = r * 0.01f;
  }
  return r;
}

// Six of eight cases call one function, which is inlined.
extern "C" __global__ void cases(const int *kind, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], r;
  switch (kind[i] & 7) {
  case 0: r = work(x, 0.5f, n); break;
  case 1: r = work(x * 2, 0.25f, n); break;
  case 2: r = work(x + 1, 0.75f, n) + 3; break;
  case 3: r = work(x - 1, 0.125f, n); break;
  case 4: r = work(x * x, 0.3f, n) * 2; break;
  case 5: r = work(-x, 0.6f, n); break;
  case 6: r = x + 17; break;
  default: r = x * 3; break;
  }
  out[i] = r;
}

extern "C" __global__ void arms(const int *kind, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], r;
  if (kind[i] & 1)
    r = work(x, 0.5f, n);
  else
    r = work(x * 2, 0.25f, n) + 3;
  out[i] = r;
}

// Like operations, with other constants, one more in one arm.
extern "C" __global__ void like(const int *kind, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], r = x;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    if (kind[i] >> k & 1) {
#pragma unroll
      for (int j = 0; j < 8; j++)
        r = __builtin_fminf((r * x + 1.0f + j) / (x + r), x);
      r = r * 1e-6f;
    } else {
#pragma unroll
      for (int j = 0; j < 8; j++)
        r = __builtin_fminf((r * x + 3.0f - j) / (x + r), x);
    }
  }
  out[i] = r;
}

// Loops with other numbers of iterations; one arm stores.
extern "C" __global__ void trips(const int *kind, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], r = x;
  if (kind[i] & 1) {
#pragma unroll 1
    for (int k = 0; k < n; k++)
      r = r * 0.5f + x / (r + 2.0f);
    out[i + 2048] = r;
  } else {
#pragma unroll 1
    for (int k = 0; k < 2 * n; k++)
      r = r * 0.25f + x / (r + 3.0f);
  }
  out[i] = r;
}

// Arms with nothing in common, and arms that are shorter than guards.
extern "C" __global__ void apart(const int *kind, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], r = x;
  if (kind[i] & 1) {
    out[i + 2048] = x;
  } else {
    for (int k = 0; k < n; k++)
      r = r / (x + k);
  }
  out[i] = kind[i] & 2 ? r + x : r * x;
}
