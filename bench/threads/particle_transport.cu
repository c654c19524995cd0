// Neutrons in a reactor's lattice: a thread follows `rounds` particles, each from its birth until it is
// captured or leaves. Rods of fuel and one of control stand in water; what a collision does depends on
// the material and the energy group: scattering slows a neutron down, fission gives birth to more, which
// the thread keeps on a small stack.
//
// Takes any order of threads.
#include "transport.cuh"

struct grouped {
  using energy = unsigned;
  enum { GROUPS = 4 };

  static __host__ __device__ __forceinline__ energy born() { return 0; }

  static __host__ __device__ __forceinline__ energy slowed(unsigned material, energy group,
                                                           lin_random *) {
    return material == WATER && group < GROUPS - 1 ? group + 1 : group;
  }

  static __host__ __device__ __forceinline__ void look_up(lin_input in, unsigned material,
                                                          energy group, float *rate,
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
};

APPLICATION(particle_transport) { return transported<grouped>(in, thread, rounds, lin_stays()); }
