// chunks [depends]: chunks of data whose threads go around a loop, remapped ahead; with `depends` the kernel's results
// decide what the chunks behind it have.
#include <cuda_runtime.h>

#include "linearize/layout.h"
#include "linearize/pipeline.h"
#include "linearize/pipeline_cuda.h"
#include "linearize/threads.h"

#include <cstdio>
#include <ctime>
#include <vector>

enum { Chunks = 24, Threads = 512, Classes = 8 };

static __host__ __device__ unsigned mix(unsigned x) {
  x ^= x >> 16, x *= 0x7feb352d;
  return x ^ x >> 15;
}

static __host__ __device__ unsigned turn(unsigned x) {
  unsigned sum = 0;
  for (unsigned i = 0; i < x % Classes; i++)
    sum = mix(sum + x + i);
  return sum;
}

__global__ void work(const unsigned *data, unsigned *out, const unsigned *order) {
  unsigned place = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned thread = order ? order[place] : place;
  out[thread] = turn(data[thread]);
}

static unsigned data[Chunks][Threads];

static int remap(void *, size_t chunk, void *place, const linearize_late *) {
  std::vector<unsigned> kind(Threads), destination(Threads);
  for (unsigned i = 0; i < Threads; i++)
    kind[i] = data[chunk][i] % Classes;
  return linearize_lam(kind.data(), Threads, Classes, 32, destination.data()) ||
         linearize_inverse(destination.data(), Threads, (uint32_t *)place);
}

static void waitLong() {
  const timespec shortly = {0, 3000000};
  nanosleep(&shortly, nullptr);
}

int main(int argc, char **) {
  unsigned *input, *out, *order, wrong = 0;
  std::vector<unsigned> got(Threads);
  for (unsigned i = 0; i < Chunks * Threads; i++)
    data[i / Threads][i % Threads] = mix(i);
  cudaMalloc(&input, sizeof data[0]);
  cudaMalloc(&out, sizeof data[0]);
  cudaMalloc(&order, sizeof data[0]);
  linearize_pipeline_settings settings = {};
  settings.remap = remap;
  settings.chunks = Chunks;
  settings.bytes = sizeof data[0];
  settings.threads = 2;
  linearize_pipeline_cuda(&settings);
  linearize_pipeline *p = linearize_pipeline_begin(&settings);
  for (size_t chunk = 0; chunk < Chunks; chunk++) {
    const void *place = linearize_pipeline_take(p, chunk);
    cudaMemcpyAsync(input, data[chunk], sizeof data[chunk], cudaMemcpyHostToDevice, 0);
    bool isCopied =
        place && linearize_pipeline_copy(p, chunk, order, place, sizeof data[0], 0) == cudaSuccess;
    work<<<Threads / 64, 64>>>(input, out, isCopied ? order : nullptr);
    cudaMemcpy(got.data(), out, sizeof data[chunk], cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < Threads; i++)
      wrong += got[i] != turn(data[chunk][i]);
    waitLong();
    for (unsigned i = 0; i < Threads && argc > 1 && chunk + 1 < Chunks; i++)
      data[chunk + 1][i] += mix(got[i]);
  }
  linearize_pipeline_counts counts;
  linearize_pipeline_end(p, &counts);
  std::printf("%s remapped, %u wrong\n", counts.remapped > 0 ? "some are" : "none is", wrong);
  cudaFree(input), cudaFree(out), cudaFree(order);
  return wrong != 0;
}
