// When each warp of a kernel of bench/regroup/paths.cu runs, and where: which warps share the
// schedulers of a multiprocessor, in which order these let them go on, and what waits at the end of
// a block.
//
//   warps >FILE
//
// Prints for each warp of the first multiprocessors, with tabs: the kernel, the multiprocessor, the
// thread block, the warp's number in its block and on its multiprocessor, keys that its threads
// have, and cycles of its multiprocessor, from the first one there: when it began, when its round
// was over, when its work was.
#define REGROUP_NO_KERNELS
#include "../regroup/paths.cu"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct record {
  unsigned multiprocessor, place, keys;
  unsigned long long begin, regrouped, end;
};

template <unsigned Keys, unsigned Block, typename How, rotates Rotates>
static __global__ void __launch_bounds__(Block, 2048 / Block)
    recorded(const unsigned *words, unsigned mask, unsigned iterations, unsigned *out,
             record *records) {
  using round = rounds_of<Block, How, Rotates>;
  __shared__ typename round::shared memory;
  record r;
  r.begin = (unsigned long long)clock64();
  asm volatile("mov.u32 %0, %%smid;" : "=r"(r.multiprocessor));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(r.place));
  if (Rotates == by_place) {
    memory.slot.ask();
    __syncthreads();
  }
  unsigned first = blockIdx.x * Block, self = threadIdx.x;
  float x = lin_unit(lin_input{words, mask}[first + self]);
  unsigned key = chanceOf(x, 0) % Keys;
  round::regroup(memory, 0, &x, &self, &key);
  r.keys = (unsigned)__popc(__reduce_or_sync(regroup::Everyone, 1u << key));
  r.regrouped = (unsigned long long)clock64();
  x = follow<Keys, 4>(key, x, iterations);
  out[first + self] = lin_bits(x);
  r.end = (unsigned long long)clock64();
  if (threadIdx.x % 32 == 0)
    records[(first + threadIdx.x) / 32] = r;
}

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "warps: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

enum : unsigned { Words = 65536, Iterations = 256, Waves = 8, Shown = 4 };

static unsigned *words, *out;

template <typename Kernel>
static void show(const char *name, Kernel kernel, unsigned block, unsigned blocks) {
  std::vector<record> records(blocks * block / 32);
  record *device;
  check(cudaMalloc(&device, records.size() * sizeof *device));
  for (unsigned time = 0; time < 2; time++) // the first loads the code
    kernel<<<blocks, block>>>(words, Words - 1, Iterations, out, device);
  check(
      cudaMemcpy(records.data(), device, records.size() * sizeof *device, cudaMemcpyDeviceToHost));
  cudaFree(device);
  unsigned long long origin[Shown];
  std::fill(origin, origin + Shown, ~0ull);
  for (const record &r : records)
    if (r.multiprocessor < Shown)
      origin[r.multiprocessor] = std::min(origin[r.multiprocessor], r.begin);
  for (unsigned i = 0; i < records.size(); i++) {
    const record &r = records[i];
    if (r.multiprocessor < Shown)
      std::printf("%s\t%u\t%u\t%u\t%u\t%u\t%llu\t%llu\t%llu\n", name, r.multiprocessor,
                  i * 32 / block, i % (block / 32), r.place, r.keys,
                  r.begin - origin[r.multiprocessor], r.regrouped - origin[r.multiprocessor],
                  r.end - origin[r.multiprocessor]);
  }
}

int main() {
  int multiprocessors;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  unsigned threads = (unsigned)multiprocessors * 2048 * Waves;
  std::vector<unsigned> input(Words);
  for (unsigned i = 0; i < Words; i++)
    input[i] = lin_mix(i);
  check(cudaMalloc(&words, Words * sizeof *words));
  check(cudaMalloc(&out, threads * sizeof *out));
  check(cudaMemcpy(words, input.data(), Words * sizeof *words, cudaMemcpyHostToDevice));
#define SHOW(keys, block, name, rotates, order)                                                    \
  show("flat" #keys "_" #block "_" #name,                                                          \
       recorded<keys, block, votes<block, keys, by_bits, None, order>, rotates>, block,            \
       threads / block)
  SHOW(2, 256, votes, never, by_number);
  SHOW(2, 256, first, by_place, mixed_first);
  SHOW(2, 256, last, by_place, mixed_last);
  SHOW(4, 256, votes, never, by_number);
  SHOW(4, 256, first, by_place, mixed_first);
  SHOW(2, 1024, votes, never, by_number);
  SHOW(2, 1024, first, by_place, mixed_first);
  SHOW(2, 1024, last, by_place, mixed_last);
  SHOW(4, 1024, first, by_place, mixed_first);
  SHOW(8, 1024, first, by_place, mixed_first);
}
