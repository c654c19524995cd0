// Device header of the benchmark kernels: CUDA's keywords and the few functions they use.
//
// A kernel file includes nothing else, and compiles four ways from the same text:
//
//   device, no toolkit    clang++ -x cuda --cuda-device-only -nocudainc -nocudalib
//                         --cuda-feature=+ptx64 (clang that finds no toolkit assumes PTX 4.2, and
//                         refuses every target newer than that)
//   device, CUDA toolkit  nvcc, or clang++ -x cuda with its wrapper headers; we then declare
//   nothing
//                         that the toolkit declares
//   HIP, without ROCm     behind linearize_hip.h
//   host                  clang++ -x c++: the kernel is a plain function, a loop over the threads,
//                         with the same signature: the reference for what the device computed
//
// Results are equal bit by bit as long as no multiply and add are fused (-ffp-contract=off,
// -fmad=false for nvcc): functions that a library would approximate are computed here.
#ifndef LINEARIZE_DEVICE_H
#define LINEARIZE_DEVICE_H

#if defined(__CUDA_RUNTIME_H__) || defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__) ||                    \
    defined(LINEARIZE_HIP_H)
#define LIN_TOOLKIT 1
#elif defined(__CUDA__)
#define LIN_DEVICE 1
#else
#define LIN_HOST 1
#endif

#ifdef __clang__
#pragma clang fp contract(off)
#endif

// ---- CUDA's keywords and functions, without a toolkit ------------------------------------------

#ifdef LIN_DEVICE

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

// threadIdx.x reads a special register: a property, so that no object has to exist.
#define LIN_SPECIAL_REGISTER(name, reg)                                                            \
  struct lin_##name {                                                                              \
    __declspec(property(get = get_x)) unsigned x;                                                  \
    __declspec(property(get = get_y)) unsigned y;                                                  \
    __declspec(property(get = get_z)) unsigned z;                                                  \
    static __device__ __forceinline__ unsigned get_x() {                                           \
      return __nvvm_read_ptx_sreg_##reg##_x();                                                     \
    }                                                                                              \
    static __device__ __forceinline__ unsigned get_y() {                                           \
      return __nvvm_read_ptx_sreg_##reg##_y();                                                     \
    }                                                                                              \
    static __device__ __forceinline__ unsigned get_z() {                                           \
      return __nvvm_read_ptx_sreg_##reg##_z();                                                     \
    }                                                                                              \
  };                                                                                               \
  extern const __device__ lin_##name name

LIN_SPECIAL_REGISTER(threadIdx, tid);
LIN_SPECIAL_REGISTER(blockIdx, ctaid);
LIN_SPECIAL_REGISTER(blockDim, ntid);
LIN_SPECIAL_REGISTER(gridDim, nctaid);
#undef LIN_SPECIAL_REGISTER

static const unsigned warpSize = 32;

static __device__ __forceinline__ void __syncwarp(unsigned mask = 0xffffffffu) {
  __nvvm_bar_warp_sync(mask);
}

static __device__ __forceinline__ int atomicAdd(int *p, int v) {
  return __nvvm_atom_add_gen_i(p, v);
}
static __device__ __forceinline__ unsigned atomicAdd(unsigned *p, unsigned v) {
  return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v);
}
static __device__ __forceinline__ float atomicAdd(float *p, float v) {
  return __nvvm_atom_add_gen_f(p, v);
}
static __device__ __forceinline__ int atomicExch(int *p, int v) {
  return __nvvm_atom_xchg_gen_i(p, v);
}
static __device__ __forceinline__ unsigned atomicExch(unsigned *p, unsigned v) {
  return (unsigned)__nvvm_atom_xchg_gen_i((int *)p, (int)v);
}
static __device__ __forceinline__ int atomicCAS(int *p, int expected, int v) {
  return __nvvm_atom_cas_gen_i(p, expected, v);
}
static __device__ __forceinline__ unsigned atomicCAS(unsigned *p, unsigned expected, unsigned v) {
  return (unsigned)__nvvm_atom_cas_gen_i((int *)p, (int)expected, (int)v);
}

#endif // LIN_DEVICE

#ifdef LIN_HOST
#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __constant__ static
#define __forceinline__ inline
#endif

// ---- the shape of a kernel ---------------------------------------------------------------------

#define LIN_FUNCTION static __host__ __device__ __forceinline__

// The input: a power of two of random words, of which kernels make what they need.
struct lin_input {
  const unsigned *words;
  unsigned mask; // words - 1

  __host__ __device__ unsigned operator[](unsigned i) const { return words[i & mask]; }
};

// With LIN_ALIKE the threads of a warp all do what the first of 32 threads would, with its data. A mask
// is odd: that the divisor is 32 is what no compiler knows.
#ifdef LIN_ALIKE
#define LIN_WHOSE(thread, mask) ((thread) / (31 + ((mask)&1)))
#else
#define LIN_WHOSE(thread, mask) (thread)
#endif

// KERNEL_BODY(name) { ... return result; } defines the kernel `name`; its body sees
//     lin_input in       the input
//     unsigned thread    the number of the thread
//     unsigned rounds    how often to repeat the work, for timing; every result depends on it
#ifdef LIN_HOST
#define LIN_KERNEL(name)                                                                           \
  extern "C" void name(const unsigned *words, unsigned mask, unsigned rounds, unsigned *out,       \
                       unsigned threads) {                                                         \
    for (unsigned thread = 0; thread < threads; thread++)                                          \
      out[thread] = name##_body(lin_input{words, mask}, LIN_WHOSE(thread, mask), rounds);                           \
  }
#else
#define LIN_KERNEL(name)                                                                           \
  extern "C" __global__ void name(const unsigned *words, unsigned mask, unsigned rounds,           \
                                  unsigned *out, unsigned threads) {                               \
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;                                       \
    if (thread < threads)                                                                          \
      out[thread] = name##_body(lin_input{words, mask}, LIN_WHOSE(thread, mask), rounds);                           \
  }
#endif

#define KERNEL_BODY(name)                                                                          \
  LIN_FUNCTION unsigned name##_body(lin_input in, unsigned thread, unsigned rounds);               \
  LIN_KERNEL(name)                                                                                 \
  LIN_FUNCTION unsigned name##_body(lin_input in, unsigned thread, unsigned rounds)

// THREAD_KERNEL(name) { ... } is one whose threads write their results themselves, to `*result`,
// and may return from anywhere: a `return` is the end of the thread, not the way to what all of
// them still have to do.
#ifdef LIN_HOST
#define LIN_THREAD_KERNEL(name)                                                                    \
  extern "C" void name(const unsigned *words, unsigned mask, unsigned rounds, unsigned *out,       \
                       unsigned threads) {                                                         \
    for (unsigned thread = 0; thread < threads; thread++)                                          \
      name##_body(lin_input{words, mask}, LIN_WHOSE(thread, mask), rounds, out + thread);                           \
  }
#else
#define LIN_THREAD_KERNEL(name)                                                                    \
  extern "C" __global__ void name(const unsigned *words, unsigned mask, unsigned rounds,           \
                                  unsigned *out, unsigned threads) {                               \
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;                                       \
    if (thread < threads)                                                                          \
      name##_body(lin_input{words, mask}, LIN_WHOSE(thread, mask), rounds, out + thread);                           \
  }
#endif

#define THREAD_KERNEL(name)                                                                        \
  LIN_FUNCTION void name##_body(lin_input in, unsigned thread, unsigned rounds, unsigned *result); \
  LIN_THREAD_KERNEL(name)                                                                          \
  LIN_FUNCTION void name##_body(lin_input in, unsigned thread, unsigned rounds, unsigned *result)

// ---- a kernel whose threads work together ------------------------------------------------------

// BLOCK_KERNEL(name) stands twice in a file. On the device { ... return result; } sees
//     lin_input in       the input
//     unsigned first     the number of the block's first thread, of LIN_BLOCK
//     unsigned lane      this thread's number in the block
//     unsigned rounds
// On the host, under LIN_HOST, it is another text, the reference: { ... } computes a whole block,
// out[0] to out[LIN_BLOCK - 1]. All blocks are full.
#define LIN_BLOCK 128
#ifdef LIN_HOST
#define BLOCK_KERNEL(name)                                                                         \
  static void name##_block(lin_input in, unsigned first, unsigned rounds, unsigned *out);          \
  extern "C" void name(const unsigned *words, unsigned mask, unsigned rounds, unsigned *out,       \
                       unsigned threads) {                                                         \
    for (unsigned first = 0; first < threads; first += LIN_BLOCK)                                  \
      name##_block(lin_input{words, mask}, first, rounds, out + first);                            \
  }                                                                                                \
  static void name##_block(lin_input in, unsigned first, unsigned rounds, unsigned *out)
#else
#define BLOCK_KERNEL(name)                                                                         \
  static __device__ __forceinline__ unsigned name##_body(lin_input in, unsigned first,             \
                                                         unsigned lane, unsigned rounds);          \
  extern "C" __global__ void name(const unsigned *words, unsigned mask, unsigned rounds,           \
                                  unsigned *out, unsigned) {                                       \
    unsigned first = blockIdx.x * LIN_BLOCK, lane = threadIdx.x;                                   \
    out[first + lane] = name##_body(lin_input{words, mask}, first, lane, rounds);                  \
  }                                                                                                \
  static __device__ __forceinline__ unsigned name##_body(lin_input in, unsigned first,             \
                                                         unsigned lane, unsigned rounds)
#endif

// ---- arithmetic, the same on host and device ---------------------------------------------------

// Integer work that no compiler can shorten: murmur3's finaliser.
LIN_FUNCTION unsigned lin_mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ x >> 16;
}

// A number in [0, 1) from a word.
LIN_FUNCTION float lin_unit(unsigned word) { return (float)(word >> 8) * (1.0f / 16777216.0f); }

LIN_FUNCTION unsigned lin_bits(float x) {
  unsigned word;
  __builtin_memcpy(&word, &x, sizeof word);
  return word;
}

LIN_FUNCTION float lin_from_bits(unsigned word) {
  float x;
  __builtin_memcpy(&x, &word, sizeof x);
  return x;
}

LIN_FUNCTION float lin_abs(float x) { return x < 0 ? -x : x; }
LIN_FUNCTION float lin_min(float a, float b) { return a < b ? a : b; }
LIN_FUNCTION float lin_max(float a, float b) { return a > b ? a : b; }

// Under clang the builtin even where there is a toolkit: its sqrtf is libdevice's, approximate.
LIN_FUNCTION float lin_sqrt(float x) {
#if defined(LIN_TOOLKIT) && !defined(__clang__)
  return sqrtf(x);
#else
  return __builtin_sqrtf(x);
#endif
}

// log x for normal x > 0: m in [sqrt 1/2, sqrt 2), log m = 2 atanh((m - 1) / (m + 1)).
LIN_FUNCTION float lin_log(float x) {
  unsigned word = lin_bits(x);
  int exponent = (int)((word - 0x3f3504f3u) >> 23) - ((word < 0x3f3504f3u) ? 512 : 0);
  float m = lin_from_bits(word - ((unsigned)exponent << 23));
  float t = (m - 1.0f) / (m + 1.0f);
  float t2 = t * t;
  float series = 2.0f + t2 * (0.66666667f + t2 * (0.4f + t2 * 0.2857143f));
  return (float)exponent * 0.69314718f + t * series;
}

// exp x for |x| < 80: 2^k e^r with |r| <= log 2 / 2.
LIN_FUNCTION float lin_exp(float x) {
  float scaled = x * 1.44269504f;
  int k = (int)(scaled + (scaled < 0 ? -0.5f : 0.5f));
  float r = x - (float)k * 0.69314718f;
  float series =
      1.0f + r * (1.0f + r * (0.5f + r * (0.16666667f + r * (0.041666668f + r * 0.008333333f))));
  return series * lin_from_bits((unsigned)(k + 127) << 23);
}

// sin and cos of a turn's fraction, u in [0, 1): a quarter turn by Taylor, the rest by symmetry.
LIN_FUNCTION float lin_sin_turn(float u) {
  float v = u < 0.5f ? u : u - 1.0f;
  float folded = v > 0.25f ? 0.5f - v : v < -0.25f ? -0.5f - v : v;
  float a = folded * 6.2831853f;
  float a2 = a * a;
  return a *
         (1.0f + a2 * (-0.16666667f + a2 * (0.008333333f + a2 * (-1.9841270e-4f + a2 * 2.7e-6f))));
}

LIN_FUNCTION float lin_cos_turn(float u) {
  float v = u + 0.25f;
  return lin_sin_turn(v < 1.0f ? v : v - 1.0f);
}

// ---- the same in doubles -----------------------------------------------------------------------

LIN_FUNCTION unsigned lin_bits(double x) {
  unsigned long long word;
  __builtin_memcpy(&word, &x, sizeof word);
  return (unsigned)word ^ (unsigned)(word >> 32);
}

LIN_FUNCTION double lin_abs(double x) { return x < 0 ? -x : x; }

LIN_FUNCTION double lin_sqrt(double x) {
#if defined(LIN_TOOLKIT) && !defined(__clang__)
  return sqrt(x);
#else
  return __builtin_sqrt(x);
#endif
}

// sin x and cos x as libraries compute them: to a quarter turn, then a polynomial for the quadrant.
LIN_FUNCTION double lin_sin_or_cos(double x, int quadrant) {
  double turns = x * 0.63661977236758134;
  int k = (int)(turns + (turns < 0 ? -0.5 : 0.5));
  double r = x - (double)k * 1.5707963267341256 - (double)k * 6.0771005063039022e-11;
  double r2 = r * r;
  k += quadrant;
  double y;
  if (k & 1)
    y = 1.0 +
        r2 * (-0.5 + r2 * (4.1666666666666664e-2 +
                           r2 * (-1.3888888888888889e-3 + r2 * (2.48015873e-5 - r2 * 2.7557e-7))));
  else
    y = r + r * r2 *
                (-1.6666666666666666e-1 +
                 r2 * (8.3333333333333332e-3 + r2 * (-1.98412698e-4 + r2 * 2.7557319e-6)));
  return k & 2 ? -y : y;
}

LIN_FUNCTION double lin_sin(double x) { return lin_sin_or_cos(x, 0); }
LIN_FUNCTION double lin_cos(double x) { return lin_sin_or_cos(x, 1); }

#endif // LINEARIZE_DEVICE_H
