// Forces on a particle, short-range and long-range: a thread's particle meets `rounds` others of
// its neighbour list. Within the cutoff they push, rub and shake each other as in dissipative
// particle dynamics, as strongly as a table says for what kind the other one is of; beyond it they
// attract, by the mass and the quadrupole of the cell that the other one is in.
//
// Two-sided: about half of the others are within the cutoff, in no order; the two laws have loads
// and formulas of their own, and a warp runs both one after the other.
//
//     partner ─▶ distance ─▶ within? ─▶ push, rub, shake ─┐
//        ▲                      └─────▶ attract ──────────┤
//        └───────────────── move ◀────────────────────────┘
//
// The box is periodic: places are fractions of it, in 32 bits, and differences wrap around.
#include "linearize_device.h"

// A particle's place is in one row of words; velocity, kind and cell in others, as arrays; and so
// what is known of kinds and cells.
enum {
  SPEED_X = 10007,
  SPEED_Y = 20011,
  SPEED_Z = 30011,
  KIND = 40009,
  NOISE = 45007,
  CELL = 50021,
  MASS = 55001,
  SHAPE = 60013
};

LIN_FUNCTION float apart(unsigned to, unsigned from) {
  return (float)(int)(to - from) * (1.0f / 4294967296.0f);
}

KERNEL_BODY(two_sided_force) {
  const float cutoff2 = 0.2425f; // of a ball of half the box's volume
  unsigned x = in[4 * thread], y = in[4 * thread + 1], z = in[4 * thread + 2];
  float vx = 0.0f, vy = 0.0f, vz = 0.0f, energy = 0.0f;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned other = in[thread * rounds + round] >> 8 & ~3u;
    float dx = apart(in[other], x), dy = apart(in[other + 1], y), dz = apart(in[other + 2], z);
    float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < cutoff2) {
      float ux = lin_unit(in[SPEED_X + other]) - 0.5f - vx;
      float uy = lin_unit(in[SPEED_Y + other]) - 0.5f - vy;
      float uz = lin_unit(in[SPEED_Z + other]) - 0.5f - vz;
      float noise = lin_unit(in[NOISE + (in[KIND + other] >> 8)]) - 0.5f;
      float near = 1.0f - r2 * (1.0f / cutoff2);
      float rub = near * near * (dx * ux + dy * uy + dz * uz);
      float force = 3.0f * rub + noise * near - 0.8f * near;
      vx = vx * 0.95f + force * dx;
      vy = vy * 0.95f + force * dy;
      vz = vz * 0.95f + force * dz;
      energy += 0.4f * near * near;
    } else {
      unsigned cell = in[CELL + other] >> 8;
      float mass = 0.02f * lin_unit(in[MASS + cell]);
      float shape = 0.05f * lin_unit(in[SHAPE + cell]) - 0.025f;
      float inverse = lin_from_bits(0x5f3759dfu - (lin_bits(r2) >> 1));
      inverse *= 1.5f - 0.5f * r2 * inverse * inverse;
      inverse *= 1.5f - 0.5f * r2 * inverse * inverse;
      float inverse2 = inverse * inverse;
      float pole = shape * (3.0f * dz * dz * inverse2 - 1.0f) * inverse2;
      float pull = mass * inverse * inverse2 * (1.0f + pole);
      energy -= mass * inverse * (1.0f + 0.5f * pole);
      vx += pull * dx;
      vy += pull * dy;
      vz += pull * (dz - 2.0f * shape * dz);
    }
    x += (unsigned)(int)(vx * 16777216.0f);
    y += (unsigned)(int)(vy * 16777216.0f);
    z += (unsigned)(int)(vz * 16777216.0f);
  }
  return x ^ y * 3 ^ z * 5 ^ lin_bits(energy);
}
