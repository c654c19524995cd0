// The Mandelbrot set at random points.
#include "common.h"

__global__ void mandelbrot(unsigned *out, int n, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long s = (i + 1) * 0x9e3779b97f4a7c15ull;
  s ^= s >> 31; s *= 0x94d049bb133111ebull; s ^= s >> 29;
  float cx = -2.f + 2.6f * ((s & 0xffffff) / 16777216.f), cy = -1.2f + 2.4f * ((s >> 40) / 16777216.f);
  float x = 0, y = 0;
  int k = 0;
  for (; k < most && x * x + y * y < 4.f; k++) {
    float t = x * x - y * y + cx;
    y = 2.f * x * y + cy;
    x = t;
  }
  out[i] = k;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 22, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned *out;
  CHECK(cudaMalloc(&out, n * sizeof(unsigned)));
  report("mandelbrot", out, n, launches, [&] { mandelbrot<<<(n + 255) / 256, 256>>>(out, n, 500); });
}
