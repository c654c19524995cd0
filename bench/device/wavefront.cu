// Runs the wavefronts of bench/regroup/wavefront.cuh on a GPU, checked against the CPU, and times
// them: all turns, with what the host does in between. That is to sort, by CUB
// (DeviceRadixSort), and to look how many are left, some turns ago, so that the GPU never waits.
//
//   wavefront REFERENCES.so < LIST
//
// A line of LIST is:
//
//   GROUP NAME CUBIN APPLICATION WAY WORDS ROUNDS PERIOD THREADS FINISH
//
// APPLICATION's kernels are in CUBIN, its reference in the library. WAY is queues or sorted. As at
// most FINISH * 256 threads a multiprocessor are left, each is taken to its end. What is printed:
// checked.h.
#include "../regroup/wavefront.cuh"
#include "checked.h"

#include <cub/device/device_radix_sort.cuh>
#include <iostream>
#include <sstream>

using namespace checked;

namespace {

constexpr unsigned Patience = 4; // turns from one look to the next
constexpr unsigned Repeats = 3, MostTurns = 20000, KeyBits = 4;

struct Variant {
  Row row;
  std::string cubin, way;
  Question question;
  unsigned finish;

  bool sorts() const { return way == "sorted"; }
};

std::vector<Variant> readList() {
  std::vector<Variant> variants;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream fields(line);
    Variant v = {};
    if (!(fields >> v.row.group >> v.row.name >> v.cubin >> v.question.name >> v.way >>
          v.question.words >> v.question.rounds >> v.question.threads >> v.row.threads >>
          v.finish) ||
        (v.way != "queues" && v.way != "sorted") || v.row.threads % wave_block != 0)
      die("'" + line + "' is not a wavefront");
    variants.push_back(v);
  }
  return variants;
}

// How many were left after a turn, looked at later: the copy of its counters.
class Looks {
public:
  Looks() {
    check(cudaMallocHost(&counts, 2 * wave_kinds * sizeof *counts), "pinned memory");
    for (cudaEvent_t &event : events)
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
  }
  // Takes a copy, and says what the one before says; nothing before: `all`.
  unsigned next(const unsigned *counters, unsigned all) {
    unsigned side = number++ % 2;
    check(cudaMemcpyAsync(counts + side * wave_kinds, counters, wave_kinds * sizeof *counts,
                          cudaMemcpyDeviceToHost, 0),
          "copy");
    check(cudaEventRecord(events[side]), "event");
    if (number == 1)
      return all;
    check(cudaEventSynchronize(events[!side]), "a turn");
    unsigned left = 0;
    for (unsigned key = 0; key < wave_kinds; key++)
      left += counts[!side * wave_kinds + key];
    return left;
  }
  void begin() { number = 0; }

private:
  unsigned *counts, number = 0;
  cudaEvent_t events[2];
};

// The kernels and the memory of one wavefront.
class Wavefront {
public:
  Wavefront(const Variant &v, unsigned multiprocessors, Kernels *kernels)
      : sorts(v.sorts()), finish(v.finish * wave_block * multiprocessors) {
    auto kernel = [&](const std::string &name) {
      return kernels->get(v.cubin, v.question.name + "_" + name);
    };
    beginning = kernel(v.way + "_begin"), turning = kernel(v.way + "_turn");
    finishing = kernel("finish");
    Words input = randomWords(v.question.words);
    auto *words = allocated<unsigned>(input.size());
    check(cudaMemcpy(words, input.data(), input.size() * sizeof *words, cudaMemcpyHostToDevice),
          "copy");
    w.in = {words, v.question.words - 1};
    w.rounds = v.question.rounds, w.threads = v.row.threads, w.period = v.question.threads;
    w.queues = sorts ? 1 : wave_kinds;
    w.out = allocated<unsigned>(w.threads);
    w.records = allocated<unsigned>(size_t(w.threads) * wave_record);
    counters = allocated<unsigned>(3 * wave_kinds);
    for (unsigned side = 0; side < 2; side++) {
      items[side] = allocated<unsigned>(size_t(w.threads) * w.queues);
      keys[side] = allocated<unsigned char>(w.threads);
    }
    sort(0, w.threads); // says how much memory it needs
    memory = allocated<char>(bytes);
    check(cudaEventCreate(&start), "event");
    check(cudaEventCreate(&stop), "event");
  }
  Wavefront(const Wavefront &) = delete;
  ~Wavefront() {
    for (const void *all : {(const void *)w.in.words, (const void *)w.out, (const void *)w.records,
                            (const void *)counters, (const void *)items[0], (const void *)items[1],
                            (const void *)keys[0], (const void *)keys[1], (const void *)memory})
      cudaFree(const_cast<void *>(all));
  }

  cudaKernel_t kernel() const { return turning; }
  const unsigned *out() const { return w.out; }

  // All turns; ms, and how many.
  float run(unsigned *turns) {
    check(cudaMemset(w.out, 0xa5, w.threads * sizeof *w.out), "memory");
    check(cudaEventRecord(start), "event");
    *turns = goAround();
    check(cudaEventRecord(stop), "event");
    check(cudaEventSynchronize(stop), "a turn");
    float ms;
    check(cudaEventElapsedTime(&ms, start, stop), "event");
    return ms;
  }

private:
  bool sorts;
  unsigned finish, *counters, *items[2];
  unsigned char *keys[2];
  void *memory = nullptr;
  size_t bytes = 0;
  wave w = {};
  cudaKernel_t beginning, turning, finishing;
  cudaEvent_t start, stop;
  Looks looks;

  void sort(unsigned from, unsigned count) {
    check(cub::DeviceRadixSort::SortPairs(memory, bytes, keys[from], keys[!from], items[from],
                                          items[!from], (int)count, 0, (int)KeyBits),
          "CUB");
  }
  void launch(cudaKernel_t kernel, unsigned blocks) {
    void *arguments[] = {&w};
    check(cudaLaunchKernel(reinterpret_cast<void *>(kernel), dim3(blocks), dim3(wave_block),
                           arguments, 0, nullptr),
          "a launch");
  }
  unsigned goAround() {
    auto counts = [&](unsigned turn) { return counters + turn % 3 * wave_kinds; };
    unsigned active = w.threads, from = 0; // items[from] have work
    check(cudaMemsetAsync(counters, 0, 3 * wave_kinds * sizeof *counters, 0), "counters");
    w.next = items[0], w.keys = keys[0], w.next_counts = counts(0);
    launch(beginning, w.threads / wave_block);
    looks.begin();
    for (unsigned turn = 0; turn < MostTurns; turn++) {
      if (sorts && active > 0) {
        sort(from, active);
        from = !from;
      }
      w.items = items[from], w.next = items[!from], w.keys = keys[!from];
      w.counts = counts(turn), w.next_counts = counts(turn + 1), w.cleared = counts(turn + 2);
      // Each queue ends with a block that isn't full.
      unsigned blocks = (active + wave_block - 1) / wave_block + (sorts ? 0 : wave_kinds);
      if (active <= finish) {
        if (active > 0)
          launch(finishing, blocks);
        return turn;
      }
      launch(turning, blocks);
      from = !from;
      if (turn % Patience == Patience - 1)
        active = looks.next(w.next_counts, w.threads);
    }
    die("no end of turns");
  }
};

} // namespace

int main(int argc, char **argv) {
  Clock clock;
  References references(argc == 2 ? argv[1] : nullptr);
  int multiprocessors;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "no GPU");
  std::vector<Variant> variants = readList();
  for (const Variant &v : variants)
    references.ask(v.question);
  clock.spent("beginning");
  Kernels kernels;
  Results results;
  bool wrong = false;
  for (Variant &v : variants) {
    Wavefront wavefront(v, unsigned(multiprocessors), &kernels);
    v.row.describe(wavefront.kernel(), wave_block);
    clock.spent("loading");
    const Words &expected = references.answer(v.question);
    clock.spent("references");
    unsigned turns = 0;
    for (unsigned repeat = 0; repeat <= Repeats; repeat++) {
      float ms = wavefront.run(&turns);
      if (repeat) // the first loads the code
        v.row.times.push_back(ms);
    }
    clock.spent("timing");
    v.row.fault = results.faults(wavefront.out(), v.row.threads, expected);
    clock.spent("checking");
    v.row.name += "_" + std::to_string(turns);
    v.row.print();
    wrong |= !v.row.fault.empty();
    clock.print();
  }
  return wrong ? 2 : 0;
}
