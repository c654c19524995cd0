// What reorder.cpp and wavefront.cu share: kernels whose results are compared with those of functions
// on the CPU, and what is printed of each.
#ifndef BENCH_DEVICE_CHECKED_H
#define BENCH_DEVICE_CHECKED_H

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <future>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace checked {

using Words = std::vector<unsigned>;

[[noreturn]] inline void die(const std::string &what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

inline void check(cudaError_t error, const std::string &what) {
  if (error != cudaSuccess)
    die(what + ": " + cudaGetErrorString(error));
}

template <typename Type> Type *allocated(size_t count) {
  void *memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(Type)), "cudaMalloc");
  return static_cast<Type *>(memory);
}

// What linearize-simt makes of `--arg buf:u32:COUNT:random`.
inline Words randomWords(size_t count) {
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

// What the CPU is asked: `name` of the library computes so many threads.
struct Question {
  std::string name;
  unsigned words, rounds, threads;

  bool operator<(const Question &o) const {
    return std::tie(name, words, rounds, threads) < std::tie(o.name, o.words, o.rounds, o.threads);
  }
};

// All are answered at once, each on a thread of its own.
class References {
public:
  explicit References(const char *path) : library(path ? dlopen(path, RTLD_NOW) : nullptr) {
    if (!library)
      die(path ? dlerror() : "wants a library of references");
  }
  void ask(const Question &question) {
    if (!asked.count(question))
      asked[question] =
          std::async(std::launch::async, [=, this] { return compute(question); }).share();
  }
  const Words &answer(const Question &question) const { return asked.at(question).get(); }

private:
  using Reference = void (*)(const unsigned *, unsigned, unsigned, unsigned *, unsigned);

  Words compute(const Question &q) const {
    auto reference = reinterpret_cast<Reference>(dlsym(library, q.name.c_str()));
    if (!reference || (q.words & (q.words - 1)) != 0 || q.threads == 0)
      die("'" + q.name + "': no reference, words that aren't a power of two, or no threads");
    Words in = randomWords(q.words), out(q.threads + 1); // some of bench's write one word more
    reference(in.data(), q.words - 1, q.rounds, out.data(), q.threads);
    out.pop_back();
    return out;
  }

  void *library;
  std::map<Question, std::shared_future<Words>> asked;
};

// What is wrong with so many results, if they repeat as those of the CPU do. They are in page-locked
// memory that grows as needed: here pages cost more than kernels.
class Results {
public:
  std::string faults(const unsigned *onDevice, size_t count, const Words &expected) {
    if (count > room) {
      cudaFreeHost(got);
      check(cudaMallocHost(&got, (room = count) * sizeof *got), "cudaMallocHost");
    }
    check(cudaMemcpy(got, onDevice, count * sizeof *got, cudaMemcpyDeviceToHost), "copy");
    size_t wrong = 0;
    for (size_t first = 0; first < count; first += expected.size())
      for (size_t i = 0; i < expected.size() && first + i < count; i++)
        wrong += got[first + i] != expected[i];
    return wrong ? "WRONG: " + std::to_string(wrong) + " of " + std::to_string(count) : "";
  }

private:
  unsigned *got = nullptr;
  size_t room = 0;
};

// The kernels of cubins.
class Kernels {
public:
  cudaKernel_t get(const std::string &cubin, const std::string &name) {
    cudaLibrary_t &library = libraries[cubin];
    if (!library)
      check(cudaLibraryLoadFromFile(&library, cubin.c_str(), nullptr, nullptr, 0, nullptr, nullptr,
                                    0),
            cubin);
    cudaKernel_t kernel;
    check(cudaLibraryGetKernel(&kernel, library, name.c_str()), name);
    return kernel;
  }

private:
  std::map<std::string, cudaLibrary_t> libraries;
};

// A line: group, name, median ms, least ms, threads, registers, bytes of shared and of local memory,
// thread blocks that fit onto a multiprocessor, and what was wrong.
struct Row {
  std::string group, name;
  std::vector<float> times;
  unsigned threads;
  cudaFuncAttributes attributes;
  int blocks;
  std::string fault;

  // Of a kernel in blocks of a size.
  void describe(cudaKernel_t kernel, unsigned block) {
    auto function = reinterpret_cast<const void *>(kernel);
    check(cudaFuncGetAttributes(&attributes, function), name);
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, int(block), 0), name);
    if (blocks == 0)
      fault = "a multiprocessor has no room for a block";
  }
  void print() const {
    std::vector<float> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    std::printf("%s\t%s\t%.6f\t%.6f\t%u\t%d\t%zu\t%zu\t%d\t%s\n", group.c_str(), name.c_str(),
                sorted.empty() ? 0.0 : double(sorted[sorted.size() / 2]),
                sorted.empty() ? 0.0 : double(sorted[0]), threads, attributes.numRegs,
                attributes.sharedSizeBytes, attributes.localSizeBytes, blocks, fault.c_str());
  }
};

// What the host's time goes into: a line of it, after all that was measured so far.
class Clock {
public:
  void spent(const char *what) {
    auto now = std::chrono::steady_clock::now();
    seconds[what] += std::chrono::duration<double>(now - last).count();
    last = now;
  }
  void print() const {
    std::printf("seconds");
    for (auto &[what, time] : seconds)
      std::printf("\t%s %.1f", what.c_str(), time);
    std::printf("\n");
    std::fflush(stdout);
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
  std::map<std::string, double> seconds;
};

} // namespace checked

#endif
