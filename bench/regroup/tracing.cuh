// A turn of the path tracers of bench/threads: what a ray hits; at the point, threads change places by
// the material; then, where the ray goes on from there. Whose path ended begins the next one in the
// next turn.
//
// Eight words move, and one with the small numbers. A thread's light stays where it is. What is
// computed from the input again isn't moved.
#ifndef BENCH_REGROUP_TRACING_CUH
#define BENCH_REGROUP_TRACING_CUH

#include "../../include/linearize/reorder.h"
#include "../threads/tracing.cuh"
#include "turns.cuh"

// In the program as it is: the point.
struct by_material {
  __host__ __device__ void operator()(unsigned material) const { linearize_reorder(material, 3); }
};

#ifndef LIN_HOST

namespace regroup {

// Keys: 0 to 6 the materials, 7 a path that ended.
template <typename Scene> struct tracing {
  static constexpr unsigned Words = 9, Kept = 1, Kinds = 8, Ended = 7;

  ray r;
  unsigned which, key, bounce, path;

  __device__ __forceinline__ void begin(unsigned thread, kept_words light) {
    r.random.state = lin_mix(thread + 1);
    path = which = bounce = 0;
    key = Ended;
    light[0] = 0; // 0.0f
  }
  __device__ __forceinline__ bool isOver(unsigned rounds, kept_words) const {
    return key == Ended && path == rounds;
  }
  __device__ __forceinline__ unsigned result(kept_words light) const { return light[0]; }

  __device__ __forceinline__ unsigned before(lin_input in, unsigned thread, kept_words light) {
    if (key == Ended) {
      ::begin(&r, thread);
      bounce = 0;
    }
    float more = lin_from_bits(light[0]);
    unsigned material;
    if (meets<Scene>(in, &r, &which, &material, &more)) {
      key = material - 1;
    } else {
      light[0] = lin_bits(more);
      key = Ended;
      path++;
    }
    return key;
  }

  __device__ __forceinline__ void behind(lin_input in, kept_words) {
    if (key != Ended && !(Scene::scatter(in, which, key + 1, &r) && ++bounce < BOUNCES)) {
      key = Ended;
      path++;
    }
  }

  // Small numbers: of 11, 5, 5, 3 and 8 bits.
  __device__ __forceinline__ void store(unsigned (&state)[Words], unsigned self) const {
    float floats[7] = {r.at.x, r.at.y, r.at.z, r.d.x, r.d.y, r.d.z, r.weight};
    for (unsigned i = 0; i < 7; i++)
      state[i] = lin_bits(floats[i]);
    state[7] = r.random.state;
    state[8] = self | which << 11 | bounce << 16 | key << 21 | path << 24;
  }
  __device__ __forceinline__ void load(const unsigned (&state)[Words], unsigned *self) {
    r.at = {lin_from_bits(state[0]), lin_from_bits(state[1]), lin_from_bits(state[2])};
    r.d = {lin_from_bits(state[3]), lin_from_bits(state[4]), lin_from_bits(state[5])};
    r.weight = lin_from_bits(state[6]);
    r.random.state = state[7];
    *self = state[8] & 0x7ff, which = state[8] >> 11 & 31;
    bounce = state[8] >> 16 & 31, key = state[8] >> 21 & 7, path = state[8] >> 24;
  }
};

} // namespace regroup

#endif
#endif
