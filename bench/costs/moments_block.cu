// The same for a whole thread block, by a tree in shared memory.
#include "linearize_device.h"

struct moments {
  unsigned count;
  float mean, square;
};

LIN_FUNCTION moments merge(const moments &a, const moments &b) {
  if (a.count == 0)
    return b;
  if (b.count == 0)
    return a;
  moments m;
  m.count = a.count + b.count;
  float off = b.mean - a.mean, part = (float)b.count / (float)m.count;
  m.mean = a.mean + off * part;
  m.square = a.square + b.square + off * off * (float)a.count * part;
  return m;
}

LIN_FUNCTION moments start(lin_input in, unsigned thread, unsigned round) {
  moments m = {0, 0, 0};
  for (unsigned i = 0; i < 8; i++) {
    unsigned word = in[thread * 8 + i + round * 131];
    if ((word & 31) == 3)
      return m;
    if (word & 1)
      continue;
    moments next = {1, lin_unit(word), 0};
    m = merge(m, next);
  }
  return m;
}

#ifdef LIN_HOST
BLOCK_KERNEL(moments_block) {
  for (unsigned i = 0; i < LIN_BLOCK; i++)
    out[i] = 0;
  for (unsigned round = 0; round < rounds; round++) {
    moments tree[LIN_BLOCK];
    for (unsigned i = 0; i < LIN_BLOCK; i++)
      tree[i] = start(in, first + i, round);
    for (unsigned half = LIN_BLOCK / 2; half > 0; half /= 2)
      for (unsigned i = 0; i < half; i++)
        tree[i] = merge(tree[i], tree[i + half]);
    for (unsigned i = 0; i < LIN_BLOCK; i++)
      out[i] = out[i] * 7 + (lin_bits(tree[0].mean) ^ lin_bits(tree[0].square) ^ tree[0].count ^ i);
  }
}
#else
BLOCK_KERNEL(moments_block) {
  __shared__ moments tree[LIN_BLOCK];
  unsigned result = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    tree[lane] = start(in, first + lane, round);
    __syncthreads();
#pragma unroll 1
    for (unsigned half = LIN_BLOCK / 2; half > 0; half /= 2) {
      if (lane < half)
        tree[lane] = merge(tree[lane], tree[lane + half]);
      __syncthreads();
    }
    result =
        result * 7 + (lin_bits(tree[0].mean) ^ lin_bits(tree[0].square) ^ tree[0].count ^ lane);
    __syncthreads();
  }
  return result;
}
#endif
