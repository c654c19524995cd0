// The transport of neutrons of bench/threads, its threads regrouped by hand, and with a point at
// which the plugin does.
#include "../threads/particle_transport.cu"
#include "transport.cuh"
#include "wavefront.cuh"

// Water, cladding, control; fuel by the group, which says how many resonances there are.
struct grouped_keys {
  enum { Kinds = 7 };

  static __host__ __device__ __forceinline__ unsigned kind(unsigned material, unsigned group) {
    return material == FUEL ? 3 + group : material == WATER ? 0 : material == CLAD ? 1 : 2;
  }
};

#ifndef LIN_HOST
using by_group = by_kind<grouped_keys, 3>;
using particle_transport_work = regroup::transport<grouped, grouped_keys>;
APPLICATION_BY_HAND(particle_transport, particle_transport_work, transported<grouped>, by_group, 8)
APPLICATION_IN_WAVES(particle_transport, particle_transport_work)
#endif
