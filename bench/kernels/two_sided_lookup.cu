// An equation of state from tables, in fixed point: a thread looks up temperature and density of
// `rounds` cells by their pressure and enthalpy. A cell is gas or liquid; a table's row says
// whether the cell lies in a smooth part of the surface, which is taken from a coarse table, or
// near its edge, taken from a fine one.
//
// Two-sided: about half of the cells are gas, in no order; each side has a branch of its own
// inside, with a second load that depends on the first.
//
//     cell ─▶ gas? ─▶ row ─▶ superheated? ─▶ coarse ─┐
//      ▲       │                  └───────▶ fine ────┴─▶ interpolate ──┐
//      │       └────▶ row ─▶ compressed? ──▶ coarse ─┐                 │
//      │                          └───────▶ fine ────┴─▶ interpolate ──┤
//      └─────────────────────────── next ◀─────────────────────────────┘
#include "linearize_device.h"

// Where the input's tables begin.
enum {
  CELLS = 3001,
  GAS = 12007,
  SUPERHEATED = 20011,
  VAPOUR = 28019,
  LIQUID = 36007,
  COMPRESSED = 44017,
  SATURATED = 52009
};

KERNEL_BODY(two_sided_lookup) {
  unsigned temperature = 0, density = 0, checksum = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned cell = 2 * (thread * rounds + round);
    unsigned pressure = in[CELLS + cell] ^ checksum, enthalpy = in[CELLS + cell + 1];
    if (enthalpy > pressure) {
      unsigned row = in[GAS + (pressure >> 8)];
      unsigned excess = (enthalpy - pressure) >> 16;
      unsigned slope, base;
      if (row & 1) {
        unsigned entry = in[SUPERHEATED + (row >> 9)];
        slope = entry & 0xfff;
        base = (entry >> 12) + (excess >> 4);
      } else {
        unsigned entry = in[VAPOUR + (row >> 10) + (excess >> 8)];
        slope = (entry >> 20) * 3;
        base = (entry & 0xfffff) ^ row >> 12;
      }
      temperature += base + (slope * excess >> 12);
      density += (pressure >> 8) - (slope * (pressure >> 20) >> 6);
      checksum = lin_mix(checksum + base);
    } else {
      unsigned row = in[LIQUID + (enthalpy >> 9)];
      unsigned depth = (pressure - enthalpy) >> 18;
      unsigned stiffness, heat;
      if (row & 6) {
        unsigned entry = in[COMPRESSED + (row >> 8)];
        stiffness = 0x4000 + (entry >> 18);
        heat = entry * 5 & 0xffff;
      } else {
        unsigned entry = in[SATURATED + (row >> 11) + depth];
        stiffness = 0x8000 - (entry & 0x3fff);
        heat = entry >> 14 | 1;
      }
      density ^= stiffness + (stiffness * depth >> 14);
      temperature -= heat * (depth + 1) >> 3;
      checksum = (checksum ^ stiffness) * 0x9e3779b1u;
    }
  }
  return temperature ^ density * 3 ^ checksum;
}
