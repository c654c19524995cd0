// The perimeter of an LU decomposition: half of a block's threads update the row, half the column (as Rodinia's lud).
#include "../refill/common.h"

enum { SIDE = 16 };

__global__ void lud(const float *in, float *out, int blocks) {
  __shared__ float diagonal[SIDE][SIDE], row[SIDE][SIDE + 1], column[SIDE][SIDE + 1];
  const float *matrix = in + (size_t)blockIdx.x * 3 * SIDE * SIDE;
  float *result = out + (size_t)blockIdx.x * 2 * SIDE * SIDE;
  const int t = threadIdx.x % SIDE;
  const bool is_row = threadIdx.x < SIDE;
  for (int i = 0; i < SIDE; i++) {
    if (is_row)
      diagonal[i][t] = matrix[i * SIDE + t];
    else
      row[i][t] = matrix[SIDE * SIDE + i * SIDE + t];
    if (!is_row)
      column[i][t] = matrix[2 * SIDE * SIDE + i * SIDE + t];
  }
  __syncthreads();
#ifdef BY_HAND
  float(*mine)[SIDE + 1] = is_row ? row : column;
  for (int i = 1; i < SIDE; i++)
    for (int j = 0; j < i; j++)
      mine[i][t] -= (is_row ? diagonal[i][j] : diagonal[j][i]) * mine[j][t];
#else
  if (is_row) {
    for (int i = 1; i < SIDE; i++)
      for (int j = 0; j < i; j++)
        row[i][t] -= diagonal[i][j] * row[j][t];
  } else {
    for (int i = 1; i < SIDE; i++)
      for (int j = 0; j < i; j++)
        column[i][t] -= diagonal[j][i] * column[j][t];
  }
#endif
  __syncthreads();
  for (int i = 0; i < SIDE; i++)
    result[(is_row ? 0 : SIDE * SIDE) + i * SIDE + t] = is_row ? row[i][t] : column[i][t];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) / 512 : 1 << 14, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned long long state = 88172645463325252ull;
  std::vector<float> matrices((size_t)n * 3 * SIDE * SIDE);
  for (float &x : matrices)
    x = (next_random(state) & 1023) / 4096.f;
  float *out;
  CHECK(cudaMalloc(&out, (size_t)n * 2 * SIDE * SIDE * sizeof *out));
  const float *in = on_gpu(matrices);
  report("lud", out, (size_t)n * 512, launches, [&] { lud<<<n, 2 * SIDE>>>(in, out, n); });
}
