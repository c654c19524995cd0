// The transport of neutrons of bench/threads with tables of nuclides, its threads regrouped by hand,
// and with a point at which the plugin does.
#include "../threads/nuclide_transport.cu"
#include "transport.cuh"
#include "wavefront.cuh"

// Water, cladding, control; fuel by the energy, so that neighbours read the same parts of tables.
struct tabulated_keys {
  enum { Kinds = 7 };

  static __host__ __device__ __forceinline__ unsigned kind(unsigned material, float e) {
    unsigned part = e > 0.5f ? 0 : e > 0.15f ? 1 : e > 0.03f ? 2 : 3;
    return material == FUEL ? 3 + part : material == WATER ? 0 : material == CLAD ? 1 : 2;
  }
};

#ifndef LIN_HOST
using by_energy = by_kind<tabulated_keys, 3>;
using nuclide_transport_work = regroup::transport<tabulated, tabulated_keys>;
APPLICATION_BY_HAND(nuclide_transport, nuclide_transport_work, transported<tabulated>, by_energy, 8)
APPLICATION_IN_WAVES(nuclide_transport, nuclide_transport_work)
#endif
