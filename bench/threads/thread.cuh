// The applications of bench/threads: what `scripts/bench threads` regroups. Each .cu file is one
// kernel, for the simulator, for a GPU and, its reference, for the CPU (linearize_device.h says
// how).
//
// All have the signature of bench's other kernels and behind it one argument more,
//
//     const unsigned *order      [threads] which thread's work each thread does, a permutation;
//                                null: its own
//
// so that threads can be put together anew without another kernel: the thread's index is looked up
// once, and all that it reads and writes follows from the index.
#ifndef BENCH_THREADS_THREAD_CUH
#define BENCH_THREADS_THREAD_CUH

#include "linearize_device.h"

#define LINEARIZE_THREAD(order, place) ((order) ? (order)[place] : (place))

// APPLICATION(name) { ... return result; } defines the kernel `name`, whose threads know nothing of
// each other; its body sees
//     lin_input in       the input: a power of two of random words
//     unsigned thread    the number of the thread
//     unsigned rounds    how much work; the file says what it counts
#ifdef LIN_HOST
#define APPLICATION(name) KERNEL_BODY(name)
#else
#define APPLICATION(name)                                                                          \
  LIN_FUNCTION unsigned name##_body(lin_input in, unsigned thread, unsigned rounds);               \
  extern "C" __global__ void name(const unsigned *words, unsigned mask, unsigned rounds,           \
                                  unsigned *out, unsigned threads, const unsigned *order) {        \
    unsigned place = blockIdx.x * blockDim.x + threadIdx.x;                                        \
    if (place < threads) {                                                                         \
      unsigned thread = LINEARIZE_THREAD(order, place);                                            \
      out[thread] = name##_body(lin_input{words, mask}, thread, rounds);                           \
    }                                                                                              \
  }                                                                                                \
  LIN_FUNCTION unsigned name##_body(lin_input in, unsigned thread, unsigned rounds)
#endif

// BLOCK_APPLICATION(name) is one whose threads work together, thread block by thread block, in the
// two texts of BLOCK_KERNEL. It takes no order: its threads have places.
#ifdef LIN_HOST
#define BLOCK_APPLICATION(name) BLOCK_KERNEL(name)
#else
#define BLOCK_APPLICATION(name)                                                                    \
  static __device__ __forceinline__ unsigned name##_body(lin_input in, unsigned first,             \
                                                         unsigned lane, unsigned rounds);          \
  extern "C" __global__ void name(const unsigned *words, unsigned mask, unsigned rounds,           \
                                  unsigned *out, unsigned, const unsigned *) {                     \
    unsigned first = blockIdx.x * LIN_BLOCK, lane = threadIdx.x;                                   \
    out[first + lane] = name##_body(lin_input{words, mask}, first, lane, rounds);                  \
  }                                                                                                \
  static __device__ __forceinline__ unsigned name##_body(lin_input in, unsigned first,             \
                                                         unsigned lane, unsigned rounds)
#endif

// A point at which threads could change places, of a program in which they don't.
struct lin_stays {
  template <typename... Any> __host__ __device__ void operator()(Any...) const {}
};

// A linear congruential generator: what programs on GPUs have for each thread.
struct lin_random {
  unsigned state;

  __host__ __device__ unsigned next() {
    state = state * 1664525u + 1013904223u;
    return state ^ state >> 15;
  }
  __host__ __device__ unsigned below(unsigned limit) { return (next() >> 16) * limit >> 16; }
  __host__ __device__ float unit() { return lin_unit(next()); }
};

// Smooth noise, 0 to 1: the corners of cells of `cell` points are words of the input, linear
// between.
LIN_FUNCTION float lin_noise(lin_input in, unsigned x, unsigned y, unsigned z, unsigned cell) {
  unsigned i = x / cell, j = y / cell, k = z / cell;
  float u = (float)(x % cell) / (float)cell, v = (float)(y % cell) / (float)cell,
        w = (float)(z % cell) / (float)cell;
  float sum = 0.0f;
  for (unsigned corner = 0; corner < 8; corner++) {
    unsigned a = corner & 1, b = corner >> 1 & 1, c = corner >> 2;
    float weight = (a ? u : 1.0f - u) * (b ? v : 1.0f - v) * (c ? w : 1.0f - w);
    sum += weight * lin_unit(in[(i + a) + 37 * (j + b) + 1009 * (k + c)]);
  }
  return sum;
}

#endif
