// The applications of bench/regroup as experts write them who leave the kernel: a turn of all threads
// is a kernel, their state lies in memory between turns, and those with equal keys stand side by side
// in the next one. Three ways:
//
//     queues    a thread puts itself into the queue of its key
//     kernels   ... and each queue has a kernel of its own, which knows the key
//     sorted    CUB sorts threads by their keys (DeviceRadixSort, as many bits as keys need)
//
//   wavefront REFERENCES.so < LIST
//
// A line of LIST is: APPLICATION WORDS ROUNDS PERIOD THREADS, as in reorder.cpp, and so are the lines
// that are printed. The time is that of all turns, with what the host does in between: it reads how
// many threads are left, of the turn before the last one, so that the GPU never waits for it.
#define REGROUP_NO_KERNELS
#include "../regroup/layered_tracer.cu"
#include "../regroup/nuclide_transport.cu"
#include "../regroup/particle_transport.cu"
#include "../regroup/path_tracer.cu"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <dlfcn.h>
#include <future>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using regroup::kept_words;

enum : unsigned { Block = 256, MostKinds = 8, Repeats = 3, MostBlocks = 2048, MostTurns = 20000 };

[[noreturn]] void die(const std::string &what) {
  std::fprintf(stderr, "wavefront: %s\n", what.c_str());
  std::exit(1);
}

void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    die(std::string(what) + ": " + cudaGetErrorString(error));
}

// ---- on the GPU ---------------------------------------------------------------------------------

struct pool {
  lin_input in;
  unsigned rounds, threads, period;
  unsigned *out, *state, *kept;
  unsigned *queues[2], *counts; // [2][MostKinds]
  unsigned char *keys[2];       // sorted
  unsigned *items[2], *done;
};

template <typename Work> __device__ kept_words keptOf(const pool &p, unsigned item) {
  return {p.kept + item, p.threads};
}

template <typename Work> __device__ Work loaded(const pool &p, unsigned item) {
  unsigned state[Work::Words], self;
#pragma unroll
  for (unsigned i = 0; i < Work::Words; i++)
    state[i] = p.state[i * p.threads + item];
  Work work;
  work.load(state, &self);
  return work;
}

// The rest of a turn: to the next point. The key, or Kinds for who is done.
template <typename Work>
__device__ __forceinline__ unsigned toPoint(const pool &p, unsigned item, Work &work) {
  if (work.isOver(p.rounds, keptOf<Work>(p, item))) {
    p.out[item] = work.result(keptOf<Work>(p, item));
    return Work::Kinds;
  }
  unsigned key = work.before(p.in, item % p.period, keptOf<Work>(p, item));
  unsigned state[Work::Words];
  work.store(state, 0);
#pragma unroll
  for (unsigned i = 0; i < Work::Words; i++)
    p.state[i * p.threads + item] = state[i];
  return key;
}

// Into the queue of its key; one atomic operation on it for a block.
template <unsigned Kinds>
__device__ void enqueue(unsigned *queues, unsigned *counts, unsigned threads, unsigned item,
                        unsigned key) {
  __shared__ unsigned mine[Kinds + 1], first[Kinds + 1];
  if (threadIdx.x <= Kinds)
    mine[threadIdx.x] = 0;
  __syncthreads();
  unsigned alike = __match_any_sync(regroup::Everyone, key);
  unsigned leader = (unsigned)__ffs((int)alike) - 1, rank = __popc(alike & regroup::lanesBelow());
  unsigned base = 0;
  if (rank == 0)
    base = atomicAdd(&mine[key], (unsigned)__popc(alike));
  base = __shfl_sync(regroup::Everyone, base, (int)leader);
  __syncthreads();
  if (threadIdx.x < Kinds)
    first[threadIdx.x] = atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
  __syncthreads();
  if (key < Kinds)
    queues[key * threads + first[key] + base + rank] = item;
}

template <typename Work> __global__ void __launch_bounds__(Block) begin(pool p, bool sorts) {
  unsigned item = blockIdx.x * Block + threadIdx.x;
  Work work;
  work.begin(item % p.period, keptOf<Work>(p, item));
  unsigned key = toPoint(p, item, work);
  if (sorts)
    p.keys[0][item] = (unsigned char)key, p.items[0][item] = item;
  else
    enqueue<Work::Kinds>(p.queues[0], p.counts, p.threads, item, key);
}

// Whole blocks take from one queue. `side`: of queues and counts, that of this turn.
template <typename Work> __global__ void __launch_bounds__(Block) turn(pool p, unsigned side) {
  const unsigned *counts = p.counts + side * MostKinds;
  unsigned block = blockIdx.x, key = 0;
  for (; key < Work::Kinds; key++) {
    unsigned blocks = (counts[key] + Block - 1) / Block;
    if (block < blocks)
      break;
    block -= blocks;
  }
  unsigned place = block * Block + threadIdx.x, item = 0, next = Work::Kinds;
  if (key == Work::Kinds)
    return;
  if (place < counts[key]) {
    item = p.queues[side][key * p.threads + place];
    Work work = loaded<Work>(p, item);
    work.behind(p.in, keptOf<Work>(p, item));
    next = toPoint(p, item, work);
  }
  enqueue<Work::Kinds>(p.queues[!side], p.counts + !side * MostKinds, p.threads, item, next);
}

// The same for one key.
template <typename Work, unsigned Key>
__global__ void __launch_bounds__(Block) turnOf(pool p, unsigned side) {
  unsigned count = p.counts[side * MostKinds + Key];
  for (unsigned first = blockIdx.x * Block; first < count; first += gridDim.x * Block) {
    unsigned place = first + threadIdx.x, item = 0, next = Work::Kinds;
    if (place < count) {
      item = p.queues[side][Key * p.threads + place];
      Work work = loaded<Work>(p, item);
      work.key = Key;
      work.behind(p.in, keptOf<Work>(p, item));
      next = toPoint(p, item, work);
    }
    enqueue<Work::Kinds>(p.queues[!side], p.counts + !side * MostKinds, p.threads, item, next);
  }
}

template <typename Work>
__global__ void __launch_bounds__(Block) turnSorted(pool p, unsigned count) {
  unsigned place = blockIdx.x * Block + threadIdx.x, next = Work::Kinds;
  bool ends = false;
  if (place < count && p.keys[1][place] < Work::Kinds) {
    unsigned item = p.items[1][place];
    Work work = loaded<Work>(p, item);
    work.behind(p.in, keptOf<Work>(p, item));
    next = toPoint(p, item, work);
    p.items[0][place] = item;
    ends = next == Work::Kinds;
  }
  if (place < count)
    p.keys[0][place] = (unsigned char)next;
  unsigned ended = (unsigned)__syncthreads_count(ends);
  if (threadIdx.x == 0 && ended)
    atomicAdd(p.done, ended);
}

// ---- on the host --------------------------------------------------------------------------------

// How many are left, as it was two turns ago: a copy of counters after each turn.
struct left_over {
  unsigned *pinned;
  cudaEvent_t events[2];

  left_over() {
    check(cudaMallocHost(&pinned, 2 * MostKinds * sizeof *pinned), "pinned memory");
    for (cudaEvent_t &event : events)
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
  }
  void note(unsigned number, const unsigned *counters, unsigned count) {
    if (number > MostTurns)
      die("no end of turns");
    check(cudaMemcpyAsync(pinned + number % 2 * MostKinds, counters, count * sizeof *counters,
                          cudaMemcpyDeviceToHost, 0),
          "copy");
    check(cudaEventRecord(events[number % 2]), "event");
  }
  const unsigned *of(unsigned number) {
    check(cudaEventSynchronize(events[number % 2]), "a turn");
    return pinned + number % 2 * MostKinds;
  }
};

template <typename Work, bool Specialises> struct one_kernel_each {
  static void launch(const pool &, unsigned, unsigned) {}
  static const void *function() { return nullptr; }
};
template <typename Work> struct one_kernel_each<Work, true> {
  template <unsigned Key = 0> static void launch(const pool &p, unsigned side, unsigned active) {
    if constexpr (Key < Work::Kinds) {
      unsigned blocks = std::min((active + Block - 1) / Block, unsigned(MostBlocks));
      turnOf<Work, Key><<<blocks, Block>>>(p, side);
      launch<Key + 1>(p, side, active);
    }
  }
  static const void *function() { return reinterpret_cast<const void *>(&turnOf<Work, 2>); }
};

// Turns until nobody is left; how many.
template <typename Work, bool Specialises>
unsigned withQueues(const pool &p, left_over *left, bool kernels) {
  check(cudaMemsetAsync(p.counts, 0, 2 * MostKinds * sizeof *p.counts, 0), "counts");
  begin<Work><<<p.threads / Block, Block>>>(p, false);
  unsigned active = p.threads, number = 0;
  for (unsigned side = 0; active; side = !side) {
    check(cudaMemsetAsync(p.counts + !side * MostKinds, 0, MostKinds * sizeof *p.counts, 0),
          "counts");
    if (kernels)
      one_kernel_each<Work, Specialises>::launch(p, side, active);
    else
      turn<Work><<<(active + Block - 1) / Block + Work::Kinds, Block>>>(p, side);
    left->note(number++, p.counts + !side * MostKinds, Work::Kinds);
    if (number < 2)
      continue;
    const unsigned *counts = left->of(number - 2);
    active = 0;
    for (unsigned key = 0; key < Work::Kinds; key++)
      active += counts[key];
  }
  return number;
}

template <typename Work> constexpr unsigned bits_for = Work::Kinds < 8 ? 3 : 4; // and who is done

struct sorter {
  void *memory = nullptr;
  size_t bytes = 0;

  void sort(const pool &p, unsigned count, unsigned bits) {
    check(cub::DeviceRadixSort::SortPairs(memory, bytes, p.keys[0], p.keys[1], p.items[0],
                                          p.items[1], (int)count, 0, (int)bits),
          "CUB");
  }
};

template <typename Work> unsigned withSort(const pool &p, left_over *left, sorter *sorts) {
  check(cudaMemsetAsync(p.done, 0, sizeof *p.done, 0), "counts");
  begin<Work><<<p.threads / Block, Block>>>(p, true);
  unsigned active = p.threads, number = 0;
  while (active) {
    sorts->sort(p, active, bits_for<Work>);
    turnSorted<Work><<<(active + Block - 1) / Block, Block>>>(p, active);
    left->note(number++, p.done, 1);
    if (number >= 2)
      active = p.threads - *left->of(number - 2);
  }
  return number;
}

std::vector<unsigned> randomWords(size_t count) {
  std::vector<unsigned> words(count);
  unsigned long long state = 1;
  for (unsigned &word : words) {
    unsigned long long z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    word = unsigned(z >> 32);
  }
  return words;
}

template <typename Type> Type *allocated(size_t count) {
  Type *memory;
  check(cudaMalloc(&memory, count * sizeof *memory), "memory");
  return memory;
}

struct question {
  std::string application;
  unsigned words, rounds, period, threads;
};

template <typename Work, bool Specialises>
bool measure(const question &q, const std::vector<unsigned> &expected) {
  std::vector<unsigned> input = randomWords(q.words);
  pool p = {{nullptr, q.words - 1}, q.rounds, q.threads, q.period};
  unsigned *words = allocated<unsigned>(q.words);
  check(cudaMemcpy(words, input.data(), q.words * sizeof *words, cudaMemcpyHostToDevice), "copy");
  p.in.words = words;
  p.out = allocated<unsigned>(q.threads);
  p.state = allocated<unsigned>(size_t(q.threads) * Work::Words);
  p.kept = allocated<unsigned>(size_t(q.threads) * Work::Kept);
  p.counts = allocated<unsigned>(2 * MostKinds);
  p.done = allocated<unsigned>(1);
  for (unsigned side = 0; side < 2; side++) {
    p.queues[side] = allocated<unsigned>(size_t(q.threads) * Work::Kinds);
    p.keys[side] = allocated<unsigned char>(q.threads);
    p.items[side] = allocated<unsigned>(q.threads);
  }
  sorter sorts;
  sorts.sort(p, q.threads, bits_for<Work>);
  sorts.memory = allocated<char>(sorts.bytes);
  left_over left;
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start), "event");
  check(cudaEventCreate(&stop), "event");

  bool allRight = true;
  for (std::string way : {"queues", "kernels", "sorted"}) {
    if (way == "kernels" && !Specialises)
      continue;
    const void *function = way == "queues"   ? reinterpret_cast<const void *>(&turn<Work>)
                           : way == "sorted" ? reinterpret_cast<const void *>(&turnSorted<Work>)
                                             : one_kernel_each<Work, Specialises>::function();
    std::vector<float> times;
    unsigned turns = 0;
    for (unsigned repeat = 0; repeat <= Repeats; repeat++) {
      check(cudaMemset(p.out, 0xa5, q.threads * sizeof *p.out), "memory");
      check(cudaEventRecord(start), "event");
      turns = way == "sorted" ? withSort<Work>(p, &left, &sorts)
                              : withQueues<Work, Specialises>(p, &left, way == "kernels");
      check(cudaEventRecord(stop), "event");
      check(cudaEventSynchronize(stop), way.c_str());
      check(cudaGetLastError(), way.c_str());
      float ms;
      check(cudaEventElapsedTime(&ms, start, stop), "event");
      if (repeat) // the first loads the code
        times.push_back(ms);
    }
    std::vector<unsigned> got(q.threads);
    check(cudaMemcpy(got.data(), p.out, got.size() * sizeof got[0], cudaMemcpyDeviceToHost),
          "copy");
    size_t wrong = 0;
    for (size_t i = 0; i < got.size(); i++)
      wrong += got[i] != expected[i % q.period];
    allRight &= wrong == 0;
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, function), way.c_str());
    int blocks;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, Block, 0), way.c_str());
    std::sort(times.begin(), times.end());
    std::printf("%s\tnvcc:%s_wavefront_%s_%u\t%.6f\t%.6f\t%u\t%d\t%zu\t%zu\t%d\t%s\n",
                q.application.c_str(), q.application.c_str(), way.c_str(), turns,
                double(times[times.size() / 2]), double(times[0]), q.threads, attributes.numRegs,
                attributes.sharedSizeBytes, attributes.localSizeBytes, blocks,
                wrong ? ("WRONG: " + std::to_string(wrong)).c_str() : "");
    std::fflush(stdout);
  }
  for (void *memory :
       {(void *)words, (void *)p.out, (void *)p.state, (void *)p.kept, (void *)p.counts,
        (void *)p.done, (void *)p.queues[0], (void *)p.queues[1], (void *)p.keys[0],
        (void *)p.keys[1], (void *)p.items[0], (void *)p.items[1], sorts.memory})
    check(cudaFree(memory), "free");
  return allRight;
}

using Reference = void (*)(const unsigned *, unsigned, unsigned, unsigned *, unsigned);

std::vector<unsigned> askReference(void *library, const question &q) {
  auto reference = reinterpret_cast<Reference>(dlsym(library, q.application.c_str()));
  if (!reference || q.threads % Block != 0 || q.period == 0)
    die("'" + q.application + "': no reference, or thread blocks that aren't full");
  std::vector<unsigned> input = randomWords(q.words), expected(q.period + 1);
  reference(input.data(), q.words - 1, q.rounds, expected.data(), q.period);
  return expected;
}

bool answer(const question &q, const std::vector<unsigned> &expected) {
  if (q.application == "path_tracer")
    return measure<regroup::tracing<simple_scene>, true>(q, expected);
  if (q.application == "layered_tracer")
    return measure<regroup::tracing<layered_scene>, true>(q, expected);
  if (q.application == "particle_transport")
    return measure<grouped_transport, false>(q, expected);
  if (q.application == "nuclide_transport")
    return measure<tabulated_transport, false>(q, expected);
  die("no application " + q.application);
}

} // namespace

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  if (!library)
    die(argc == 2 ? dlerror() : "wants a library of references");
  std::vector<std::pair<question, std::future<std::vector<unsigned>>>> asked;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream fields(line);
    question q;
    if (!(fields >> q.application >> q.words >> q.rounds >> q.period >> q.threads))
      die("'" + line + "' is not a question");
    asked.emplace_back(q, std::async(std::launch::async, askReference, library, q));
  }
  bool right = true;
  for (auto &[q, expected] : asked)
    right &= answer(q, expected.get());
  return right ? 0 : 2;
}
