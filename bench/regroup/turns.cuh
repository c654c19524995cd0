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
  constexpr unsigned Keys = keys_for<Work::Kinds>;
  using moving = mover<Block, Work::Words, Work::Words % 4 < 2 ? 4 : 2>;
  __shared__ typename How::shared places;
  __shared__ typename moving::shared words;
  __shared__ unsigned kept[Work::Kept][Block], thread[Block], next;
  unsigned last = (blockIdx.x + 1) * Block * Share, rotated = rotation(0) % Block,
           warps = Block / 32, home = threadIdx.x;
  bool works = true;
  Work work;
  thread[home] = LINEARIZE_THREAD(order, last - Block * Share + home);
  work.begin(thread[home], {&kept[0][home], Block});
  if (threadIdx.x == 0)
    next = last - Block * Share + Block;
  __syncthreads();
#pragma unroll 1
  for (;;) {
    if (works && work.isOver(rounds, {&kept[0][home], Block})) {
      out[thread[home]] = work.result({&kept[0][home], Block});
      unsigned place = Share > 1 ? atomicAdd(&next, 1u) : last;
      works = place < last;
      if (works) {
        thread[home] = LINEARIZE_THREAD(order, place);
        work.begin(thread[home], {&kept[0][home], Block});
      }
    }
    unsigned key = works ? work.before(in, thread[home], {&kept[0][home], Block}) : Keys - 1;
    result found = How::turn(places, key, rotated, &warps);
    if (found.moves) {
      unsigned state[Work::Words], self;
      work.store(state, home | works << 10);
      moving::move(words, state, How::Gathers, found.place);
      work.load(state, &self);
      home = self & 1023, works = self >> 10 & 1;
    }
    if (found.leaves)
      return;
    if (works)
      work.behind(in, {&kept[0][home], Block});
  }
}

} // namespace regroup

#define IN_TURNS(application, work, name, block, share, ...)                                       \
  extern "C" __global__ void __launch_bounds__(block) application##_##name##_##share##_##block(    \
      const unsigned *words, unsigned mask, unsigned rounds, unsigned *out, unsigned,              \
      const unsigned *order) {                                                                     \
    regroup::inTurns<work, block, share, __VA_ARGS__>(lin_input{words, mask}, rounds, out, order); \
  }
#define IN_TURNS_BLOCK(application, work, keys, block, share)                                      \
  IN_TURNS(application, work, together, block, share, regroup::together<keys>)                     \
  IN_TURNS(application, work, votes, block, share, regroup::votes<block, keys>)                    \
  IN_TURNS(application, work, skips, block, share,                                                 \
           regroup::votes<block, keys, regroup::by_bits, block / 32>)
#ifdef REGROUP_NO_KERNELS // who includes this wants the functions alone
#define APPLICATION_IN_TURNS(application, work, keys, share)
#else
#define APPLICATION_IN_TURNS(application, work, keys, share)                                       \
  IN_TURNS_BLOCK(application, work, keys, 128, 1)                                                  \
  IN_TURNS_BLOCK(application, work, keys, 256, 1)                                                  \
  IN_TURNS_BLOCK(application, work, keys, 512, 1)                                                  \
  IN_TURNS_BLOCK(application, work, keys, 128, share)                                              \
  IN_TURNS_BLOCK(application, work, keys, 256, share)                                              \
  IN_TURNS_BLOCK(application, work, keys, 512, share)
#endif

#endif
#endif
