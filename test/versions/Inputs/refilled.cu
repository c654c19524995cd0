// A kernel whose threads loop differently often, launched in ways that counters could be mixed up by: from several
// threads into streams of their own and into one, into streams that come and go, captured and replayed, with kernels
// in between that fail. Every item has to be done once. refilled loop|streams|threads|graph [ITEMS] [TIMES]; on a GPU,
// too: LINEARIZE_OPTIONS=versions=plain:refilled linearize-nvcc -arch=sm_90 -O3 refilled.cu.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

static __host__ __device__ unsigned work(unsigned item) {
  unsigned x = item * 2654435761u, steps = item % 7 == 0 ? 40 : item % 3;
  for (unsigned i = 0; i < steps; i++)
    x = x * 1664525u + (x >> 3) % 11;
  return x | 1;
}

__global__ void walk(unsigned *out, unsigned count) {
  unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
  if (item >= count)
    return;
  unsigned x = item * 2654435761u, steps = item % 7 == 0 ? 40 : item % 3;
  for (unsigned i = 0; i < steps; i++)
    x = x * 1664525u + (x >> 3) % 11;
  atomicAdd(&out[item], x | 1);
}

enum { Threads = 64 };
static unsigned Items = 500, Times = 40; // the latter a multiple of 40

// What so many launches wrote; each adds.
static unsigned wrong_of(unsigned *out, unsigned launches) {
  std::vector<unsigned> got(Items);
  unsigned wrong = 0;
  cudaDeviceSynchronize();
  cudaMemcpy(got.data(), out, Items * sizeof *out, cudaMemcpyDeviceToHost);
  for (unsigned item = 0; item < Items; item++)
    wrong += got[item] != launches * work(item);
  return wrong;
}

static unsigned *fresh() {
  unsigned *out;
  cudaMalloc(&out, Items * sizeof *out);
  cudaMemset(out, 0, Items * sizeof *out);
  return out;
}

static void launch(unsigned *out, cudaStream_t stream, unsigned times) {
  for (unsigned i = 0; i < times; i++)
    walk<<<Items / Threads + 1, Threads, 0, stream>>>(out, Items);
}

int main(int count, char **arguments) {
  Items = count > 2 ? std::strtoul(arguments[2], nullptr, 10) : Items;
  Times = count > 3 ? std::strtoul(arguments[3], nullptr, 10) : Times;
  unsigned *out = fresh(), wrong = 0, times = Times;
  if (std::strcmp(arguments[1], "loop") == 0) {
    for (unsigned i = 0; i < times; i++) {
      launch(out, nullptr, 1);
      cudaDeviceSynchronize();
    }
  } else if (std::strcmp(arguments[1], "streams") == 0) {
    cudaStream_t stream[3];
    for (auto &s : stream)
      cudaStreamCreate(&s);
    for (unsigned i = 0; i < times; i++)
      launch(out, stream[i % 3], 1);
    for (auto &s : stream)
      cudaStreamDestroy(s);
  } else if (std::strcmp(arguments[1], "threads") == 0) {
    cudaStream_t shared;
    cudaStreamCreate(&shared);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; i++)
      threads.emplace_back([=] {
        cudaStream_t own;
        cudaStreamCreate(&own);
        for (unsigned j = 0; j < Times / 8; j++)
          launch(out, j % 2 == 0 ? own : shared, 2);
        cudaStreamDestroy(own);
      });
    for (auto &t : threads)
      t.join();
  } else { // a graph, replayed between launches
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t replayed;
    cudaStreamCreate(&stream);
    launch(out, stream, Times / 4);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    launch(out, stream, 2);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&replayed, graph, 0);
    for (unsigned i = 0; i < Times / 4; i++) {
      cudaGraphLaunch(replayed, stream);
      launch(out, stream, 1);
    }
  }
  wrong = wrong_of(out, times);
  std::printf("%s: %u wrong, %d\n", arguments[1], wrong, (int)cudaGetLastError());
  return wrong != 0;
}
