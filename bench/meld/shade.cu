// A renderer's materials: six of eight cases call one function, with other arguments.
#include "../refill/common.h"

#ifndef TRIPS
#define TRIPS 16
#endif

struct material { int kind; float rough, metal, tint; };

__device__ __forceinline__ float lobe(float x, float rough, float tint, int steps) {
  float sum = 0, y = x;
  for (int k = 0; k < steps; k++) {
    y = y * rough + tint;
    sum += y * y * (1.f - y * 0.25f);
    y = y - 0.5f * sum * tint;
  }
  return sum;
}

__global__ void shade(const material *materials, const float *in, float *out, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  material m = materials[i];
  float x = in[i], color = 0;
#ifdef BY_HAND
  float a = x, rough = m.rough, tint = m.tint;
  int trips = steps;
  bool calls = true;
  switch (m.kind) {
  case 0: break;
  case 1: a = x * 0.5f; rough = m.metal; break;
  case 2: a = x + 1.f; rough = 0.3f; tint = m.metal; break;
  case 3: a = x * m.tint; rough = m.rough * 0.9f; tint = 0.1f; break;
  case 4: a = 1.f - x; rough = m.metal * 0.7f; tint = m.rough; break;
  case 5: a = x * x; rough = 0.8f; break;
  default: calls = false;
  }
  color = m.kind == 6 ? x * m.tint + 0.25f : x;
  if (calls) {
    color = lobe(a, rough, tint, trips);
    if (m.kind == 2)
      color *= 0.5f;
    if (m.kind == 4)
      color += m.tint;
  }
#else
  switch (m.kind) {
  case 0: color = lobe(x, m.rough, m.tint, steps); break;
  case 1: color = lobe(x * 0.5f, m.metal, m.tint, steps); break;
  case 2: color = 0.5f * lobe(x + 1.f, 0.3f, m.metal, steps); break;
  case 3: color = lobe(x * m.tint, m.rough * 0.9f, 0.1f, steps); break;
  case 4: color = lobe(1.f - x, m.metal * 0.7f, m.rough, steps) + m.tint; break;
  case 5: color = lobe(x * x, 0.8f, m.tint, steps); break;
  case 6: color = x * m.tint + 0.25f; break;
  default: color = x;
  }
#endif
  out[i] = color;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 20, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned long long state = 88172645463325252ull;
  std::vector<material> materials(n);
  std::vector<float> in(n);
  for (int i = 0; i < n; i++) {
    materials[i] = {(int)(next_random(state) % 8), (next_random(state) & 511) / 1024.f,
                    (next_random(state) & 511) / 1024.f, (next_random(state) & 127) / 1024.f};
    in[i] = (next_random(state) & 1023) / 1024.f;
  }
  float *out;
  CHECK(cudaMalloc(&out, n * sizeof *out));
  const material *m = on_gpu(materials);
  const float *a = on_gpu(in);
  report("shade", out, n, launches, [&] { shade<<<(n + 127) / 128, 128>>>(m, a, out, TRIPS, n); });
}
