// Regrouping the threads of a block by hand: afterwards threads with equal keys stand side by side,
// each with the work of another. What an expert writes into a kernel, and the yardstick for the
// pass that writes it by itself. The algorithms are HoT and DGI of Lin, Wang and Liu, "On-GPU
// Thread-Data Remapping for Branch Divergence Reduction" (ACM TACO 15(3), 39, 2018), sections 3.2
// and 3.3, and a counting sort by votes.
//
//     thread   0 1 2 3 | 4 5 6 7            a block of two warps of four threads each
//     key      1 0 1 0 | 0 1 1 0            4 pairs (warp, key): each warp runs both paths
//     place    4 0 5 1 | 2 6 7 3            where its work goes, in a stable order
//     key      0 0 0 0 | 1 1 1 1            2 pairs
//
// How many pairs there are is what a round gains. With W warps and k keys the sorted order has
// W + k - 1. Draw a line from each warp to each key that it holds: a part of the drawing that hangs
// together has one line less than it has warps and keys, or more, and holds all threads of its keys
// in all lanes of its warps. So c parts make it W + k - c at least, and each needs keys whose
// threads are, together, a multiple of 32. No way to pack what remains of full warps gets around
// that. With few keys it is rare (4 keys, 256 threads: 10.6 pairs at best, 10.8 sorted), with 8 it
// is not: 13.1 at best, 14.6 sorted.
//
// In a loop that the whole block goes around together, threads that are done have the last key, so
// that they come to stand in warps of their own; such a warp leaves. Barriers wait for those that
// are still there.
//
// Which warps hold two keys isn't left to chance: warps w and w + 4 of a block run on the same one of
// their multiprocessor's four sub-partitions, and such a warp has twice the work of others. With
// equally frequent keys they are Block / (32 Keys) warps apart, often a multiple of four, and then
// one sub-partition gets all of them. So whole warps are put into another order, those with several
// keys first, and side by side:
//
//     warp             0 1 2 3 4 5 6 7       4 keys
//     keys in order    0 0 1 1 2 2 3 3
//                        1   2   3           sub-partitions 1, 3 and 1 run a path more
//     several first    0 1 2 0 1 2 3 3
//                      1 2 3                 0, 1 and 2
//
// and that order is rotated by a number that each block has by chance.
#ifndef BENCH_REGROUP_REGROUP_CUH
#define BENCH_REGROUP_REGROUP_CUH

#include "linearize_device.h"

#ifndef LIN_HOST

#ifdef LIN_DEVICE // what CUDA's headers have, of clang's builtins
#define __popc __builtin_popcount
static __device__ __forceinline__ unsigned __ballot_sync(unsigned who, int yes) {
  return __nvvm_vote_ballot_sync(who, yes);
}
static __device__ __forceinline__ unsigned __match_any_sync(unsigned who, unsigned value) {
  return __nvvm_match_any_sync_i32(who, value);
}
static __device__ __forceinline__ unsigned __reduce_max_sync(unsigned who, unsigned value) {
  return __nvvm_redux_sync_umax(value, who);
}
static __device__ __forceinline__ unsigned __reduce_or_sync(unsigned who, unsigned value) {
  return (unsigned)__nvvm_redux_sync_or((int)value, who);
}
static __device__ __forceinline__ int __syncthreads_count(int yes) { return __nvvm_bar0_popc(yes); }
static __device__ __forceinline__ unsigned __shfl_sync(unsigned who, unsigned value, int lane) {
  return __nvvm_shfl_sync_idx_i32(who, value, lane, 0x1f);
}
static __device__ __forceinline__ unsigned __shfl_up_sync(unsigned who, unsigned value, int by) {
  return __nvvm_shfl_sync_up_i32(who, value, by, 0);
}
#endif

namespace regroup {

enum : unsigned { Everyone = 0xffffffffu };

static __device__ __forceinline__ unsigned lane() { return threadIdx.x & 31; }
static __device__ __forceinline__ unsigned lanesBelow() { return (1u << lane()) - 1; }

// By how many threads places are rotated: whole warps, 0 to 31 of them, by chance.
static __device__ __forceinline__ unsigned rotation() {
  return (blockIdx.x * 0x9e3779b9u) >> 27 << 5;
}

// What becomes of a round.
//   place   where the work of this thread goes; with Gathers, where that comes from which it does
//   moves   false: all stay where they are; the same in the whole block
//   waits   the thread doesn't go on in this turn
//   leaves  this warp has no more work, once all have moved: it shall end
struct result {
  unsigned place;
  bool moves, leaves, waits;
};

// ---- counting sort by votes ---------------------------------------------------------------------

// The lanes of the warp with this key: how to find them.
//   by_bits   a ballot for each bit of the key
//   by_match  match.any
enum comparison { by_bits, by_match };

// `mine` are the lanes whose key is this lane's, `held` those whose key is this lane's number.
template <unsigned Keys, comparison How>
static __device__ __forceinline__ void compare(unsigned key, unsigned *mine, unsigned *held) {
  unsigned wanted = lane() % Keys;
  if (How == by_bits) {
    *mine = *held = Everyone;
#pragma unroll
    for (unsigned bit = 1; bit < Keys; bit *= 2) {
      unsigned set = __ballot_sync(Everyone, (key & bit) != 0);
      *mine &= key & bit ? set : ~set;
      *held &= wanted & bit ? set : ~set;
    }
  } else {
    *mine = __match_any_sync(Everyone, key);
    *held = 0; // votes writes counts by the first lane of each key
  }
}

// The sum of bytes, 32 at most each, as halves that are still to be added.
template <unsigned Words>
static __device__ __forceinline__ unsigned addBytes(const unsigned (&word)[Words]) {
  unsigned halves = 0;
#pragma unroll
  for (unsigned first = 0; first < Words; first += 4) {
    unsigned four = 0;
#pragma unroll
    for (unsigned i = first; i < first + 4 && i < Words; i++)
      four += word[i];
    halves += (four & 0xff00ff) + (four >> 8 & 0xff00ff);
  }
  return (halves & 0xffff) + (halves >> 16);
}

// Warps whose bytes are looked at, those below `count`, of word number i.
static __device__ __forceinline__ unsigned bytesBelow(unsigned count, unsigned i) {
  return count >= 4 * i + 4 ? ~0u : count <= 4 * i ? 0 : (1u << 8 * (count % 4)) - 1;
}

// Orders of keys, four bits each, from the lowest: all of four keys, and of eight their own and
// others by chance.
static __device__ const unsigned orders4[32] = {
    0x3210, 0x2310, 0x3120, 0x1320, 0x2130, 0x1230, 0x3201, 0x2301, 0x3021, 0x0321, 0x2031,
    0x0231, 0x3102, 0x1302, 0x3012, 0x0312, 0x1032, 0x0132, 0x2103, 0x1203, 0x2013, 0x0213,
    0x1023, 0x0123, 0x3210, 0x3210, 0x3210, 0x3210, 0x3210, 0x3210, 0x3210, 0x3210};
static __device__ const unsigned orders8[32] = {
    0x76543210, 0x53412670, 0x52716043, 0x35160247, 0x72051436, 0x40365172, 0x03172456, 0x02413756,
    0x01426375, 0x07461523, 0x04731526, 0x42361075, 0x26714053, 0x62147530, 0x12746053, 0x37541620,
    0x32571046, 0x45703621, 0x20517364, 0x21437065, 0x06347215, 0x14367052, 0x42607531, 0x53674021,
    0x73510426, 0x37516402, 0x73450162, 0x60213574, 0x23157046, 0x31654027, 0x61473025, 0x41257360};

// Where the threads of key lane() % Keys begin: each lane tries another order of the keys, and the
// one in which most keys begin a warp is taken. `total`: how many threads have that key.
template <unsigned Keys> static __device__ __forceinline__ unsigned inBestOrder(unsigned total) {
  static_assert(Keys == 4 || Keys == 8, "orders are of four or eight keys");
  unsigned order = Keys == 4 ? orders4[lane()] : orders8[lane()], whole = 0, sum = 0, begin = 0;
#pragma unroll
  for (unsigned i = 0; i < Keys - 1; i++) {
    sum += __shfl_sync(Everyone, total, order >> 4 * i & 7);
    whole += sum % 32 == 0;
  }
  unsigned best = __reduce_max_sync(Everyone, whole << 5 | lane());
  order = __shfl_sync(Everyone, order, best & 31);
  sum = 0;
#pragma unroll
  for (unsigned i = 0; i < Keys; i++) {
    begin = (order >> 4 * i & 7) == lane() % Keys ? sum : begin;
    sum += __shfl_sync(Everyone, total, order >> 4 * i & 7);
  }
  return begin;
}

// The order of places.
//   by_number    of the keys
//   mixed_first  of the keys, but warps with several come first
//   best_first   the same, by that order of the keys in which most begin a warp
enum arrangement { by_number, mixed_first, best_first };

// Where a place moves to as warps with several keys do. `end`: of the threads with key lane() %
// Keys; one that doesn't end a warp lies within such a warp.
static __device__ __forceinline__ unsigned moveMixed(unsigned place, unsigned end) {
  unsigned mixed = __reduce_or_sync(Everyone, end % 32 ? 1u << end / 32 : 0), count = __popc(mixed);
  unsigned warp = place / 32, before = __popc(mixed & ((1u << warp) - 1));
  warp = mixed >> warp & 1 ? before : count + warp - before;
  return warp * 32 + place % 32;
}

// Keys: a power of two, 2 to 32. Slack: how many pairs over the fewest are taken as they are; None:
// no vote.
enum : unsigned { None = 0xffffffffu };

template <unsigned Block, unsigned Keys, comparison How = by_bits, unsigned Slack = None,
          arrangement Order = by_number>
struct votes {
  static constexpr unsigned Warps = Block / 32, Words = (Warps + 3) / 4;
  static constexpr bool Gathers = false, Waits = false;

  // Of each key and warp, a byte: how many of its threads have it.
  struct shared {
    alignas(16) unsigned counts[Keys * Words];
  };

  static __device__ __forceinline__ result find(shared &memory, unsigned key, unsigned rotated) {
    return find(memory, key, rotated, Warps, threadIdx.x / 32);
  }

  // In a loop. `warps`: how many have not left, at first Warps. `rotated` is always the same.
  static __device__ __forceinline__ result turn(shared &memory, unsigned key, unsigned rotated,
                                                unsigned *warps) {
    unsigned warp = (threadIdx.x - rotated) / 32 % Warps, live = Keys - 1;
    static_assert(Slack == None && Order != best_first,
                  "the key of threads that are done comes last");
    result found = find(memory, key, rotated, *warps, warp, &live);
    *warps = (live + 31) / 32;
    found.leaves = warp >= *warps;
    return found;
  }

private:
  // `live`: the key of threads that are done; then, how many are not.
  static __device__ __forceinline__ result find(shared &memory, unsigned key, unsigned rotated,
                                                unsigned warps, unsigned warp,
                                                unsigned *live = nullptr) {
    auto *bytes = reinterpret_cast<unsigned char *>(memory.counts);
    unsigned mine, held;
    compare<Keys, How>(key, &mine, &held);
    unsigned rank = __popc(mine & lanesBelow());
    if (How == by_match) {
      if (lane() < Keys)
        bytes[lane() * 4 * Words + warp] = 0;
      __syncwarp();
      if (rank == 0)
        bytes[key * 4 * Words + warp] = (unsigned char)__popc(mine);
    } else if (lane() < Keys) {
      bytes[lane() * 4 * Words + warp] = (unsigned char)__popc(held);
    }
    if (Slack == None) {
      __syncthreads();
    } else {
      unsigned pairs = (unsigned)__syncthreads_count(rank == 0);
      if (pairs <= Warps + Keys - 1 + Slack)
        return {threadIdx.x, false, false};
    }

    // A lane adds up the key of its number: all of it, and that of the warps before this one.
    unsigned all[Words], before[Words];
#pragma unroll
    for (unsigned i = 0; i < Words; i++) {
      all[i] = memory.counts[lane() % Keys * Words + i];
      if (live || (Warps % 4 != 0 && i == Words - 1))
        all[i] &= bytesBelow(warps, i);
      before[i] = all[i] & bytesBelow(warp, i);
    }
    unsigned total = addBytes(all), begin;
    if constexpr (Order == best_first) {
      begin = inBestOrder<Keys>(total);
    } else {
      unsigned end = scan(total);
      begin = end - total;
      if (live)
        *live = __shfl_sync(Everyone, end, *live - 1);
    }
    unsigned place = __shfl_sync(Everyone, begin + addBytes(before), key) + rank;
    if constexpr (Order != by_number)
      place = moveMixed(place, begin + total);
    return {(place + rotated) % Block, true, false};
  }

  // Over the keys, this one included.
  static __device__ __forceinline__ unsigned scan(unsigned value) {
#pragma unroll
    for (unsigned by = 1; by < Keys; by *= 2) {
      unsigned lower = __shfl_up_sync(Everyone, value, by);
      value += lane() % Keys >= by ? lower : 0;
    }
    return value;
  }
};

// No round at all: warps leave whose threads are done.
template <unsigned Keys> struct together {
  static constexpr bool Gathers = false, Waits = false;

  struct shared {};

  static __device__ __forceinline__ result turn(shared &, unsigned key, unsigned, unsigned *) {
    return {threadIdx.x, false, __ballot_sync(Everyone, key != Keys - 1) == 0};
  }
};

// ---- votes that let threads wait ----------------------------------------------------------------

// In a loop that the whole block goes around together, threads that don't fill a warp of their own
// key wait for the next turn, so that no warp has two keys, unless no key fills one: then all go on.
//
//     key      0 0 0 0 0 0 1 1 1 1 1 2          warps of four
//     place    0 0 0 0 1 1 1 1 | 0 0 1 2        two warps go on, the others wait
template <unsigned Block, unsigned Keys> struct holding {
  static constexpr unsigned Warps = Block / 32, Words = (Warps + 3) / 4;
  static constexpr bool Gathers = false, Waits = true;

  struct shared {
    alignas(16) unsigned counts[Keys * Words];
  };

  // The last key is that of threads that are done.
  static __device__ __forceinline__ result turn(shared &memory, unsigned key, unsigned rotated,
                                                unsigned *warps) {
    auto *bytes = reinterpret_cast<unsigned char *>(memory.counts);
    unsigned warp = (threadIdx.x - rotated) / 32 % Warps, mine, held;
    compare<Keys, by_bits>(key, &mine, &held);
    unsigned rank = __popc(mine & lanesBelow());
    if (lane() < Keys)
      bytes[lane() * 4 * Words + warp] = (unsigned char)__popc(held);
    __syncthreads();
    unsigned all[Words], before[Words];
#pragma unroll
    for (unsigned i = 0; i < Words; i++) {
      all[i] = memory.counts[lane() % Keys * Words + i] & bytesBelow(*warps, i);
      before[i] = all[i] & bytesBelow(warp, i);
    }
    unsigned total = addBytes(all), isKey = lane() % Keys < Keys - 1,
             full = isKey ? total & ~31u : 0, rest = total - full, both = full | rest << 16,
             end = both;
#pragma unroll
    for (unsigned by = 1; by < Keys; by *= 2) {
      unsigned lower = __shfl_up_sync(Everyone, end, by);
      end += lane() % Keys >= by ? lower : 0;
    }
    unsigned last = __shfl_sync(Everyone, end, Keys - 2), go = last & 0xffff,
             live = go + (last >> 16);
    unsigned begin = end - both; // of full warps, and of the rest
    begin += go << 16;
    unsigned first = __shfl_sync(Everyone, begin, key),
             own = __shfl_sync(Everyone, full | addBytes(before) << 16, key),
             number = (own >> 16) + rank, fill = own & 0xffff,
             place = number < fill ? (first & 0xffff) + number : (first >> 16) + number - fill;
    unsigned going = go == 0 ? live : go;
    *warps = (live + 31) / 32;
    bool waits = (threadIdx.x - rotated) % Block >= going;
    return {(place + rotated) % Block, true, warp >= *warps, waits};
  }
};

// ---- HoT: Algorithm 1 ---------------------------------------------------------------------------

// Two keys, from the two ends of the block. Not stable.
template <unsigned Block, unsigned Keys> struct hot {
  static constexpr bool Gathers = false;

  struct shared {
    unsigned head, tail;
  };

  static __device__ __forceinline__ result find(shared &memory, unsigned key, unsigned rotated) {
    static_assert(Keys == 2, "HoT has two ends");
    if (threadIdx.x == 0)
      memory.head = 0, memory.tail = Block - 1;
    __syncthreads();
    // Line 13 on: the work itself goes to the slot, not its number alone.
    unsigned slot = key == 0 ? atomicAdd(&memory.head, 1u) : atomicAdd(&memory.tail, ~0u);
    return {(slot + rotated) % Block, true, false};
  }
};

// ---- DGI: Algorithm 2 ---------------------------------------------------------------------------

// Near: how many threads are a neighbourhood (N there).
template <unsigned Block, unsigned Keys, unsigned Near> struct dgi {
  static constexpr bool Gathers = true;
  static constexpr unsigned Many = Block / Near;

  struct shared {
    unsigned counters[Keys * Many];
    unsigned char keys[Block];
  };

  static __device__ __forceinline__ result find(shared &memory, unsigned key, unsigned rotated) {
    unsigned self = threadIdx.x, native = (self + Block - rotated % Block) % Block;
    for (unsigned i = self; i < Keys * Many; i += Block) // line 1
      memory.counters[i] = 0;
    memory.keys[self] = (unsigned char)key; // what line 26 asks
    __syncthreads();
    atomicAdd(&memory.counters[key * Many + self / Near], 1u); // line 4
    __syncthreads();
    unsigned group = 0, rank = native;
#pragma unroll
    for (unsigned k = 0; k < Keys - 1; k++) { // lines 6 to 18
      unsigned total = 0;
#pragma unroll 16
      for (unsigned i = 0; i < Many; i++)
        total += memory.counters[k * Many + i];
      if (group == k && rank >= total)
        rank -= total, group++;
    }
    unsigned mark = 0, block = 0;
    while (rank >= mark) // lines 20 to 23
      mark += memory.counters[group * Many + block++];
    unsigned from = block * Near - 1; // lines 24 to 32
    while (mark != rank) {
      mark -= memory.keys[from] == group;
      from--;
    }
    return {from + 1, true, false};
  }
};

// ---- moving -------------------------------------------------------------------------------------

// The work: so many words of state, moved so many at a time through one buffer, as vectors of Width
// words (1, 2 or 4).
template <unsigned Width> struct alignas(4 * Width) pack {
  unsigned word[Width];
};

template <unsigned Block, unsigned Words, unsigned Width, unsigned AtOnce = Words> struct mover {
  static constexpr unsigned Packs = AtOnce / Width, Rest = AtOnce % Width;

  struct shared {
    pack<Width> packs[Packs][Block];
    unsigned rest[Rest + (Rest == 0)][Rest ? Block : 1];
  };

  static __device__ __forceinline__ void move(shared &memory, unsigned (&state)[Words],
                                              bool gathers, unsigned place) {
    static_assert(Words % AtOnce == 0, "all turns are alike");
    unsigned to = gathers ? threadIdx.x : place, from = gathers ? place : threadIdx.x;
#pragma unroll
    for (unsigned first = 0; first < Words; first += AtOnce) {
      unsigned *word = state + first;
      if (first != 0)
        __syncthreads(); // the words before have been read
#pragma unroll
      for (unsigned i = 0; i < Packs; i++) {
        pack<Width> words;
#pragma unroll
        for (unsigned j = 0; j < Width; j++)
          words.word[j] = word[Width * i + j];
        memory.packs[i][to] = words;
      }
#pragma unroll
      for (unsigned i = Width * Packs; i < AtOnce; i++)
        memory.rest[i % Width][to] = word[i];
      __syncthreads();
#pragma unroll
      for (unsigned i = 0; i < Packs; i++) {
        pack<Width> words = memory.packs[i][from];
#pragma unroll
        for (unsigned j = 0; j < Width; j++)
          word[Width * i + j] = words.word[j];
      }
#pragma unroll
      for (unsigned i = Width * Packs; i < AtOnce; i++)
        word[i] = memory.rest[i % Width][from];
    }
  }
};

} // namespace regroup

#endif // LIN_HOST
#endif
