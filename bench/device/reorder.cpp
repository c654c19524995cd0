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
// Prints a line of the GPU (name, multiprocessors, kHz), and for each variant, with tabs: its
// group, its name, median ms, least ms, threads, registers, bytes of shared and of local memory,
// thread blocks that fit onto a multiprocessor, and what was wrong.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <future>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace {

using Words = std::vector<unsigned>;
using Reference = void (*)(const unsigned *, unsigned, unsigned, unsigned *, unsigned);

constexpr float WantedMs = 1.0f;   // a run is as many launches as take so long
constexpr float PatientMs = 30.0f; // and a variant is run for so long,
constexpr unsigned Fewest = 3, Most = 15, MostLaunches = 100; // but so often at least and at most

[[noreturn]] void die(const std::string &what) {
  std::fprintf(stderr, "reorder: %s\n", what.c_str());
  std::exit(1);
}

void check(cudaError_t error, const std::string &what) {
  if (error != cudaSuccess)
    die(what + ": " + cudaGetErrorString(error));
}

Words randomWords(size_t count) {
  Words words(count);
  unsigned long long state = 1;
  for (unsigned &word : words) {
    unsigned long long z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    word = unsigned(z >> 32);
  }
  return words;
}

using Question = std::tuple<std::string, unsigned, unsigned, unsigned>; // for the CPU

struct Variant {
  std::string group, name, cubin, kernelName, reference;
  unsigned block, share, words, rounds, period, threads = 0;
  bool copies = false;
  cudaKernel_t kernel = nullptr;
  cudaFuncAttributes attributes = {};
  int blocks = 0; // on a multiprocessor
  unsigned launches = 1, repeats = Fewest;
  std::vector<float> times;
  std::string fault;

  Question question() const { return {reference, words, rounds, period}; }
};

std::vector<Variant> readList(int multiprocessors) {
  std::vector<Variant> variants;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream fields(line);
    Variant v;
    std::string threads;
    if (!(fields >> v.group >> v.name >> v.cubin >> v.kernelName >> v.block >> v.share >>
          v.reference >> v.words >> v.rounds >> v.period >> threads))
      die("'" + line + "' is not a variant");
    v.copies = threads[0] != 'x';
    v.threads = v.copies ? unsigned(std::atoi(threads.c_str()))
                         : unsigned(std::atoi(threads.c_str() + 1) * multiprocessors) * 2048;
    if (v.threads % (v.block * v.share) != 0 || (v.words & (v.words - 1)) != 0 || v.period == 0)
      die("'" + line + "': thread blocks are full, words a power of two, periods not 0");
    variants.push_back(v);
  }
  return variants;
}

Words askReference(void *library, const Question &question) {
  auto [name, words, rounds, period] = question;
  auto reference = reinterpret_cast<Reference>(dlsym(library, name.c_str()));
  if (!reference)
    die("no reference " + name);
  Words in = randomWords(words), out(period + 1); // some of bench's write one word more
  reference(in.data(), words - 1, rounds, out.data(), period);
  out.pop_back();
  return out;
}

struct Device {
  std::map<std::string, cudaLibrary_t> libraries;
  unsigned *in = nullptr, *out = nullptr, *order = nullptr;
  unsigned words = 0, period = 0, threads = 0;
  cudaEvent_t start, stop;

  Device() {
    check(cudaEventCreate(&start), "cudaEventCreate");
    check(cudaEventCreate(&stop), "cudaEventCreate");
  }

  void load(Variant *v) {
    cudaLibrary_t &library = libraries[v->cubin];
    if (!library)
      check(cudaLibraryLoadFromFile(&library, v->cubin.c_str(), nullptr, nullptr, 0, nullptr,
                                    nullptr, 0),
            v->cubin);
    check(cudaLibraryGetKernel(&v->kernel, library, v->kernelName.c_str()), v->kernelName);
    auto function = reinterpret_cast<const void *>(v->kernel);
    check(cudaFuncGetAttributes(&v->attributes, function), v->kernelName);
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v->blocks, function, int(v->block), 0),
          v->kernelName);
  }

  // Buffers of the sizes that this variant needs.
  void prepare(const Variant &v) {
    if (words != v.words) {
      Words input = randomWords(words = v.words);
      cudaFree(in);
      check(cudaMalloc(&in, words * sizeof *in), "cudaMalloc");
      check(cudaMemcpy(in, input.data(), words * sizeof *in, cudaMemcpyHostToDevice), "copy");
    }
    if (threads == v.threads && period == v.period)
      return;
    threads = v.threads, period = v.period;
    cudaFree(out);
    cudaFree(order);
    Words places(threads);
    for (unsigned i = 0; i < threads; i++)
      places[i] = i % period;
    check(cudaMalloc(&out, threads * sizeof *out), "cudaMalloc");
    check(cudaMalloc(&order, threads * sizeof *order), "cudaMalloc");
    check(cudaMemcpy(order, places.data(), threads * sizeof *order, cudaMemcpyHostToDevice),
          "copy");
  }

  // Milliseconds of a launch, the mean of so many.
  float run(const Variant &v, unsigned launches) {
    unsigned mask = words - 1, rounds = v.rounds, count = threads;
    unsigned *mapped = v.copies ? order : nullptr;
    void *arguments[] = {&in, &mask, &rounds, &out, &count, &mapped};
    check(cudaEventRecord(start), "cudaEventRecord");
    for (unsigned i = 0; i < launches; i++)
      check(cudaLaunchKernel(reinterpret_cast<void *>(v.kernel), dim3(threads / v.block / v.share),
                             dim3(v.block), arguments, 0, nullptr),
            v.kernelName);
    check(cudaEventRecord(stop), "cudaEventRecord");
    check(cudaEventSynchronize(stop), v.kernelName);
    float ms;
    check(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
    return ms / float(launches);
  }

  // What is wrong with the results.
  std::string verify(const Variant &v, const Words &expected) {
    check(cudaMemset(out, 0xa5, threads * sizeof *out), "cudaMemset");
    run(v, 1);
    Words got(v.copies ? period : threads);
    check(cudaMemcpy(got.data(), out, got.size() * sizeof *out, cudaMemcpyDeviceToHost), "copy");
    size_t wrong = 0;
    for (size_t i = 0; i < got.size(); i++)
      wrong += got[i] != expected[i % period];
    return wrong ? "WRONG: " + std::to_string(wrong) + " of " + std::to_string(got.size()) : "";
  }
};

// The variants of one group, in turns, back and forth.
void measure(Device *device, std::vector<Variant *> group,
             const std::map<Question, Words> &expected) {
  unsigned most = 0;
  for (Variant *v : group) {
    device->prepare(*v);
    v->fault = device->verify(*v, expected.at(v->question()));
    float ms = device->run(*v, 1);
    v->launches = std::clamp(unsigned(WantedMs / ms) + 1, 1u, MostLaunches);
    v->repeats = std::clamp(unsigned(PatientMs / (ms * float(v->launches))), Fewest, Most);
    most = std::max(most, v->repeats);
  }
  for (unsigned i = 0; i < most; i++)
    for (size_t n = 0; n < group.size(); n++) {
      Variant *v = group[i % 2 ? group.size() - 1 - n : n];
      if (i < v->repeats) {
        device->prepare(*v);
        v->times.push_back(device->run(*v, v->launches));
      }
    }
}

void print(const Variant &v) {
  std::vector<float> times = v.times;
  std::sort(times.begin(), times.end());
  std::printf("%s\t%s\t%.6f\t%.6f\t%u\t%d\t%zu\t%zu\t%d\t%s\n", v.group.c_str(), v.name.c_str(),
              double(times[times.size() / 2]), double(times[0]), v.threads, v.attributes.numRegs,
              v.attributes.sharedSizeBytes, v.attributes.localSizeBytes, v.blocks, v.fault.c_str());
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  if (!library)
    die(argc == 2 ? dlerror() : "wants a library of references");
  cudaDeviceProp properties;
  int khz = 0;
  check(cudaGetDeviceProperties(&properties, 0), "no GPU");
  check(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0), "clock");
  std::printf("%s\t%d\t%d\n", properties.name, properties.multiProcessorCount, khz);

  std::vector<Variant> variants = readList(properties.multiProcessorCount);
  std::map<Question, std::shared_future<Words>> asked;
  for (const Variant &v : variants)
    if (!asked.count(v.question()))
      asked[v.question()] =
          std::async(std::launch::async, askReference, library, v.question()).share();
  std::map<Question, Words> expected;
  for (auto &[question, answer] : asked)
    expected[question] = answer.get();

  Device device;
  bool wrong = false;
  for (size_t first = 0; first < variants.size();) {
    std::vector<Variant *> group;
    for (; first < variants.size() && (group.empty() || variants[first].group == group[0]->group);
         first++) {
      device.load(&variants[first]);
      group.push_back(&variants[first]);
    }
    measure(&device, group, expected);
    for (Variant *v : group) {
      print(*v);
      wrong |= !v->fault.empty();
    }
  }
  return wrong ? 2 : 0;
}
