// Where a pattern stands in a text: the naive search, from each position, with a wildcard.
#include "common.h"

__global__ void match(const unsigned char *text, const unsigned char *pattern, int length, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int k = 0, bad = 0;
  while (k < length && bad < 3) {
    unsigned char p = pattern[k];
    if (p != '?' && text[i + k] != p)
      bad++;
    k++;
  }
  out[i] = k * 4 + bad;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 22, launches = argc > 2 ? atoi(argv[2]) : 24, length = 256;
  unsigned long long state = 3;
  std::vector<unsigned char> text(n + length), pattern(length);
  for (unsigned char &c : pattern)
    c = next_random(state) % 4 == 0 ? '?' : 'a' + next_random(state) % 2;
  for (size_t i = 0; i < text.size(); i++)
    text[i] = next_random(state) % 8 ? 'a' + next_random(state) % 2 : pattern[i % length];
  int *out;
  CHECK(cudaMalloc(&out, n * sizeof(int)));
  const unsigned char *t = on_gpu(text), *p = on_gpu(pattern);
  report("match", out, n, launches, [&] { match<<<(n + 127) / 128, 128>>>(t, p, length, out, n); });
}
