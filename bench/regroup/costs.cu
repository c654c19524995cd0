// What a round costs: nothing but rounds, each with keys of its own; and the same without them.
//
// `rounds` says how many. A thread's result depends on in[thread] alone. Blocks are full.
#include "../threads/thread.cuh"
#include "regroup.cuh"

LIN_FUNCTION unsigned wordOf(lin_input in, unsigned thread, unsigned number) {
  return in[thread + number * 977];
}

#ifdef LIN_HOST

template <unsigned Words> static unsigned alone(lin_input in, unsigned thread, unsigned rounds) {
  unsigned first = wordOf(in, thread, 0), all = 0;
  for (unsigned round = 0; round < rounds; round++)
    first = lin_mix(first + round);
  for (unsigned i = 1; i < Words; i++)
    all = all * 3 + wordOf(in, thread, i);
  return first ^ all;
}

#define REFERENCE(count)                                                                           \
  extern "C" void words##count(const unsigned *words, unsigned mask, unsigned rounds,              \
                               unsigned *out, unsigned threads) {                                  \
    for (unsigned thread = 0; thread < threads; thread++)                                          \
      out[thread] = alone<count>(lin_input{words, mask}, thread, rounds);                          \
  }
REFERENCE(2)
REFERENCE(8)
REFERENCE(16)
REFERENCE(32)

#else

using namespace regroup;

// Keys by chance, or threads that stand in order.
enum keys { random_keys, sorted_keys };

// One word of the state is the thread's number.
template <unsigned Block, unsigned Keys, unsigned Words, typename How, typename Moving, keys Which>
static __device__ __forceinline__ void costs(lin_input in, unsigned rounds, unsigned *out) {
  __shared__ typename How::shared places;
  __shared__ typename Moving::shared work;
  unsigned state[Words], first = blockIdx.x * Block;
  state[0] = wordOf(in, first + threadIdx.x, 0);
#pragma unroll
  for (unsigned i = 1; i < Words - 1; i++)
    state[i] = wordOf(in, first + threadIdx.x, i);
  state[Words - 1] = threadIdx.x;
  unsigned rotated = rotation();
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    state[0] = lin_mix(state[0] + round);
    unsigned key =
        Which == random_keys ? state[0] >> 4 & (Keys - 1) : state[Words - 1] / (Block / Keys);
    result found = How::find(places, key, rotated);
    if (found.moves)
      Moving::move(work, state, How::Gathers, found.place);
  }
  unsigned all = 0, thread = first + state[Words - 1];
#pragma unroll
  for (unsigned i = 1; i < Words - 1; i++)
    all = all * 3 + state[i];
  out[thread] = state[0] ^ (all * 3 + wordOf(in, thread, Words - 1));
}

// A round that isn't one.
struct nothing {
  static constexpr bool Gathers = false;
  struct shared {};
  static __device__ __forceinline__ result find(shared &, unsigned, unsigned) {
    return {threadIdx.x, false, false};
  }
};

// As many registers as much work needs: with 16 words or more, half as many blocks.
#define COST(name, block, keys, count, width, at_once, which, ...)                                 \
  extern "C" __global__ void __launch_bounds__(block, (count > 8 ? 1024 : 2048) / block)           \
      words##count##_##name##_##keys##_##width##_##at_once##_##block(                              \
          const unsigned *in, unsigned mask, unsigned rounds, unsigned *out, unsigned,             \
          const unsigned *) {                                                                      \
    costs<block, keys, count, __VA_ARGS__, mover<block, count, width, at_once>, which>(            \
        lin_input{in, mask}, rounds, out);                                                         \
  }

#define MIXED(block, keys, order) votes<block, keys, by_bits, None, order>
#define SIZES(keys)                                                                                \
  COST(votes, 256, keys, 2, 2, 2, random_keys, votes<256, keys>)                                   \
  COST(votes, 256, keys, 8, 4, 8, random_keys, votes<256, keys>)                                   \
  COST(votes, 256, keys, 16, 4, 16, random_keys, votes<256, keys>)                                 \
  COST(votes, 256, keys, 32, 4, 32, random_keys, votes<256, keys>)
#define BLOCK(block)                                                                               \
  COST(none, block, 8, 2, 1, 2, random_keys, nothing)                                              \
  COST(votes, block, 8, 2, 2, 2, random_keys, votes<block, 8>)                                     \
  COST(votes, block, 8, 8, 4, 8, random_keys, votes<block, 8>)                                     \
  COST(first, block, 8, 2, 2, 2, random_keys, MIXED(block, 8, mixed_first))                        \
  COST(dgi16, block, 8, 2, 2, 2, random_keys, dgi<block, 8, 16>)                                   \
  COST(hot, block, 2, 2, 2, 2, random_keys, hot<block, 2>)

SIZES(2)
SIZES(4)
SIZES(8)
SIZES(16)
SIZES(32)
BLOCK(128)
BLOCK(512)
BLOCK(1024)
COST(none, 256, 8, 2, 1, 2, random_keys, nothing)
COST(votes, 256, 8, 8, 1, 8, random_keys, votes<256, 8>)
COST(votes, 256, 8, 32, 4, 8, random_keys, votes<256, 8>)
COST(votes, 256, 8, 32, 4, 4, random_keys, votes<256, 8>)
COST(skips, 256, 8, 8, 4, 8, random_keys, votes<256, 8, by_bits, 0>)
COST(sorted_skips, 256, 8, 8, 4, 8, sorted_keys, votes<256, 8, by_bits, 0>)
COST(first, 256, 2, 2, 2, 2, random_keys, MIXED(256, 2, mixed_first))
COST(first, 256, 4, 2, 2, 2, random_keys, MIXED(256, 4, mixed_first))
COST(first, 256, 8, 2, 2, 2, random_keys, MIXED(256, 8, mixed_first))
COST(ordered_first, 256, 8, 2, 2, 2, random_keys, MIXED(256, 8, best_first))
COST(match, 256, 2, 2, 2, 2, random_keys, votes<256, 2, by_match>)
COST(match, 256, 8, 2, 2, 2, random_keys, votes<256, 8, by_match>)
COST(match, 256, 32, 2, 2, 2, random_keys, votes<256, 32, by_match>)
COST(hot, 256, 2, 2, 2, 2, random_keys, hot<256, 2>)
COST(hot, 256, 2, 8, 4, 8, random_keys, hot<256, 2>)
COST(dgi16, 256, 2, 2, 2, 2, random_keys, dgi<256, 2, 16>)
COST(dgi16, 256, 8, 2, 2, 2, random_keys, dgi<256, 8, 16>)

#endif
