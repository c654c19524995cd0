// Neutrons in a reactor's lattice, with cross sections from tables: at each flight those of all
// nuclides of the material are looked up by the neutron's energy, each in a grid of its own, and added
// up. Fuel has many nuclides and water few. The work has the shape of XSBench (Tramm et al., "XSBench -
// The Development and Verification of a Performance Abstraction for Monte Carlo Reactor Analysis",
// PHYSOR 2014): its number of nuclides for fuel, cladding and water, five cross sections, a binary
// search for each nuclide. The tables are the input's random words; 262,144 of them are all different.
//
// A thread follows `rounds` particles. Takes any order of threads.
#include "transport.cuh"

struct tabulated {
  using energy = float; // 0 to 1: how fast, on the scale of the grids
  enum { NUCLIDES = 80, POINTS = 512, SECTIONS = 5, MIXES = NUCLIDES * POINTS * (SECTIONS + 1) };
  enum { TOTAL, ELASTIC, ABSORBED, FISSION, BORN };

  static __host__ __device__ __forceinline__ energy born() { return 0.93f; }

  static __host__ __device__ __forceinline__ energy slowed(unsigned material, energy e,
                                                           lin_random *random) {
    float least =
        material == WATER ? 0.2f : 0.9f; // of a collision with a light nucleus, a heavy one
    return e * (least + (1.0f - least) * random->unit());
  }

  static __host__ __device__ __forceinline__ unsigned nuclidesOf(unsigned material) {
    return material == FUEL ? 34 : material == CONTROL ? 9 : material == CLAD ? 5 : 4;
  }

  // Grids ascend: a point lies anywhere in its part of the scale.
  static __host__ __device__ __forceinline__ float energyAt(lin_input in, unsigned row,
                                                            unsigned point) {
    return ((float)point + lin_unit(in[(row + point) * (SECTIONS + 1)])) * (1.0f / (float)POINTS);
  }

  // Adds what so much of a nuclide has at this energy, linear between two points of its grid.
  static __host__ __device__ __forceinline__ void add(lin_input in, unsigned nuclide, float share,
                                                      energy e, float (&sum)[SECTIONS]) {
    unsigned row = nuclide * POINTS, low = 0, high = POINTS - 1;
    while (high - low > 1) {
      unsigned middle = (low + high) / 2;
      if (energyAt(in, row, middle) > e)
        high = middle;
      else
        low = middle;
    }
    float below = energyAt(in, row, low), above = energyAt(in, row, low + 1);
    float part = (e - below) / (above - below + 1e-9f);
#pragma unroll
    for (unsigned i = 0; i < SECTIONS; i++) {
      float a = lin_unit(in[(row + low) * (SECTIONS + 1) + 1 + i]);
      float b = lin_unit(in[(row + low + 1) * (SECTIONS + 1) + 1 + i]);
      sum[i] += share * (a + part * (b - a));
    }
  }

  static __host__ __device__ __forceinline__ void look_up(lin_input in, unsigned material, energy e,
                                                          float *rate, unsigned *capture,
                                                          unsigned *fission) {
    float sum[SECTIONS] = {}, all = 0.0f;
    unsigned count = nuclidesOf(material);
#pragma unroll 1
    for (unsigned i = 0; i < count; i++) {
      unsigned mix = in[MIXES + 64 * material + i];
      float share = 0.1f + lin_unit(mix << 8);
      all += share;
      add(in, (mix >> 16) % NUCLIDES, share, e, sum);
    }
    float total = sum[TOTAL] + 2.0f * sum[ELASTIC] + 0.2f * sum[ABSORBED], mean = total / all;
    float captures = material == CONTROL ? 200.0f : material == FUEL ? 40.0f : 4.0f;
    *rate = (material == CONTROL ? 2.5f : 1.0f) * mean;
    *capture = (unsigned)(captures * sum[ABSORBED] / (total + sum[ABSORBED]) * 2.0f);
    *fission = material == FUEL ? (unsigned)(30.0f * (sum[FISSION] + sum[BORN]) / total) : 0;
  }
};

APPLICATION(nuclide_transport) { return transported<tabulated>(in, thread, rounds, lin_stays()); }
