// The path tracer of bench/threads whose materials are long, its threads regrouped by hand, and with
// a point at which the plugin does.
#include "../threads/layered_tracer.cu"
#include "tracing.cuh"
#include "wavefront.cuh"

#ifndef LIN_HOST
using layered_tracer_work = regroup::tracing<layered_scene>;
APPLICATION_BY_HAND(layered_tracer, layered_tracer_work, traced<layered_scene>, by_material, 4)
IN_BLOCKS(layered_tracer, layered_tracer_work, traced<layered_scene>, by_material, 4, 1024)
APPLICATION_IN_WAVES(layered_tracer, layered_tracer_work)
#endif
