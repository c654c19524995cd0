// A picture from projections, as tomographs make it: a thread takes one pixel, 512 in a row, and
// adds up what the detector saw behind it from `rounds` angles, linear between its elements.
// Outside the circle that is seen from all angles there is nothing to do; near its rim some rays
// miss the detector.
//
// Takes any order of threads.
#include "thread.cuh"

enum { WIDTH = 512, ELEMENTS = 480 };

APPLICATION(back_projection) {
  float x = (float)(thread % WIDTH) - 255.5f, y = (float)(thread / WIDTH % WIDTH) - 255.5f;
  if (x * x + y * y > 255.0f * 255.0f)
    return 0;
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned angle = 0; angle < rounds; angle++) {
    float turn = 0.5f * (float)angle / (float)rounds;
    float at = x * lin_cos_turn(turn) + y * lin_sin_turn(turn) + 0.5f * (float)ELEMENTS;
    if (at < 0.0f || at >= (float)(ELEMENTS - 1))
      continue;
    unsigned element = (unsigned)at, row = angle * ELEMENTS;
    float part = at - (float)element;
    sum += (1.0f - part) * lin_unit(in[row + element]) + part * lin_unit(in[row + element + 1]);
  }
  return lin_bits(sum / (float)rounds);
}
