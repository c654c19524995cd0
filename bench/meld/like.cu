// Polynomials of two kinds of particle: like operations with other constants, one more in one arm.
#include "../refill/common.h"

#define CHAIN(x, y, A, B, C, D)                                                                    \
  y = x * A + B;                                                                                   \
  x = y * y + C;                                                                                   \
  y = x * D - y;                                                                                   \
  x = x * 0.5f + y

__global__ void like(const int *kind, const float *in, float *out, int rounds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], y = 0;
  unsigned bits = kind[i];
  for (int r = 0; r < rounds; r++, bits = bits * 1664525u + 1013904223u) {
#ifdef BY_HAND
    bool first = bits >> 31;
#define PICK(A, B) (first ? A : B)
    CHAIN(x, y, PICK(0.11f, 0.15f), PICK(0.7f, 0.2f), PICK(0.31f, 0.12f), PICK(0.5f, 0.25f));
    CHAIN(x, y, PICK(0.12f, 0.19f), PICK(0.6f, 0.3f), PICK(0.32f, 0.14f), PICK(0.4f, 0.35f));
    if (first)
      x += 0.125f;
    CHAIN(x, y, PICK(0.13f, 0.18f), PICK(0.5f, 0.4f), PICK(0.33f, 0.16f), PICK(0.3f, 0.45f));
    CHAIN(x, y, PICK(0.14f, 0.17f), PICK(0.4f, 0.5f), PICK(0.34f, 0.18f), PICK(0.2f, 0.15f));
#else
    if (bits >> 31) {
      CHAIN(x, y, 0.11f, 0.7f, 0.31f, 0.5f);
      CHAIN(x, y, 0.12f, 0.6f, 0.32f, 0.4f);
      x += 0.125f;
      CHAIN(x, y, 0.13f, 0.5f, 0.33f, 0.3f);
      CHAIN(x, y, 0.14f, 0.4f, 0.34f, 0.2f);
    } else {
      CHAIN(x, y, 0.15f, 0.2f, 0.12f, 0.25f);
      CHAIN(x, y, 0.19f, 0.3f, 0.14f, 0.35f);
      CHAIN(x, y, 0.18f, 0.4f, 0.16f, 0.45f);
      CHAIN(x, y, 0.17f, 0.5f, 0.18f, 0.15f);
    }
#endif
  }
  out[i] = x + y;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 20, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned long long state = 88172645463325252ull;
  std::vector<int> kind(n);
  std::vector<float> in(n);
  for (int i = 0; i < n; i++) {
    kind[i] = (int)next_random(state);
    in[i] = (next_random(state) & 1023) / 1024.f;
  }
  float *out;
  CHECK(cudaMalloc(&out, n * sizeof *out));
  const int *k = on_gpu(kind);
  const float *a = on_gpu(in);
  report("like", out, n, launches, [&] { like<<<(n + 127) / 128, 128>>>(k, a, out, 32, n); });
}
