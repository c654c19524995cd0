// Particles that decay at different times, sorted by cell with Thrust between steps, as a simulation has it.
#include <cstdio>
#include <cstdlib>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

__global__ void move(const unsigned *order, unsigned *cell, float *energy, unsigned step, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned p = order[i], s = p * 2654435761u + step;
  float e = energy[p];
  if (e < 0.01f)
    return;
  while (e > 0.01f) {
    s = s * 1664525u + 1013904223u;
    if (s >> 27 == 0)
      break;
    e -= e * (0.001f + (s >> 8 & 255) / 65536.f);
  }
  energy[p] = e;
  cell[p] = s >> 20;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 2 << 20, rounds = argc > 2 ? atoi(argv[2]) : 60;
  thrust::device_vector<unsigned> order(n), cell(n), keys(n);
  thrust::device_vector<float> energy(n, 1.f);
  thrust::sequence(cell.begin(), cell.end());
  unsigned long long all = 0;
  for (int r = 0; r < rounds; r++) {
    keys = cell;
    thrust::sequence(order.begin(), order.end());
    thrust::sort_by_key(keys.begin(), keys.end(), order.begin());
    move<<<(n + 255) / 256, 256>>>(order.data().get(), cell.data().get(), energy.data().get(), r, n);
    all += thrust::reduce(cell.begin(), cell.end(), 0ull);
    if (r % 8 == 7)
      thrust::fill(energy.begin(), energy.end(), 1.f);
  }
  printf("%llu %s\n", all, cudaGetErrorString(cudaGetLastError()));
}
