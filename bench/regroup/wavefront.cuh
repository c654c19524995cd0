// The work of turns.cuh as experts write it who leave the kernel: a turn of all threads is a launch,
// their work lies in memory in between, and that with equal keys stands side by side in the next
// turn. In two ways:
//
//     queues    a thread puts its work into the queue of its key; thread blocks take from one queue
//     sorted    all are in one list, which the host has sorted by the keys (CUB)
//
//     turn 0   A B C D E F G H                      what threads take
//              1 0 1 . 0 1 1 0                      keys behind the turn; D's work is over
//     turn 1   B E H     A C F G                    queues 0 and 1, or the list in order
//
// As few are left, a launch costs more than diverging does: `finish` takes each to its end.
#ifndef BENCH_REGROUP_WAVEFRONT_CUH
#define BENCH_REGROUP_WAVEFRONT_CUH

#include "turns.cuh"

// What the host passes. Counters are of three turns: this one's, which are read, the next one's, and
// those behind, which this turn clears.
struct wave {
  lin_input in;
  unsigned rounds, threads, period; // whose work is that of thread 0 on again
  unsigned *out, *records;
  const unsigned *items;  // [queues][threads] whose work there is
  const unsigned *counts; // [queues] how many
  unsigned queues;        // wave_kinds, or 1 if it is sorted
  unsigned *next, *next_counts, *cleared;
  unsigned char *keys; // sorted: [threads] of `next`; wave_kinds: no work
};

enum : unsigned { wave_kinds = 8, wave_block = 256, wave_record = 16 }; // words, two sectors

#ifndef LIN_HOST

namespace regroup {

// The work of one thread in memory: what it moves, and what it keeps, from a sector of its own.
template <typename Work> struct work_record {
  static constexpr unsigned Packs = (Work::Words + 3) / 4;
  static_assert(4 * Packs + Work::Kept <= wave_record && Work::Kinds <= wave_kinds, "too much");
  pack<4> *packs;

  __device__ __forceinline__ work_record(const wave &w, unsigned item)
      : packs(reinterpret_cast<pack<4> *>(w.records) + (unsigned long long)item * wave_record / 4) {
  }
  __device__ __forceinline__ kept_words kept() const {
    return {reinterpret_cast<unsigned *>(packs + Packs), 1};
  }
  __device__ __forceinline__ void load(Work *work) const {
    unsigned state[Work::Words], self;
#pragma unroll
    for (unsigned i = 0; i < Packs; i++) {
      pack<4> words = packs[i];
#pragma unroll
      for (unsigned j = 0; j < 4; j++)
        if (4 * i + j < Work::Words)
          state[4 * i + j] = words.word[j];
    }
    work->load(state, &self);
  }
  __device__ __forceinline__ void store(const Work &work) const {
    unsigned state[Work::Words];
    work.store(state, 0);
#pragma unroll
    for (unsigned i = 0; i < Packs; i++) {
      pack<4> words;
#pragma unroll
      for (unsigned j = 0; j < 4; j++)
        words.word[j] = 4 * i + j < Work::Words ? state[4 * i + j] : 0;
      packs[i] = words;
    }
  }
};

// To the next point. The key; wave_kinds: the work is over.
template <typename Work>
static __device__ __forceinline__ unsigned toPoint(const wave &w, unsigned item, Work *work,
                                                   kept_words kept) {
  if (work->isOver(w.rounds, kept)) {
    w.out[item] = work->result(kept);
    return wave_kinds;
  }
  return work->before(w.in, item % w.period, kept);
}

// Into the queue of its key. One atomic operation for a block and a key; all threads come.
static __device__ __forceinline__ void enqueue(const wave &w, unsigned item, unsigned key) {
  __shared__ unsigned mine[wave_kinds + 1], first[wave_kinds];
  if (threadIdx.x <= wave_kinds)
    mine[threadIdx.x] = 0;
  __syncthreads();
  unsigned alike = __match_any_sync(Everyone, key), rank = __popc(alike & lanesBelow());
  unsigned leader = __popc((alike & (0 - alike)) - 1), base = 0;
  if (rank == 0)
    base = atomicAdd(&mine[key], (unsigned)__popc(alike));
  base = __shfl_sync(Everyone, base, (int)leader);
  __syncthreads();
  if (threadIdx.x < wave_kinds)
    first[threadIdx.x] = atomicAdd(&w.next_counts[threadIdx.x], mine[threadIdx.x]);
  __syncthreads();
  if (key < wave_kinds)
    w.next[key * w.threads + first[key] + base + rank] = item;
}

// Into the list, where it was.
static __device__ __forceinline__ void enlist(const wave &w, unsigned block, unsigned item,
                                              unsigned key) {
  unsigned place = block * wave_block + threadIdx.x;
  w.keys[place] = (unsigned char)key;
  w.next[place] = item;
  unsigned left = (unsigned)__syncthreads_count(key < wave_kinds);
  if (threadIdx.x == 0 && left > 0)
    atomicAdd(w.next_counts, left);
}

// What this thread takes. Whole blocks take from one queue.
static __device__ __forceinline__ bool takes(const wave &w, unsigned block, unsigned *item) {
  for (unsigned queue = 0; queue < w.queues; queue++) {
    unsigned count = w.counts[queue], blocks = (count + wave_block - 1) / wave_block;
    if (block < blocks) {
      unsigned place = block * wave_block + threadIdx.x;
      if (place < count)
        *item = w.items[queue * w.threads + place];
      return place < count;
    }
    block -= blocks;
  }
  return false;
}

template <typename Work, bool Sorts>
static __device__ __forceinline__ void waveBegins(const wave &w, unsigned block) {
  unsigned item = block * wave_block + threadIdx.x;
  work_record<Work> record(w, item);
  Work work;
  work.begin(item % w.period, record.kept());
  unsigned key = toPoint(w, item, &work, record.kept());
  record.store(work);
  if (Sorts)
    enlist(w, block, item, key);
  else
    enqueue(w, item, key);
}

template <typename Work, bool Sorts>
static __device__ __forceinline__ void waveTurns(const wave &w, unsigned block) {
  unsigned item = 0, key = wave_kinds;
  if (block == 0 && threadIdx.x < wave_kinds)
    w.cleared[threadIdx.x] = 0;
  if (takes(w, block, &item)) {
    work_record<Work> record(w, item);
    Work work;
    record.load(&work);
    work.behind(w.in, record.kept());
    key = toPoint(w, item, &work, record.kept());
    record.store(work);
  }
  if (Sorts)
    enlist(w, block, item, key);
  else
    enqueue(w, item, key);
}

template <typename Work>
static __device__ __forceinline__ void waveEnds(const wave &w, unsigned block) {
  unsigned item;
  if (!takes(w, block, &item))
    return;
  work_record<Work> record(w, item);
  Work work;
  record.load(&work);
  do
    work.behind(w.in, record.kept());
  while (toPoint(w, item, &work, record.kept()) != wave_kinds);
}

} // namespace regroup

#define WAVE_KERNEL(name, function, ...)                                                           \
  extern "C" __global__ void __launch_bounds__(wave_block) name(const wave w) {                    \
    regroup::function<__VA_ARGS__>(w, blockIdx.x);                                                 \
  }
#ifdef REGROUP_POINTS
#define APPLICATION_IN_WAVES(application, work)
#else
#define APPLICATION_IN_WAVES(application, work)                                                    \
  WAVE_KERNEL(application##_queues_begin, waveBegins, work, false)                                 \
  WAVE_KERNEL(application##_queues_turn, waveTurns, work, false)                                   \
  WAVE_KERNEL(application##_sorted_begin, waveBegins, work, true)                                  \
  WAVE_KERNEL(application##_sorted_turn, waveTurns, work, true)                                    \
  WAVE_KERNEL(application##_finish, waveEnds, work)
#endif

#endif
#endif
