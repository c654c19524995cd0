// A whole program whose kernels count (-linearize-count), for bench/device/profiled: what it does
// is in its argument.
//
//   streams   32 launches of `walk` and 2 of `leaves`, on four streams and from four threads
//   graph     `walk` in a graph that is captured and launched, which isn't counted, and once by itself, which is
//   trap      `walk`, then a kernel that traps; status 3
//   late      a kernel that ends when the host says so, long after; then `walk`, twice
//   forever   `walk`, then a kernel that never ends, for which the host waits
//   crash     `walk`, then abort()
//
// All launches of a kernel are alike, 64 thread blocks of 128 threads. Status 0: results are the
// CPU's.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

constexpr unsigned Grid = 64, Block = 128, Threads = Grid * Block, Some = 8000;

static __host__ __device__ unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  return x ^ x >> 13;
}

// Calls itself, as a function.
static __host__ __device__ __attribute__((noinline)) unsigned depth(unsigned n) {
  if (n < 2)
    return n;
  return n % 2 == 1 ? depth(n / 2) + 1 : depth(n - 1 - n / 4);
}

static __host__ __device__ unsigned walked(unsigned i) {
  unsigned x = mix(i);
  for (unsigned round = 0; round < 20; round++) {
    switch (x % 8) {
    case 0:
      x = mix(x);
      continue;
    case 1:
      x += round;
      [[fallthrough]];
    case 2:
      x ^= x >> 3;
      break;
    case 5:
      return x;
    default:
      x = 5 * x + 1;
    }
    if ((x >> 10) % 32 == 7)
      break;
  }
  return x + depth(x % 64);
}

static __device__ unsigned number() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void walk(unsigned *out, unsigned some) {
  if (number() >= some)
    return;
  out[number()] = walked(number());
}

extern "C" __global__ void leaves(unsigned *out, unsigned some) {
  unsigned i = number();
  for (unsigned round = 0; round < 5; round++) {
    out[i] = i + round;
    if ((i + round) % 16 == 3 && i < some)
      asm volatile("exit;");
  }
  out[i] = 0;
}

extern "C" __global__ void traps(unsigned *out, unsigned some) {
  out[number()] = number();
  if (number() == some)
    __trap();
}

// Every second thread block waits.
extern "C" __global__ void waits(unsigned *out, const volatile unsigned *flag) {
  if (blockIdx.x % 2 == 1)
    while (*flag == 0)
      continue;
  out[number()] = 1;
}

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "counted: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(3);
}

static unsigned *makeOutput() {
  unsigned *out;
  check(cudaMalloc(&out, Threads * sizeof *out), "cudaMalloc");
  check(cudaMemset(out, 0xff, Threads * sizeof *out), "cudaMemset");
  return out;
}

static unsigned wrong(const unsigned *out, bool leaves) {
  std::vector<unsigned> got(Threads);
  check(cudaMemcpy(got.data(), out, Threads * sizeof *out, cudaMemcpyDeviceToHost), "copy");
  unsigned count = 0;
  for (unsigned i = 0; i < Threads; i++) {
    unsigned round = (19 - i % 16) % 16;
    unsigned left = i < Some && round < 5 ? i + round : 0;
    count += got[i] != (leaves ? left : i < Some ? walked(i) : 0xffffffffu);
  }
  return count;
}

static unsigned runStreams() {
  unsigned *out[4], *other = makeOutput(), count = 0;
  cudaStream_t stream[4];
  for (int i = 0; i < 4; i++) {
    out[i] = makeOutput();
    check(cudaStreamCreateWithFlags(&stream[i], i < 2 ? cudaStreamNonBlocking : cudaStreamDefault),
          "cudaStreamCreate");
  }
  for (int i = 0; i < 20; i++)
    walk<<<Grid, Block, 0, stream[i % 4]>>>(out[i % 4], Some);
  leaves<<<Grid, Block>>>(other, Some);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([&, i] {
      for (int j = 0; j < 3; j++)
        walk<<<Grid, Block, 0, stream[i]>>>(out[i], Some);
    });
  for (std::thread &thread : threads)
    thread.join();
  leaves<<<Grid, Block>>>(other, Some);
  check(cudaDeviceSynchronize(), "kernels");
  for (unsigned *each : out)
    count += wrong(each, false);
  return count + wrong(other, true);
}

static unsigned runGraph() {
  unsigned *out = makeOutput();
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  check(cudaStreamCreate(&stream), "cudaStreamCreate");
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
  walk<<<Grid, Block, 0, stream>>>(out, Some);
  check(cudaStreamEndCapture(stream, &graph), "end of capture");
  check(cudaGraphInstantiate(&ready, graph, 0), "cudaGraphInstantiate");
  for (int i = 0; i < 3; i++)
    check(cudaGraphLaunch(ready, stream), "cudaGraphLaunch");
  walk<<<Grid, Block, 0, stream>>>(out, Some);
  check(cudaDeviceSynchronize(), "kernels");
  return wrong(out, false);
}

// The flag is the host's memory, which the GPU reads.
static unsigned runLate(bool ends) {
  unsigned *out = makeOutput(), *flag, *seen;
  check(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped), "cudaHostAlloc");
  check(cudaHostGetDevicePointer(&seen, flag, 0), "cudaHostGetDevicePointer");
  *flag = 0;
  if (!ends)
    walk<<<Grid, Block>>>(out, Some);
  waits<<<Grid, Block>>>(makeOutput(), seen);
  check(cudaGetLastError(), "launch");
  if (ends)
    *const_cast<volatile unsigned *>(flag) = 1;
  check(cudaDeviceSynchronize(), "kernels");
  for (int i = 0; i < 2; i++)
    walk<<<Grid, Block>>>(out, Some);
  check(cudaDeviceSynchronize(), "kernels");
  return wrong(out, false);
}

static unsigned runOnce(bool crashes) {
  unsigned *out = makeOutput();
  walk<<<Grid, Block>>>(out, Some);
  check(cudaDeviceSynchronize(), "kernels");
  unsigned count = wrong(out, false);
  if (crashes)
    std::abort();
  traps<<<Grid, Block>>>(out, Some);
  check(cudaDeviceSynchronize(), "traps");
  return count;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  auto is = [&](const char *name) { return std::strcmp(what, name) == 0; };
  unsigned count = is("streams")                 ? runStreams()
                   : is("graph")                 ? runGraph()
                   : is("late") || is("forever") ? runLate(is("late"))
                   : is("trap") || is("crash")   ? runOnce(is("crash"))
                                                 : Threads;
  std::printf("%u wrong\n", count);
  return count == 0 ? 0 : 1;
}
