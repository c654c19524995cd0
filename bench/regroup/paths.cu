// The micro-benchmark of Lin, Wang and Liu (ACM TACO 15(3), 39, 2018), section 4.2: paths of the
// same 24 instructions in different orders, as often as `iterations` says, of which each thread
// takes one, by chance; next to nothing else. Plain, and regrouped by hand in front of the paths.
//
// `rounds` is turns << 16 | iterations: each turn has keys of its own. A thread's result depends on
// in[thread] alone. Blocks are full.
//
// REGROUP_POINTS: the plain program with a point, for the plugin.
//
// What can be gained at most is measured by threads that stand in order from the beginning: without
// rounds, and without warps of several keys, or with as many as there are behind a round.
#include "../../include/linearize/reorder.h"
#include "../threads/thread.cuh"
#include "regroup.cuh"

// Which paths there are.
//   flat        Keys of them, by one condition
//   nested      four, behind two layers of branches; both conditions are known in front of them
enum shape { flat, nested };

enum { CHAINS = 4 }; // of instructions that depend on each other, in a path

// Path number P.
template <unsigned P> LIN_FUNCTION float path(float x, unsigned iterations) {
  constexpr unsigned Steps[8] = {1, 5, 7, 11, 13, 17, 19, 23}; // none has a divisor of 24
  float chain[CHAINS];
  for (unsigned c = 0; c < CHAINS; c++)
    chain[c] = x * (1.0f + 0.125f * (float)c);
#pragma unroll 1
  for (unsigned i = 0; i < iterations; i++) {
#pragma unroll
    for (unsigned at = 0; at < 24; at++) {
      unsigned which = (at * Steps[P] + 5 * P) % 24;
      float &y = chain[at / 2 % CHAINS];
      if (which % 2)
        y += 0.01f * ((float)(which / 2 % 8) - 3.5f);
      else
        y *= 1.0f + (float)(int)(which % 8 - 3) * 0x1p-18f;
    }
  }
  float sum = chain[0];
  for (unsigned c = 1; c < CHAINS; c++)
    sum += chain[c];
  return sum * (1.0f / (float)CHAINS);
}

template <unsigned Keys> LIN_FUNCTION float follow(unsigned key, float x, unsigned iterations) {
  switch (key % Keys) {
  case 0:
    return path<0>(x, iterations);
  case 1:
    return path<1>(x, iterations);
  case 2:
    return Keys > 2 ? path<2>(x, iterations) : x;
  case 3:
    return Keys > 2 ? path<3>(x, iterations) : x;
  case 4:
    return Keys > 4 ? path<4>(x, iterations) : x;
  case 5:
    return Keys > 4 ? path<5>(x, iterations) : x;
  case 6:
    return Keys > 4 ? path<6>(x, iterations) : x;
  default:
    return Keys > 4 ? path<7>(x, iterations) : x;
  }
}

// What nested branches ask.
LIN_FUNCTION bool outer(unsigned chance) { return chance & 1; }
LIN_FUNCTION bool inner(unsigned chance, bool side) { return chance >> (side ? 8 : 16) & 1; }

LIN_FUNCTION float nest(bool side, bool way, float x, unsigned iterations) {
  if (side) {
    if (way)
      return path<0>(x, iterations);
    return path<1>(x, iterations);
  }
  if (way)
    return path<2>(x, iterations);
  return path<3>(x, iterations);
}

LIN_FUNCTION unsigned chanceOf(float x, unsigned turn) { return lin_mix(lin_bits(x) + turn) >> 4; }

// `Point` is called with the key, in front of the paths.
template <unsigned Keys, shape Shape, typename Point = lin_stays>
LIN_FUNCTION unsigned plainly(unsigned word, unsigned rounds, Point point = {}) {
  float x = lin_unit(word);
#pragma unroll 1
  for (unsigned turn = 0; turn < rounds >> 16; turn++) {
    unsigned chance = chanceOf(x, turn), iterations = rounds & 0xffff;
    bool side = outer(chance), way = inner(chance, side);
    point(Shape == flat ? chance % Keys : side * 2u + way);
    if (Shape == flat)
      x = follow<Keys>(chance % Keys, x, iterations);
    else
      x = nest(side, way, x, iterations);
  }
  return lin_bits(x);
}

// Keys of threads that stand in order.
//   pure    each warp has one
//   border  as behind a round, with equally frequent keys: each begins in the middle of a warp
enum standing { pure, border };

template <unsigned Keys, unsigned Block, standing Standing>
LIN_FUNCTION unsigned standingKey(unsigned thread) {
  unsigned self = thread % Block;
  if (Standing == pure)
    return self / 32 % Keys;
  return self < Block - 16 ? (self + 16) / (Block / Keys) : Keys - 1;
}

// In front of a path, threads `wait`.
template <unsigned Keys, unsigned Block, standing Standing, typename Wait>
LIN_FUNCTION unsigned inOrder(unsigned word, unsigned rounds, unsigned thread, Wait wait) {
  float x = lin_unit(word);
#pragma unroll 1
  for (unsigned turn = 0; turn < rounds >> 16; turn++) {
    wait();
    x = follow<Keys>(standingKey<Keys, Block, Standing>(thread), x, rounds & 0xffff);
  }
  return lin_bits(x);
}

#ifdef LIN_HOST

#define REFERENCE(shape, keys)                                                                     \
  extern "C" void shape##keys(const unsigned *words, unsigned mask, unsigned rounds,               \
                              unsigned *out, unsigned threads) {                                   \
    for (unsigned thread = 0; thread < threads; thread++)                                          \
      out[thread] = plainly<keys, shape>(words[thread & mask], rounds);                            \
  }

REFERENCE(flat, 2)
REFERENCE(flat, 4)
REFERENCE(flat, 8)
REFERENCE(nested, 4)

#define STANDING(keys, block, standing)                                                            \
  extern "C" void flat##keys##_##block##_##standing(                                               \
      const unsigned *words, unsigned mask, unsigned rounds, unsigned *out, unsigned threads) {    \
    for (unsigned thread = 0; thread < threads; thread++)                                          \
      out[thread] =                                                                                \
          inOrder<keys, block, standing>(words[thread & mask], rounds, thread, lin_stays());       \
  }
#define ALL_STANDING(block)                                                                        \
  STANDING(2, block, pure)                                                                         \
  STANDING(2, block, border)                                                                       \
  STANDING(4, block, pure)                                                                         \
  STANDING(4, block, border)                                                                       \
  STANDING(8, block, pure)                                                                         \
  STANDING(8, block, border)

ALL_STANDING(256)
ALL_STANDING(1024)

#else

// What barriers cost that are in a round, without the round.
template <unsigned Times> struct barriers {
  __host__ __device__ void operator()() const {
#ifdef __CUDA_ARCH__
    for (unsigned i = 0; i < Times; i++)
      __syncthreads();
#endif
  }
};

// A round: the thread goes on with the work of another, and with its key.
template <unsigned Block, typename How> struct rounds_of {
  using moving = regroup::mover<Block, 2, 2>;

  struct shared {
    typename How::shared places;
    typename moving::shared work;
  };

  static __device__ __forceinline__ void regroup(shared &memory, unsigned rotated, float *x,
                                                 unsigned *self, unsigned *key) {
    regroup::result found = How::find(memory.places, *key, rotated);
    if (!found.moves)
      return;
    unsigned state[2] = {lin_bits(*x), *self | *key << 16};
    moving::move(memory.work, state, How::Gathers, found.place);
    *x = lin_from_bits(state[0]);
    *self = state[1] & 0xffff;
    *key = state[1] >> 16;
  }
};

template <unsigned Keys, shape Shape, unsigned Block, typename How, bool Rotates>
static __device__ __forceinline__ void byHand(lin_input in, unsigned rounds, unsigned *out) {
  using round = rounds_of<Block, How>;
  __shared__ typename round::shared memory;
  unsigned first = blockIdx.x * Block, self = threadIdx.x;
  unsigned rotated = Rotates ? regroup::rotation() : 0;
  float x = lin_unit(in[first + self]);
#pragma unroll 1
  for (unsigned turn = 0; turn < rounds >> 16; turn++) {
    unsigned chance = chanceOf(x, turn), iterations = rounds & 0xffff;
    bool side = outer(chance);
    unsigned key = Shape == flat ? chance % Keys : side * 2 + inner(chance, side);
    round::regroup(memory, rotated, &x, &self, &key);
    if (Shape == flat)
      x = follow<Keys>(key, x, iterations);
    else
      x = nest(key >> 1, key & 1, x, iterations);
  }
  out[first + self] = lin_bits(x);
}

#define KERNEL(name, block)                                                                        \
  extern "C" __global__ void __launch_bounds__(block, 2048 / block)                                \
      name(const unsigned *words, unsigned mask, unsigned rounds, unsigned *out, unsigned,         \
           const unsigned *)

#define PLAIN(keys, shape, block)                                                                  \
  KERNEL(shape##keys##_##block##_plain, block) {                                                   \
    unsigned self = blockIdx.x * block + threadIdx.x;                                              \
    out[self] = plainly<keys, shape>(lin_input{words, mask}[self], rounds);                        \
  }

template <unsigned Bits> struct by_path {
  __host__ __device__ void operator()(unsigned key) const { linearize_reorder(key, Bits); }
};

#define POINT(keys, bits, shape, block)                                                            \
  KERNEL(shape##keys##_##block##_point, block) {                                                   \
    unsigned self = blockIdx.x * block + threadIdx.x;                                              \
    out[self] =                                                                                    \
        plainly<keys, shape>(lin_input{words, mask}[self], rounds, by_path<bits>{});               \
  }

#define STANDING(keys, block, name, standing, ...)                                                 \
  KERNEL(flat##keys##_##block##_##name, block) {                                                   \
    unsigned self = blockIdx.x * block + threadIdx.x;                                              \
    out[self] =                                                                                    \
        inOrder<keys, block, standing>(lin_input{words, mask}[self], rounds, self, __VA_ARGS__()); \
  }

#define BY_HAND(keys, shape, block, name, rotates, ...)                                            \
  KERNEL(shape##keys##_##block##_##name, block) {                                                  \
    byHand<keys, shape, block, __VA_ARGS__, rotates>(lin_input{words, mask}, rounds, out);         \
  }

using namespace regroup;

#define MIXED(block, keys, order) votes<block, keys, by_bits, None, order>

#define VOTES(keys, shape, block)                                                                  \
  PLAIN(keys, shape, block)                                                                        \
  BY_HAND(keys, shape, block, votes, false, votes<block, keys>)                                    \
  BY_HAND(keys, shape, block, first, true, MIXED(block, keys, mixed_first))

#define ALL(keys, block)                                                                           \
  VOTES(keys, flat, block)                                                                         \
  BY_HAND(keys, flat, block, skips, false, votes<block, keys, by_bits, 0>)                         \
  BY_HAND(keys, flat, block, match, false, votes<block, keys, by_match>)                           \
  BY_HAND(keys, flat, block, dgi16, false, dgi<block, keys, 16>)                                   \
  STANDING(keys, block, pure, pure, lin_stays)                                                     \
  STANDING(keys, block, border, border, lin_stays)                                                 \
  STANDING(keys, block, border_waits1, border, barriers<1>)                                        \
  STANDING(keys, block, border_waits2, border, barriers<2>)

#define EVERY(block)                                                                               \
  ALL(2, block)                                                                                    \
  BY_HAND(2, flat, block, hot, false, hot<block, 2>)                                               \
  ALL(4, block)                                                                                    \
  ALL(8, block)                                                                                    \
  BY_HAND(4, flat, block, ordered_first, true, MIXED(block, 4, best_first))                        \
  BY_HAND(8, flat, block, ordered_first, true, MIXED(block, 8, best_first))                        \
  VOTES(4, nested, block)

#define POINTS(block)                                                                              \
  POINT(2, 1, flat, block)                                                                         \
  POINT(4, 2, flat, block)                                                                         \
  POINT(8, 3, flat, block)                                                                         \
  POINT(4, 2, nested, block)

#ifdef REGROUP_POINTS
POINTS(256)
POINTS(1024)
#else
EVERY(256)
EVERY(1024)
#endif

#endif
