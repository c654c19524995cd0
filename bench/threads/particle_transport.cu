// Neutrons in a reactor's lattice: a thread follows `rounds` particles, each from its birth until
// it is captured or leaves. Rods of fuel and one of control stand in water; what a collision does
// depends on the material and the energy group: scattering slows a neutron down, fission gives
// birth to more, which the thread keeps on a small stack.
//
// Takes any order of threads.
#include "thread.cuh"

enum { WATER, FUEL, CONTROL, CLAD, GROUPS = 4, STACK = 8 };

LIN_FUNCTION unsigned material_at(float x, float y) {
  float u = x - (float)(int)x - 0.5f, v = y - (float)(int)y - 0.5f;
  float r = u * u + v * v;
  unsigned cell = (unsigned)x + 3 * (unsigned)y;
  if (r > 0.16f)
    return WATER;
  if (r > 0.13f)
    return CLAD;
  return cell % 7 == 0 ? CONTROL : FUEL;
}

// How often per unit of way a neutron collides, and the shares of collisions, in 1/256, that
// capture it or split the nucleus; the rest scatter.
LIN_FUNCTION void look_up(lin_input in, unsigned material, unsigned group, float *rate,
                          unsigned *capture, unsigned *fission) {
  float resonance = 0.8f + 0.4f * lin_unit(in[material * 64 + group]);
  switch (material) {
  case WATER:
    *rate = 1.5f * resonance, *capture = 2, *fission = 0;
    break;
  case FUEL: {
    // Resonances are added up, as many as the group has.
    float sum = 0.0f;
#pragma unroll 1
    for (unsigned i = 0; i < 4 + 4 * group; i++) {
      float off = lin_unit(in[4096 + 16 * group + i]) - 0.5f;
      sum += 0.02f / (0.05f + off * off);
    }
    *rate = 0.5f + 0.1f * sum, *capture = 20 + 12 * group, *fission = 12 + 20 * group;
    break;
  }
  case CONTROL:
    *rate = 4.0f * resonance, *capture = 100 + 40 * group, *fission = 0;
    break;
  default:
    *rate = 0.4f, *capture = 4, *fission = 0;
  }
}

APPLICATION(particle_transport) {
  lin_random random = {lin_mix(thread + 77)};
  float xs[STACK], ys[STACK], tally = 0.0f;
  unsigned born[STACK], captured = 0, left = 0, split = 0;
#pragma unroll 1
  for (unsigned particle = 0; particle < rounds; particle++) {
    unsigned depth = 1, generation = 0;
    xs[0] = 4.0f * random.unit();
    ys[0] = 4.0f * random.unit();
    born[0] = 0;
    while (depth > 0) {
      depth--;
      float x = xs[depth], y = ys[depth];
      unsigned group = born[depth];
      for (;;) {
        unsigned material = material_at(x, y), capture, fission;
        float rate;
        look_up(in, material, group, &rate, &capture, &fission);
        float way = -lin_log(random.unit() + 1e-6f) / rate, turn = random.unit();
        // Materials are small: a flight ends at 0.3 at the latest, in another one perhaps.
        float step = lin_min(way, 0.3f);
        x += step * lin_cos_turn(turn);
        y += step * lin_sin_turn(turn);
        if (x < 0.0f || y < 0.0f || x >= 4.0f || y >= 4.0f) {
          left++;
          break;
        }
        if (way > 0.3f)
          continue;
        unsigned chance = random.below(256);
        if (chance < capture) {
          captured++;
          tally += rate;
          break;
        }
        if (chance < capture + fission) {
          split++;
          if (++generation < 4)
            for (unsigned more = 0; more < 2 && depth < STACK; more++) {
              xs[depth] = x;
              ys[depth] = y;
              born[depth++] = 0;
            }
          break;
        }
        if (material == WATER && group < GROUPS - 1)
          group++;
        tally += 0.01f * rate;
      }
    }
  }
  return lin_bits(tally) ^ captured << 20 ^ left << 10 ^ split;
}
