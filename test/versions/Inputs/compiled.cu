// A kernel with a short circuit, of which the compiler makes versions; every launch has to give the same.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

static __host__ __device__ unsigned mix(unsigned x) {
  x ^= x >> 16, x *= 0x7feb352d;
  x ^= x >> 15, x *= 0x846ca68b;
  return x ^ x >> 16;
}

static __host__ __device__ unsigned stir(unsigned x, unsigned rounds) {
  for (unsigned i = 0; i < rounds; i++)
    x = mix(x + i);
  return x;
}

static __host__ __device__ unsigned work(unsigned thread, unsigned rounds) {
  unsigned x = mix(thread);
  for (unsigned i = 0; i < rounds; i++) {
    if (((mix(x + i) & 1) != 0 || (stir(x, 4) & 3) == 1) && (stir(x + i, 5) & 1) != 0)
      x += stir(x, 12);
    else
      x ^= x << 5;
  }
  return x;
}

__global__ void circuit(unsigned *out, unsigned count, unsigned rounds) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread < count)
    out[thread] = work(thread, rounds);
}

int main() {
  enum { Threads = 128, Rounds = 12, Launches = 60 };
  std::vector<unsigned> got(Threads);
  unsigned *out, wrong = 0;
  cudaMalloc(&out, Threads * sizeof *out);
  for (unsigned launch = 0; launch < Launches; launch++) {
    cudaMemset(out, 0, Threads * sizeof *out);
    circuit<<<Threads / 64, 64>>>(out, Threads, Rounds);
    cudaMemcpy(got.data(), out, Threads * sizeof *out, cudaMemcpyDeviceToHost);
    for (unsigned thread = 0; thread < Threads; thread++)
      wrong += got[thread] != work(thread, Rounds);
  }
  std::printf("%u wrong\n", wrong);
  return wrong != 0;
}
