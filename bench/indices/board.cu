// A checkerboard, in blocks of 16 by 8 threads: a field's new value is what its four neighbours come to, by one
// rule on black fields, by another one on white ones. `rounds` boards, each 512 fields wide.
//
//   as written     thread (x, y) has field (x, y)
//   BY_HAND 1      the upper half of the threads has the white fields, the lower one the black ones
#include "linearize_device.h"

enum { BLOCK_WIDTH = 16, BLOCK_HEIGHT = LIN_BLOCK / BLOCK_WIDTH, WIDTH = 512 };

LIN_FUNCTION float white(float around, float here) {
  float x = here;
#pragma unroll 1
  for (unsigned i = 0; i < 10; i++)
    x = 0.75f * x + 0.0625f * around - 0.001f * x * x;
  return x;
}

LIN_FUNCTION float black(float around, float here) {
  float x = around * 0.25f;
#pragma unroll 1
  for (unsigned i = 0; i < 10; i++)
    x = 0.5f * (x + here / (1.0f + x * x));
  return x;
}

// The field (x, y) of all rounds.
LIN_FUNCTION unsigned field(lin_input in, unsigned x, unsigned y, unsigned rounds) {
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned at = y * WIDTH + x + 262144 * round;
    float around = lin_unit(in[at - 1]) + lin_unit(in[at + 1]) + lin_unit(in[at - WIDTH]) +
                   lin_unit(in[at + WIDTH]);
    float here = lin_unit(in[at]);
    sum += (x + y) % 2 == 0 ? white(around, here) : black(around, here);
  }
  return lin_bits(sum);
}

#ifndef LIN_HOST
extern "C" __global__ void board(const unsigned *words, unsigned mask, unsigned rounds, unsigned *out,
                                 unsigned threads) {
  unsigned left = blockIdx.x % (WIDTH / BLOCK_WIDTH) * BLOCK_WIDTH,
           top = blockIdx.x / (WIDTH / BLOCK_WIDTH) * BLOCK_HEIGHT;
  unsigned x = threadIdx.x, y = threadIdx.y;
#if BY_HAND
  unsigned lower = y / (BLOCK_HEIGHT / 2), right = x / (BLOCK_WIDTH / 2);
  y = y % (BLOCK_HEIGHT / 2) * 2 + right;
  x = x % (BLOCK_WIDTH / 2) * 2 + (lower + y) % 2;
#endif
  unsigned thread = (top + y) * WIDTH + left + x;
  if (thread < threads)
    out[thread] = field(lin_input{words, mask}, left + x, top + y, rounds);
}
#else
extern "C" void board(const unsigned *words, unsigned mask, unsigned rounds, unsigned *out,
                      unsigned threads) {
  for (unsigned thread = 0; thread < threads; thread++)
    out[thread] = field(lin_input{words, mask}, thread % WIDTH, thread / WIDTH, rounds);
}
#endif
