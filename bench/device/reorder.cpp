// Runs kernels on a GPU in several variants, each checked against the CPU, and times those of a
// group in turns: what scripts/bench reorder compares.
//
//   reorder REFERENCES.so < LIST
//
// A line of LIST is a variant:
//
//   GROUP NAME CUBIN KERNEL BLOCK SHARE REFERENCE WORDS ROUNDS PERIOD THREADS
//
// KERNEL has the signature of bench/threads, and so has REFERENCE, a function of that library.
// THREADS is whose work is done, or xN, N times as many as the GPU has room for at once; SHARE is
// how many of them a launched thread stands for. The CPU computes PERIOD of them. With xN results
// repeat after so many; else the others do the work of the first ones over again, by the argument
// `order`.
//
// Prints a line of the GPU (name, multiprocessors, kHz), and behind each group its variants
// (checked.h) and what took how long.
#include "checked.h"

#include <iostream>
#include <sstream>

using namespace checked;

namespace {

constexpr float WantedMs = 1.0f;   // a run is as many launches as take so long
constexpr float PatientMs = 20.0f; // and a variant is run for so long,
constexpr unsigned Fewest = 3, Most = 11, MostLaunches = 100; // but so often at least and at most

struct Variant {
  Row row;
  std::string cubin, kernelName;
  Question question;
  unsigned block, share;
  bool copies = false;
  cudaKernel_t kernel = nullptr;
  unsigned launches = 1, repeats = Fewest;

  unsigned period() const { return question.threads; }
};

std::vector<Variant> readList(int multiprocessors) {
  std::vector<Variant> variants;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream fields(line);
    Variant v = {};
    std::string threads;
    if (!(fields >> v.row.group >> v.row.name >> v.cubin >> v.kernelName >> v.block >> v.share >>
          v.question.name >> v.question.words >> v.question.rounds >> v.question.threads >>
          threads))
      die("'" + line + "' is not a variant");
    v.copies = threads[0] != 'x';
    v.row.threads = v.copies ? unsigned(std::atoi(threads.c_str()))
                             : unsigned(std::atoi(threads.c_str() + 1) * multiprocessors) * 2048;
    if (v.row.threads % (v.block * v.share) != 0)
      die("'" + line + "': thread blocks are full");
    variants.push_back(v);
  }
  return variants;
}

struct Device {
  Kernels kernels;
  Results results;
  unsigned *in = nullptr, *out = nullptr, *order = nullptr;
  unsigned words = 0, period = 0, threads = 0, room = 0;
  cudaEvent_t start, stop;

  Device() {
    check(cudaEventCreate(&start), "cudaEventCreate");
    check(cudaEventCreate(&stop), "cudaEventCreate");
  }

  // Buffers with what this variant needs.
  void prepare(const Variant &v) {
    if (words != v.question.words) {
      Words input = randomWords(words = v.question.words);
      cudaFree(in);
      in = allocated<unsigned>(words);
      check(cudaMemcpy(in, input.data(), words * sizeof *in, cudaMemcpyHostToDevice), "copy");
    }
    if (room < v.row.threads) {
      cudaFree(out);
      cudaFree(order);
      room = v.row.threads, threads = 0;
      out = allocated<unsigned>(room);
      order = allocated<unsigned>(room);
    }
    if (!v.copies || (threads == v.row.threads && period == v.period()))
      return;
    threads = v.row.threads, period = v.period();
    Words places(threads);
    for (unsigned i = 0, at = 0; i < threads; i++, at = at + 1 < period ? at + 1 : 0)
      places[i] = at;
    check(cudaMemcpy(order, places.data(), threads * sizeof *order, cudaMemcpyHostToDevice),
          "copy");
  }

  // Milliseconds of a launch, the mean of so many.
  float run(const Variant &v, unsigned launches) {
    unsigned mask = words - 1, rounds = v.question.rounds, count = v.row.threads;
    unsigned *mapped = v.copies ? order : nullptr;
    void *arguments[] = {&in, &mask, &rounds, &out, &count, &mapped};
    check(cudaEventRecord(start), "cudaEventRecord");
    for (unsigned i = 0; i < launches; i++)
      check(cudaLaunchKernel(reinterpret_cast<void *>(v.kernel), dim3(count / v.block / v.share),
                             dim3(v.block), arguments, 0, nullptr),
            v.kernelName);
    check(cudaEventRecord(stop), "cudaEventRecord");
    check(cudaEventSynchronize(stop), v.kernelName);
    float ms;
    check(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
    return ms / float(launches);
  }

  void verify(Variant *v, const Words &expected) {
    check(cudaMemset(out, 0xa5, v->row.threads * sizeof *out), "cudaMemset");
    run(*v, 1);
    v->row.fault = results.faults(out, v->copies ? v->period() : v->row.threads, expected);
  }
};

// The variants of one group, in turns, back and forth.
void measure(Device *device, const std::vector<Variant *> &group, const References &references,
             Clock *clock) {
  unsigned most = 0;
  for (Variant *v : group) {
    v->kernel = device->kernels.get(v->cubin, v->kernelName);
    v->row.describe(v->kernel, v->block);
    clock->spent("loading");
    const Words &expected = references.answer(v->question);
    clock->spent("references");
    if (!v->row.fault.empty())
      continue;
    device->prepare(*v);
    device->verify(v, expected);
    clock->spent("checking");
    float ms = device->run(*v, 1);
    v->launches = std::clamp(unsigned(WantedMs / ms) + 1, 1u, MostLaunches);
    v->repeats = std::clamp(unsigned(PatientMs / (ms * float(v->launches))), Fewest, Most);
    most = std::max(most, v->repeats);
  }
  for (unsigned i = 0; i < most; i++)
    for (size_t n = 0; n < group.size(); n++) {
      Variant *v = group[i % 2 ? group.size() - 1 - n : n];
      if (v->row.blocks > 0 && i < v->repeats) {
        device->prepare(*v);
        v->row.times.push_back(device->run(*v, v->launches));
      }
    }
  clock->spent("timing");
}

} // namespace

int main(int argc, char **argv) {
  Clock clock;
  References references(argc == 2 ? argv[1] : nullptr);
  cudaDeviceProp properties;
  int khz = 0;
  check(cudaGetDeviceProperties(&properties, 0), "no GPU");
  check(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0), "clock");
  std::printf("%s\t%d\t%d\n", properties.name, properties.multiProcessorCount, khz);

  std::vector<Variant> variants = readList(properties.multiProcessorCount);
  for (const Variant &v : variants)
    references.ask(v.question);
  Device device;
  clock.spent("beginning");
  bool wrong = false;
  for (size_t first = 0; first < variants.size();) {
    std::vector<Variant *> group;
    for (; first < variants.size() &&
           (group.empty() || variants[first].row.group == group[0]->row.group);
         first++)
      group.push_back(&variants[first]);
    measure(&device, group, references, &clock);
    for (Variant *v : group) {
      v->row.print();
      wrong |= !v->row.fault.empty();
    }
    clock.print();
  }
  return wrong ? 2 : 0;
}
