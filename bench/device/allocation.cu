// What memory for a library that a program doesn't know of costs the program: by cudaMalloc and cudaFree, and of
// the pools of cudaMallocAsync, while a kernel of some 10 ms runs.
//
//   nvcc -O2 -arch=sm_90 bench/device/allocation.cu -o allocation && for way in malloc default own; do ./allocation $way; done
//
// Prints milliseconds of the CPU, a line for each call. tools/versions/memory.h says what follows from them.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

namespace {

constexpr size_t Bytes = size_t(34) << 20; // of an order of 2^21 threads
constexpr long long Cycles = 20000000;     // of the kernel

using Clock = std::chrono::steady_clock;

__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles)
    ;
}

template <typename Call> void tell(const char *what, Call call) {
  const auto start = Clock::now();
  const cudaError_t error = call();
  std::printf("%-40s %8.3f ms%s%s\n", what,
              std::chrono::duration<double, std::milli>(Clock::now() - start).count(),
              error == cudaSuccess ? "" : "  ", error == cudaSuccess ? "" : cudaGetErrorString(error));
}

void byMalloc() {
  void *memory;
  spin<<<1, 1>>>(Cycles);
  tell("cudaMalloc, a kernel runs", [&] { return cudaMalloc(&memory, Bytes); });
  tell("the kernel's end", [] { return cudaDeviceSynchronize(); });
  spin<<<1, 1>>>(Cycles);
  tell("cudaFree, a kernel runs", [&] { return cudaFree(memory); });
  tell("the kernel's end", [] { return cudaDeviceSynchronize(); });
}

void byPool(cudaMemPool_t pool) {
  void *memory;
  spin<<<1, 1>>>(Cycles);
  tell("from a pool, the first time", [&] { return cudaMallocFromPoolAsync(&memory, Bytes, pool, cudaStreamLegacy); });
  tell("again", [&] { return cudaMallocFromPoolAsync(&memory, Bytes, pool, cudaStreamLegacy); });
  tell("given back", [&] { return cudaFreeAsync(memory, cudaStreamLegacy); });
}

void byOwnPool() {
  cudaMemPool_t pool;
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.maxSize = size_t(4) << 30;
  tell("a pool is made", [&] { return cudaMemPoolCreate(&pool, &props); });
  byPool(pool);
}

} // namespace

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "";
  cudaMemPool_t pool;
  spin<<<1, 1>>>(1);
  if (cudaDeviceSynchronize() != cudaSuccess || cudaDeviceGetDefaultMemPool(&pool, 0) != cudaSuccess)
    return 1;
  if (!std::strcmp(way, "malloc"))
    byMalloc();
  else if (!std::strcmp(way, "own"))
    byOwnPool();
  else
    byPool(pool);
  return 0;
}
