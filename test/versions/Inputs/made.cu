// A kernel without versions that uses variables of all kinds, which the program changes between launches. Launches
// 60 times, waits for linearize-make if the second argument says so, and launches 60 times more; every answer is
// compared. With a third argument each of these is forty, on four streams in turn.
//
//   made LAUNCHES [wait [streams]]
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <unistd.h>
#include <vector>

__device__ unsigned hits;
__device__ unsigned table[8];
static __device__ unsigned bias = 2;
__constant__ unsigned scale[4];

static __host__ __device__ unsigned step(unsigned x, unsigned of_table, unsigned of_scale) {
  return x * 1664525u + (x >> 3) % 11 + of_table * of_scale;
}

__device__ __noinline__ unsigned look(unsigned x) { return table[x & 7]; }

__global__ void walk(unsigned *out, unsigned count) {
  unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
  if (item >= count)
    return;
  unsigned x = item * 2654435761u + bias, steps = (x >> 4) % 7 == 0 ? 40 : x % 3;
  for (unsigned i = 0; i < steps; i++)
    x = step(x, look(x), scale[x & 3]);
  out[item] = x;
  atomicAdd(&hits, x & 1);
}

enum { Items = 500, Blocks = 8, Threads = 64 };

static unsigned h_table[8], h_scale[4], h_bias = 2, h_hits, wrong;

static void change(unsigned round) {
  for (unsigned i = 0; i < 8; i++)
    h_table[i] = 77 * i + round;
  for (unsigned i = 0; i < 4; i++)
    h_scale[i] = 5 * i + round * round;
  h_bias = round;
  cudaMemcpyToSymbol(table, h_table, sizeof h_table);
  cudaMemcpyToSymbol(scale, h_scale, sizeof h_scale);
  cudaMemcpyToSymbol(bias, &h_bias, sizeof h_bias);
}

static std::vector<cudaStream_t> streams(1);

static void launch(unsigned *out) {
  std::vector<unsigned> got(Items);
  const unsigned times = streams.size() > 1 ? 40 : 1;
  for (unsigned i = 0; i < times; i++)
    walk<<<Blocks, Threads, 0, streams[i % streams.size()]>>>(out, Items);
  cudaDeviceSynchronize();
  cudaMemcpy(got.data(), out, Items * sizeof *out, cudaMemcpyDeviceToHost);
  for (unsigned item = 0; item < Items; item++) {
    unsigned x = item * 2654435761u + h_bias, steps = (x >> 4) % 7 == 0 ? 40 : x % 3;
    for (unsigned i = 0; i < steps; i++)
      x = step(x, h_table[x & 7], h_scale[x & 3]);
    wrong += got[item] != x;
    h_hits += times * (x & 1);
  }
}

// Whether the cache has the answers of linearize-lift and linearize-make.
static bool is_made() {
  unsigned kept = 0;
  DIR *folder = opendir(std::getenv("LINEARIZE_CACHE"));
  for (struct dirent *entry; folder != nullptr && (entry = readdir(folder)) != nullptr;)
    kept += std::strstr(entry->d_name, ".kept") != nullptr;
  if (folder != nullptr)
    closedir(folder);
  return kept >= 2;
}

int main(int count, char **arguments) {
  const unsigned launches = std::strtoul(arguments[1], nullptr, 10);
  unsigned *out, got = 0;
  cudaMalloc(&out, Items * sizeof *out);
  streams.resize(count > 3 ? 4 : 1);
  for (unsigned i = 0; count > 3 && i < streams.size(); i++)
    cudaStreamCreate(&streams[i]);
  for (unsigned i = 0; i < launches; i++) {
    if (i % 10 == 0)
      change(i);
    launch(out);
    for (unsigned tenths = 0; count > 2 && i == launches / 2 && !is_made() && tenths < 600; tenths++)
      usleep(100000);
  }
  cudaMemcpyFromSymbol(&got, hits, sizeof got);
  std::printf("%u wrong, hits %s, %s\n", wrong, got == h_hits ? "right" : "wrong", cudaGetErrorString(cudaGetLastError()));
}
