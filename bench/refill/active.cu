// One of eight particles lives; the rest return at once.
#include "common.h"
#ifdef BY_HAND
#include "by_hand.h"
#endif

__global__ void active(const unsigned char *lives, const float *at, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (!lives[i]) {
    out[i] = at[i];
    return;
  }
  float x = at[i], v = 0.25f;
  for (int step = 0; step < 200; step++) {
    float force = -x * 1.01f + 0.3f / (1.f + x * x);
    v = v * 0.999f + force * 0.01f;
    x += v * 0.01f;
  }
  out[i] = x;
}

#ifdef BY_HAND
struct by_hand_active {
  const unsigned char *lives; const float *at; float *out;
  float x, v;
  int i, left;
  __device__ bool init(int item) {
    i = item;
    x = at[i];
    v = 0.25f;
    left = 200;
    if (!lives[i])
      out[i] = x;
    return lives[i];
  }
  __device__ bool step() {
    float force = -x * 1.01f + 0.3f / (1.f + x * x);
    v = v * 0.999f + force * 0.01f;
    x += v * 0.01f;
    if (--left > 0)
      return true;
    out[i] = x;
    return false;
  }
};
#endif

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 22, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned long long state = 99;
  std::vector<unsigned char> lives(n);
  std::vector<float> at(n);
  for (int i = 0; i < n; i++) {
    lives[i] = next_random(state) % 8 == 0;
    at[i] = (next_random(state) & 0xffff) / 65536.f;
  }
  float *out;
  CHECK(cudaMalloc(&out, n * sizeof(float)));
  const unsigned char *l = on_gpu(lives);
  const float *a = on_gpu(at);
  report("active", out, n, launches, [&] { active<<<(n + 127) / 128, 128>>>(l, a, out, n); });
#ifdef BY_HAND
  report_all_by_hand(out, n, launches, by_hand_active{l, a, out});
#endif
}
