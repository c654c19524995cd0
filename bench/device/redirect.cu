// Runs an application of bench/threads on a GPU with its threads put together by what its inspector tells.
//
//   redirect REFERENCES.so CUBIN KERNEL ROUNDS THREADS
//
// It prints, with tabs: KERNEL; ms of the kernel as it is; by hand, with the order that the kernel's own
// argument takes; redirected, by the same order; of the inspector; of CUB's sort; of a program of 50 launches as it
// is; with inspector, sort and redirected kernel in each of them; with the order kept, taken if the second launch by
// it, with all that makes it, or the third, was faster than the first; what of its threads' results is wrong.
//
// Results are compared with the CPU's, of the first 4096 threads, and all with the plain kernel's.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <dlfcn.h>
#include <functional>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Reference = void (*)(const unsigned *, unsigned, unsigned, unsigned *, unsigned);

constexpr unsigned Words = 1 << 16, Block = 128, Checked = 4096, Launches = 50;
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

} // namespace

int main(int argc, char **argv) {
  if (argc == 6)
    return measure(argv + 1);
  std::fprintf(stderr, "redirect: REFERENCES.so CUBIN KERNEL ROUNDS THREADS\n");
  return 2;
}
