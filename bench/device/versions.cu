// Kernels that bench/device/versions links of two objects, compiled with -DPART=1 and -DPART=2: a template's,
// which both have, with other versions in each, for one of them sees what the kernel calls; and one by a
// name of C. All have the parameters of the kernels of bench/kernels.
#if PART == 2
__device__ unsigned step(const unsigned *in, unsigned mask, unsigned x) {
  if (x > in[x & mask] || in[(x >> 3) & mask] % 3 == 0)
    x = x * 1664525u + in[(x >> 7) & mask] / (x | 1);
  else if (x & 4)
    x ^= x >> 5;
  return x;
}
#else
__device__ unsigned step(const unsigned *in, unsigned mask, unsigned x);
#endif

template <typename T>
__device__ void walk(const T *in, unsigned mask, unsigned rounds, T *out, unsigned threads) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= threads)
    return;
  T x = thread * 2654435761u;
  for (unsigned i = 0; i < rounds; i++)
    if ((x % 3 == 0 || in[x & mask] % 5 == 0) && step(in, mask, x) % 7 != 0)
      x = x / (in[(x + i) & mask] | 1) + x * 69069u + i;
    else
      x ^= step(in, mask, x + i);
  out[thread] = x;
}

template <typename T>
__global__ void in_both(const T *in, unsigned mask, unsigned rounds, T *out, unsigned threads) {
  walk(in, mask, rounds, out, threads);
}

#if PART == 1
extern "C" __global__ void in_one(const unsigned *in, unsigned mask, unsigned rounds, unsigned *out,
                                  unsigned threads) {
  walk(in, mask, rounds, out, threads);
}
#endif

template __global__ void in_both<unsigned>(const unsigned *, unsigned, unsigned, unsigned *, unsigned);
