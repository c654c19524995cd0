// Bitonic sort of a block's keys in shared memory: one arm sorts upwards, the other downwards.
#include "../refill/common.h"

__global__ void bitonic(const unsigned *in, unsigned *out) {
  __shared__ unsigned key[256];
  const unsigned t = threadIdx.x;
  key[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned k = 2; k <= 256; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      const unsigned other = t ^ j;
      if (other > t) {
#ifdef BY_HAND
        const unsigned a = key[t], b = key[other];
        if ((t & k) == 0 ? b < a : b > a) {
          key[t] = b;
          key[other] = a;
        }
#else
        if ((t & k) == 0) {
          if (key[other] < key[t]) {
            unsigned kept = key[t];
            key[t] = key[other];
            key[other] = kept;
          }
        } else {
          if (key[other] > key[t]) {
            unsigned kept = key[t];
            key[t] = key[other];
            key[other] = kept;
          }
        }
#endif
      }
      __syncthreads();
    }
  out[blockIdx.x * 256 + t] = key[t];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 20, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned long long state = 88172645463325252ull;
  std::vector<unsigned> keys(n);
  for (unsigned &k : keys)
    k = (unsigned)next_random(state);
  unsigned *out;
  CHECK(cudaMalloc(&out, n * sizeof *out));
  const unsigned *in = on_gpu(keys);
  report("bitonic", out, n, launches, [&] { bitonic<<<n / 256, 256>>>(in, out); });
}
