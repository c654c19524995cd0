// A loop whose threads regroup in each turn, by hand. The loops of a program become one; the whole
// block goes around together; a turn is what a thread does from one point at which threads change
// places to the next. Whose work is over takes that of another thread; a warp without work leaves.
//
//     struct work {                   what moves
//       Words, Kept                   how many words that is, and how many stay where they are, in
//                                     shared memory, at the place where the thread began
//       Kinds                         how many keys there are
//       void begin(unsigned thread, kept_words kept);
//       bool isOver(unsigned rounds, kept_words kept);
//       unsigned result(kept_words kept);
//       unsigned before(lin_input in, unsigned thread, kept_words kept);     to the point; the key
//       void behind(lin_input in, kept_words kept);                          and from there on
//       void store(unsigned (&state)[Words], unsigned self);       self: 11 bits of the caller's,
//       void load(const unsigned (&state)[Words], unsigned *self); which move, too
//     };
#ifndef BENCH_REGROUP_TURNS_CUH
#define BENCH_REGROUP_TURNS_CUH

#include "../threads/thread.cuh"
#include "regroup.cuh"

#ifndef LIN_HOST

namespace regroup {

// Words of one thread, among those of others.
struct kept_words {
  unsigned *first, stride;

  __device__ __forceinline__ unsigned &operator[](unsigned i) const { return first[i * stride]; }
};

// A power of two; the last one is that of threads without work.
template <unsigned Kinds>
static constexpr unsigned keys_for = Kinds < 4    ? 4
                                     : Kinds < 8  ? 8
                                     : Kinds < 16 ? 16
                                                  : 32;

// A block does the work of Share threads a thread, one after the other.
template <typename Work, unsigned Block, unsigned Share, typename How>
static __device__ __forceinline__ void inTurns(lin_input in, unsigned rounds, unsigned *out,
                                               const unsigned *order) {
  constexpr unsigned Keys = keys_for<Work::Kinds>, Words = Work::Words + How::Waits;
  using moving = mover<Block, Words, Words % 4 < 2 ? 4 : 2,
                       How::Waits && Block == 1024 ? Words / 2 : Words>; // as there is room
  __shared__ typename How::shared places;
  __shared__ typename moving::shared words;
  __shared__ unsigned kept[Work::Kept][Block], thread[Block], next;
  unsigned last = (blockIdx.x + 1) * Block * Share, rotated = rotation() % Block,
           warps = Block / 32, home = threadIdx.x, key = 0;
  bool works = true, waits = false;
  Work work;
  thread[home] = LINEARIZE_THREAD(order, last - Block * Share + home);
  work.begin(thread[home], {&kept[0][home], Block});
  if (threadIdx.x == 0)
    next = last - Block * Share + Block;
  __syncthreads();
#pragma unroll 1
  for (;;) {
    if (works && !waits && work.isOver(rounds, {&kept[0][home], Block})) {
      out[thread[home]] = work.result({&kept[0][home], Block});
      unsigned place = Share > 1 ? atomicAdd(&next, 1u) : last;
      works = place < last;
      if (works) {
        thread[home] = LINEARIZE_THREAD(order, place);
        work.begin(thread[home], {&kept[0][home], Block});
      }
    }
    if (!waits)
      key = works ? work.before(in, thread[home], {&kept[0][home], Block}) : Keys - 1;
    result found = How::turn(places, key, rotated, &warps);
    if (found.moves) {
      unsigned state[Words], self;
      work.store(*(unsigned (*)[Work::Words])state, home | works << 10);
      if (How::Waits) // and isn't asked for again
        state[Words - 1] = key;
      moving::move(words, state, How::Gathers, found.place);
      work.load(*(unsigned (*)[Work::Words])state, &self);
      if (How::Waits)
        key = state[Words - 1];
      home = self & 1023, works = self >> 10 & 1;
    }
    if (found.leaves)
      return;
    waits = found.waits;
    if (works && !waits)
      work.behind(in, {&kept[0][home], Block});
  }
}

// The same without turns: each thread does the work of several, one after the other.
template <unsigned Block, unsigned Share, typename Work>
static __device__ __forceinline__ void oneByOne(unsigned *out, const unsigned *order, Work work) {
  __shared__ unsigned next;
  unsigned first = blockIdx.x * Block * Share, last = first + Block * Share;
  if (Share > 1) {
    if (threadIdx.x == 0)
      next = first + Block;
    __syncthreads();
  }
#pragma unroll 1
  for (unsigned place = first + threadIdx.x; place < last;) {
    unsigned thread = LINEARIZE_THREAD(order, place);
    out[thread] = work(thread);
    place = Share > 1 ? atomicAdd(&next, 1u) : last;
  }
}

} // namespace regroup

#define BY_HAND_KERNEL(application, name, share, block)                                            \
  extern "C" __global__ void __launch_bounds__(block) application##_##name##_##share##_##block(    \
      const unsigned *words, unsigned mask, unsigned rounds, unsigned *out, unsigned,              \
      const unsigned *order)
#define IN_TURNS(application, work, name, share, block, ...)                                       \
  BY_HAND_KERNEL(application, name, share, block) {                                                \
    regroup::inTurns<work, block, share, __VA_ARGS__>(lin_input{words, mask}, rounds, out, order); \
  }
#define ONE_BY_ONE(application, work, name, share, block, point)                                   \
  BY_HAND_KERNEL(application, name, share, block) {                                                \
    regroup::oneByOne<block, share>(out, order, [=](unsigned thread) {                             \
      return work(lin_input{words, mask}, thread, rounds, point());                                \
    });                                                                                            \
  }

// What is written by hand of an application for thread blocks of a size: the program as it is, a loop
// without rounds, with rounds by votes, by votes with warps of several keys first, and by votes that
// let threads wait for more of their key.
// REGROUP_POINTS: the program as it is with a point, for the plugin.
//     work        for inTurns
//     alone       what a thread does in the program as it is: (in, thread, rounds, point)
//     reorders    its point
#ifdef REGROUP_POINTS
#define IN_BLOCKS(application, work, alone, reorders, share, block)                                \
  ONE_BY_ONE(application, alone, point, share, block, reorders)
#else
#define IN_BLOCKS(application, work, alone, reorders, share, block)                                \
  ONE_BY_ONE(application, alone, plain, share, block, lin_stays)                                   \
  IN_TURNS(application, work, together, share, block,                                              \
           regroup::together<regroup::keys_for<work::Kinds>>)                                      \
  IN_TURNS(application, work, votes, share, block,                                                 \
           regroup::votes<block, regroup::keys_for<work::Kinds>>)                                  \
  IN_TURNS(application, work, first, share, block,                                                 \
           regroup::votes<block, regroup::keys_for<work::Kinds>, regroup::by_bits, regroup::None,  \
                          regroup::mixed_first>)                                                   \
  IN_TURNS(application, work, holds, share, block,                                                 \
           regroup::holding<block, regroup::keys_for<work::Kinds>>)
#endif
#define APPLICATION_BY_HAND(application, work, alone, reorders, share)                             \
  IN_BLOCKS(application, work, alone, reorders, 1, 128)                                            \
  IN_BLOCKS(application, work, alone, reorders, 1, 512)                                            \
  IN_BLOCKS(application, work, alone, reorders, share, 128)                                        \
  IN_BLOCKS(application, work, alone, reorders, share, 512)

#endif
#endif
