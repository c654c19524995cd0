// How long one warp waits for what an instruction gives: chains in which each instruction needs the
// one before, timed by the GPU's own clock. What lib/llvm/read/timing.c knows comes from here.
//
//   nvcc -arch=sm_90 -o latency bench/device/latency.cu && ./latency
//
// Prints cycles an instruction, for chains of 512 of each kind, the least of several runs.
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { LINKS = 512, RUNS = 9 };

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    fprintf(stderr, "latency: %s\n", cudaGetErrorString(error));
    exit(1);
  }
}

// Two times 12 instructions that have nothing in common, 4.4 cycles each.
static __device__ float add_12(float x, float y) {
#pragma unroll
  for (int i = 0; i < 12; i++)
    x = __fmaf_rn(x, y, 1.0f);
  return x;
}

static __device__ float mix_12(float x, float y) {
#pragma unroll
  for (int i = 0; i < 12; i++)
    x = i % 2 == 0 ? __fadd_rn(x, y) : __fmul_rn(x, 0.75f);
  return x;
}

// `cycles` of the second LINKS times STEP on x: the first fetch what caches can hold. `seed` keeps
// x from being known.
#define CHAIN(NAME, TYPE, STEP)                                                                    \
  __global__ void NAME(TYPE seed, const unsigned *next, long long *cycles, TYPE *result) {         \
    __shared__ unsigned ring[1024];                                                                \
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)                                      \
      ring[i] = next[i];                                                                           \
    __syncthreads();                                                                               \
    TYPE x = seed;                                                                                 \
    long long start;                                                                               \
    for (int pass = 0; pass < 2; pass++) {                                                         \
      start = clock64();                                                                           \
      _Pragma("unroll 32") for (int i = 0; i < LINKS; i++) x = STEP;                               \
    }                                                                                              \
    *result = x + (TYPE)ring[threadIdx.x];                                                         \
    __threadfence_block();                                                                         \
    *cycles = clock64() - start;                                                                   \
  }

CHAIN(integer_add, unsigned, (x ^ (unsigned)i) + seed)
CHAIN(integer_multiply, unsigned, x *seed + 1)
CHAIN(integer_divide, unsigned, (x | 0x80000000u) / (seed | 3))
CHAIN(float_multiply_add, float, x *seed + 1.0f)
CHAIN(float_divide, float, (seed + 1.5f) / x)
CHAIN(float_divide_fast, float, __fdividef(seed + 1.5f, x))
CHAIN(float_square_root, float, sqrtf(x + seed))
CHAIN(float_sine_fast, float, __sinf(x))
CHAIN(float_exponential_fast, float, __expf(x))
CHAIN(double_multiply_add, double, x *seed + 1.0)
CHAIN(double_divide, double, (seed + 1.5) / x)
CHAIN(both, float, mix_12(add_12(x, seed), seed))
CHAIN(branch, float, threadIdx.x & 1 ? add_12(x, seed) : mix_12(x, seed))
CHAIN(shared_load, unsigned, ring[x])
CHAIN(global_load, unsigned, next[x])

template <typename Kernel, typename Type>
static void measure(const char *name, Kernel kernel, Type seed, size_t elements,
                    Type elsewhere = 0) {
  if (elements < 1024)
    elements = 1024;
  std::vector<unsigned> ring(elements);
  for (size_t i = 0, stride = 40961; i < elements; i++) // far apart, each place once
    ring[i] = (unsigned)((i + stride) % elements);
  unsigned *next;
  long long *cycles, least = 0;
  Type *result;
  check(cudaMalloc(&next, ring.size() * sizeof *next));
  check(cudaMalloc(&cycles, sizeof *cycles));
  check(cudaMalloc(&result, sizeof *result));
  check(cudaMemcpy(next, ring.data(), ring.size() * sizeof *next, cudaMemcpyHostToDevice));
  for (int run = 0; run < RUNS; run++) {
    long long taken;
    kernel<<<1, 32>>>(seed + run * elsewhere, next, cycles, result);
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(&taken, cycles, sizeof taken, cudaMemcpyDeviceToHost));
    if (run == 0 || taken < least)
      least = taken;
  }
  printf("%-36s %7.1f\n", name, (double)least / LINKS);
  check(cudaFree(next));
  check(cudaFree(cycles));
  check(cudaFree(result));
}

int main() {
  measure("integer xor and add", integer_add, 3u, 0);
  measure("integer multiply-add", integer_multiply, 3u, 0);
  measure("integer divide", integer_divide, 3u, 0);
  measure("float multiply-add", float_multiply_add, 0.5f, 0);
  measure("float divide", float_divide, 1.5f, 0);
  measure("float divide, fast", float_divide_fast, 1.5f, 0);
  measure("float add and square root", float_square_root, 1.5f, 0);
  measure("float sine, fast", float_sine_fast, 0.5f, 0);
  measure("float exponential, fast", float_exponential_fast, -0.5f, 0);
  measure("double multiply-add", double_multiply_add, 0.5, 0);
  measure("double divide", double_divide, 1.5, 0);
  measure("float multiply, add, multiply-add: 24", both, 0.5f, 0);
  measure("the same as two arms of a branch", branch, 0.5f, 0);
  measure("load, shared", shared_load, 1u, 0);
  measure("load, first-level cache (4 KB)", global_load, 0u, 1 << 10);
  measure("load, second-level cache (8 MB)", global_load, 0u, 1 << 21);
  measure("load, memory (1 GB)", global_load, 0u, 1 << 28, 20000003u);
  return 0;
}
