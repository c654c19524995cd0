// Adaptive quadrature: halves its interval, with a stack, until Simpson's rule is good enough.
#include "common.h"

__device__ __forceinline__ float f(float x, float k) { return sinf(k * x) / (x + 0.05f); }

__global__ void quadrature(const float *k_of, float *out, int n, float eps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float lo[24], hi[24], k = k_of[i], sum = 0;
  int top = 0, guard = 0;
  lo[0] = 0; hi[0] = 1; top = 1;
  while (top > 0 && guard++ < 2000) {
    float a = lo[--top], b = hi[top], m = 0.5f * (a + b), h = b - a;
    float fa = f(a, k), fm = f(m, k), fb = f(b, k), f1 = f(0.5f * (a + m), k), f2 = f(0.5f * (m + b), k);
    float whole = h / 6 * (fa + 4 * fm + fb), halves = h / 12 * (fa + 4 * f1 + 2 * fm + 4 * f2 + fb);
    if (fabsf(whole - halves) < eps * h || top > 21) {
      sum += halves;
    } else {
      lo[top] = a; hi[top++] = m;
      lo[top] = m; hi[top++] = b;
    }
  }
  out[i] = sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 22, launches = argc > 2 ? atoi(argv[2]) : 16;
  unsigned long long state = 17;
  std::vector<float> k(n);
  for (float &x : k) {
    float u = (next_random(state) & 0xffff) / 65536.f;
    x = 1 + 60 * u * u * u * u;
  }
  float *out;
  CHECK(cudaMalloc(&out, n * sizeof(float)));
  const float *ks = on_gpu(k);
  report("quadrature", out, n, launches, [&] { quadrature<<<(n + 127) / 128, 128>>>(ks, out, n, 1e-3f); });
}
