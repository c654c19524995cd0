// Stereo matching: a thread takes one pixel of the left picture, 512 wide, and looks for the shift
// at which the 5 x 5 pixels around it are most alike in the right one. A row of the window that is
// over the best sum so far ends a comparison; a sum that is good enough ends the search. `rounds`
// is the largest shift.
//
// Takes any order of threads.
#include "thread.cuh"

enum { WIDTH = 512, RADIUS = 2 };

LIN_FUNCTION int left_pixel(lin_input in, unsigned x, unsigned y) {
  unsigned word = in[(y % WIDTH) * (WIDTH / 4) + (x % WIDTH) / 4];
  return (int)(word >> 8 * (x % 4) & 255);
}

// Things lie at different depths, in rectangles; some pixels of the right picture are noise.
LIN_FUNCTION int right_pixel(lin_input in, unsigned x, unsigned y) {
  unsigned depth = in[50000 + x / 64 % 8 + 8 * (y / 32)] % 24;
  unsigned noise = lin_mix(x + WIDTH * y);
  if ((noise & 63) == 0)
    return (int)(noise >> 8 & 255);
  return left_pixel(in, x + depth, y);
}

APPLICATION(stereo_matching) {
  unsigned x = thread % WIDTH + WIDTH, y = thread / WIDTH % WIDTH + WIDTH;
  int best = 0x7fffffff;
  unsigned best_shift = 0;
#pragma unroll 1
  for (unsigned shift = 0; shift < rounds; shift++) {
    int sum = 0;
#pragma unroll 1
    for (int dy = -RADIUS; dy <= RADIUS && sum < best; dy++)
#pragma unroll 1
      for (int dx = -RADIUS; dx <= RADIUS; dx++) {
        unsigned at = y + (unsigned)dy, from = x + (unsigned)dx;
        int difference = left_pixel(in, from, at) - right_pixel(in, from - shift, at);
        sum += difference < 0 ? -difference : difference;
      }
    if (sum < best) {
      best = sum;
      best_shift = shift;
      if (best < 360)
        break;
    }
  }
  return best_shift << 16 ^ (unsigned)best;
}
