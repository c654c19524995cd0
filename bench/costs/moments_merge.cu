// Moments of parts of the input, merged pairwise as a reduction does: parts that are empty, or have
// one value, are cases of their own.
#include "linearize_device.h"

struct moments {
  unsigned count;
  float mean, square, lowest, highest;
};

LIN_FUNCTION moments merge(const moments &a, const moments &b) {
  if (a.count == 0)
    return b;
  if (b.count == 0)
    return a;
  moments m;
  m.count = a.count + b.count;
  float off = b.mean - a.mean;
  if (b.count == 1 && a.count > 1) {
    m.mean = a.mean + off / (float)m.count;
    m.square = a.square + off * (b.mean - m.mean);
  } else {
    float part = (float)b.count / (float)m.count;
    m.mean = a.mean + off * part;
    m.square = a.square + b.square + off * off * (float)a.count * part;
  }
  m.lowest = lin_min(a.lowest, b.lowest);
  m.highest = lin_max(a.highest, b.highest);
  return m;
}

LIN_FUNCTION moments one(unsigned word) {
  float x = lin_unit(word);
  if ((word & 3) == 0)
    return {0, 0, 0, 0, 0};
  return {1, x, 0, x, x};
}

KERNEL_BODY(moments_merge) {
  unsigned result = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    moments all = {0, 0, 0, 0, 0};
    unsigned at = thread * 16 + round * 769;
#pragma unroll 1
    for (unsigned i = 0; i < 16; i += 4)
      all = merge(all, merge(merge(one(in[at + i]), one(in[at + i + 1])),
                             merge(one(in[at + i + 2]), one(in[at + i + 3]))));
    result = result * 7 + (lin_bits(all.mean) ^ lin_bits(all.square) ^ all.count ^
                           lin_bits(all.highest - all.lowest));
  }
  return result;
}
