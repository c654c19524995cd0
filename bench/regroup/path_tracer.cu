// The path tracer of bench/threads, its threads regrouped by hand, and with a point at which the
// plugin does.
#include "../threads/path_tracer.cu"
#include "tracing.cuh"
#include "wavefront.cuh"

#ifndef LIN_HOST
using path_tracer_work = regroup::tracing<simple_scene>;
APPLICATION_BY_HAND(path_tracer, path_tracer_work, traced<simple_scene>, by_material, 4)
APPLICATION_IN_WAVES(path_tracer, path_tracer_work)
#endif
