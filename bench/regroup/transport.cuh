// A turn of the transports of bench/threads: a flight. At the point in front of it, threads change
// places by what they are in, and by the energy.
//
// Seven words move. The stack of those that were born stays where it is; all are born with the same
// energy, so it is their places alone. Of what is born of a particle three times at most, each time
// two of which one flies at once, four wait at most.
//
//     struct physics {                of bench/threads/transport.cuh, and
//       Kinds, kind(material, energy)     the key
//     };
#ifndef BENCH_REGROUP_TRANSPORT_CUH
#define BENCH_REGROUP_TRANSPORT_CUH

#include "../../include/linearize/reorder.h"
#include "../threads/transport.cuh"
#include "turns.cuh"

// In the program as it is: the point.
template <typename Keys, unsigned Bits> struct by_kind {
  template <typename Energy>
  __host__ __device__ void operator()(unsigned material, Energy e) const {
    linearize_reorder(Keys::kind(material, e), Bits);
  }
};

#ifndef LIN_HOST

namespace regroup {

template <typename Physics, typename Keys> struct transport {
  static constexpr unsigned Kinds = Keys::Kinds, Words = 7, Most = 4, Kept = 2 * Most;

  neutron n;
  tallies t;
  typename Physics::energy e;
  unsigned depth, generation, particle;
  bool fliesOn;

  __device__ __forceinline__ void begin(unsigned thread, kept_words) {
    n.random.state = lin_mix(thread + 77);
    t = {};
    e = Physics::born();
    n.x = n.y = 0.0f;
    depth = generation = particle = 0;
    fliesOn = false;
  }
  __device__ __forceinline__ bool isOver(unsigned rounds, kept_words) const {
    return !fliesOn && depth == 0 && particle == rounds;
  }
  __device__ __forceinline__ unsigned result(kept_words) const { return t.word(); }

  __device__ __forceinline__ unsigned before(lin_input, unsigned, kept_words places) {
    if (!fliesOn) {
      fliesOn = true;
      e = Physics::born();
      if (depth == 0) {
        particle++;
        generation = 0;
        ::begin(&n);
      } else {
        depth--;
        n.x = lin_from_bits(places[2 * depth]);
        n.y = lin_from_bits(places[2 * depth + 1]);
      }
    }
    return Keys::kind(material_at(n.x, n.y), e);
  }

  __device__ __forceinline__ void behind(lin_input in, kept_words places) {
    bool splits;
    fliesOn = flies<Physics>(in, material_at(n.x, n.y), &n, &e, &t, &splits);
    if (!splits)
      return;
    generation = generation < 7 ? generation + 1 : 7; // nothing is born of those over 3
    if (generation < 4)
      for (unsigned more = 0; more < 2; more++) {
        places[2 * depth] = lin_bits(n.x);
        places[2 * depth + 1] = lin_bits(n.y);
        depth++;
      }
  }

  // Small numbers: of 11, 4, 3, 1 and 13 bits; of 12, 10 and 10, as up to 127 rounds have: a particle
  // and those born of it end in 8 places at most.
  __device__ __forceinline__ void store(unsigned (&state)[Words], unsigned self) const {
    state[0] = lin_bits(n.x), state[1] = lin_bits(n.y), state[2] = lin_bits(t.sum);
    state[3] = n.random.state;
    state[4] = self | depth << 11 | generation << 15 | fliesOn << 18 | particle << 19;
    state[5] = t.captured << 20 | t.left << 10 | t.split;
    __builtin_memcpy(&state[6], &e, sizeof e);
  }
  __device__ __forceinline__ void load(const unsigned (&state)[Words], unsigned *self) {
    n.x = lin_from_bits(state[0]), n.y = lin_from_bits(state[1]);
    t.sum = lin_from_bits(state[2]);
    n.random.state = state[3];
    *self = state[4] & 0x7ff, depth = state[4] >> 11 & 15, generation = state[4] >> 15 & 7;
    fliesOn = state[4] >> 18 & 1, particle = state[4] >> 19;
    t.captured = state[5] >> 20, t.left = state[5] >> 10 & 1023, t.split = state[5] & 1023;
    __builtin_memcpy(&e, &state[6], sizeof e);
  }
};

} // namespace regroup

#endif
#endif
