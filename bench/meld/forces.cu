// Particles and their neighbours: charged pairs and neutral ones have potentials of one shape.
#include "../refill/common.h"

struct particle { float x, y, z; int kind; };

__global__ void forces(const particle *all, const int *neighbours, float *out, int count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  particle p = all[i];
  float fx = 0, fy = 0, fz = 0, energy = 0;
  for (int k = 0; k < count; k++) {
    particle q = all[neighbours[i * count + k]];
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
#ifdef BY_HAND
    bool charged = p.kind & q.kind;
    float r2 = dx * dx + dy * dy + dz * dz + (charged ? 0.01f : 0.02f);
    float inverse = rsqrtf(r2), decay = expf((charged ? -0.3f : -0.9f) * r2 * inverse);
    float f = (charged ? 1.5f : 0.4f) * decay * inverse * inverse * (inverse + (charged ? 0.3f : 0.9f));
    energy += charged ? decay * inverse : 0.4f * decay * inverse;
    fx += f * dx;
    fy += f * dy;
    fz += f * dz;
#else
    if (p.kind & q.kind) {
      float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
      float inverse = rsqrtf(r2), decay = expf(-0.3f * r2 * inverse);
      float f = 1.5f * decay * inverse * inverse * (inverse + 0.3f);
      energy += decay * inverse;
      fx += f * dx;
      fy += f * dy;
      fz += f * dz;
    } else {
      float r2 = dx * dx + dy * dy + dz * dz + 0.02f;
      float inverse = rsqrtf(r2), decay = expf(-0.9f * r2 * inverse);
      float f = 0.4f * decay * inverse * inverse * (inverse + 0.9f);
      energy += 0.4f * decay * inverse;
      fx += f * dx;
      fy += f * dy;
      fz += f * dz;
    }
#endif
  }
  out[i] = fx + 2 * fy + 3 * fz + energy;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 18, launches = argc > 2 ? atoi(argv[2]) : 24, count = 32;
  unsigned long long state = 88172645463325252ull;
  std::vector<particle> all(n);
  std::vector<int> neighbours((size_t)n * count);
  for (particle &p : all)
    p = {(next_random(state) & 1023) / 64.f, (next_random(state) & 1023) / 64.f, (next_random(state) & 1023) / 64.f,
         (int)(next_random(state) % 4)};
  for (size_t k = 0; k < neighbours.size(); k++)
    neighbours[k] = (int)((k / count + next_random(state) % 256) % n);
  float *out;
  CHECK(cudaMalloc(&out, n * sizeof *out));
  const particle *a = on_gpu(all);
  const int *near = on_gpu(neighbours);
  report("forces", out, n, launches, [&] { forces<<<(n + 127) / 128, 128>>>(a, near, out, count, n); });
}
