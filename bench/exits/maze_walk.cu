// A walk through a maze: walls turn it, traps throw it back, the exit ends the thread.
#include "linearize_device.h"

THREAD_KERNEL(maze_walk) {
  unsigned place = thread & 1023, direction = thread >> 3 & 3, fuel = 0;
  for (unsigned step = 0; step < rounds; step++) {
    unsigned cell = in[place] >> 4;
    switch (cell & 7) {
    case 0: // a wall: turn until there is a way
      do {
        direction = (direction + 1) & 3;
        fuel++;
      } while ((in[place + direction] & 3) == 0 && fuel < 200);
      continue;
    case 1:
      if ((cell & 0xf8) == 0) {
        *result = step * 16 + direction;
        return;
      }
      break;
    case 2:
      place = lin_mix(place) & 1023;
      if (++fuel > 200) {
        *result = ~fuel;
        return;
      }
      continue;
    default: break;
    }
    place = (place + (direction & 1 ? 32 : 1) * (direction & 2 ? 1023 : 1)) & 1023;
    fuel += cell >> 26;
  }
  *result = place + fuel;
}
