// The gradient of max pooling: a thread takes one element of a layer, 512 x 512, and looks in which
// of the up to four windows around it (3 x 3, every 2nd element) it was the largest: from those it
// gets their gradients. An element that isn't found largest in a window is left as soon as a larger
// one is seen. `rounds` channels.
//
// Takes any order of threads.
#include "thread.cuh"

enum { WIDTH = 512 };

LIN_FUNCTION unsigned value(lin_input in, unsigned channel, unsigned x, unsigned y) {
  return in[channel * 4099 + y * WIDTH + x] >> 8;
}

APPLICATION(pooling_backward) {
  unsigned x = thread % WIDTH, y = thread / WIDTH % WIDTH;
  float gradient = 0.0f;
#pragma unroll 1
  for (unsigned channel = 0; channel < rounds; channel++) {
    unsigned mine = value(in, channel, x, y);
    // Windows begin at even places; the last one that covers an element begins at or before it.
#pragma unroll 1
    for (unsigned top = y < 2 ? 0 : (y - 1) / 2 * 2; top <= y && top + 2 < WIDTH; top += 2) {
#pragma unroll 1
      for (unsigned left = x < 2 ? 0 : (x - 1) / 2 * 2; left <= x && left + 2 < WIDTH; left += 2) {
        bool largest = true;
#pragma unroll 1
        for (unsigned i = 0; i < 9 && largest; i++)
          largest = value(in, channel, left + i % 3, top + i / 3) <= mine;
        if (largest)
          gradient += lin_unit(in[channel * 8209 + top * WIDTH + left + 1]);
      }
    }
  }
  return lin_bits(gradient);
}
