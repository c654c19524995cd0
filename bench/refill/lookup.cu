// Cross sections: an item picks a material, then looks up each of its nuclides, 4 to 120.
#include "common.h"
#ifdef BY_HAND
#include "by_hand.h"
#endif

struct point { float energy, total, scatter, absorb, fission; };

__global__ void lookup(const point *grid, const int *nuclides, const int *first, const float *density,
                       float *out, unsigned seed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long s = (unsigned long long)i * 2806196910506780709ull + seed;
  s ^= s >> 29; s *= 0xbf58476d1ce4e5b9ull; s ^= s >> 32;
  float energy = (s & 0xffffff) / 16777216.f;
  int material = (int)((s >> 40) % 12);
  float macro[4] = {0, 0, 0, 0};
  for (int k = first[material]; k < first[material + 1]; k++) {
    const point *of = grid + (size_t)nuclides[k] * 512;
    int low = 0, high = 511;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (of[middle].energy > energy) high = middle; else low = middle;
    }
    float f = (of[high].energy - energy) / (of[high].energy - of[low].energy);
    macro[0] += density[k] * (of[high].total - f * (of[high].total - of[low].total));
    macro[1] += density[k] * (of[high].scatter - f * (of[high].scatter - of[low].scatter));
    macro[2] += density[k] * (of[high].absorb - f * (of[high].absorb - of[low].absorb));
    macro[3] += density[k] * (of[high].fission - f * (of[high].fission - of[low].fission));
  }
  float most = 0;
  for (int j = 0; j < 4; j++)
    most = macro[j] > most ? macro[j] + j : most;
  out[i] = most;
}

#ifdef BY_HAND
struct by_hand_lookup {
  const point *grid; const int *nuclides, *first; const float *density; float *out; unsigned seed;
  float energy, macro[4];
  int i, k, end;
  __device__ bool init(int item) {
    i = item;
    unsigned long long s = (unsigned long long)i * 2806196910506780709ull + seed;
    s ^= s >> 29; s *= 0xbf58476d1ce4e5b9ull; s ^= s >> 32;
    energy = (s & 0xffffff) / 16777216.f;
    int material = (int)((s >> 40) % 12);
    for (int j = 0; j < 4; j++)
      macro[j] = 0;
    k = first[material];
    end = first[material + 1];
    return true;
  }
  __device__ bool step() {
    const point *of = grid + (size_t)nuclides[k] * 512;
    int low = 0, high = 511;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (of[middle].energy > energy) high = middle; else low = middle;
    }
    float f = (of[high].energy - energy) / (of[high].energy - of[low].energy);
    macro[0] += density[k] * (of[high].total - f * (of[high].total - of[low].total));
    macro[1] += density[k] * (of[high].scatter - f * (of[high].scatter - of[low].scatter));
    macro[2] += density[k] * (of[high].absorb - f * (of[high].absorb - of[low].absorb));
    macro[3] += density[k] * (of[high].fission - f * (of[high].fission - of[low].fission));
    if (++k < end)
      return true;
    float most = 0;
    for (int j = 0; j < 4; j++)
      most = macro[j] > most ? macro[j] + j : most;
    out[i] = most;
    return false;
  }
};
#endif

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 22, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned long long state = 88172645463325252ull;
  const int per_material[12] = {120, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9};
  std::vector<int> nuclides, first(1, 0);
  for (int m = 0; m < 12; m++) {
    for (int k = 0; k < per_material[m]; k++)
      nuclides.push_back((int)(next_random(state) % 68));
    first.push_back((int)nuclides.size());
  }
  std::vector<point> grid(68 * 512);
  for (size_t i = 0; i < grid.size(); i++)
    grid[i] = {(i % 512) / 511.f, (next_random(state) & 1023) / 1024.f, (next_random(state) & 1023) / 1024.f,
               (next_random(state) & 1023) / 1024.f, (next_random(state) & 1023) / 1024.f};
  std::vector<float> density;
  for (size_t i = 0; i < nuclides.size(); i++)
    density.push_back((next_random(state) & 1023) / 1024.f);
  float *out;
  CHECK(cudaMalloc(&out, n * sizeof(float)));
  const point *g = on_gpu(grid);
  const int *a = on_gpu(nuclides), *f = on_gpu(first);
  const float *d = on_gpu(density);
  report("lookup", out, n, launches, [&] { lookup<<<(n + 127) / 128, 128>>>(g, a, f, d, out, 7, n); });
#ifdef BY_HAND
  report_all_by_hand(out, n, launches, by_hand_lookup{g, a, f, d, out, 7});
#endif
}
