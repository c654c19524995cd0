// A program whose kernel `walk` has versions, written by hand as the compiler would make them; it launches it in
// many ways, and checks what it computes:
//
//   program WAY [LAUNCHES [NUMBER]]
//
// Each launch adds to all counters of `out` what is the same for every version, so that a launch that is lost,
// or one too many, is seen. Prints `WAY: right` and the sum of all statuses; ends with 0 if it is right.
// By clang on the simulator (test/standin), or by nvcc on a GPU.
#include <cuda_runtime.h>
#include <linearize/versions.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

// With -DREDIRECTED one of the versions takes an order of threads.
#if defined(REDIRECTED) && !defined(VERSIONS)
#define VERSIONS                                                                                   \
  "linearize-versions 1 5d3c1b0a49e7f268 by hand\n"                                                \
  "redirected\twalk__linearize_redirected\torder\twalk__linearize_inspect\n"                      \
  "merge-loops\twalk__linearize_merge_loops\n"
#endif
#ifndef FASTER // the name of the version that takes less time
#define FASTER "paper"
#endif
#ifndef VERSIONS
#define VERSIONS                                                                                   \
  "linearize-versions 1 5d3c1b0a49e7f268 by hand\n"                                                \
  FASTER "\twalk__linearize_needed\n"                                                               \
  "merge-loops\twalk__linearize_merge_loops\n"
#endif

extern "C" {
__device__ char __linearize_versions_walk[] = VERSIONS; // not const: nvcc would leave it out
__device__ unsigned step = 1; // what launches add: all versions share it

// What they differ by is how long they take on a GPU: `idle` iterations of nothing.
static __device__ void addOf(unsigned thread, unsigned *out, unsigned count, unsigned idle) {
  volatile unsigned spent = 0;
  for (unsigned i = 0; i < idle; i++)
    spent = spent + i;
  if (thread < count)
    out[thread] += step + (spent == 1 ? 1 : 0);
}

// Of launches with blocks in x and y.
static __device__ unsigned place() {
  return (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
}

static __device__ void add(unsigned *out, unsigned count, unsigned idle) {
  addOf(place(), out, count, idle);
}

#ifndef SLOW
#define SLOW 40
#define FAST 20
#define SLOWEST 60
#endif
// For checks of what versions write: WRONG is what one of them writes into a word of its own, and `ticks` counts the
// launches of all of them.
#ifndef WRONG
#define WRONG(out)
#endif
#ifndef TICKS
#define TICKS(out)
#endif
__device__ unsigned ticks;
__global__ void walk(unsigned *out, unsigned count) {
  add(out, count, SLOW);
  TICKS(out)
}
__global__ void walk__linearize_needed(unsigned *out, unsigned count) {
  add(out, count, FAST);
  TICKS(out)
  WRONG(out)
}
__global__ void walk__linearize_merge_loops(unsigned *out, unsigned count) {
  add(out, count, SLOWEST);
}
#ifdef REDIRECTED
__global__ void walk__linearize_redirected(unsigned *out, unsigned count, const unsigned *order) {
  addOf(order[place()], out, count, FAST);
}
__global__ void walk__linearize_inspect(unsigned *, unsigned, unsigned *keys) {
  keys[place()] = (place() * 40503u) >> 3 & 7;
}
#endif
__global__ void other(unsigned *out, unsigned count) { add(out, count, 0); } // has no versions
__global__ void fault(unsigned *out, unsigned) { out[1 << 30] = 1; }
#ifdef NESTED // needs -rdc=true and cudadevrt
__global__ void parent(unsigned *out, unsigned count, unsigned launches) {
  for (unsigned i = 0; i < launches; i++)
    walk<<<count / 32, 32>>>(out, count);
}
#endif
}

enum { Threads = 64, Block = 32 };

static std::atomic<int> statuses{0};
static const char *way;
static unsigned number;

static void note(cudaError_t status) { statuses += int(status); }

static void must(cudaError_t status) {
  if (status == cudaSuccess)
    return;
  std::printf("%s: %s\n", way, cudaGetErrorString(status));
  std::exit(2);
}

static unsigned *makeCounters() {
  unsigned *out;
  must(cudaMalloc(&out, Threads * sizeof *out));
  must(cudaMemset(out, 0, Threads * sizeof *out));
  return out;
}

static void launch(unsigned *out, cudaStream_t stream = 0, unsigned block = Block) {
  walk<<<Threads / block, block, 0, stream>>>(out, Threads);
  note(cudaGetLastError());
}

static bool areAll(unsigned *out, unsigned expected) {
  std::vector<unsigned> got(Threads);
  must(cudaMemcpy(got.data(), out, Threads * sizeof *out, cudaMemcpyDeviceToHost));
  for (unsigned value : got)
    if (value != expected) {
      std::printf("%s: %u, not %u\n", way, value, expected);
      return false;
    }
  return true;
}

static int end(bool isRight) {
  std::printf("%s: %s, statuses %d\n", way, isRight ? "right" : "WRONG", statuses.load());
  return isRight ? 0 : 1;
}

// ---- ways --------------------------------------------------------------------------------------

// One launch after the other.
static int loop(unsigned launches) {
  unsigned *out = makeCounters();
  for (unsigned i = 0; i < launches; i++) {
    launch(out);
    note(cudaDeviceSynchronize());
  }
  return end(areAll(out, launches));
}

// Far ahead of the GPU.
static int ahead(unsigned launches) {
  unsigned *out = makeCounters();
  for (unsigned i = 0; i < launches; i++)
    launch(out);
  return end(areAll(out, launches));
}

// Ten at a time, and then a wait.
static int waves(unsigned launches) {
  unsigned *out = makeCounters();
  for (unsigned i = 0; i < launches; i++) {
    launch(out);
    if (i % 10 == 9)
      note(cudaDeviceSynchronize());
  }
  note(cudaDeviceSynchronize());
  return end(areAll(out, launches));
}

// Two shapes in turn, and a kernel without versions.
static int shapes(unsigned launches) {
  unsigned *out = makeCounters();
  for (unsigned i = 0; i < launches; i++) {
    launch(out, 0, i % 2 == 0 ? 32 : 64);
    other<<<2, 32>>>(out, Threads);
    note(cudaDeviceSynchronize());
  }
  return end(areAll(out, 2 * launches));
}

// A variable that all versions share, changed half way.
static int variable(unsigned launches) {
  unsigned *out = makeCounters(), ten = 10, expected = 0;
  for (unsigned i = 0; i < launches; i++) {
    if (i == launches / 2)
      must(cudaMemcpyToSymbol(step, &ten, sizeof ten));
    launch(out);
    expected += i < launches / 2 ? 1 : ten;
    note(cudaDeviceSynchronize());
  }
  return end(areAll(out, expected));
}

// Half of the launches in a graph, which is launched as often as it takes.
static int graph(unsigned launches) {
  unsigned *out = makeCounters();
  cudaStream_t stream;
  cudaGraph_t captured;
  cudaGraphExec_t exec;
  must(cudaStreamCreate(&stream));
  for (unsigned i = 0; i < launches; i++) {
    launch(out, stream);
    must(cudaStreamSynchronize(stream));
  }
  must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (unsigned i = 0; i < 10; i++)
    launch(out, stream);
  must(cudaStreamEndCapture(stream, &captured));
  must(cudaGraphInstantiate(&exec, captured, 0));
  for (unsigned i = 0; i < 10; i++)
    must(cudaGraphLaunch(exec, stream));
  must(cudaStreamSynchronize(stream));
  must(cudaGraphExecDestroy(exec));
  must(cudaGraphDestroy(captured));
  return end(areAll(out, launches + 100));
}

// While another thread captures a stream, in the mode that forbids others to ask the GPU anything: a launch, or
// with a number nothing.
static int captured(unsigned launches) {
  unsigned *out = makeCounters();
  cudaStream_t stream, own;
  cudaGraph_t made;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  must(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  launch(out, own);
  must(cudaStreamSynchronize(own));
  must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  if (number == 0)
    launch(out, stream);
  std::thread([&] {
    for (unsigned i = 0; i < launches; i++)
      launch(out, own);
  }).join();
  must(cudaStreamEndCapture(stream, &made));
  must(cudaStreamSynchronize(own));
  return end(areAll(out, launches + 1));
}

static int configured(unsigned launches, bool isCooperative) {
  unsigned *out = makeCounters(), count = Threads;
  void *arguments[] = {&out, &count};
  cudaLaunchAttribute attribute[1];
  cudaLaunchConfig_t config = {};
  config.gridDim = Threads / Block;
  config.blockDim = Block;
  config.attrs = attribute;
  attribute[0].id = cudaLaunchAttributeCooperative;
  attribute[0].val.cooperative = 1;
  config.numAttrs = isCooperative ? 1 : 0;
  for (unsigned i = 0; i < launches; i++) {
    note(cudaLaunchKernelExC(&config, (const void *)walk, arguments));
    note(cudaDeviceSynchronize());
  }
  return end(areAll(out, launches));
}

static int cluster(unsigned launches) {
  unsigned *out = makeCounters(), count = Threads;
  void *arguments[] = {&out, &count};
  cudaLaunchAttribute attribute[1];
  cudaLaunchConfig_t config = {};
  config.gridDim = Threads / Block;
  config.blockDim = Block;
  config.attrs = attribute;
  config.numAttrs = 1;
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 2;
  attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
  for (unsigned i = 0; i < launches; i++) {
    note(cudaLaunchKernelExC(&config, (const void *)walk, arguments));
    note(cudaDeviceSynchronize());
  }
  return end(areAll(out, launches));
}

static int cooperative(unsigned launches) {
  unsigned *out = makeCounters(), count = Threads;
  void *arguments[] = {&out, &count};
  for (unsigned i = 0; i < launches; i++) {
    note(cudaLaunchCooperativeKernel((const void *)walk, dim3(Threads / Block), dim3(Block),
                                     arguments, 0, 0));
    note(cudaDeviceSynchronize());
  }
  return end(areAll(out, launches));
}

// A hundred, or so, queued on four streams in turn; nobody waits before the last one.
static int queued(unsigned launches) {
  std::vector<unsigned *> out(4);
  std::vector<cudaStream_t> stream(4);
  for (unsigned i = 0; i < 4; i++) {
    out[i] = makeCounters();
    must(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
  }
  must(cudaDeviceSynchronize());
  for (unsigned i = 0; i < launches; i++)
    launch(out[i % 4], stream[i % 4]);
  note(cudaDeviceSynchronize());
  bool isRight = true;
  for (unsigned i = 0; i < 4; i++)
    isRight &= areAll(out[i], (launches + 3 - i) / 4);
  return end(isRight);
}

// Eight threads, two streams each, so that a counter is one stream's.
static int threads(unsigned launches) {
  std::vector<unsigned *> out(16);
  for (unsigned *&counters : out)
    counters = makeCounters();
  must(cudaDeviceSynchronize());
  std::vector<std::thread> all;
  for (unsigned t = 0; t < 8; t++)
    all.emplace_back([&, t] {
      cudaStream_t stream[2];
      for (cudaStream_t &s : stream)
        must(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
      for (unsigned i = 0; i < launches; i++)
        for (unsigned s = 0; s < 2; s++)
          launch(out[2 * t + s], stream[s]);
      for (cudaStream_t s : stream) {
        must(cudaStreamSynchronize(s));
        must(cudaStreamDestroy(s));
      }
    });
  for (std::thread &thread : all)
    thread.join();
  bool isRight = true;
  for (unsigned *counters : out)
    isRight &= areAll(counters, launches);
  return end(isRight);
}

// Children that were forked before their parent used a GPU, and after: the latter gets errors of the driver's.
static int forked(unsigned launches) {
  if (pid_t child = fork()) {
    int status;
    waitpid(child, &status, 0);
    statuses += status;
  } else {
    std::exit(loop(launches));
  }
  int status = loop(launches);
  std::fflush(stdout);
  if (pid_t child = fork()) {
    waitpid(child, &status, 0);
    statuses += status;
    return loop(launches);
  }
  std::exit(loop(launches));
}

// A kernel that launches `walk`, in turn with launches of it.
static int nested(unsigned launches) {
#ifdef NESTED
  unsigned *out = makeCounters();
  for (unsigned i = 0; i < launches; i++) {
    launch(out);
    parent<<<1, 1>>>(out, Threads, 2);
    note(cudaDeviceSynchronize());
  }
  return end(areAll(out, 3 * launches));
#else
  return int(launches) * 0 + 2;
#endif
}

static unsigned *left;

static int atExit(unsigned launches) {
  left = makeCounters();
  static unsigned count = launches;
  std::atexit([] {
    for (unsigned i = 0; i < count; i++) {
      launch(left);
      note(cudaDeviceSynchronize());
    }
    end(areAll(left, count));
  });
  return 0;
}

// Without destructors.
static int leave(unsigned launches) {
  loop(launches);
  std::fflush(stdout);
  _exit(0);
}

static int quick(unsigned launches) {
  loop(launches);
  std::fflush(stdout);
  std::quick_exit(0);
}

// In a signal's handler.
static int handled(unsigned launches) {
  loop(launches);
  std::fflush(stdout);
  std::signal(SIGUSR1, [](int) { _exit(0); });
  return std::raise(SIGUSR1);
}

// For five seconds; killed then, where a number is given.
static int lingering(unsigned launches) {
  loop(launches);
  sleep(5);
  loop(1);
  std::fflush(stdout);
  return number > 0 ? std::raise(SIGKILL) : 0;
}

// In thirty shapes, which are others for another number.
static int grids(unsigned launches) {
  unsigned *out = makeCounters();
  for (unsigned i = 0; i < launches; i++) {
    walk<<<Threads / Block, Block, 30 * number + i % 30>>>(out, Threads);
    note(cudaGetLastError());
    note(cudaDeviceSynchronize());
  }
  return end(areAll(out, launches));
}

static int killed(unsigned launches) {
  loop(launches);
  std::fflush(stdout);
  std::raise(SIGKILL);
  return 0;
}

static int devices(unsigned launches) {
  bool isRight = true;
  unsigned *out[2];
  for (int device = 0; device < 2; device++) {
    must(cudaSetDevice(device));
    out[device] = makeCounters();
  }
  for (unsigned i = 0; i < launches; i++)
    for (int device = 0; device < 2; device++) {
      must(cudaSetDevice(device));
      launch(out[device]);
      note(cudaDeviceSynchronize());
    }
  for (int device = 0; device < 2; device++) {
    must(cudaSetDevice(device));
    isRight &= areAll(out[device], launches);
  }
  return end(isRight);
}

static int reset(unsigned launches) {
  bool isRight = true;
  for (int i = 0; i < 2; i++) {
    unsigned *out = makeCounters();
    for (unsigned j = 0; j < launches; j++) {
      launch(out);
      note(cudaDeviceSynchronize());
    }
    isRight &= areAll(out, launches);
    must(cudaDeviceReset());
  }
  return end(isRight);
}

// What fails, fails as it would; what comes after it goes on.
static int errors(unsigned launches) {
  unsigned *out = makeCounters(), count = Threads;
  void *arguments[] = {&out, &count};
  for (unsigned i = 0; i < launches; i++) {
    launch(out);
    note(cudaDeviceSynchronize());
    if (i % 10 != 0)
      continue;
    std::printf("%d", cudaLaunchKernel((const void *)walk, dim3(1), dim3(2048), arguments, 0, 0));
    std::printf(" %d", cudaLaunchKernel((const void *)walk, dim3(0), dim3(32), arguments, 0, 0));
    std::printf(" %d",
                cudaLaunchKernel((const void *)walk, dim3(1), dim3(32), arguments, 1 << 20, 0));
    std::printf(" %d\n", cudaGetLastError());
  }
  return end(areAll(out, launches));
}

// An error that stays: all calls say so, from the same one on.
static int sticky(unsigned launches) {
  unsigned *out = makeCounters();
  for (unsigned i = 0; i < launches; i++) {
    launch(out);
    note(cudaDeviceSynchronize());
  }
  fault<<<1, 1>>>(out, 0);
  std::printf("%d", cudaGetLastError());
  std::printf(" %d", cudaDeviceSynchronize());
  for (int i = 0; i < 3; i++) {
    walk<<<1, 32>>>(out, Threads);
    std::printf(" %d", cudaGetLastError());
  }
  std::printf("\n");
  return 0;
}

// Shared memory that a kernel has to be allowed, and a cache configuration: before it is launched first, and later.
static int attributes(unsigned launches) {
  unsigned *out = makeCounters(), count = Threads;
  void *arguments[] = {&out, &count};
  must(cudaFuncSetAttribute(walk, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
  must(cudaFuncSetCacheConfig(walk, cudaFuncCachePreferShared));
  for (unsigned i = 0; i < launches; i++) {
    if (i == launches / 2) {
      must(cudaFuncSetAttribute(walk, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 << 10));
      must(cudaFuncSetCacheConfig(walk, cudaFuncCachePreferL1));
    }
    note(cudaLaunchKernel((const void *)walk, dim3(Threads / Block), dim3(Block), arguments,
                          i < launches / 2 ? 64 << 10 : 96 << 10, 0));
    note(cudaDeviceSynchronize());
  }
  return end(areAll(out, launches));
}

// Streams that come and go.
static int streams(unsigned launches) {
  unsigned *out = makeCounters();
  must(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 20; i++) {
    cudaStream_t stream;
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (unsigned j = 0; j < launches; j++)
      launch(out, stream);
    if (i % 2 == 0)
      must(cudaStreamSynchronize(stream));
    must(cudaStreamDestroy(stream));
    must(cudaDeviceSynchronize());
  }
  return end(areAll(out, 20 * launches));
}

// Other addresses in each launch; and the words that the program says have changed.
static int addresses(unsigned launches) {
  std::vector<unsigned *> out(24);
  for (unsigned *&counters : out)
    counters = makeCounters();
  for (unsigned i = 0; i < launches; i++) {
    launch(out[i % out.size()]);
    note(cudaDeviceSynchronize());
  }
  bool isRight = true;
  for (unsigned i = 0; i < out.size(); i++)
    isRight &= areAll(out[i], (launches + unsigned(out.size()) - 1 - i) / unsigned(out.size()));
  return end(isRight);
}

static int changed(unsigned launches) {
  unsigned *out = makeCounters();
  for (unsigned i = 0; i < launches; i++) {
    linearize_data_changed();
    launch(out);
    note(cudaDeviceSynchronize());
  }
  return end(areAll(out, launches));
}

// Behind the counters stands the address of other memory, of a kind by the number.
static int far(unsigned launches) {
  unsigned *out, *other;
  void *gone;
  must(cudaMallocAsync(&gone, 2 << 20, 0));
  must(cudaMalloc(&out, Threads * sizeof *out + sizeof other));
  must(number == 0   ? cudaMalloc(&other, 4 << 20)
       : number == 1 ? cudaMallocManaged(&other, 4 << 20)
                     : cudaMallocAsync((void **)&other, 4 << 20, 0));
  must(cudaFreeAsync(gone, 0));
  must(cudaMemset(out, 0, Threads * sizeof *out));
  must(cudaMemset(other, 0, 4 << 20));
  must(cudaMemcpy(out + Threads, &other, sizeof other, cudaMemcpyHostToDevice));
  for (unsigned i = 0; i < launches; i++) {
    launch(out);
    note(cudaDeviceSynchronize());
  }
  return end(areAll(out, launches));
}

// Blocks in two dimensions.
static int plane(unsigned launches) {
  unsigned *out = makeCounters();
  for (unsigned i = 0; i < launches; i++) {
    walk<<<dim3(1, Threads / Block), Block>>>(out, Threads);
    note(cudaGetLastError());
    note(cudaDeviceSynchronize());
  }
  return end(areAll(out, launches));
}

// Arguments of two sizes in turn.
static int sizes(unsigned launches) {
  unsigned *out = makeCounters(), *large;
  must(cudaMalloc(&large, 1 << 20));
  must(cudaMemset(large, 0, 1 << 20));
  for (unsigned i = 0; i < launches; i++) {
    launch(i % 2 == 0 ? out : large);
    note(cudaDeviceSynchronize());
  }
  return end(areAll(out, (launches + 1) / 2) && areAll(large, launches / 2));
}

int main(int argc, char **argv) {
  way = argc > 1 ? argv[1] : "loop";
  unsigned launches = argc > 2 ? unsigned(std::atoi(argv[2])) : 100;
  number = argc > 3 ? unsigned(std::atoi(argv[3])) : 0;
  const struct {
    const char *name;
    int (*function)(unsigned);
  } ways[] = {{"loop", loop},
              {"ahead", ahead},
              {"shapes", shapes},
              {"graph", graph},
              {"captured", captured},
              {"variable", variable},
              {"cluster", cluster},
              {"cooperative", cooperative},
              {"threads", threads},
              {"queued", queued},
              {"waves", waves},
              {"fork", forked},
              {"nested", nested},
              {"atexit", atExit},
              {"killed", killed},
              {"leave", leave},
              {"quick", quick},
              {"grids", grids},
              {"handled", handled},
              {"lingering", lingering},
              {"devices", devices},
              {"reset", reset},
              {"errors", errors},
              {"sticky", sticky},
              {"attributes", attributes},
              {"streams", streams},
              {"addresses", addresses},
              {"changed", changed},
              {"plane", plane},
              {"far", far},
              {"sizes", sizes}};
  for (const auto &w : ways)
    if (std::strcmp(w.name, way) == 0)
      return w.function(launches);
  if (std::strcmp(way, "configured") == 0)
    return configured(launches, false);
  if (std::strcmp(way, "configured-cooperative") == 0)
    return configured(launches, true);
  std::printf("there is no way %s\n", way);
  return 2;
}
