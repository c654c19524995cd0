// Runs one kernel in several variants on a GPU: checks each against the CPU's reference, and times
// those that end.
//
//   run KERNEL WORDS[/WARPS] [--rounds=N] [--width=N] VARIANT=CUBIN...
//
// WORDS of input, a power of two; timed with WARPS a multiprocessor, or as many as there is room
// for, and with N rounds, or as many as it takes to be timed well. Thread blocks are N wide, or one
// row.
//
// The CPU's reference is the same kernel's file compiled with -x c++ and linked into this program;
// all have one signature (bench/include/linearize_device.h). For each variant one line is printed,
// with tabs: name, rounds timed, median ms, registers, bytes of local memory, blocks that fit on a
// multiprocessor, what went wrong, and that in words. scripts/lib/gpu.py makes tables of them.
// Status 0: all variants were right.
//
// A kernel that never ends takes its process with it. So the work is done in a child, which is
// started again without the variants that failed; results are in memory that both share.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using Kernel = void (*)(const unsigned *, unsigned, unsigned, unsigned *, unsigned);
using Words = std::vector<unsigned>;
using Clock = std::chrono::steady_clock;

constexpr unsigned Block = 128;
constexpr unsigned CheckThreads = 1 << 14, AllThreads = 1 << 18;
constexpr unsigned CheckRounds[] = {1, 5, 24};
constexpr unsigned MostRounds = 1 << 14;
constexpr int Repeats = 15;           // medians are of so many runs, the variants taking turns
constexpr double WantedMs = 1.0;      // rounds are doubled until the slowest runs so long
constexpr double PatienceSeconds = 5; // then a kernel is taken to never end
constexpr double ReferenceSeconds = 0.5;

enum Fault : int { None, NotBuilt, NoEnd, Failed, Starved, Wrong };

struct Result {
  Fault fault;
  float ms;
  int registers, localBytes, blocks;
  char note[160]; // what the fault is, in words
};

struct Shared {
  int current; // the variant at work, for the parent to know which one failed
  unsigned rounds;
  Result results[256];
};

struct Variant {
  std::string name, cubin;
  cudaKernel_t kernel = nullptr;
};

Shared *shared;
std::vector<Variant> variants;
unsigned warps; // a multiprocessor, when timed; 0: as many as AllThreads make
unsigned timeThreads = AllThreads;
unsigned width; // of a block; 0: one row

// Ends the child: the parent goes on without the current variant.
template <typename... Values>
[[noreturn]] void fail(Fault fault, const char *format, Values... values) {
  Result &result = shared->results[shared->current];
  result.fault = fault;
  std::snprintf(result.note, sizeof result.note, format, values...);
  _exit(1);
}

void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    fail(Failed, "%s: %s", what, cudaGetErrorString(error));
}

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
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

// Device memory: the input, and the output with one word more, where threads report starvation.
struct Device {
  unsigned *words, *out, mask;
  cudaEvent_t start, stop;

  explicit Device(const Words &input) : mask(unsigned(input.size()) - 1) {
    check(cudaMalloc(&words, input.size() * sizeof *words), "cudaMalloc");
    check(cudaMalloc(&out, (std::max(timeThreads, CheckThreads) + 1) * sizeof *out), "cudaMalloc");
    check(cudaMemcpy(words, input.data(), input.size() * sizeof *words, cudaMemcpyHostToDevice),
          "copy");
    check(cudaEventCreate(&start), "cudaEventCreate");
    check(cudaEventCreate(&stop), "cudaEventCreate");
  }

  // Milliseconds.
  float run(const Variant &variant, unsigned threads, unsigned rounds) {
    void *arguments[] = {&words, &mask, &rounds, &out, &threads};
    check(cudaMemset(out, 0xa5, threads * sizeof *out), "cudaMemset");
    check(cudaMemset(out + threads, 0, sizeof *out), "cudaMemset");
    check(cudaEventRecord(start), "cudaEventRecord");
    unsigned block = warps && warps * 32 < Block ? warps * 32 : Block;
    dim3 shape = width ? dim3(width, block / width) : dim3(block);
    check(cudaLaunchKernel(reinterpret_cast<void *>(variant.kernel), dim3(threads / block), shape,
                           arguments, 0, nullptr),
          "launch");
    check(cudaEventRecord(stop), "cudaEventRecord");
    wait();
    float ms;
    check(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
    return ms;
  }

  void wait() {
    Clock::time_point begin = Clock::now();
    cudaError_t state;
    while ((state = cudaEventQuery(stop)) == cudaErrorNotReady)
      if (secondsSince(begin) > PatienceSeconds)
        fail(NoEnd, "did not end within %g s", PatienceSeconds);
    check(state, "kernel");
  }

  Words result(unsigned threads) {
    Words words(threads + 1);
    check(cudaMemcpy(words.data(), out, words.size() * sizeof *out, cudaMemcpyDeviceToHost),
          "copy");
    return words;
  }
};

// The first `count` threads' results and nothing else are compared; [threads] is the starved flag.
void compare(const Words &got, const Words &expected, unsigned count, unsigned threads,
             unsigned rounds) {
  if (got[threads])
    fail(Starved, "a thread that waits for another starved, %u rounds", rounds);
  unsigned wrong = 0, first = 0;
  for (unsigned i = count; i-- > 0;)
    if (got[i] != expected[i])
      wrong++, first = i;
  if (wrong)
    fail(Wrong, "%u of %u threads wrong after %u rounds; thread %u has %08x, not %08x", wrong,
         count, rounds, first, got[first], expected[first]);
}

template <typename Function> void forEachSound(Function function, bool backwards = false) {
  for (size_t n = 0; n < variants.size(); n++) {
    size_t i = backwards ? variants.size() - 1 - n : n;
    if (shared->results[i].fault == None) {
      shared->current = int(i);
      function(variants[i]);
    }
  }
}

void load(const char *kernel) {
  forEachSound([&](Variant &variant) {
    cudaLibrary_t library;
    check(cudaLibraryLoadFromFile(&library, variant.cubin.c_str(), nullptr, nullptr, 0, nullptr,
                                  nullptr, 0),
          "load");
    check(cudaLibraryGetKernel(&variant.kernel, library, kernel), "cudaLibraryGetKernel");
    const void *function = variant.kernel;
    Result &result = shared->results[shared->current];
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, function), "cudaFuncGetAttributes");
    result.registers = attributes.numRegs;
    result.localBytes = int(attributes.localSizeBytes);
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&result.blocks, function, Block, 0),
          "occupancy");
  });
}

void checkAll(Device &device, Kernel reference, const Words &words) {
  for (unsigned rounds : CheckRounds) {
    Words expected(CheckThreads + 1);
    reference(words.data(), device.mask, rounds, expected.data(), CheckThreads);
    forEachSound([&](Variant &variant) {
      device.run(variant, CheckThreads, rounds);
      compare(device.result(CheckThreads), expected, CheckThreads, CheckThreads, rounds);
    });
  }
}

// As many rounds as it takes the slowest sound variant to be timed well; kept if the child
// restarts.
void chooseRounds(Device &device) {
  if (shared->rounds)
    return;
  unsigned rounds = 1;
  for (float slowest = 0; slowest < WantedMs && rounds < MostRounds;) {
    rounds *= 2;
    slowest = 0;
    forEachSound([&](Variant &variant) {
      slowest = std::max(slowest, device.run(variant, timeThreads, rounds));
    });
  }
  shared->rounds = rounds;
}

// The reference of the rounds timed, for as many threads as the CPU does in a second or so.
Words referenceOfTimed(Kernel reference, const Words &words, unsigned *count) {
  Words expected(timeThreads + 1);
  for (*count = 256;; *count = std::min(2 * *count, timeThreads)) {
    Clock::time_point begin = Clock::now();
    reference(words.data(), unsigned(words.size()) - 1, shared->rounds, expected.data(), *count);
    if (secondsSince(begin) > ReferenceSeconds / 3 || *count == timeThreads)
      return expected;
  }
}

bool anySound() {
  bool any = false;
  forEachSound([&](Variant &) { any = true; });
  return any;
}

void timeAll(Device &device, Kernel reference, const Words &words) {
  if (!anySound())
    return;
  chooseRounds(device);
  unsigned count;
  Words expected = referenceOfTimed(reference, words, &count);
  forEachSound([&](Variant &variant) {
    device.run(variant, timeThreads, shared->rounds);
    compare(device.result(timeThreads), expected, count, timeThreads, shared->rounds);
  });
  std::vector<std::vector<float>> times(variants.size());
  // Back and forth, so that none always comes after the same one.
  for (int i = 0; i < Repeats; i++)
    forEachSound(
        [&](Variant &variant) {
          times[size_t(shared->current)].push_back(
              device.run(variant, timeThreads, shared->rounds));
        },
        i % 2 == 1);
  forEachSound([&](Variant &) {
    std::vector<float> &all = times[size_t(shared->current)];
    std::sort(all.begin(), all.end());
    shared->results[shared->current].ms = all[all.size() / 2];
  });
}

void chooseThreads() {
  int multiprocessors;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "device");
  if (warps)
    timeThreads = unsigned(multiprocessors) * warps * 32;
}

[[noreturn]] void child(const char *kernel, Kernel reference, size_t numWords) {
  chooseThreads();
  Words words = randomWords(numWords);
  Device device(words);
  load(kernel);
  checkAll(device, reference, words);
  timeAll(device, reference, words);
  _exit(0);
}

// Runs children until one is through with all variants that are left.
void work(const char *kernel, Kernel reference, size_t numWords) {
  for (int status = 1; status != 0;) {
    shared->current = 0;
    pid_t pid = fork();
    if (pid == 0)
      child(kernel, reference, numWords);
    waitpid(pid, &status, 0);
    Result &result = shared->results[shared->current];
    if (status != 0 && result.fault == None) {
      result.fault = Failed;
      std::snprintf(result.note, sizeof result.note, "the process died, status %x", status);
    }
  }
}

int print() {
  static const char *const Names[] = {"", "not built", "NO END", "FAILED", "STARVED", "WRONG"};
  int status = 0;
  for (size_t i = 0; i < variants.size(); i++) {
    const Result &result = shared->results[i];
    std::printf("%s\t%u\t%.6f\t%d\t%d\t%d\t%s\t%s\n", variants[i].name.c_str(), shared->rounds,
                double(result.ms), result.registers, result.localBytes, result.blocks,
                Names[result.fault], result.note);
    status |= result.fault != None;
  }
  return status;
}

// VARIANT=CUBIN; a cubin that isn't there was not built, and what stands beside it says why.
void addVariant(const char *argument) {
  const char *equals = std::strchr(argument, '=');
  if (!equals || variants.size() == std::size(shared->results)) {
    std::fprintf(stderr, "run: '%s' is not VARIANT=CUBIN\n", argument);
    std::exit(2);
  }
  Result &result = shared->results[variants.size()];
  variants.push_back({std::string(argument, equals), equals + 1});
  if (access(equals + 1, R_OK) == 0)
    return;
  result.fault = NotBuilt;
  std::snprintf(result.note, sizeof result.note, "not built");
  if (FILE *file = std::fopen((std::string(equals + 1) + ".error").c_str(), "r")) {
    if (std::fgets(result.note, sizeof result.note, file))
      result.note[std::strcspn(result.note, "\n")] = 0;
    std::fclose(file);
  }
}

} // namespace

int main(int argc, char **argv) {
  shared = static_cast<Shared *>(
      mmap(nullptr, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  auto reference = argc > 3 ? reinterpret_cast<Kernel>(dlsym(RTLD_DEFAULT, argv[1])) : nullptr;
  char *end = nullptr;
  size_t numWords = argc > 3 ? std::strtoul(argv[2], &end, 10) : 0;
  if (end && *end == '/')
    warps = unsigned(std::strtoul(end + 1, nullptr, 10));
  if (!reference || shared == MAP_FAILED || numWords == 0 || (numWords & (numWords - 1)) != 0) {
    std::fprintf(stderr, "usage: run KERNEL WORDS[/WARPS] [--rounds=N] [--width=N] VARIANT=CUBIN...; "
                         "KERNEL is one built into this\n"
                         "program for the CPU, WORDS a power of two\n");
    return 2;
  }
  for (int i = 3; i < argc; i++)
    if (std::strncmp(argv[i], "--rounds=", 9) == 0)
      shared->rounds = unsigned(std::strtoul(argv[i] + 9, nullptr, 10));
    else if (std::strncmp(argv[i], "--width=", 8) == 0)
      width = unsigned(std::strtoul(argv[i] + 8, nullptr, 10));
    else
      addVariant(argv[i]);
  work(argv[1], reference, numWords);
  return print();
}
