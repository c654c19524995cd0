// Variables of all kinds, constants that change between launches; the answer is compared with the CPU's.
#include <cstdio>
#include <cstdlib>
#include <vector>
__device__ unsigned long long hits; __device__ unsigned table[64]; static __device__ unsigned bias = 2; __constant__ unsigned scale[8]; static __constant__ unsigned border = 7;
__host__ __device__ inline unsigned mix(unsigned x) { x ^= x >> 16; x *= 0x7feb352dU; x ^= x >> 15; x *= 0x846ca68bU; return x ^ x >> 16; }
__global__ void walk(int n, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned s = bias, x = mix(i);
  for (int k = 0; k < 6; k++) {
    unsigned steps = mix(x + k) % 97;
    while (steps-- > border) { s += scale[x & 7] * (s ^ table[x & 63]); x = x * 1664525u + 1013904223u; s = s * 31 + (x >> 7); s ^= s >> 3; }
    x += s;
  }
  out[i] = s;
  if ((s & 1023) == 5) atomicAdd(&hits, (unsigned long long)s);
}
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 400, n = 1 << 21;
  unsigned *d, t[64], sc[8], b = 2; cudaMalloc(&d, n * 4ul);
  for (int i = 0; i < 64; i++) t[i] = mix(i + 99);
  cudaMemcpyToSymbol(table, t, sizeof t); cudaMemcpyToSymbol(bias, &b, 4);
  std::vector<unsigned> h(n), all; unsigned long long sum = 0, expect = 0, got; unsigned bo = 7; long bad = 0;
  for (int r = 0; r < rounds; r++) {
    if (r % 50 == 0) { for (int i = 0; i < 8; i++) sc[i] = mix(r + i); bo = 3 + r / 50; cudaMemcpyToSymbol(scale, sc, sizeof sc); cudaMemcpyToSymbol(border, &bo, 4); }
    walk<<<n / 256, 256>>>(n, d);
    if (r % 50 == 49 || r < 2) {
      cudaMemcpy(h.data(), d, n * 4ul, cudaMemcpyDeviceToHost);
      for (int i = 0; i < n; i += 997) {
        unsigned s = b, x = mix(i);
        for (int k = 0; k < 6; k++) { unsigned steps = mix(x + k) % 97; while (steps-- > bo) { s += sc[x & 7] * (s ^ t[x & 63]); x = x * 1664525u + 1013904223u; s = s * 31 + (x >> 7); s ^= s >> 3; } x += s; }
        bad += s != h[i];
      }
      for (int i = 0; i < n; i++) sum = sum * 31 + h[i];
    }
    cudaDeviceSynchronize();
  }
  cudaMemcpyFromSymbol(&got, hits, 8);
  printf("%llx %llx bad %ld %s\n", sum, got, bad, cudaGetErrorString(cudaGetLastError()));
}
