// Sums of absolute differences of blocks of pictures: some predicted from the frame before, some from both.
#include "../refill/common.h"

enum { SIDE = 8, WIDTH = 2048 };

__global__ void sad(const unsigned char *now, const unsigned char *before, const unsigned char *after, const int *vectors,
                    unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int move = vectors[i], x = i * SIDE % (WIDTH - 64), y = i * SIDE / (WIDTH - 64) * SIDE % 1024;
  const unsigned char *mine = now + y * WIDTH + x;
  unsigned sum = 0;
#ifdef BY_HAND
  const unsigned char *other = (move & 1 ? before : after) + (y + (move >> 1 & 15)) * WIDTH + x + (move >> 5 & 31);
  const int weight = move & 1 ? 2 : 3;
  for (int row = 0; row < SIDE; row++)
    for (int column = 0; column < SIDE; column++)
      sum += weight * abs(mine[row * WIDTH + column] - other[row * WIDTH + column]);
#else
  if (move & 1) {
    const unsigned char *other = before + (y + (move >> 1 & 15)) * WIDTH + x + (move >> 5 & 31);
    for (int row = 0; row < SIDE; row++)
      for (int column = 0; column < SIDE; column++)
        sum += 2 * abs(mine[row * WIDTH + column] - other[row * WIDTH + column]);
  } else {
    const unsigned char *other = after + (y + (move >> 1 & 15)) * WIDTH + x + (move >> 5 & 31);
    for (int row = 0; row < SIDE; row++)
      for (int column = 0; column < SIDE; column++)
        sum += 3 * abs(mine[row * WIDTH + column] - other[row * WIDTH + column]);
  }
#endif
  out[i] = sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 20, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned long long state = 88172645463325252ull;
  std::vector<unsigned char> frames[3];
  for (auto &frame : frames) {
    frame.resize(WIDTH * 1100);
    for (unsigned char &pixel : frame)
      pixel = (unsigned char)next_random(state);
  }
  std::vector<int> vectors(n);
  for (int &v : vectors)
    v = (int)(next_random(state) & 1023);
  unsigned *out;
  CHECK(cudaMalloc(&out, n * sizeof *out));
  const unsigned char *now = on_gpu(frames[0]), *before = on_gpu(frames[1]), *after = on_gpu(frames[2]);
  const int *v = on_gpu(vectors);
  report("sad", out, n, launches, [&] { sad<<<(n + 127) / 128, 128>>>(now, before, after, v, out, n); });
}
