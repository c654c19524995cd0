// How fast a point escapes: a divergent loop, left at one place only, from its head.
#include "linearize_device.h"

KERNEL_BODY(mandelbrot) {
  const unsigned limit = 64;
  unsigned total = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    float cx = 3.0f * lin_unit(in[thread + round]) - 2.0f;
    float cy = 2.0f * lin_unit(in[thread + round * 5 + 1]) - 1.0f;
    float x = 0.0f, y = 0.0f;
    unsigned step = 0;
#pragma unroll 1
    while ((step < limit) & (x * x + y * y < 4.0f)) {
      float next = x * x - y * y + cx;
      y = 2.0f * x * y + cy;
      x = next;
      step++;
    }
    total = total * 31 + step;
  }
  return total;
}
