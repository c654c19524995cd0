// Flow through porous rock, made faster in three ways: docs/rearranged.md.
//
//     linearize-cc -O3 -arch=sm_90 -Iinclude --option versions=redirected docs/examples/porous.cu -o porous
//       -Lbuild/lib -llinearize-threads -lcuda
//     ./porous [SAMPLES [SWEEPS [SIDE]]]
//
// A sample is a cube of cells, of which some are rock. A sweep follows each cell STEPS steps by the
// lattice Boltzmann method (19 velocities) and adds up what flows through it; what comes from the
// neighbours is that of the sweep's beginning. Threads of fluid cells compute, those of rock turn
// populations round.
#include "linearize/layout_cuda.h"
#include "linearize/pipeline.h"
#include "linearize/pipeline_cuda.h"
#include "linearize/threads.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <vector>

constexpr unsigned Velocities = 19, Steps = 16, Block = 128;
constexpr float Force = 0.0005f;

// Velocity 0 rests; 1 to 6 go along an axis; the others along two. Opposite ones stand in pairs.
__host__ __device__ constexpr int part(unsigned v, unsigned axis) {
  const int sign = v & 1 ? 1 : -1;
  if (v == 0)
    return 0;
  if (v < 7)
    return (v - 1) / 2 == axis ? sign : 0;
  const unsigned pair = (v - 7) / 4, other = (v - 7) / 2 % 2;
  return pair == axis ? sign : (pair + 1) % 3 == axis ? (other ? -sign : sign) : 0;
}

__host__ __device__ constexpr float weight(unsigned v) {
  return v == 0 ? 1.0f / 3 : v < 7 ? 1.0f / 18 : 1.0f / 36;
}

__host__ __device__ constexpr unsigned opposite(unsigned v) {
  return v == 0 ? 0 : ((v - 1) ^ 1) + 1;
}

__host__ __device__ inline float relax(float *f, float force) {
  float density = 0, u[3] = {0, 0, 0}, square = 0;
#pragma unroll
  for (unsigned v = 0; v < Velocities; v++) {
    density += f[v];
    for (unsigned axis = 0; axis < 3; axis++)
      u[axis] += f[v] * part(v, axis);
  }
  for (unsigned axis = 0; axis < 3; axis++) {
    u[axis] = u[axis] / density + (axis == 0 ? force : 0);
    square += u[axis] * u[axis];
  }
#pragma unroll
  for (unsigned v = 0; v < Velocities; v++) {
    const float along = part(v, 0) * u[0] + part(v, 1) * u[1] + part(v, 2) * u[2];
    f[v] += 0.8f *
            (weight(v) * density * (1 + 3 * along + 4.5f * along * along - 1.5f * square) - f[v]);
  }
  return u[0];
}

// The cell's own rock is bit 0 of `walls`; bit v says that what comes with velocity v comes of rock.
__host__ __device__ inline float follow(const float *start, unsigned walls, unsigned cell,
                                        unsigned cells, float force) {
  float f[Velocities], moment = 0;
#pragma unroll
  for (unsigned v = 0; v < Velocities; v++)
    f[v] = start[v * cells + cell];
#pragma unroll 1
  for (unsigned step = 0; step < Steps; step++) {
    if (walls & 1) {
#pragma unroll
      for (unsigned v = 1; v < Velocities; v += 2) {
        const float kept = f[v];
        f[v] = f[opposite(v)];
        f[opposite(v)] = kept;
      }
    } else {
      moment += relax(f, force);
    }
#pragma unroll
    for (unsigned v = 1; v < Velocities; v++)
      if (v == 1 + step % (Velocities - 1) && !(walls >> v & 1))
        f[v] = 0.5f * (f[v] + weight(v));
  }
  return moment;
}

extern "C" __global__ void flow(const float *start, const unsigned *walls, float *through,
                                unsigned cells, float force) {
  const unsigned cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell < cells)
    through[cell] += follow(start, walls[cell], cell, cells, force);
}

// ---- memory

// Of one sample, one array behind the other: on the host, on the GPU, or moved there.
struct Arrays {
  float *start;    // [Velocities * cells]
  unsigned *walls; // [cells]
  float *through;  // [cells]
};

constexpr size_t BytesOfCell = (Velocities + 2) * 4;

Arrays arraysAt(void *memory, size_t cells) {
  float *at = static_cast<float *>(memory);
  return {at, reinterpret_cast<unsigned *>(at + (Velocities + 1) * cells), at + Velocities * cells};
}

void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "porous: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

void *pinned(size_t bytes) {
  void *at;
  check(cudaMallocHost(&at, bytes), "pinned memory");
  return at;
}

void *onGpu(size_t bytes) {
  void *at;
  check(cudaMalloc(&at, bytes), "memory");
  return at;
}

struct Program {
  unsigned cells, samples, sweeps;
  std::vector<Arrays> sample; // chunk i is of sample i % size
  CUfunction redirected, inspector;
};

unsigned threadsOf(const Program &p) { return (p.cells + Block - 1) / Block * Block; }

// ---- samples

unsigned noise(unsigned x) {
  x = (x ^ x >> 16) * 0x45d9f3bu;
  x = (x ^ x >> 16) * 0x45d9f3bu;
  return x ^ x >> 16;
}

// Rock of grains, so that neither all neighbours are alike nor none; half of the cells.
bool isRock(unsigned seed, unsigned x, unsigned y, unsigned z) {
  return noise(seed + x / 3 + 1000 * (y / 3) + 1000000 * (z / 3)) % 8 +
             noise(seed + x + 512 * y + 262144 * z) % 2 >=
         4;
}

Arrays makeSample(unsigned seed, unsigned side) {
  const unsigned cells = side * side * side;
  Arrays a = arraysAt(pinned(cells * BytesOfCell), cells);
  for (unsigned cell = 0; cell < cells; cell++) {
    const unsigned x = cell % side, y = cell / side % side, z = cell / side / side;
    a.walls[cell] = a.through[cell] = 0;
    for (unsigned v = 0; v < Velocities; v++) {
      const auto from = [&](unsigned at, unsigned axis) {
        return (at + side - part(v, axis)) % side;
      };
      a.start[v * cells + cell] =
          weight(v) * (0.9f + 0.2f * (noise(seed ^ (cell * Velocities + v)) & 255) / 256);
      a.walls[cell] |= unsigned(isRock(seed, from(x, 0), from(y, 1), from(z, 2))) << v;
    }
  }
  return a;
}

// ---- the three ways

// An order in which warps are of rock or of fluid, in any thread of the CPU.
int findOrder(void *context, size_t chunk, void *place, const linearize_late *) {
  const Program *p = static_cast<const Program *>(context);
  const Arrays &own = p->sample[chunk % p->sample.size()];
  unsigned *order = static_cast<unsigned *>(place);
  std::vector<uint32_t> isRock(p->cells), destination(p->cells);
  for (unsigned i = 0; i < p->cells; i++)
    isRock[i] = own.walls[i] & 1;
  for (unsigned i = p->cells; i < threadsOf(*p); i++)
    order[i] = i;
  if (linearize_lam(isRock.data(), p->cells, 2, 32, destination.data()) != 0)
    return 1;
  return linearize_inverse(destination.data(), p->cells, order);
}

enum Way { Plain, ByGpu, Layout, ByCpu, Ways };
const char *const names[] = {"as it is", "an order, by the GPU", "a layout, by the GPU",
                             "an order, by the CPU"};

// Two samples are on their way at a time.
struct Slot {
  cudaStream_t stream;
  Arrays on, moved; // the GPU
  unsigned *keys, *order;
  void *scratch;
  size_t scratchSize, chunk;
  bool isOrdered;
};

Slot makeSlot(const Program &p) {
  Slot s = {};
  check(cudaStreamCreate(&s.stream), "a stream");
  s.on = arraysAt(onGpu(p.cells * BytesOfCell), p.cells);
  s.moved = arraysAt(onGpu(p.cells * BytesOfCell), p.cells);
  s.keys = static_cast<unsigned *>(onGpu(threadsOf(p) * 4));
  s.order = static_cast<unsigned *>(onGpu(threadsOf(p) * 4));
  check(linearize_order_cuda(s.keys, s.order, threadsOf(p), nullptr, &s.scratchSize, s.stream),
        "a sort");
  s.scratch = onGpu(s.scratchSize);
  return s;
}

// One of the kernels that the compiler has put beside `flow`: they want some words more.
void launch(const Program &p, Slot &s, CUfunction kernel, unsigned *words) {
  float force = Force;
  unsigned cells = p.cells;
  void *arguments[] = {&s.on.start, &s.on.walls, &s.on.through, &cells, &force, &words};
  if (cuLaunchKernel(kernel, threadsOf(p) / Block, 1, 1, Block, 1, 1, 0, s.stream, arguments,
                     nullptr) != CUDA_SUCCESS)
    check(cudaErrorLaunchFailure, "a redirected launch");
}

void sweep(const Program &p, Slot &s, const Arrays &a) {
  for (unsigned i = 0; i < p.sweeps; i++)
    if (s.isOrdered)
      launch(p, s, p.redirected, s.order);
    else
      flow<<<threadsOf(p) / Block, Block, 0, s.stream>>>(a.start, a.walls, a.through, p.cells,
                                                         Force);
}

void sortThreads(const Program &p, Slot &s) {
  launch(p, s, p.inspector, s.keys);
  check(linearize_order_cuda(s.keys, s.order, threadsOf(p), s.scratch, &s.scratchSize, s.stream),
        "a sort");
}

// Threads beyond the last cell do nothing, which is least: they come first.
void sweepInLayout(const Program &p, Slot &s) {
  const unsigned *order = s.order + threadsOf(p) - p.cells;
  std::vector<linearize_array> arrays;
  for (size_t v = 0; v < Velocities; v++)
    arrays.push_back({s.on.start + v * p.cells, s.moved.start + v * p.cells, 4, LINEARIZE_READ});
  arrays.push_back({s.on.walls, s.moved.walls, 4, LINEARIZE_READ});
  arrays.push_back({s.on.through, s.moved.through, 4, LINEARIZE_CHANGED});
  sortThreads(p, s);
  check(linearize_layout_cuda(arrays.data(), arrays.size(), order, p.cells, s.stream), "a layout");
  sweep(p, s, s.moved);
  check(linearize_layout_back_cuda(arrays.data(), arrays.size(), order, p.cells, s.stream),
        "a layout");
}

// Whether it was there in time.
bool takeOrder(const Program &p, Slot &s, linearize_pipeline *pipeline) {
  const void *order = linearize_pipeline_take(pipeline, s.chunk);
  return order && linearize_pipeline_copy(pipeline, s.chunk, s.order, order, threadsOf(p) * 4ul,
                                          s.stream) == cudaSuccess;
}

void begin(const Program &p, Slot &s, size_t chunk, Way way, linearize_pipeline *pipeline) {
  const Arrays &own = p.sample[chunk % p.sample.size()];
  s.chunk = chunk;
  cudaMemcpyAsync(s.on.start, own.start, p.cells * Velocities * 4ul, cudaMemcpyHostToDevice,
                  s.stream);
  cudaMemcpyAsync(s.on.walls, own.walls, p.cells * 4ul, cudaMemcpyHostToDevice, s.stream);
  cudaMemsetAsync(s.on.through, 0, p.cells * 4ul, s.stream);
  if (way == ByGpu)
    sortThreads(p, s);
  s.isOrdered = way == ByGpu || (way == ByCpu && takeOrder(p, s, pipeline));
  if (way == Layout)
    sweepInLayout(p, s);
  else
    sweep(p, s, s.on);
  cudaMemcpyAsync(own.through, s.on.through, p.cells * 4ul, cudaMemcpyDeviceToHost, s.stream);
}

double milliseconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since)
      .count();
}

double run(Program &p, Slot *slot, Way way) {
  linearize_pipeline_settings settings = {};
  settings.remap = findOrder, settings.context = &p;
  settings.chunks = p.samples, settings.bytes = threadsOf(p) * 4ul;
  linearize_pipeline_cuda(&settings);
  linearize_pipeline *pipeline = way == ByCpu ? linearize_pipeline_begin(&settings) : nullptr;
  const auto start = std::chrono::steady_clock::now();
  auto last = start;
  for (size_t chunk = 0; chunk < p.samples + 2; chunk++) {
    Slot &s = slot[chunk % 2];
    if (chunk >= 2)
      check(cudaStreamSynchronize(s.stream), "a sample");
    if (pipeline && chunk >= 2)
      linearize_pipeline_took(pipeline, s.isOrdered, milliseconds(last) / 1000);
    last = std::chrono::steady_clock::now();
    if (chunk < p.samples)
      begin(p, s, chunk, way, pipeline);
  }
  const double ms = milliseconds(start);
  if (pipeline)
    linearize_pipeline_end(pipeline, nullptr);
  return ms;
}

// ---- results

// Of some cells of the first sample, by the CPU; then those of all cells and ways must be the same.
unsigned countWrong(const Program &p, const Arrays &a) {
  unsigned wrong = 0;
  for (unsigned cell = 0; cell < p.cells; cell += 101) {
    const float once = follow(a.start, a.walls[cell], cell, p.cells, Force);
    const float error = a.through[cell] - p.sweeps * once;
    wrong += !(error * error <= 1e-6f * p.sweeps * p.sweeps);
  }
  return wrong;
}

unsigned long long sumOf(const Program &p) {
  unsigned long long sum = 0;
  for (const Arrays &a : p.sample)
    for (unsigned cell = 0; cell < p.cells; cell++) {
      unsigned bits;
      std::memcpy(&bits, &a.through[cell], 4);
      sum = 31 * sum + bits;
    }
  return sum;
}

CUfunction find(const char *name) {
  cudaFunction_t plain;
  CUmodule module;
  CUfunction found = nullptr;
  check(cudaGetFuncBySymbol(&plain, reinterpret_cast<const void *>(flow)), "flow");
  if (cuFuncGetModule(&module, plain) != CUDA_SUCCESS ||
      cuModuleGetFunction(&found, module, name) != CUDA_SUCCESS) {
    std::fprintf(
        stderr,
        "porous: there is no %s: build it with the plugin and -linearize-versions=redirected\n",
        name);
    std::exit(1);
  }
  return found;
}

int main(int argc, char **argv) {
  const auto given = [&](int i, unsigned usual) {
    return argc > i ? unsigned(std::atoi(argv[i])) : usual;
  };
  const unsigned side = given(3, 96), rounds = 3;
  Program p = {side * side * side, given(1, 200), given(2, 16), {}, {}, {}};
  check(cudaSetDevice(0), "a GPU");
  check(cudaFree(nullptr), "a GPU");
  p.redirected = find("flow__linearize_redirected");
  p.inspector = find("flow__linearize_inspect");
  for (unsigned seed = 1; seed <= 4; seed++)
    p.sample.push_back(makeSample(seed << 20, side));
  Slot slot[2] = {makeSlot(p), makeSlot(p)};
  double best[Ways] = {1e30, 1e30, 1e30, 1e30};
  unsigned long long sum[Ways];
  unsigned wrong = 0;
  for (unsigned round = 0; round <= rounds; round++)
    for (int way = Plain; way < Ways; way++) {
      for (const Arrays &a : p.sample)
        std::memset(a.through, 0, p.cells * 4ul);
      const double ms = run(p, slot, Way(way));
      wrong += countWrong(p, p.sample[0]);
      sum[way] = sumOf(p);
      wrong += sum[way] != sum[Plain];
      if (round > 0 && ms < best[way])
        best[way] = ms;
    }
  std::printf("%u samples of %u cells, %u sweeps each\n", p.samples, p.cells, p.sweeps);
  for (int way = Plain; way < Ways; way++)
    std::printf("%-22s %8.1f ms  x%.2f\n", names[way], best[way], best[Plain] / best[way]);
  if (wrong)
    std::printf("%u results are wrong\n", wrong);
  return wrong != 0;
}
