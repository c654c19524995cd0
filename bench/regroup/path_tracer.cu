// The path tracer of bench/threads, regrouped by hand: the loops over paths and bounces become one,
// the whole block goes around together, and between finding what a ray hits and what that does to
// it, threads change places, by the material. Whose path ended begins the next one in the next
// turn.
//
// Eight words of state move, and one with the small numbers; a thread's light stays where it is, in
// shared memory under the thread's number. What is computed from the input again isn't moved.
#include "../threads/path_tracer.cu"
#include "regroup.cuh"

#ifndef LIN_HOST

namespace {

using namespace regroup;

// What a ray hit: a sphere, the floor (SPHERES), or nothing that has a material.
enum : unsigned { ENDED = 14, IDLE = 15 };

struct ray {
  vec at, d;
  float weight;
  lin_random random;
  unsigned self, which, bounce, path;

  // Small numbers: of 12, 4, 5 and 11 bits.
  __device__ __forceinline__ void store(unsigned (&state)[9]) const {
    float floats[7] = {at.x, at.y, at.z, d.x, d.y, d.z, weight};
    for (unsigned i = 0; i < 7; i++)
      state[i] = lin_bits(floats[i]);
    state[7] = random.state;
    state[8] = self | which << 12 | bounce << 16 | path << 21;
  }
  __device__ __forceinline__ void load(const unsigned (&state)[9]) {
    at = {lin_from_bits(state[0]), lin_from_bits(state[1]), lin_from_bits(state[2])};
    d = {lin_from_bits(state[3]), lin_from_bits(state[4]), lin_from_bits(state[5])};
    weight = lin_from_bits(state[6]);
    random.state = state[7];
    self = state[8] & 0xfff, which = state[8] >> 12 & 15;
    bounce = state[8] >> 16 & 31, path = state[8] >> 21;
  }

  __device__ __forceinline__ void begin(unsigned thread) {
    at = {0.0f, 1.0f, -4.0f};
    d = unit({((float)(thread % WIDTH) + random.unit()) / 256.0f - 1.0f,
              1.0f - ((float)(thread / WIDTH % WIDTH) + random.unit()) / 256.0f, 1.2f});
    weight = 1.0f;
    bounce = 0;
  }

  // Where the ray goes on from what it hit; whether it does.
  __device__ __forceinline__ bool scatter(lin_input in) {
    vec n = {0.0f, 1.0f, 0.0f};
    unsigned material = MATTE;
    if (which < SPHERES) {
      n = unit(at + -1.0f * vec{12.0f * lin_unit(in[4 * which]) - 6.0f,
                                8.0f * lin_unit(in[4 * which + 1]) - 1.0f,
                                4.0f + 9.0f * lin_unit(in[4 * which + 2])});
      material = which & 7;
    }
    bool inside = dot(d, n) > 0.0f;
    if (inside)
      n = -1.0f * n;
    float cosine = -dot(d, n);
    switch (material) {
    case MATTE:
      weight *= which < SPHERES ? 0.7f : 0.6f;
      d = unit(n + anywhere(&random));
      break;
    case MIRROR:
      weight *= 0.95f;
      d = mirrored(d, n);
      break;
    case GLASS: {
      float index = inside ? 1.5f : 1.0f / 1.5f;
      float k = 1.0f - index * index * (1.0f - cosine * cosine);
      float miss = 1.0f - cosine;
      float reflects = 0.04f + 0.96f * miss * miss * miss * miss * miss;
      if (k < 0.0f || random.unit() < reflects)
        d = mirrored(d, n);
      else
        d = unit(index * d + (index * cosine - lin_sqrt(k)) * n);
      break;
    }
    case METAL: {
      vec h = unit(n + 0.2f * anywhere(&random));
      d = mirrored(d, h);
      if (dot(d, n) < 0.0f)
        weight = 0.0f;
      float rough = 0.2f + lin_exp(-8.0f * cosine);
      weight *= 0.8f / (0.8f + 0.1f * rough);
      break;
    }
    case LACQUER:
      if (random.unit() < 0.04f + 0.5f * (1.0f - cosine) * (1.0f - cosine)) {
        d = mirrored(d, n);
      } else {
        weight *= 0.5f;
        d = unit(n + anywhere(&random));
      }
      break;
    case MARBLE: {
      float vein = 0.0f, size = 1.0f;
#pragma unroll 1
      for (unsigned octave = 0; octave < 5; octave++) {
        unsigned cell = (unsigned)(32.0f * size * lin_abs(at.x + 0.3f * at.y)) +
                        57 * (unsigned)(32.0f * size * lin_abs(at.z));
        vein += lin_unit(in[cell]) / size;
        size *= 2.0f;
      }
      weight *= 0.3f + 0.3f * lin_sin_turn(0.25f * vein);
      d = unit(n + anywhere(&random));
      break;
    }
    default: {
      unsigned fibres = 0;
      do {
        d = anywhere(&random);
        weight *= 0.9f;
      } while (dot(d, n) < 0.2f && ++fibres < 8);
      weight *= lin_exp(-0.3f * cosine);
    }
    }
    if (weight < 0.2f) {
      if (random.unit() < 0.5f)
        return false;
      weight *= 2.0f;
    }
    return ++bounce < 24;
  }
};

// Keys: 0 to 6 the materials, 7 rays that ended, the last one threads without a ray. A block does
// the work of Share threads a thread, one after the other.
enum : unsigned { Keys = 16 };

template <unsigned Block, unsigned Share, typename How>
__device__ __forceinline__ void traced(lin_input in, unsigned rounds, unsigned *out,
                                       const unsigned *order) {
  using moving = mover<Block, 9, 4>;
  __shared__ typename How::shared places;
  __shared__ typename moving::shared work;
  __shared__ float light[Block * Share];
  __shared__ unsigned next;
  unsigned first = blockIdx.x * Block * Share, rotated = rotation(0) % Block, warps = Block / 32;
  ray r;
  r.self = threadIdx.x, r.path = 0, r.which = ENDED;
  r.random.state = lin_mix(LINEARIZE_THREAD(order, first + r.self) + 1);
  for (unsigned i = 0; i < Share; i++)
    light[threadIdx.x + i * Block] = 0.0f;
  if (threadIdx.x == 0)
    next = Block;
  __syncthreads();
#pragma unroll 1
  for (;;) {
    if (r.which == ENDED) {
      unsigned thread = LINEARIZE_THREAD(order, first + r.self);
      if (r.path == rounds) {
        out[thread] = lin_bits(light[r.self]);
        r.which = IDLE;
        if (Share > 1 && (r.self = atomicAdd(&next, 1u)) < Block * Share) {
          r.which = ENDED;
          r.path = 0;
          thread = LINEARIZE_THREAD(order, first + r.self);
          r.random.state = lin_mix(thread + 1);
        }
        r.self = r.which == IDLE ? 0 : r.self;
      }
      if (r.which == ENDED)
        r.begin(thread);
    }
    unsigned key = Keys - 1;
    if (r.which != IDLE) {
      float t = nearest(in, r.at, r.d, &r.which);
      bool lamp = t <= 1e8f && r.which < SPHERES && (r.which & 7) == LAMP;
      if (t > 1e8f || lamp) {
        light[r.self] += lamp ? 4.0f * r.weight : r.weight * (0.4f + 0.3f * r.d.y);
        r.which = ENDED;
        r.path++;
        key = 7;
      } else {
        r.at = r.at + t * r.d;
        key = r.which < SPHERES ? (r.which & 7) - 1 : MATTE - 1;
      }
    }
    result found = How::turn(places, key, rotated, &warps);
    if (found.moves) {
      unsigned state[9];
      r.store(state);
      moving::move(work, state, How::Gathers, found.place);
      r.load(state);
    }
    if (found.leaves)
      return;
    if (r.which <= SPHERES && !r.scatter(in)) {
      r.which = ENDED;
      r.path++;
    }
  }
}

} // namespace

#define TRACED(name, block, share, ...)                                                            \
  extern "C" __global__ void __launch_bounds__(block) path_tracer_##name##_##share##_##block(      \
      const unsigned *words, unsigned mask, unsigned rounds, unsigned *out, unsigned,              \
      const unsigned *order) {                                                                     \
    traced<block, share, __VA_ARGS__>(lin_input{words, mask}, rounds, out, order);                 \
  }
#define BLOCK(block, share)                                                                        \
  TRACED(together, block, share, together<Keys>)                                                   \
  TRACED(votes, block, share, votes<block, Keys>)                                                  \
  TRACED(skips, block, share, votes<block, Keys, by_bits, block / 32>)

BLOCK(128, 1)
BLOCK(256, 1)
BLOCK(512, 1)
BLOCK(128, 4)
BLOCK(256, 4)
BLOCK(512, 4)

#endif
