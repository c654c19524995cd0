// Runs an application of bench/threads on a GPU with its threads put together by what its inspector tells.
//
//   redirect REFERENCES.so CUBIN KERNEL ROUNDS THREADS
//   redirect --pipeline REFERENCES.so CUBIN KERNEL ROUNDS THREADS
//   redirect --program REFERENCES.so CUBIN KERNEL ROUNDS THREADS LAUNCHES plain|changed|hand
//
// The first prints, with tabs: KERNEL; ms of the kernel as it is; by hand, with the order that the kernel's own
// argument takes; redirected, by the same order; of the inspector; of CUB's sort; of a program of 50 launches as it
// is; with inspector, sort and redirected kernel in each of them; with the order kept, taken if the second launch by
// it, with all that makes it, or the third, was faster than the first; what of its threads' results is wrong.
//
// The second has 200 chunks, of which each is a launch, and linearize/pipeline.h remap them: order
// and a copy of it to the GPU, by a function on the CPU that takes 0.5, 3, 10 and 30 times as long as the kernel.
// It prints KERNEL, that factor, ms of all chunks as they are, with the pipeline, how many chunks were remapped, late,
// neither, the depth, and whether it was ended.
//
// The third is a program that knows nothing of versions: so many launches, or `4s`: as many as take 4 s, and it waits for
// each, as one does that looks at what came out. `changed`: it says before each that data have changed (linearize/versions.h). `hand`:
// what people write instead, an order by the inspector and CUB, made in one launch of 64, for a kernel that takes it. It
// prints KERNEL, launches, ms of all, of the one that took longest but for the first ten, what is wrong,
// and a hash of all results. 0 launches: it was left, for each of them takes over 0.1 s.
//
// Results are compared with the CPU's, of the first 4096 threads, and all with the plain kernel's.
#include "linearize/pipeline.h"
#include "linearize/versions.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/device/device_radix_sort.cuh>
#include <dlfcn.h>
#include <functional>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Reference = void (*)(const unsigned *, unsigned, unsigned, unsigned *, unsigned);

constexpr unsigned Words = 1 << 16, Block = 128, Checked = 4096, Launches = 50, Chunks = 200;
constexpr int Repeats = 11;

void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "redirect: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

template <typename T> T *allocate(size_t count) {
  void *at;
  check(cudaMalloc(&at, count * sizeof(T)), "memory");
  return static_cast<T *>(at);
}

double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

__global__ void countUp(unsigned *words, unsigned count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    words[i] = i;
}

struct Application {
  const char *name;
  unsigned rounds, threads, grid;
  cudaKernel_t plain, redirected, inspector;
  unsigned *words, *out, *keys, *sorted, *first, *order;
  void *room;
  size_t roomSize;
  std::vector<unsigned> input, expected;

  void launch(cudaKernel_t kernel, unsigned *byHand, unsigned *more, unsigned *to) {
    unsigned mask = Words - 1;
    void *arguments[] = {&words, &mask, &rounds, &to, &threads, &byHand, &more};
    check(cudaLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(grid), dim3(Block),
                           arguments, 0, 0),
          "launch");
  }
  void runPlain() { launch(plain, nullptr, nullptr, out); }
  void runByHand() { launch(plain, order, nullptr, out); }
  void runRedirected() { launch(redirected, nullptr, order, out); }
  void inspect() { launch(inspector, nullptr, keys, out); }
  void sort() {
    check(cub::DeviceRadixSort::SortPairs(room, roomSize, keys, sorted, first, order,
                                          int(grid * Block)),
          "sort");
  }
};

cudaKernel_t find(cudaLibrary_t library, const std::string &name) {
  cudaKernel_t kernel;
  check(cudaLibraryGetKernel(&kernel, library, name.c_str()), name.c_str());
  return kernel;
}

Application load(char **arguments) {
  Application a{};
  cudaLibrary_t library;
  check(cudaLibraryLoadFromFile(&library, arguments[1], nullptr, nullptr, 0, nullptr, nullptr, 0),
        arguments[1]);
  a.name = arguments[2];
  a.rounds = unsigned(std::atoi(arguments[3]));
  a.threads = unsigned(std::atoi(arguments[4]));
  a.grid = (a.threads + Block - 1) / Block;
  a.plain = find(library, a.name);
  a.redirected = find(library, std::string(a.name) + "__linearize_redirected");
  a.inspector = find(library, std::string(a.name) + "__linearize_inspect");
  const size_t all = size_t(a.grid) * Block;
  a.words = allocate<unsigned>(Words);
  a.out = allocate<unsigned>(all), a.keys = allocate<unsigned>(all),
  a.sorted = allocate<unsigned>(all);
  a.first = allocate<unsigned>(all), a.order = allocate<unsigned>(all);
  unsigned state = 2463534242u;
  for (unsigned i = 0; i < Words; i++) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    a.input.push_back(state);
  }
  check(cudaMemcpy(a.words, a.input.data(), Words * sizeof(unsigned), cudaMemcpyHostToDevice),
        "input");
  countUp<<<a.grid, Block>>>(a.first, unsigned(all));
  check(cub::DeviceRadixSort::SortPairs(nullptr, a.roomSize, a.keys, a.sorted, a.first, a.order,
                                        int(all)),
        "sort");
  a.room = allocate<char>(a.roomSize);
  return a;
}

// ---- results -----------------------------------------------------------------------------------

std::vector<unsigned> results(Application &a) {
  std::vector<unsigned> out(a.threads);
  check(cudaMemcpy(out.data(), a.out, a.threads * sizeof(unsigned), cudaMemcpyDeviceToHost),
        "results");
  check(cudaMemset(a.out, 0, a.threads * sizeof(unsigned)), "results");
  return out;
}

unsigned wrongByReference(Application &a, const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  auto reference = library ? reinterpret_cast<Reference>(dlsym(library, a.name)) : nullptr;
  if (!reference) {
    std::fprintf(stderr, "redirect: %s has no %s\n", path, a.name);
    std::exit(1);
  }
  const unsigned threads = std::min(Checked, a.threads);
  std::vector<unsigned> out(threads);
  reference(a.input.data(), Words - 1, a.rounds, out.data(), threads);
  unsigned wrong = 0;
  for (unsigned i = 0; i < threads; i++)
    wrong += out[i] != a.expected[i];
  return wrong;
}

unsigned wrongByPlain(Application &a) {
  const auto got = results(a);
  unsigned wrong = 0;
  for (unsigned i = 0; i < a.threads; i++)
    wrong += got[i] != a.expected[i];
  return wrong;
}

// ---- times -------------------------------------------------------------------------------------

float once(const std::function<void()> &work) {
  static cudaEvent_t start, end;
  if (!start)
    cudaEventCreate(&start), cudaEventCreate(&end);
  float ms;
  cudaEventRecord(start);
  work();
  cudaEventRecord(end);
  check(cudaEventSynchronize(end), "a run");
  cudaEventElapsedTime(&ms, start, end);
  return ms;
}

// Medians of runs that take turns.
std::vector<float> medians(const std::vector<std::function<void()>> &work) {
  std::vector<std::vector<float>> times(work.size());
  for (int repeat = 0; repeat <= Repeats; repeat++)
    for (size_t i = 0; i < work.size(); i++) {
      const float ms = once(work[i]);
      if (repeat > 0)
        times[i].push_back(ms);
    }
  std::vector<float> result;
  for (auto &t : times) {
    std::sort(t.begin(), t.end());
    result.push_back(t[t.size() / 2]);
  }
  return result;
}

// The CPU's time of a program of so many launches.
double program(const std::function<void(unsigned)> &launch) {
  check(cudaDeviceSynchronize(), "a program");
  const auto start = Clock::now();
  for (unsigned i = 0; i < Launches; i++)
    launch(i);
  check(cudaDeviceSynchronize(), "a program");
  return msSince(start);
}

// What the library that chooses would do, in one place: the plain kernel; the redirected one with all that it takes,
// and with what is kept; then whatever is faster.
void launchBest(Application &a, unsigned i) {
  static float plain, redirected;
  if (i == 0)
    plain = once([&] { a.runPlain(); });
  else if (i == 1)
    a.inspect(), a.sort(), a.runRedirected();
  else if (i == 2)
    redirected = once([&] { a.runRedirected(); });
  else if (redirected < plain)
    a.runRedirected();
  else
    a.runPlain();
}

int measure(char **arguments) {
  Application a = load(arguments);
  a.runPlain();
  a.expected = results(a);
  unsigned wrong = wrongByReference(a, arguments[0]);
  a.inspect();
  a.sort();
  a.runByHand();
  wrong += wrongByPlain(a);
  a.runRedirected();
  wrong += wrongByPlain(a);
  const auto ms = medians({[&] { a.runPlain(); }, [&] { a.runByHand(); },
                           [&] { a.runRedirected(); }, [&] { a.inspect(); }, [&] { a.sort(); }});
  double programs[3] = {1e9, 1e9, 1e9};
  for (int again = 0; again < 3; again++) {
    programs[0] = std::min(programs[0], program([&](unsigned) { a.runPlain(); }));
    programs[1] =
        std::min(programs[1], program([&](unsigned) { a.inspect(), a.sort(), a.runRedirected(); }));
    programs[2] = std::min(programs[2], program([&](unsigned i) { launchBest(a, i); }));
  }
  std::printf("%s\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.3f\t%.3f\t%.3f\t%u\n", a.name, ms[0], ms[1],
              ms[2], ms[3], ms[4], programs[0], programs[1], programs[2], wrong);
  return wrong != 0;
}

// ---- chunks ------------------------------------------------------------------------------------

struct Remapping {
  std::vector<unsigned> order; // that all chunks have
  double ms;                   // that it takes
};

int remap(void *context, size_t, void *place, const linearize_late *late) {
  const auto *r = static_cast<const Remapping *>(context);
  const auto start = Clock::now();
  std::memcpy(place, r->order.data(), r->order.size() * sizeof(unsigned));
  while (msSince(start) < r->ms && !linearize_is_late(late))
    ;
  return 0;
}

void *havePinned(void *, size_t bytes) {
  void *at;
  return cudaMallocHost(&at, bytes) == cudaSuccess ? at : nullptr;
}

void releasePinned(void *, void *at) { cudaFreeHost(at); }

// The GPU has a chunk to do while the CPU prepares the next one; the time of a chunk is known when the one
// behind it is asked for.
double runChunks(Application &a, linearize_pipeline *p, unsigned *wrong) {
  cudaEvent_t end[Chunks + 1];
  bool wasRemapped[Chunks];
  for (auto &e : end)
    cudaEventCreate(&e);
  check(cudaDeviceSynchronize(), "chunks");
  const auto start = Clock::now();
  cudaEventRecord(end[0]);
  for (unsigned chunk = 0; chunk < Chunks; chunk++) {
    if (chunk >= 2) {
      float ms;
      check(cudaEventSynchronize(end[chunk - 1]), "a chunk");
      cudaEventElapsedTime(&ms, end[chunk - 2], end[chunk - 1]);
      if (p)
        linearize_pipeline_done(p, chunk - 2),
            linearize_pipeline_took(p, wasRemapped[chunk - 2], ms * 1e-3);
    }
    const void *order = p ? linearize_pipeline_take(p, chunk) : nullptr;
    wasRemapped[chunk] = order != nullptr;
    if (order) {
      cudaMemcpyAsync(a.order, order, size_t(a.grid) * Block * sizeof(unsigned),
                      cudaMemcpyHostToDevice, 0);
      a.runRedirected();
    } else {
      a.runPlain();
    }
    cudaEventRecord(end[chunk + 1]);
  }
  check(cudaDeviceSynchronize(), "chunks");
  const double ms = msSince(start);
  *wrong += wrongByPlain(a);
  for (auto &e : end)
    cudaEventDestroy(e);
  return ms;
}

int measureChunks(char **arguments) {
  Application a = load(arguments);
  a.runPlain();
  a.expected = results(a);
  unsigned wrong = wrongByReference(a, arguments[0]);
  a.inspect();
  a.sort();
  Remapping r;
  r.order.resize(size_t(a.grid) * Block);
  check(cudaMemcpy(r.order.data(), a.order, r.order.size() * sizeof(unsigned),
                   cudaMemcpyDeviceToHost),
        "order");
  const float kernel = medians({[&] { a.runPlain(); }})[0];
  for (double factor : {0.5, 3.0, 10.0, 30.0}) {
    r.ms = factor * kernel;
    double plain = 1e9, piped = 1e9;
    linearize_pipeline_counts counts;
    for (int again = 0; again < 3; again++) {
      plain = std::min(plain, runChunks(a, nullptr, &wrong));
      linearize_pipeline_settings s = {};
      s.remap = remap, s.have = havePinned, s.release = releasePinned, s.context = &r;
      s.chunks = Chunks, s.bytes = r.order.size() * sizeof(unsigned);
      linearize_pipeline *p = linearize_pipeline_begin(&s);
      const double ms = runChunks(a, p, &wrong);
      linearize_pipeline_counts now;
      linearize_pipeline_end(p, &now);
      if (ms < piped)
        piped = ms, counts = now;
    }
    std::printf("%s\t%g\t%.3f\t%.3f\t%zu\t%zu\t%zu\t%u\t%s\t%u\n", a.name, factor, plain, piped,
                counts.remapped, counts.late, counts.plain, counts.depth,
                counts.is_over ? "ended" : "goes on", wrong);
  }
  return wrong != 0;
}

// ---- programs ----------------------------------------------------------------------------------

void launchByHand(Application &a, unsigned i) {
  constexpr unsigned Kept = 64;
  if (i % Kept == 0)
    a.inspect(), a.sort();
  a.runByHand();
}

// Of all results, so that programs can be compared.
unsigned long long hashOf(const std::vector<unsigned> &words) {
  unsigned long long hash = 0xcbf29ce484222325;
  for (unsigned word : words)
    hash = (hash ^ word) * 0x100000001b3;
  return hash;
}

int measureProgram(char **arguments) {
  constexpr double TooLong = 100; // ms
  constexpr unsigned First = 10, Least = 200, Most = 20000;
  const bool isByHand = !std::strcmp(arguments[6], "hand");
  const bool changes = !std::strcmp(arguments[6], "changed");
  Application a = load(arguments);
  const bool isTime = std::strchr(arguments[5], 's') != nullptr;
  const double wanted = 1e3 * std::atof(arguments[5]);
  unsigned launches = isTime ? 0 : unsigned(std::atoi(arguments[5]));
  double all = 0, longest = 0;
  for (unsigned i = 0; launches == 0 || i < launches; i++) {
    if (i + 1 == launches)
      check(cudaMemset(a.out, 0, a.threads * sizeof(unsigned)), "results");
    const auto start = Clock::now();
    if (changes)
      linearize_data_changed();
    if (isByHand)
      launchByHand(a, i);
    else
      a.runPlain();
    check(cudaStreamSynchronize(0), "a launch");
    const double ms = msSince(start);
    all += ms;
    longest = i >= First ? std::max(longest, ms) : longest;
    if (launches == 0 && i > 0 && ms > TooLong)
      break;
    if (launches == 0 && i + 1 == First)
      launches = std::clamp(unsigned(wanted / (all / First)), Least, Most);
  }
  a.expected = results(a);
  std::printf("%s\t%u\t%.3f\t%.3f\t%u\t%016llx\n", a.name, launches, all, longest,
              wrongByReference(a, arguments[0]), hashOf(a.expected));
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 6)
    return measure(argv + 1);
  if (argc == 7 && !std::strcmp(argv[1], "--pipeline"))
    return measureChunks(argv + 2);
  if (argc == 9 && !std::strcmp(argv[1], "--program"))
    return measureProgram(argv + 2);
  std::fprintf(stderr, "redirect: [--pipeline] REFERENCES.so CUBIN KERNEL ROUNDS THREADS\n");
  return 2;
}
