// The transport of neutrons of bench/threads, its threads regrouped by hand, and with a point at
// which the plugin does.
#include "../threads/particle_transport.cu"
#include "transport.cuh"

// Water, cladding, control; fuel by the group, which says how many resonances there are.
struct grouped_keys {
  enum { Kinds = 7 };

  static __host__ __device__ __forceinline__ unsigned kind(unsigned material, unsigned group) {
    return material == FUEL ? 3 + group : material == WATER ? 0 : material == CLAD ? 1 : 2;
  }
};

APPLICATION(particle_transport_point) {
  return transported<grouped>(in, thread, rounds, by_kind<grouped_keys, 3>());
}

#ifndef LIN_HOST
using grouped_transport = regroup::transport<grouped, grouped_keys>;
APPLICATION_IN_TURNS(particle_transport, grouped_transport, 8, 8)
#endif
