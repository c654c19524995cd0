// A kernel whose launches of one shape are of two kinds, 4 rounds and 400: which version does
// linearize-tune name? (bench/results/h100-2026-11-26-tune.txt)
//
//     build/bin/linearize-cc --option versions=plain,needed --offload-arch=sm_90 -Ibench/include
//       -o build/mixed bench/device/mixed.cu
//     build/bin/linearize-tune build/mixed
//
// Every result is compared with the CPU's. Status 1 if one differs.
#include "../exits/union_find.cu"

#include <cstdio>
#include <vector>

static const unsigned threads = 65536, words = 65536;

static std::vector<unsigned> run_on_cpu(const std::vector<unsigned> &input, unsigned rounds) {
  std::vector<unsigned> result(threads);
  for (unsigned thread = 0; thread < threads; thread++)
    union_find_body(lin_input{input.data(), words - 1}, thread, rounds, &result[thread]);
  return result;
}

int main() {
  std::vector<unsigned> input(words), result(threads);
  for (unsigned i = 0; i < words; i++)
    input[i] = lin_mix(i);
  const unsigned rounds[] = {4, 400};
  const std::vector<unsigned> wanted[] = {run_on_cpu(input, rounds[0]),
                                          run_on_cpu(input, rounds[1])};
  unsigned *in, *out;
  int wrong = 0;
  cudaMalloc(&in, words * sizeof *in);
  cudaMalloc(&out, threads * sizeof *out);
  cudaMemcpy(in, input.data(), words * sizeof *in, cudaMemcpyHostToDevice);
  for (int i = 0; i < 300; i++) {
    bool is_long = i % 7 == 0 || i % 3 == 0;
    union_find<<<threads / 128, 128>>>(in, words - 1, rounds[is_long], out, threads);
    cudaMemcpy(result.data(), out, threads * sizeof *out, cudaMemcpyDeviceToHost);
    wrong += wanted[is_long] != result;
  }
  cudaError_t error = cudaGetLastError();
  printf("%s, %d wrong\n", cudaGetErrorString(error), wrong);
  return error != cudaSuccess || wrong > 0;
}
