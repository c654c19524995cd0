// Multigrid's relaxation on all levels at once, red and black: a thread takes one cell of 512 x
// 256, or of a coarser grid behind it, and relaxes it `rounds` times, its neighbours being what
// they were. Red cells, every second one, are relaxed; black ones compute what is left over and
// hand it to the coarser grid; cells of the border are copied, those of the coarsest grid solved.
//
// Takes any order of threads.
#include "thread.cuh"

enum { WIDTH = 512, HEIGHT = 256, LEVELS = 6 };

APPLICATION(multigrid) {
  unsigned width = WIDTH, height = HEIGHT, level = 0, cell = thread % (WIDTH * HEIGHT * 4 / 3);
  while (cell >= width * height && level < LEVELS - 1) {
    cell -= width * height;
    width /= 2, height /= 2, level++;
  }
  unsigned x = cell % width, y = cell / width, base = level * 7919 + y * width + x;
  float value = lin_unit(in[base]);
  if (x == 0 || y == 0 || x == width - 1 || y >= height - 1)
    return lin_bits(value);
  float source = lin_unit(in[base + 40000]) - 0.5f, handed = 0.0f;
#pragma unroll 1
  for (unsigned sweep = 0; sweep < rounds; sweep++) {
    float around = lin_unit(in[base - 1 + sweep]) + lin_unit(in[base + 1 + sweep]) +
                   lin_unit(in[base - width + sweep]) + lin_unit(in[base + width + sweep]);
    if (level == LEVELS - 1) {
#pragma unroll 1
      for (unsigned step = 0; step < 8; step++)
        value = 0.3f * value + 0.7f * 0.25f * (around + source - 0.1f * value);
    } else if ((x + y) & 1) {
      value += 0.8f * (0.25f * (around + source) - value);
    } else {
      // Nine points, weighted by their distance.
      float left = 0.0f;
#pragma unroll 1
      for (unsigned i = 0; i < 9; i++) {
        unsigned dx = i % 3, dy = i / 3;
        float weight = (dx == 1 ? 0.5f : 0.25f) * (dy == 1 ? 0.5f : 0.25f);
        left += weight * (around + source - 4.0f * lin_unit(in[base + dx - 1 + (dy - 1) * width]));
      }
      handed += left;
    }
  }
  return lin_bits(value) ^ lin_bits(handed);
}
