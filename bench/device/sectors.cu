// What the prediction of refilling knows of memory (lib/gpu/costs.h): how many instructions of warps a
// GPU issues in the time in which a sector of 32 bytes comes from its second-level cache, and how many
// times as long words take whose items are neighbours in bunches alone, as those of refilled lanes are.
//
//   nvcc -arch=sm_90 -O3 -o sectors bench/device/sectors.cu && ./sectors
//
// Prints what a nanosecond has of each, and the two quotients; the least time of several runs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

enum {
  WARP = 32,
  THREADS = 256,
  RUNS = 9,
  CHAINS = 8,      // of a thread, that don't wait for each other
  LINKS = 4096,    // multiply-adds of a chain
  ARRAYS = 8,      // of which an item has a word each
  ITEMS = 1 << 19, // 16 MB of words: they stay in the second-level cache
  WORDS = 8,       // of a sector
  PASSES = 8       // over all items
};

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    fprintf(stderr, "sectors: %s\n", cudaGetErrorString(error));
    exit(1);
  }
}

__global__ void multiply_add(float seed, float *result) {
  float x[CHAINS];
#pragma unroll
  for (int i = 0; i < CHAINS; i++)
    x[i] = seed + (float)(threadIdx.x * i);
#pragma unroll 32
  for (int link = 0; link < LINKS; link++)
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
      x[i] = __fmaf_rn(x[i], seed, 1.0f);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < CHAINS; i++)
    sum += x[i];
  if (sum == -1.0f) // never; the compiler doesn't know
    *result = sum;
}

// Each warp reads words of bunches of LANES items that are neighbours. A bunch begins at any item if
// `is_ragged`, else at a multiple of LANES; where bunches are doesn't follow from the warp. Words are
// STRIDE words apart. The first-level cache is passed by.
template <int LANES, int STRIDE>
__global__ void read(const float *words, unsigned is_ragged, float *result) {
  const unsigned lane = threadIdx.x % WARP, places = ITEMS / STRIDE;
  const unsigned warps = gridDim.x * (THREADS / WARP),
                 warp = (blockIdx.x * THREADS + threadIdx.x) / WARP;
  float sum = 0;
  for (unsigned round = warp; round < PASSES * (ITEMS / WARP); round += warps) {
    const unsigned bunch = round * (WARP / LANES) + lane / LANES, mixed = bunch * 2654435761u;
    const unsigned shift = is_ragged ? mixed >> 24 : 0;
    const unsigned item = (mixed % (places / LANES) * LANES + shift + lane % LANES) % places;
#pragma unroll
    for (unsigned array = 0; array < ARRAYS; array++)
      sum += __ldcg(words + array * ITEMS + item * STRIDE);
  }
  if (sum == -1.0f)
    *result = sum;
}

// The least time of several launches in nanoseconds, after one that warms caches and clocks.
template <typename Launch> static double time_of(Launch launch) {
  cudaEvent_t from, to;
  check(cudaEventCreate(&from));
  check(cudaEventCreate(&to));
  double least = 0;
  for (int run = 0; run <= RUNS; run++) {
    float ms;
    check(cudaEventRecord(from));
    launch();
    check(cudaGetLastError());
    check(cudaEventRecord(to));
    check(cudaEventSynchronize(to));
    check(cudaEventElapsedTime(&ms, from, to));
    least = run == 0 ? 1e30 : std::min(least, 1e6 * (double)ms);
  }
  check(cudaEventDestroy(from));
  check(cudaEventDestroy(to));
  return least;
}

int main() {
  cudaDeviceProp gpu;
  float *words, *result;
  check(cudaGetDeviceProperties(&gpu, 0));
  check(cudaMalloc(&words, sizeof *words * ARRAYS * ITEMS));
  check(cudaMalloc(&result, sizeof *result));
  check(cudaMemset(words, 0, sizeof *words * ARRAYS * ITEMS));
  const unsigned blocks =
      (unsigned)gpu.multiProcessorCount * (unsigned)gpu.maxThreadsPerMultiProcessor / THREADS;
  const double warps = (double)blocks * (THREADS / WARP), items = (double)PASSES * ITEMS;

  const double computing = time_of([&] { multiply_add<<<blocks, THREADS>>>(0.5f, result); });
  const double alone = time_of([&] { read<1, WORDS><<<blocks, THREADS>>>(words, 0, result); });
  const double instructions = warps * LINKS * CHAINS / computing, sectors = items * ARRAYS / alone;
  printf("%s, %d multiprocessors\n", gpu.name, gpu.multiProcessorCount);
  printf("%-44s %8.1f a ns\n", "instructions of warps", instructions);
  printf("%-44s %8.1f a ns, %.2f TB/s\n", "sectors, second-level cache", sectors, sectors * 0.032);
  printf("%-44s %8.2f\n", "LIN_COST_OF_SECTOR: instructions a sector", instructions / sectors);

  const double beside = time_of([&] { read<WARP, 1><<<blocks, THREADS>>>(words, 0, result); });
  const double bunches[] = {
      time_of([&] { read<4, 1><<<blocks, THREADS>>>(words, 1, result); }),
      time_of([&] { read<8, 1><<<blocks, THREADS>>>(words, 1, result); }),
      time_of([&] { read<16, 1><<<blocks, THREADS>>>(words, 1, result); }),
      time_of([&] { read<32, 1><<<blocks, THREADS>>>(words, 1, result); }),
  };
  for (int i = 0; i < 4; i++)
    printf("LIN_RISE_OF_SECTORS: neighbours in bunches of %-2d %5.2f\n", 4 << i,
           bunches[i] / beside);
  return 0;
}
