// Four roles: what a thread makes of its number depends on its index's rest by four. Each reads and writes
// `rounds` numbers, one after the other, that its neighbours don't: whoever gets another index leaves its
// neighbours' cache lines.
//
//   as written     thread t has role t % 4
//   BY_HAND 1      the first quarter of the threads has role 0, and so on
#include "linearize_device.h"

enum { STEPS = 12 };

LIN_FUNCTION unsigned role_0(unsigned x) {
#pragma unroll 1
  for (unsigned i = 0; i < STEPS; i++)
    x = (x << 5 ^ x >> 3) + i;
  return x;
}

LIN_FUNCTION unsigned role_1(unsigned x) {
#pragma unroll 1
  for (unsigned i = 0; i < STEPS; i++)
    x = x * 1664525u + 1013904223u + (x >> 16);
  return x;
}

LIN_FUNCTION unsigned role_2(unsigned x) {
  float y = lin_unit(x);
#pragma unroll 1
  for (unsigned i = 0; i < STEPS; i++)
    y = 3.7f * y * (1.0f - y);
  return lin_bits(y);
}

LIN_FUNCTION unsigned role_3(unsigned x) {
#pragma unroll 1
  for (unsigned i = 0; i < STEPS; i++)
    x ^= (x & 0xffff) * (x >> 16) + i;
  return x;
}

LIN_FUNCTION unsigned roles_of(lin_input in, unsigned first, unsigned lane, unsigned rounds) {
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned x = in[first + lane + 262144 * round], y;
    switch (lane % 4) {
    case 0:
      y = role_0(x);
      break;
    case 1:
      y = role_1(x);
      break;
    case 2:
      y = role_2(x);
      break;
    default:
      y = role_3(x);
    }
    sum = sum * 31 + y;
  }
  return sum;
}

#ifndef LIN_HOST
extern "C" __global__ void roles(const unsigned *words, unsigned mask, unsigned rounds, unsigned *out,
                                 unsigned threads) {
  unsigned first = blockIdx.x * blockDim.x, lane = threadIdx.x;
#if BY_HAND
  lane = lane % (LIN_BLOCK / 4) * 4 + lane / (LIN_BLOCK / 4);
#endif
  if (first + lane < threads)
    out[first + lane] = roles_of(lin_input{words, mask}, first, lane, rounds);
}
#else
extern "C" void roles(const unsigned *words, unsigned mask, unsigned rounds, unsigned *out,
                      unsigned threads) {
  for (unsigned thread = 0; thread < threads; thread++)
    out[thread] = roles_of(lin_input{words, mask}, thread / LIN_BLOCK * LIN_BLOCK, thread % LIN_BLOCK,
                           rounds);
}
#endif
