// The path tracer of bench/threads whose materials are long, its threads regrouped by hand, and with
// a point at which the plugin does.
#include "../threads/layered_tracer.cu"
#include "tracing.cuh"

APPLICATION(layered_tracer_point) {
  return lin_bits(traced<layered_scene>(in, thread, rounds, by_material()));
}

#ifndef LIN_HOST
APPLICATION_IN_TURNS(layered_tracer, regroup::tracing<layered_scene>, 16, 4)
#endif
