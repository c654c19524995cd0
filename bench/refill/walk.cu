// Random walks on a graph, of lengths that differ, until a hub is reached.
#include "common.h"

__global__ void walk(const int *first, const int *edge, const int *start, int *out, int n, int hubs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int at = start[i], steps = 0;
  unsigned s = i * 2654435761u + 12345u;
  while (at >= hubs && steps < 1000) {
    int from = first[at], degree = first[at + 1] - from;
    if (degree == 0)
      break;
    s ^= s << 13; s ^= s >> 17; s ^= s << 5;
    at = edge[from + s % degree];
    steps++;
  }
  out[i] = steps;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 22, launches = argc > 2 ? atoi(argv[2]) : 24, nodes = 1 << 16;
  unsigned long long state = 12;
  std::vector<int> first(1, 0), edge, start(n);
  for (int i = 0; i < nodes; i++) {
    int degree = (int)(next_random(state) % 12);
    for (int k = 0; k < degree; k++)
      edge.push_back((int)(next_random(state) % nodes));
    first.push_back((int)edge.size());
  }
  for (int &s : start)
    s = (int)(next_random(state) % nodes);
  int *out;
  CHECK(cudaMalloc(&out, n * sizeof(int)));
  const int *f = on_gpu(first), *e = on_gpu(edge), *s = on_gpu(start);
  report("walk", out, n, launches, [&] { walk<<<(n + 127) / 128, 128>>>(f, e, s, out, n, 512); });
}
