// Monte Carlo transport of light in layered tissue, after MCML: a thread launches `rounds` photons
// straight down into skin, fat and muscle, and follows each from collision to collision. A
// collision absorbs a part of its weight, which is tallied with the depth, and scatters it to all
// sides.
//
// Uneven: a photon's path is over when it leaves at the top or at the bottom, or when its weight is
// small and it loses at Russian roulette: after one collision or after a hundred. Each end has a
// tally of its own.
//
//     launch ─▶ move ─▶ above the top? ────▶ reflected ────┐
//       ▲        ▲      below the bottom? ─▶ transmitted ──┤
//       │        └ turn ◀ absorb ─▶ roulette lost? ─▶ gone ┤
//       └──────────────── next photon ◀────────────────────┘
#include "linearize_device.h"

LIN_FUNCTION float random_unit(unsigned *state) {
  unsigned s = *state;
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  *state = s;
  return lin_unit(s);
}

KERNEL_BODY(photon_transport) {
  const float skin = 0.8f, fat = 3.0f, bottom = 7.0f;
  float reflected = 0.0f, transmitted = 0.0f, deposited = 0.0f, deepest = 0.0f;
  unsigned absorbed = 0, checksum = 0;
  unsigned state = lin_mix(thread + 1) | 1;
  for (unsigned photon = 0; photon < rounds; photon++) {
    float z = 0.0f, down = 1.0f, weight = 1.0f, free, loss;
    state = (state ^ in[thread + photon]) | 1;
    for (;;) {
      free = z < skin ? 0.5f : z < fat ? 1.1f : 0.7f;
      z -= down * free * lin_log(random_unit(&state) + 1e-7f);
      if (z < 0.0f) {
        reflected += weight;
        checksum += in[lin_bits(weight) >> 10];
        break;
      }
      if (z > bottom) {
        transmitted += weight * down;
        checksum ^= lin_bits(down);
        break;
      }

      loss = weight * (z < skin ? 0.06f : z < fat ? 0.02f : 0.04f);
      weight -= loss;
      deposited += loss * z;
      if (weight < 0.3f) {
        if (random_unit(&state) > 0.5f) {
          absorbed++;
          deepest = lin_max(deepest, z);
          break;
        }
        weight *= 2.0f;
      }
      down = 2.0f * random_unit(&state) - 1.0f;
    }
  }
  return lin_bits(reflected) ^ lin_bits(transmitted) * 3 ^ lin_bits(deposited) * 5 ^
         lin_bits(deepest) * 7 ^ (checksum + absorbed);
}
