// The sums of absolute differences of motion estimation: a thread takes one of 64 ways in which a
// block of 8 x 8 pixels may have moved, up to `rounds` pixels far, and compares all of it with the
// picture before, 512 wide. What would lie outside that picture isn't compared.
//
// Takes any order of threads.
#include "thread.cuh"

enum { WIDTH = 512, SIDE = 8 };

LIN_FUNCTION int pixel(lin_input in, unsigned picture, int x, int y) {
  return (int)(in[picture * 32768 + (unsigned)(y * WIDTH + x) / 4] >> 8 * ((unsigned)x % 4) & 255);
}

APPLICATION(block_differences) {
  unsigned block = thread / 64, way = lin_mix(thread);
  int x = SIDE * (int)(block % (WIDTH / SIDE)),
      y = SIDE * (int)(block / (WIDTH / SIDE) % (WIDTH / SIDE));
  int reach = 2 * (int)rounds + 1;
  int dx = (int)(way % (unsigned)reach) - (int)rounds;
  int dy = (int)((way >> 16) % (unsigned)reach) - (int)rounds;
  if (x + dx < 0 || y + dy < 0 || x + dx > WIDTH - SIDE || y + dy > WIDTH - SIDE)
    return 0xffffffffu;
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < SIDE; i++)
#pragma unroll 1
    for (int j = 0; j < SIDE; j++) {
      int difference = pixel(in, 0, x + j, y + i) - pixel(in, 1, x + dx + j, y + dy + i);
      sum += difference < 0 ? -difference : difference;
    }
  return (unsigned)sum;
}
