// The path tracer of bench/threads, its threads regrouped by hand, and with a point at which the
// plugin does.
#include "../threads/path_tracer.cu"
#include "tracing.cuh"

APPLICATION(path_tracer_point) {
  return lin_bits(traced<simple_scene>(in, thread, rounds, by_material()));
}

#ifndef LIN_HOST
APPLICATION_IN_TURNS(path_tracer, regroup::tracing<simple_scene>, 16, 4)
#endif
