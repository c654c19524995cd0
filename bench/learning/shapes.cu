// Steps until a number's Collatz sequence ends, launched as programs do: shapes.cu MODE ROUNDS
//   streams: four of them, waited for now and then; graph: captured once, replayed; managed: memory that the host reads
//   between launches; uneven: each launch has another size, 1 to 4,000 blocks; blocking: a copy behind each.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__global__ void collatz(unsigned long long seed, unsigned *steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long x = (i + seed) * 0x9e3779b97f4a7c15ull >> 24;
  unsigned count = 0;
  for (x |= 1; x != 1 && count < 4000; count++)
    x = x & 1 ? 3 * x + 1 : x / 2;
  steps[i] += count;
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "blocking";
  const int rounds = argc > 2 ? atoi(argv[2]) : 40, n = 4 << 20, parts = !strcmp(mode, "streams") ? 4 : 1;
  unsigned *out;
  std::vector<unsigned> got(n);
  std::vector<cudaStream_t> stream(parts);
  if (!strcmp(mode, "managed"))
    cudaMallocManaged(&out, n * sizeof *out);
  else
    cudaMalloc(&out, n * sizeof *out);
  cudaMemset(out, 0, n * sizeof *out);
  for (auto &s : stream)
    cudaStreamCreate(&s);
  unsigned long long all = 0;
  if (!strcmp(mode, "graph")) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeGlobal);
    for (int k = 0; k < 4; k++)
      collatz<<<n / 256, 256, 0, stream[0]>>>(k, out, n);
    cudaStreamEndCapture(stream[0], &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    for (int r = 0; r < rounds; r++)
      cudaGraphLaunch(exec, stream[0]);
  }
  for (int r = 0; r < rounds && strcmp(mode, "graph") != 0; r++) {
    const int blocks = !strcmp(mode, "uneven") ? 1 + 4000 * (r * 7919 % 24) / 24 : n / 256 / parts;
    for (int p = 0; p < parts; p++)
      collatz<<<blocks, 256, 0, stream[p]>>>(r * 7 + p, out + (size_t)p * (n / parts), n / parts);
    if (!strcmp(mode, "blocking"))
      cudaMemcpy(got.data(), out, 64, cudaMemcpyDeviceToHost);
    if (!strcmp(mode, "managed") || (parts > 1 && r % 10 == 9))
      cudaDeviceSynchronize();
    if (!strcmp(mode, "managed"))
      all += out[r * 977 % n];
  }
  cudaMemcpy(got.data(), out, n * sizeof *out, cudaMemcpyDefault);
  for (unsigned x : got)
    all += x;
  printf("%llu %s\n", all, cudaGetErrorString(cudaGetLastError()));
}
