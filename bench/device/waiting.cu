// Threads of one warp that wait for each other, inside unstructured control flow.
//
// Linearized code runs the arms of a branch one behind the other, so a thread that waits for one in
// the other arm needs the hardware to let both make progress: from sm_70 on it does (ALGORITHM of
// the design; scripts/bench gpu --run shows it). Below sm_70 the pass leaves these regions alone.
//
// Every wait is `*_sync` with the full mask, which all threads reach in whatever arm they are, or a
// spin with a deadline: when it is over, the thread reports that in out[threads] and goes on, so
// that a kernel ends even where a thread starves. All conditions come from memory.
//
// Progress is not for nothing: a diverged warp changes over to its other threads at a YIELD, which
// ptxas puts into loops, but not into all of them. On an H200 nvcc 13.0's wait_spin as written has
// none, and the pilot starves while the others spin; linearized, every spin got one.
//
// Threads of a warp depend on each other, so the CPU's reference is no loop over threads: each
// kernel has its own, warp by warp, in the second half of this file (compiled with -x c++).
#include "linearize_device.h"

enum { LANES = 32, WARPS = 4, DEADLINE = 1 << 28 };

LIN_FUNCTION bool bit(lin_input in, unsigned x, unsigned n) { return in[x + n] >> n & 1; }

// Figure 1's short circuit.
#define SHORT_CIRCUIT(x) ((bit(in, x, 1) || bit(in, x, 2)) && bit(in, x, 3))

#ifndef LIN_HOST

#define ALL 0xffffffffu

struct place {
  unsigned thread, lane, warp;
};

static __device__ __forceinline__ place here() {
  return {blockIdx.x * blockDim.x + threadIdx.x, threadIdx.x % LANES, threadIdx.x / LANES};
}

// A thread that waits gives up after 2^28 cycles of its life, a seventh of a second.
struct patience {
  long long start = clock64();
  __device__ __forceinline__ bool over() { return clock64() - start > DEADLINE; }
};

// WAITING(name) { ... }: x is the thread's value, updated once a round.
#define WAITING(name)                                                                              \
  static __device__ __forceinline__ unsigned name##_body(lin_input in, place at, unsigned rounds,  \
                                                         unsigned *starved);                       \
  extern "C" __global__ void name(const unsigned *words, unsigned mask, unsigned rounds,           \
                                  unsigned *out, unsigned threads) {                               \
    place at = here();                                                                             \
    out[at.thread] = name##_body(lin_input{words, mask}, at, rounds, out + threads);               \
  }                                                                                                \
  static __device__ __forceinline__ unsigned name##_body(lin_input in, place at, unsigned rounds,  \
                                                         unsigned *starved)

// A barrier in both arms: what the other threads wrote before it is seen after it.
WAITING(wait_syncwarp) {
  __shared__ unsigned slots[WARPS][LANES];
  unsigned *slot = slots[at.warp], x = lin_mix(at.thread);
  for (unsigned round = 0; round < rounds; round++) {
    slot[at.lane] = x;
    if (SHORT_CIRCUIT(x)) {
      x += lin_mix(in[x]);
      __syncwarp();
      x ^= slot[(at.lane + 1) % LANES];
    } else {
      x ^= in[x >> 7] * 3;
      __syncwarp();
      x += slot[at.lane ^ 5];
    }
    __syncwarp();
    x = lin_mix(x) + round;
  }
  return x;
}

WAITING(wait_shuffle) {
  unsigned x = lin_mix(at.thread);
  for (unsigned round = 0; round < rounds; round++) {
    if (SHORT_CIRCUIT(x))
      x += lin_mix(__shfl_sync(ALL, x, (at.lane + 5) % LANES));
    else
      x ^= __shfl_sync(ALL, x ^ in[x >> 5], at.lane ^ 9) * 3;
    x = lin_mix(x) + round;
  }
  return x;
}

WAITING(wait_reduce) {
  unsigned x = lin_mix(at.thread);
  for (unsigned round = 0; round < rounds; round++) {
    if (SHORT_CIRCUIT(x))
      x += lin_mix(__reduce_add_sync(ALL, x & 0xffff));
    else
      x ^= __reduce_add_sync(ALL, x >> 16 ^ in[x]) * 5;
    x = lin_mix(x) + round;
  }
  return x;
}

WAITING(wait_vote) {
  unsigned x = lin_mix(at.thread);
  for (unsigned round = 0; round < rounds; round++) {
    if (SHORT_CIRCUIT(x))
      x += lin_mix(__ballot_sync(ALL, x & 1));
    else
      x ^= __ballot_sync(ALL, in[x >> 6] & 2) * 3;
    x = lin_mix(x) + round;
  }
  return x;
}

// One arm spins until the pilot, a thread in the other arm, releases it. The spin has two exits:
// the pilot's value is taken, or refused, and then the tail is shared with the other arm.
WAITING(wait_spin) {
  __shared__ volatile unsigned flags[WARPS], values[WARPS];
  volatile unsigned *flag = &flags[at.warp], *value = &values[at.warp];
  unsigned x = lin_mix(at.thread);
  patience patience;
  *flag = 0;
  __syncwarp();
  for (unsigned round = 0; round < rounds; round++) {
    unsigned pilot = in[at.thread / LANES + round * 7] % LANES, accepted = 2 * round + 2;
    if ((bit(in, x, 1) || bit(in, x, 2)) && at.lane != pilot) {
      for (;;) {
        unsigned seen = *flag;
        if (seen == accepted)
          break;
        if (seen == accepted + 1)
          goto tail;
        if (patience.over()) {
          *starved = 1;
          goto joined;
        }
      }
      x += *value;
      goto joined;
    }
    x ^= in[x >> 3] * 9;
    if (at.lane == pilot) {
      *value = lin_mix(x);
      __threadfence_block();
      *flag = accepted + (x & 1);
    }
    if (bit(in, x, 4))
      goto joined;
  tail:
    x = lin_mix(x ^ in[x >> 6]);
  joined:
    __syncwarp();
    x = lin_mix(x) + round;
  }
  return x;
}

// A lock taken and released inside the loop: two loops, one in each arm, and one lock.
WAITING(wait_lock_inside) {
  __shared__ unsigned locks[WARPS];
  __shared__ volatile unsigned totals[WARPS];
  unsigned *lock = &locks[at.warp], x = lin_mix(at.thread);
  patience patience;
  volatile unsigned *total = &totals[at.warp];
  *lock = *total = 0;
  __syncwarp();
  for (unsigned round = 0; round < rounds; round++) {
    if (SHORT_CIRCUIT(x)) {
      for (;;) {
        if (atomicCAS(lock, 0, 1) == 0) {
          *total = *total + (x & 0xff);
          __threadfence_block();
          atomicExch(lock, 0);
          break;
        }
        if (patience.over()) {
          *starved = 1;
          break;
        }
      }
    } else {
      for (;;) {
        if (atomicCAS(lock, 0, 1) == 0) {
          *total = *total + (in[x] & 0xfff);
          __threadfence_block();
          atomicExch(lock, 0);
          break;
        }
        if (patience.over()) {
          *starved = 1;
          break;
        }
      }
    }
    __syncwarp();
    x = lin_mix(x ^ *total) + round;
    __syncwarp();
  }
  return x;
}

// The same with the lock released behind the loop: who got it leaves the loop while others spin.
WAITING(wait_lock_after) {
  __shared__ unsigned locks[WARPS];
  __shared__ volatile unsigned totals[WARPS];
  unsigned *lock = &locks[at.warp], x = lin_mix(at.thread);
  patience patience;
  volatile unsigned *total = &totals[at.warp];
  *lock = *total = 0;
  __syncwarp();
  for (unsigned round = 0; round < rounds; round++) {
    if (SHORT_CIRCUIT(x)) {
      while (atomicCAS(lock, 0, 1) != 0) {
        if (patience.over())
          goto starving;
      }
      *total = *total + (x & 0xff);
    } else {
      while (atomicCAS(lock, 0, 1) != 0) {
        if (patience.over())
          goto starving;
      }
      *total = *total + (in[x] & 0xfff);
    }
    __threadfence_block();
    atomicExch(lock, 0);
    goto joined;
  starving:
    *starved = 1;
  joined:
    __syncwarp();
    x = lin_mix(x ^ *total) + round;
    __syncwarp();
  }
  return x;
}

// Question and answer between the two threads of a pair, each in its arm, through volatile shared
// memory; their tails are shared. Nothing else keeps the warp together: pairs run freely. A message
// carries its round's tag in the low byte.
WAITING(wait_handshake) {
  __shared__ volatile unsigned boxes[WARPS][LANES];
  volatile unsigned *question = &boxes[at.warp][at.lane & ~1u], *answer = question + 1;
  unsigned x = lin_mix(at.thread), message;
  patience patience;
  boxes[at.warp][at.lane] = 0;
  __syncwarp();
  for (unsigned round = 0; round < rounds; round++) {
    unsigned tag = 1 + round % 250;
    if ((at.lane ^ in[at.thread / 2 + round * 13]) & 1) {
      *question = x << 8 | tag;
      while (((message = *answer) & 0xff) != tag) {
        if (patience.over())
          goto starving;
      }
      x += message >> 8;
      if (message & 0x100)
        goto tail;
      x ^= in[x >> 4];
    } else {
      while (((message = *question) & 0xff) != tag) {
        if (patience.over())
          goto starving;
      }
      *answer = lin_mix(message ^ x) << 8 | tag;
      x ^= (message >> 8) * 7;
      if (message & 0x100)
        goto tail;
      x += in[x >> 2] * 3;
    }
    goto joined;
  starving:
    *starved = 1;
    goto joined;
  tail:
    x = lin_mix(x ^ in[x >> 6]);
  joined:
    x = lin_mix(x) + round;
  }
  return x;
}

#else // ---- the CPU's reference, warp by warp ----------------------------------------------------

// WAITING(name) { ... } computes one round of a warp, whose values are x[0] to x[31].
#define WAITING(name)                                                                              \
  static void name##_round(lin_input in, unsigned first, unsigned round, unsigned *x,              \
                           unsigned &total);                                                       \
  extern "C" void name(const unsigned *words, unsigned mask, unsigned rounds, unsigned *out,       \
                       unsigned threads) {                                                         \
    for (unsigned first = 0; first < threads; first += LANES) {                                    \
      unsigned total = 0, *x = out + first;                                                        \
      for (unsigned lane = 0; lane < LANES; lane++)                                                \
        x[lane] = lin_mix(first + lane);                                                           \
      for (unsigned round = 0; round < rounds; round++)                                            \
        name##_round(lin_input{words, mask}, first, round, x, total);                              \
    }                                                                                              \
    out[threads] = 0;                                                                              \
  }                                                                                                \
  static void name##_round(lin_input in, [[maybe_unused]] unsigned first, unsigned round,          \
                           unsigned *x, [[maybe_unused]] unsigned &total)

// What all threads hold before anybody changes it.
struct values {
  unsigned of[LANES];
};

static values copy(const unsigned *x) {
  values old;
  __builtin_memcpy(old.of, x, sizeof old.of);
  return old;
}

static void finish(unsigned *x, unsigned round) {
  for (unsigned lane = 0; lane < LANES; lane++)
    x[lane] = lin_mix(x[lane]) + round;
}

WAITING(wait_syncwarp) {
  values slot = copy(x);
  for (unsigned lane = 0; lane < LANES; lane++) {
    unsigned v = x[lane];
    x[lane] = SHORT_CIRCUIT(v) ? (v + lin_mix(in[v])) ^ slot.of[(lane + 1) % LANES]
                               : (v ^ in[v >> 7] * 3) + slot.of[lane ^ 5];
  }
  finish(x, round);
}

WAITING(wait_shuffle) {
  values given;
  for (unsigned lane = 0; lane < LANES; lane++)
    given.of[lane] = SHORT_CIRCUIT(x[lane]) ? x[lane] : x[lane] ^ in[x[lane] >> 5];
  for (unsigned lane = 0; lane < LANES; lane++)
    x[lane] = SHORT_CIRCUIT(x[lane]) ? x[lane] + lin_mix(given.of[(lane + 5) % LANES])
                                     : x[lane] ^ given.of[lane ^ 9] * 3;
  finish(x, round);
}

WAITING(wait_reduce) {
  unsigned sum = 0;
  for (unsigned lane = 0; lane < LANES; lane++)
    sum += SHORT_CIRCUIT(x[lane]) ? x[lane] & 0xffff : x[lane] >> 16 ^ in[x[lane]];
  for (unsigned lane = 0; lane < LANES; lane++)
    x[lane] = SHORT_CIRCUIT(x[lane]) ? x[lane] + lin_mix(sum) : x[lane] ^ sum * 5;
  finish(x, round);
}

WAITING(wait_vote) {
  unsigned votes = 0;
  for (unsigned lane = 0; lane < LANES; lane++)
    if (SHORT_CIRCUIT(x[lane]) ? x[lane] & 1 : in[x[lane] >> 6] & 2)
      votes |= 1u << lane;
  for (unsigned lane = 0; lane < LANES; lane++)
    x[lane] = SHORT_CIRCUIT(x[lane]) ? x[lane] + lin_mix(votes) : x[lane] ^ votes * 3;
  finish(x, round);
}

WAITING(wait_spin) {
  unsigned pilot = in[first / LANES + round * 7] % LANES;
  unsigned released = x[pilot] ^ in[x[pilot] >> 3] * 9;
  for (unsigned lane = 0; lane < LANES; lane++) {
    bool waits = lane != pilot && (bit(in, x[lane], 1) || bit(in, x[lane], 2)), tail = released & 1;
    if (!waits) {
      x[lane] ^= in[x[lane] >> 3] * 9;
      tail = !bit(in, x[lane], 4);
    } else if (!tail) {
      x[lane] += lin_mix(released);
    }
    if (tail)
      x[lane] = lin_mix(x[lane] ^ in[x[lane] >> 6]);
  }
  finish(x, round);
}

// Whoever gets the lock first, the sum is the same.
static void add_up(lin_input in, unsigned round, unsigned *x, unsigned &total) {
  for (unsigned lane = 0; lane < LANES; lane++)
    total += SHORT_CIRCUIT(x[lane]) ? x[lane] & 0xff : in[x[lane]] & 0xfff;
  for (unsigned lane = 0; lane < LANES; lane++)
    x[lane] ^= total;
  finish(x, round);
}

WAITING(wait_lock_inside) { add_up(in, round, x, total); }
WAITING(wait_lock_after) { add_up(in, round, x, total); }

WAITING(wait_handshake) {
  unsigned tag = 1 + round % 250;
  for (unsigned even = 0; even < LANES; even += 2) {
    unsigned odd_asks = ~in[(first + even) / 2 + round * 13] & 1;
    unsigned &asks = x[even + odd_asks], &answers = x[even + 1 - odd_asks];
    unsigned question = asks << 8 | tag, answer = lin_mix(question ^ answers) << 8 | tag;
    asks += answer >> 8;
    asks = answer & 0x100 ? lin_mix(asks ^ in[asks >> 6]) : asks ^ in[asks >> 4];
    answers ^= (question >> 8) * 7;
    answers =
        question & 0x100 ? lin_mix(answers ^ in[answers >> 6]) : answers + in[answers >> 2] * 3;
  }
  finish(x, round);
}

#endif
