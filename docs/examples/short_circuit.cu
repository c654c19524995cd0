// The tutorial's program: if ((c1 || c2) && c3) S1; else S2;
//
// The kernel compiles without a CUDA toolkit, too (for the pictures and the simulator); main()
// checks what it computed against the CPU, and prints how long a launch takes.
#include "linearize_device.h" // __global__, threadIdx and so on, where there is no toolkit

// Work that a compiler can't shorten.
static __host__ __device__ unsigned stir(unsigned x, unsigned times) {
  for (unsigned i = 0; i < times; i++) {
    x ^= x >> 16;
    x *= 0x85ebca6b;
  }
  return x;
}

static __host__ __device__ bool c1(const unsigned *in) { return in[0] & 1; }
static __host__ __device__ bool c2(const unsigned *in) { return in[1] & 2; }
static __host__ __device__ bool c3(const unsigned *in) { return stir(in[2], 4) & 4; }

static __host__ __device__ unsigned walk(const unsigned *in, unsigned mask, unsigned rounds,
                                         unsigned x) {
  for (unsigned round = 0; round < rounds; round++) {
    const unsigned *at = in + (x & mask);
    if ((c1(at) || c2(at)) && c3(at))
      x += stir(x, 24); // S1
    else
      x ^= x << 5; // S2
    x += round;    // S3
  }
  return x;
}

extern "C" __global__ void short_circuit(const unsigned *in, unsigned mask, unsigned rounds,
                                         unsigned *out) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  out[thread] = walk(in, mask, rounds, stir(thread, 4));
}

#ifdef LIN_TOOLKIT // from here on CUDA's library is needed

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const unsigned Block = 128, Blocks = 2048, Threads = Block * Blocks;
static const unsigned Words = 16384, Rounds = 256, Launches = 101;

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "short_circuit: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

static bool right(const std::vector<unsigned> &in, const std::vector<unsigned> &out) {
  for (unsigned thread = 0; thread < Threads; thread += 61)
    if (out[thread] != walk(in.data(), Words - 1, Rounds, stir(thread, 4)))
      return false;
  return true;
}

int main() {
  std::vector<unsigned> in(Words + 2), out(Threads);
  for (unsigned i = 0; i < in.size(); i++)
    in[i] = stir(i + 1, 4) >> 8;

  unsigned *device_in, *device_out;
  check(cudaMalloc(&device_in, in.size() * sizeof in[0]));
  check(cudaMalloc(&device_out, out.size() * sizeof out[0]));
  check(cudaMemcpy(device_in, in.data(), in.size() * sizeof in[0], cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  std::vector<float> times(Launches);
  for (float &ms : times) {
    check(cudaEventRecord(start));
    short_circuit<<<Blocks, Block>>>(device_in, Words - 1, Rounds, device_out);
    check(cudaGetLastError());
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    check(cudaEventElapsedTime(&ms, start, stop));
  }
  std::nth_element(times.begin(), times.begin() + Launches / 2, times.end());

  check(cudaMemcpy(out.data(), device_out, out.size() * sizeof out[0], cudaMemcpyDeviceToHost));
  bool ok = right(in, out);
  std::printf("%s %.4f ms\n", ok ? "right" : "WRONG", times[Launches / 2]);
  return ok ? 0 : 1;
}

#endif
