// Photons in a grid of cells, flown from collision to collision of the densest cell's rate: most
// collisions are with nothing.
#include "linearize_device.h"

KERNEL_BODY(delta_tracking) {
  unsigned tally = 0;
  for (unsigned photon = 0; photon < rounds; photon++) {
    unsigned seed = lin_mix(in[thread * 64 + photon] + photon), x = 512, y = 512, dx = 3, dy = 1;
    unsigned absorbed = 0, flight, density, turn;
    do {
      seed = seed * 22695477u + 1u;
      flight = 1 + (seed >> 27);
      x += dx * flight;
      y += dy * flight;
      if (x > 1023 || y > 1023)
        break;
      density = in[(y >> 4) * 64 + (x >> 4)] >> 26;
      if ((seed >> 8 & 63) > density >> 2)
        continue;
      absorbed = (seed >> 14 & 15) == 0;
      if (absorbed) {
        tally += in[x + y] & 255;
        break;
      }
      turn = lin_mix(seed);
      dx = (turn & 7) - 3;
      dy = (turn >> 3 & 7) - 3;
      tally += density * dx ^ dy;
      if ((dx | dy) == 0)
        dx = 1;
    } while (true);
    tally = tally * 3 + x + absorbed;
  }
  return tally;
}
