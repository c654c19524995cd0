// n queens by prefixes of three rows: depth first, with bit boards.
#include "common.h"

__global__ void queens(const unsigned *prefix, int *out, int n, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned columns[20], left[20], right[20], free_of[20], all = (1u << size) - 1, p = prefix[i];
  unsigned c = 0, l = 0, r = 0;
  int row = 0, found = 0;
  for (; row < 4; row++) {
    unsigned bit = 1u << ((p >> (8 * row)) & 255);
    if ((c | l | r) & bit) {
      out[i] = 0;
      return;
    }
    c |= bit; l = (l | bit) << 1; r = (r | bit) >> 1;
  }
  int base = row;
  columns[row] = c; left[row] = l; right[row] = r; free_of[row] = all & ~(c | l | r);
  while (row >= base) {
    unsigned open = free_of[row];
    if (open == 0) {
      row--;
      continue;
    }
    unsigned bit = open & -open;
    free_of[row] = open ^ bit;
    unsigned nc = columns[row] | bit, nl = (left[row] | bit) << 1, nr = (right[row] | bit) >> 1;
    if (row + 1 == size) {
      found++;
      continue;
    }
    row++;
    columns[row] = nc; left[row] = nl; right[row] = nr; free_of[row] = all & ~(nc | nl | nr);
  }
  out[i] = found;
}

int main(int argc, char **argv) {
  int size = 14, n = argc > 1 ? atoi(argv[1]) : 1 << 21, launches = argc > 2 ? atoi(argv[2]) : 12;
  std::vector<unsigned> prefix(n);
  unsigned long long state = 7;
  for (unsigned &p : prefix) {
    p = 0;
    for (int k = 0; k < 4; k++)
      p |= (unsigned)(next_random(state) % size) << (8 * k);
  }
  int *out;
  CHECK(cudaMalloc(&out, n * sizeof(int)));
  const unsigned *p = on_gpu(prefix);
  report("queens", out, n, launches, [&] { queens<<<(n + 127) / 128, 128>>>(p, out, n, size); });
}
