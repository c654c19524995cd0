// A whole CUDA program, host and device, compiled by clang with the plugin as a user would:
//
//   clang++ -x cuda ... -fpass-plugin=liblinearize.so hosted.cu                    one program
//   clang++ -x cuda ... -fgpu-rdc -DSEPARATE ... hosted.cu hosted_step.cu          device linking
//
// The kernel calls a function that is not inlined. Prints one line; status 0: the GPU agrees with
// the CPU.
#ifdef SEPARATE
#include "linearize_device.h"
extern __host__ __device__ unsigned step(lin_input in, unsigned x, unsigned round);
#else
#include "hosted_step.cu"
#endif

#include <cstdio>
#include <cstdlib>
#include <vector>

static __host__ __device__ unsigned rounds_of(lin_input in, unsigned thread, unsigned rounds) {
  unsigned x = lin_mix(thread);
  for (unsigned round = 0; round < rounds; round++)
    x = step(in, x, round);
  return x;
}

static __global__ void kernel(lin_input in, unsigned rounds, unsigned *out) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  out[thread] = rounds_of(in, thread, rounds);
}

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "hosted: %s\n", cudaGetErrorString(error));
  std::exit(2);
}

int main() {
  constexpr unsigned words = 1 << 16, threads = 1 << 14, rounds = 20;
  std::vector<unsigned> input(words), result(threads);
  for (unsigned i = 0; i < words; i++)
    input[i] = lin_mix(i * 2654435769u + 1);

  unsigned *in, *out, wrong = 0;
  check(cudaMalloc(&in, words * sizeof *in));
  check(cudaMalloc(&out, threads * sizeof *out));
  check(cudaMemcpy(in, input.data(), words * sizeof *in, cudaMemcpyHostToDevice));
  kernel<<<threads / 128, 128>>>(lin_input{in, words - 1}, rounds, out);
  check(cudaGetLastError());
  check(cudaMemcpy(result.data(), out, threads * sizeof *out, cudaMemcpyDeviceToHost));
  for (unsigned thread = 0; thread < threads; thread++)
    wrong += result[thread] != rounds_of(lin_input{input.data(), words - 1}, thread, rounds);
  std::printf("%u of %u threads wrong\n", wrong, threads);
  return wrong != 0;
}
