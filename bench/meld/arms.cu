// Inside or outside of a medium: both arms call one function, with other arguments.
#include "../refill/common.h"

#ifndef TRIPS
#define TRIPS 16
#endif

__device__ __forceinline__ float march(float x, float step, float density, int steps) {
  float light = 1, y = x;
  for (int k = 0; k < steps; k++) {
    y += step * light;
    float absorbed = density * y / (1.f + y * y);
    light = light - absorbed * 0.125f;
    y = y * 0.75f + absorbed;
  }
  return light + y;
}

__global__ void arms(const float *at, float *out, float inner, float outer, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = at[i], light;
#ifdef BY_HAND
  bool in = x < 0.5f;
  light = march(in ? x * 2.f : 1.f - x, in ? 0.125f : 0.5f, in ? inner : outer, steps);
  light = in ? light : light * 0.5f + x;
#else
  if (x < 0.5f)
    light = march(x * 2.f, 0.125f, inner, steps);
  else
    light = march(1.f - x, 0.5f, outer, steps) * 0.5f + x;
#endif
  out[i] = light;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 20, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned long long state = 88172645463325252ull;
  std::vector<float> at(n);
  for (float &x : at)
    x = (next_random(state) & 0xfffff) / 1048576.f;
  float *out;
  CHECK(cudaMalloc(&out, n * sizeof *out));
  const float *a = on_gpu(at);
  report("arms", out, n, launches, [&] { arms<<<(n + 127) / 128, 128>>>(a, out, 0.3f, 0.01f, TRIPS, n); });
}
