// The wavefronts of bench/regroup in one launch of one thread block, which is all thread blocks of a
// turn, one after the other: what bench/device/wavefront.cu does on a GPU.
#include "../../../bench/regroup/particle_transport.cu"
#include "../../../bench/regroup/path_tracer.cu"

#ifndef LIN_HOST

// The list in order. One thread does it.
static __device__ void sort(const unsigned char *keys, const unsigned *items, unsigned count,
                            unsigned *sorted) {
  unsigned at = 0;
  for (unsigned key = 0; key < wave_kinds; key++)
    for (unsigned i = 0; i < count; i++)
      if (keys[i] == key)
        sorted[at++] = items[i];
}

// `lists`: of items, of two turns and the sorted one, each with room for all queues. `counters`: [3]
// [wave_kinds], 0. Turns end as at most `finish` threads are left.
template <typename Work, bool Sorts>
static __device__ void inOneBlock(wave w, unsigned *lists, unsigned *counters, unsigned finish) {
  unsigned room = w.threads * wave_kinds, left = w.threads;
  w.queues = Sorts ? 1 : wave_kinds;
  w.next = lists, w.next_counts = counters;
  for (unsigned block = 0; block < w.threads / wave_block; block++)
    regroup::waveBegins<Work, Sorts>(w, block);
  for (unsigned turn = 0;; turn++) {
    __syncthreads();
    w.items = lists + turn % 2 * room, w.next = lists + (turn + 1) % 2 * room;
    w.counts = counters + turn % 3 * wave_kinds;
    w.next_counts = counters + (turn + 1) % 3 * wave_kinds;
    w.cleared = counters + (turn + 2) % 3 * wave_kinds;
    if (Sorts) {
      if (threadIdx.x == 0)
        sort(w.keys, w.items, w.threads, lists + 2 * room);
      w.items = lists + 2 * room;
      __syncthreads();
    }
    left = 0;
    for (unsigned queue = 0; queue < wave_kinds; queue++)
      left += w.counts[queue];
    if (left <= finish)
      break;
    for (unsigned block = 0; block < w.threads / wave_block + (Sorts ? 0 : wave_kinds); block++)
      regroup::waveTurns<Work, Sorts>(w, block);
  }
  for (unsigned block = 0; block < w.threads / wave_block + wave_kinds; block++)
    regroup::waveEnds<Work>(w, block);
}

#define WAVES(application, name, sorts)                                                            \
  extern "C" __global__ void __launch_bounds__(wave_block) application##_waves_##name(             \
      const unsigned *words, unsigned mask, unsigned rounds, unsigned *out, unsigned threads,      \
      unsigned *records, unsigned *lists, unsigned char *keys, unsigned *counters,                 \
      unsigned finish) {                                                                           \
    wave w = {};                                                                                   \
    w.in = {words, mask}, w.rounds = rounds, w.threads = w.period = threads;                       \
    w.out = out, w.records = records, w.keys = keys;                                               \
    inOneBlock<application##_work, sorts>(w, lists, counters, finish);                             \
  }
WAVES(path_tracer, queues, false)
WAVES(path_tracer, sorted, true)
WAVES(particle_transport, queues, false)
WAVES(particle_transport, sorted, true)

#endif
