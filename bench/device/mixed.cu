// A kernel whose launches of one shape are of two kinds, 4 rounds and 400: which version does
// linearize-tune name? (bench/results/h100-2026-11-26-tune.txt)
//
//     build/bin/linearize-cc --option versions=plain,needed --offload-arch=sm_90 -Ibench/include
//       -o build/mixed bench/device/mixed.cu
//     build/bin/linearize-tune build/mixed
//
// Every result is compared with that of the first launch of its kind. Status 1 if one differs.
#include "../exits/union_find.cu"

#include <cstdio>
#include <vector>

static const unsigned threads = 65536, words = 65536;

static std::vector<unsigned> make_input() {
  std::vector<unsigned> input(words);
  unsigned x = 1;
  for (unsigned &word : input)
    word = x = (x * 1664525 + 1013904223) ^ x >> 13;
  return input;
}

int main() {
  std::vector<unsigned> input = make_input(), first[2], result(threads);
  unsigned *in, *out;
  int wrong = 0;
  cudaMalloc(&in, words * sizeof *in);
  cudaMalloc(&out, threads * sizeof *out);
  cudaMemcpy(in, input.data(), words * sizeof *in, cudaMemcpyHostToDevice);
  for (int i = 0; i < 300; i++) {
    bool is_long = i % 7 == 0 || i % 3 == 0;
    union_find<<<threads / 128, 128>>>(in, words - 1, is_long ? 400 : 4, out, threads);
    cudaMemcpy(result.data(), out, threads * sizeof *out, cudaMemcpyDeviceToHost);
    if (first[is_long].empty())
      first[is_long] = result;
    wrong += first[is_long] != result;
  }
  cudaError_t error = cudaGetLastError();
  printf("%s, %d wrong\n", cudaGetErrorString(error), wrong);
  return error != cudaSuccess || wrong > 0;
}
