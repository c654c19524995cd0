// The transport of neutrons of bench/threads, regrouped by hand: the three loops, over particles,
// over those that were born on the way and over flights, become one; a turn is a flight. Threads
// change places in front of it, by the material, and in fuel by the energy group, which says how
// many resonances there are.
//
// Six words of state move. The stack of those that were born stays where it is, in shared memory
// under the thread's first number; all are born with group 0, so it is their places alone.
#include "../threads/particle_transport.cu"
#include "regroup.cuh"

#ifndef LIN_HOST

namespace {

using namespace regroup;

struct neutron {
  float x, y, tally;
  lin_random random;
  unsigned home; // where its stack is, and whose work it is: as the thread began
  unsigned depth, group, generation, particle;
  unsigned captured, left, split;
  bool flies;

  // Small numbers, of up to 127 rounds: a particle and those born of it end in 8 places at most.
  // Generations over 7 are as 7: nothing is born of them.
  __device__ __forceinline__ void store(unsigned (&state)[6]) const {
    state[0] = lin_bits(x), state[1] = lin_bits(y), state[2] = lin_bits(tally);
    state[3] = random.state;
    state[4] = home | depth << 10 | group << 14 | generation << 16 | particle << 19 | flies << 26;
    state[5] = captured << 20 | left << 10 | split;
  }
  __device__ __forceinline__ void load(const unsigned (&state)[6]) {
    x = lin_from_bits(state[0]), y = lin_from_bits(state[1]), tally = lin_from_bits(state[2]);
    random.state = state[3];
    home = state[4] & 1023, depth = state[4] >> 10 & 15, group = state[4] >> 14 & 3;
    generation = state[4] >> 16 & 7, particle = state[4] >> 19 & 127, flies = state[4] >> 26;
    captured = state[5] >> 20, left = state[5] >> 10 & 1023, split = state[5] & 1023;
  }
};

// Keys: water, cladding, control, fuel by group; the last one is that of threads without a
// particle. A block does the work of Share threads a thread, one after the other.
enum : unsigned { Keys = 8 };

template <unsigned Block, unsigned Share, typename How>
__device__ __forceinline__ void transported(lin_input in, unsigned rounds, unsigned *out,
                                            const unsigned *order) {
  using moving = mover<Block, 6, 2>;
  __shared__ typename How::shared places;
  __shared__ typename moving::shared work;
  __shared__ float xs[STACK][Block], ys[STACK][Block];
  __shared__ unsigned thread[Block], next;
  neutron n = {};
  unsigned last = (blockIdx.x + 1) * Block * Share, rotated = rotation(0) % Block,
           warps = Block / 32;
  bool works = true;
  n.home = threadIdx.x;
  thread[n.home] = LINEARIZE_THREAD(order, last - Block * Share + n.home);
  n.random.state = lin_mix(thread[n.home] + 77);
  if (threadIdx.x == 0)
    next = last - Block * Share + Block;
  __syncthreads();
#pragma unroll 1
  for (;;) {
    if (works && !n.flies && n.depth == 0 && n.particle == rounds) {
      out[thread[n.home]] = lin_bits(n.tally) ^ n.captured << 20 ^ n.left << 10 ^ n.split;
      unsigned place = Share > 1 ? atomicAdd(&next, 1u) : last;
      works = place < last;
      n.tally = 0.0f;
      n.particle = n.captured = n.left = n.split = 0;
      if (works) {
        thread[n.home] = LINEARIZE_THREAD(order, place);
        n.random.state = lin_mix(thread[n.home] + 77);
      }
    }
    if (works && !n.flies) {
      n.flies = true;
      n.group = 0;
      if (n.depth == 0) {
        n.particle++;
        n.generation = 0;
        n.x = 4.0f * n.random.unit();
        n.y = 4.0f * n.random.unit();
      } else {
        n.depth--;
        n.x = xs[n.depth][n.home];
        n.y = ys[n.depth][n.home];
      }
    }
    unsigned material = works ? material_at(n.x, n.y) : WATER;
    unsigned key = !works              ? Keys - 1
                   : material == FUEL  ? 3 + n.group
                   : material == WATER ? 0
                   : material == CLAD  ? 1
                                       : 2;
    result found = How::turn(places, key, rotated, &warps);
    if (found.moves) {
      unsigned state[6];
      n.store(state);
      moving::move(work, state, How::Gathers, found.place);
      n.load(state);
      works = n.flies; // whoever works flies here
      material = material_at(n.x, n.y);
    }
    if (found.leaves)
      return;
    if (!works)
      continue;
    unsigned capture, fission;
    float rate;
    look_up(in, material, n.group, &rate, &capture, &fission);
    float way = -lin_log(n.random.unit() + 1e-6f) / rate, turned = n.random.unit();
    float step = lin_min(way, 0.3f);
    n.x += step * lin_cos_turn(turned);
    n.y += step * lin_sin_turn(turned);
    if (n.x < 0.0f || n.y < 0.0f || n.x >= 4.0f || n.y >= 4.0f) {
      n.left++;
      n.flies = false;
      continue;
    }
    if (way > 0.3f)
      continue;
    unsigned chance = n.random.below(256);
    if (chance < capture) {
      n.captured++;
      n.tally += rate;
      n.flies = false;
    } else if (chance < capture + fission) {
      n.split++;
      n.generation = n.generation < 7 ? n.generation + 1 : 7;
      if (n.generation < 4)
        for (unsigned more = 0; more < 2 && n.depth < STACK; more++) {
          xs[n.depth][n.home] = n.x;
          ys[n.depth][n.home] = n.y;
          n.depth++;
        }
      n.flies = false;
    } else {
      if (material == WATER && n.group < GROUPS - 1)
        n.group++;
      n.tally += 0.01f * rate;
    }
  }
}

} // namespace

#define TRANSPORTED(name, block, share, ...)                                                       \
  extern "C" __global__ void __launch_bounds__(block)                                              \
      particle_transport_##name##_##share##_##block(const unsigned *words, unsigned mask,          \
                                                    unsigned rounds, unsigned *out, unsigned,      \
                                                    const unsigned *order) {                       \
    transported<block, share, __VA_ARGS__>(lin_input{words, mask}, rounds, out, order);            \
  }
#define BLOCK(block, share)                                                                        \
  TRANSPORTED(together, block, share, together<Keys>)                                              \
  TRANSPORTED(votes, block, share, votes<block, Keys>)                                             \
  TRANSPORTED(skips, block, share, votes<block, Keys, by_bits, block / 32>)

BLOCK(128, 1)
BLOCK(256, 1)
BLOCK(512, 1)
BLOCK(128, 8)
BLOCK(256, 8)
BLOCK(512, 8)

#endif
