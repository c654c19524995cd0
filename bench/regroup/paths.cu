// The micro-benchmark of Lin, Wang and Liu (ACM TACO 15(3), 39, 2018), section 4.2: paths of the
// same 24 instructions in different orders, as often as `iterations` says, of which each thread
// takes one, by chance; next to nothing else. Plain, and regrouped by hand in front of the paths.
//
// `rounds` is turns << 16 | iterations: each turn has keys of its own. A thread's result depends on
// in[thread] alone. Blocks are full.
//
// What can be gained at most is measured by threads that stand in order from the beginning: without
// rounds, and without warps of several keys, or with as many as there are behind a round.
#include "../threads/thread.cuh"
#include "regroup.cuh"

// Which paths there are.
//   flat        Keys of them, by one condition
//   nested      four, behind two layers of branches; both conditions are known in front of them
//   dependent   the same, but each side of the outer branch does half of the work before it knows
//               the inner condition
enum shape { flat, nested, dependent };

// Path number P: instructions on Chains values that know nothing of each other.
template <unsigned P, unsigned Chains> LIN_FUNCTION float path(float x, unsigned iterations) {
  constexpr unsigned Steps[8] = {1, 5, 7, 11, 13, 17, 19, 23}; // none has a divisor of 24
  float chain[Chains];
  for (unsigned c = 0; c < Chains; c++)
    chain[c] = x * (1.0f + 0.125f * (float)c);
#pragma unroll 1
  for (unsigned i = 0; i < iterations; i++) {
#pragma unroll
    for (unsigned at = 0; at < 24; at++) {
      unsigned which = (at * Steps[P] + 5 * P) % 24;
      float &y = chain[at / 2 % Chains];
      if (which % 2)
        y += 0.01f * ((float)(which / 2 % 8) - 3.5f);
      else
        y *= 1.0f + (float)(int)(which % 8 - 3) * 0x1p-18f;
    }
  }
  float sum = chain[0];
  for (unsigned c = 1; c < Chains; c++)
    sum += chain[c];
  return sum * (1.0f / (float)Chains);
}

template <unsigned Keys, unsigned Chains>
LIN_FUNCTION float follow(unsigned key, float x, unsigned iterations) {
  switch (key % Keys) {
  case 0:
    return path<0, Chains>(x, iterations);
  case 1:
    return path<1, Chains>(x, iterations);
  case 2:
    return Keys > 2 ? path<2, Chains>(x, iterations) : x;
  case 3:
    return Keys > 2 ? path<3, Chains>(x, iterations) : x;
  case 4:
    return Keys > 4 ? path<4, Chains>(x, iterations) : x;
  case 5:
    return Keys > 4 ? path<5, Chains>(x, iterations) : x;
  case 6:
    return Keys > 4 ? path<6, Chains>(x, iterations) : x;
  default:
    return Keys > 4 ? path<7, Chains>(x, iterations) : x;
  }
}

// What nested branches ask.
LIN_FUNCTION bool outer(unsigned chance) { return chance & 1; }
LIN_FUNCTION bool inner(unsigned chance, bool side) { return chance >> (side ? 8 : 16) & 1; }

template <unsigned Chains>
LIN_FUNCTION float nest(bool side, bool way, float x, unsigned iterations) {
  if (side) {
    if (way)
      return path<0, Chains>(x, iterations);
    return path<1, Chains>(x, iterations);
  }
  if (way)
    return path<2, Chains>(x, iterations);
  return path<3, Chains>(x, iterations);
}

template <unsigned Chains> LIN_FUNCTION float half(bool side, float x, unsigned iterations) {
  if (side)
    return path<4, Chains>(x, iterations / 2);
  return path<5, Chains>(x, iterations / 2);
}

LIN_FUNCTION unsigned chanceOf(float x, unsigned turn) { return lin_mix(lin_bits(x) + turn) >> 4; }

template <unsigned Keys, unsigned Chains, shape Shape>
LIN_FUNCTION unsigned plainly(unsigned word, unsigned rounds) {
  float x = lin_unit(word);
#pragma unroll 1
  for (unsigned turn = 0; turn < rounds >> 16; turn++) {
    unsigned chance = chanceOf(x, turn), iterations = rounds & 0xffff;
    if (Shape == flat) {
      x = follow<Keys, Chains>(chance % Keys, x, iterations);
      continue;
    }
    bool side = outer(chance);
    if (Shape == dependent) {
      x = half<Chains>(side, x, iterations);
      chance = chanceOf(x, turn);
      iterations /= 2;
    }
    x = nest<Chains>(side, inner(chance, side), x, iterations);
  }
  return lin_bits(x);
}

// Keys of threads that stand in order.
//   pure    each warp has one
//   border  as behind a round, with equally frequent keys: each begins in the middle of a warp
//   spread  the same, but warps with two keys stand side by side, other ones in each of four blocks
enum standing { pure, border, spread };

template <unsigned Keys, unsigned Block, standing Standing>
LIN_FUNCTION unsigned standingKey(unsigned thread) {
  unsigned self = thread % Block, warp = self / 32, half = self / 16 % 2;
  if (Standing == pure)
    return warp % Keys;
  if (Standing == border)
    return self < Block - 16 ? (self + 16) / (Block / Keys) : Keys - 1;
  warp = (warp + 3 * lin_mix(thread / Block % 64)) % (Block / 32); // inputs repeat
  return warp < Keys - 1 ? warp + half : warp % Keys;
}

template <unsigned Keys, unsigned Chains, unsigned Block, standing Standing>
LIN_FUNCTION unsigned inOrder(unsigned word, unsigned rounds, unsigned thread) {
  float x = lin_unit(word);
#pragma unroll 1
  for (unsigned turn = 0; turn < rounds >> 16; turn++)
    x = follow<Keys, Chains>(standingKey<Keys, Block, Standing>(thread), x, rounds & 0xffff);
  return lin_bits(x);
}

// What stands in order, by a macro of these.
#define STANDING_IN(what, block)                                                                   \
  what(2, block, pure) what(2, block, border) what(2, block, spread) what(4, block, pure)          \
      what(4, block, border) what(4, block, spread) what(8, block, pure) what(8, block, border)    \
          what(8, block, spread)

#ifdef LIN_HOST

#define REFERENCE(name, keys, chains, shape)                                                       \
  extern "C" void name(const unsigned *words, unsigned mask, unsigned rounds, unsigned *out,       \
                       unsigned threads) {                                                         \
    for (unsigned thread = 0; thread < threads; thread++)                                          \
      out[thread] = plainly<keys, chains, shape>(words[thread & mask], rounds);                    \
  }

REFERENCE(flat2_1, 2, 1, flat)
REFERENCE(flat2_4, 2, 4, flat)
REFERENCE(flat4_1, 4, 1, flat)
REFERENCE(flat4_4, 4, 4, flat)
REFERENCE(flat8_1, 8, 1, flat)
REFERENCE(flat8_4, 8, 4, flat)
REFERENCE(nested4_4, 4, 4, nested)
REFERENCE(dependent4_4, 4, 4, dependent)

#define STANDING_REFERENCE(keys, block, standing)                                                  \
  extern "C" void flat##keys##_4_##block##_##standing(                                             \
      const unsigned *words, unsigned mask, unsigned rounds, unsigned *out, unsigned threads) {    \
    for (unsigned thread = 0; thread < threads; thread++)                                          \
      out[thread] = inOrder<keys, 4, block, standing>(words[thread & mask], rounds, thread);       \
  }

STANDING_IN(STANDING_REFERENCE, 256)
STANDING_IN(STANDING_REFERENCE, 1024)

#else

enum rotates { never, by_block, by_round, by_place };

// A round: the thread goes on with the work of another, and with its key.
template <unsigned Block, typename How, rotates Rotates> struct rounds_of {
  using moving = regroup::mover<Block, 2, 2>;

  struct shared {
    typename How::shared places;
    typename moving::shared work;
    regroup::by_slot<Block> slot;
  };

  static __device__ __forceinline__ void regroup(shared &memory, unsigned turn, float *x,
                                                 unsigned *self, unsigned *key) {
    unsigned by = Rotates == never      ? 0
                  : Rotates == by_place ? memory.slot.rotated
                                        : regroup::rotation(Rotates == by_round ? turn : 0);
    regroup::result found = How::find(memory.places, *key, by);
    if (!found.moves)
      return;
    unsigned state[2] = {lin_bits(*x), *self | *key << 16};
    moving::move(memory.work, state, How::Gathers, found.place);
    *x = lin_from_bits(state[0]);
    *self = state[1] & 0xffff;
    *key = state[1] >> 16;
  }
};

template <unsigned Keys, unsigned Chains, shape Shape, unsigned Block, typename How,
          rotates Rotates>
static __device__ __forceinline__ void byHand(lin_input in, unsigned rounds, unsigned *out) {
  using round = rounds_of<Block, How, Rotates>;
  __shared__ typename round::shared memory;
  unsigned first = blockIdx.x * Block, self = threadIdx.x;
  if (Rotates == by_place) {
    memory.slot.ask();
    __syncthreads();
  }
  float x = lin_unit(in[first + self]);
#pragma unroll 1
  for (unsigned turn = 0; turn < rounds >> 16; turn++) {
    unsigned chance = chanceOf(x, turn), iterations = rounds & 0xffff;
    if (Shape == flat) {
      unsigned key = chance % Keys;
      round::regroup(memory, turn, &x, &self, &key);
      x = follow<Keys, Chains>(key, x, iterations);
      continue;
    }
    bool side = outer(chance);
    unsigned key = side * 2 + inner(chance, side);
    if (Shape == dependent) {
      key = side * 2; // two of the four keys
      round::regroup(memory, 2 * turn, &x, &self, &key);
      side = key >> 1;
      x = half<Chains>(side, x, iterations);
      chance = chanceOf(x, turn);
      iterations /= 2;
      key = side * 2 + inner(chance, side);
    }
    round::regroup(memory, 2 * turn + 1, &x, &self, &key);
    x = nest<Chains>(key >> 1, key & 1, x, iterations);
  }
  out[first + self] = lin_bits(x);
}

#define PLAIN(keys, chains, shape, block)                                                          \
  extern "C" __global__ void __launch_bounds__(block, 2048 / block)                                \
      shape##keys##_##chains##_##block##_plain(const unsigned *words, unsigned mask,               \
                                               unsigned rounds, unsigned *out, unsigned,           \
                                               const unsigned *) {                                 \
    unsigned self = blockIdx.x * block + threadIdx.x;                                              \
    out[self] = plainly<keys, chains, shape>(lin_input{words, mask}[self], rounds);                \
  }

#define STANDING_KERNEL(keys, block, standing)                                                     \
  extern "C" __global__ void __launch_bounds__(block, 2048 / block)                                \
      flat##keys##_4_##block##_##standing(const unsigned *words, unsigned mask, unsigned rounds,   \
                                          unsigned *out, unsigned, const unsigned *) {             \
    unsigned self = blockIdx.x * block + threadIdx.x;                                              \
    out[self] = inOrder<keys, 4, block, standing>(lin_input{words, mask}[self], rounds, self);     \
  }

#define BY_HAND(keys, chains, shape, block, name, rotates, ...)                                    \
  extern "C" __global__ void __launch_bounds__(block, 2048 / block)                                \
      shape##keys##_##chains##_##block##_##name(const unsigned *words, unsigned mask,              \
                                                unsigned rounds, unsigned *out, unsigned,          \
                                                const unsigned *) {                                \
    byHand<keys, chains, shape, block, __VA_ARGS__, rotates>(lin_input{words, mask}, rounds, out); \
  }

using namespace regroup;

#define VOTES(keys, chains, shape, block)                                                          \
  PLAIN(keys, chains, shape, block)                                                                \
  BY_HAND(keys, chains, shape, block, votes, never, votes<block, keys>)                            \
  BY_HAND(keys, chains, shape, block, rotated, by_block, votes<block, keys>)                       \
  BY_HAND(keys, chains, shape, block, placed, by_place, votes<block, keys>)                        \
  BY_HAND(keys, chains, shape, block, first, by_place, MIXED(block, keys, mixed_first))            \
  BY_HAND(keys, chains, shape, block, first_chance, by_block, MIXED(block, keys, mixed_first))     \
  BY_HAND(keys, chains, shape, block, last, by_place, MIXED(block, keys, mixed_last))

#define MIXED(block, keys, order) votes<block, keys, by_bits, None, order>

#define ALL(keys, block)                                                                           \
  VOTES(keys, 1, flat, block)                                                                      \
  VOTES(keys, 4, flat, block)                                                                      \
  BY_HAND(keys, 4, flat, block, rounds, by_round, votes<block, keys>)                              \
  BY_HAND(keys, 4, flat, block, skips, by_round, votes<block, keys, by_bits, 0>)                   \
  BY_HAND(keys, 4, flat, block, ballots, by_round, votes<block, keys, by_keys>)                    \
  BY_HAND(keys, 4, flat, block, match, by_round, votes<block, keys, by_match>)                     \
  BY_HAND(keys, 4, flat, block, dgi4, by_round, dgi<block, keys, 4>)                               \
  BY_HAND(keys, 4, flat, block, dgi8, by_round, dgi<block, keys, 8>)                               \
  BY_HAND(keys, 4, flat, block, dgi16, by_round, dgi<block, keys, 16>)                             \
  BY_HAND(keys, 4, flat, block, dgi32, by_round, dgi<block, keys, 32>)                             \
  BY_HAND(keys, 4, flat, block, dgi64, by_round, dgi<block, keys, 64>)

#define EVERY(block)                                                                               \
  ALL(2, block)                                                                                    \
  BY_HAND(2, 4, flat, block, hot, never, hot<block, 2>)                                            \
  BY_HAND(2, 4, flat, block, hot_rotated, by_round, hot<block, 2>)                                 \
  ALL(4, block)                                                                                    \
  ALL(8, block)                                                                                    \
  BY_HAND(4, 4, flat, block, ordered, by_place, MIXED(block, 4, best_order))                       \
  BY_HAND(4, 4, flat, block, ordered_first, by_place, MIXED(block, 4, best_first))                 \
  BY_HAND(8, 4, flat, block, ordered, by_place, MIXED(block, 8, best_order))                       \
  BY_HAND(8, 4, flat, block, ordered_first, by_place, MIXED(block, 8, best_first))                 \
  VOTES(4, 4, nested, block)                                                                       \
  VOTES(4, 4, dependent, block)

#ifndef REGROUP_NO_KERNELS
EVERY(256)
EVERY(1024)
STANDING_IN(STANDING_KERNEL, 256)
STANDING_IN(STANDING_KERNEL, 1024)
#endif

#endif
