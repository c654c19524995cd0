// Runs kernels of kernels.py, of kind items or alike, and their versions, and compares all that they write:
//
//     versions_on_gpu MODULE.cubin LAUNCHES
//
// LAUNCHES has a line for each launch: the kernel's name, grid and block as X,Y,Z, its two numbers, and its
// versions. What differs is printed; the last line is
// `N launches, M differ`. Who calls it ends it if a kernel doesn't.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr unsigned Words = 1024, Shared = 64; // of the input; of atomic operations of all threads

struct Buffers {
  unsigned *In, *Out, *Counter;
  size_t OutWords;
};

void check(cudaError_t error, const std::string &what) {
  if (error == cudaSuccess)
    return;
  std::printf("versions_on_gpu: %s: %s\n", what.c_str(), cudaGetErrorString(error));
  std::fflush(stdout);
  std::_Exit(1);
}

dim3 read_shape(std::istringstream &words) {
  std::string text;
  dim3 shape(1, 1, 1);
  words >> text;
  std::sscanf(text.c_str(), "%u,%u,%u", &shape.x, &shape.y, &shape.z);
  return shape;
}

size_t product(dim3 d) { return size_t(d.x) * d.y * d.z; }

Buffers allocate(size_t threads) {
  Buffers b = {nullptr, nullptr, nullptr, 2 * threads + Shared};
  std::vector<unsigned> random(Words);
  unsigned state = 12345;
  for (unsigned &word : random)
    word = state = state * 1664525u + 1013904223u, word ^= word >> 15;
  check(cudaMalloc(&b.In, Words * 4), "cudaMalloc");
  check(cudaMalloc(&b.Out, b.OutWords * 4), "cudaMalloc");
  check(cudaMalloc(&b.Counter, 4), "cudaMalloc");
  check(cudaMemcpy(b.In, random.data(), Words * 4, cudaMemcpyHostToDevice), "copy");
  return b;
}

void release(const Buffers &b) {
  for (unsigned *memory : {b.In, b.Out, b.Counter})
    check(cudaFree(memory), "cudaFree");
}

// Of a block that has more threads than registers for them, nothing.
std::vector<unsigned> run(cudaLibrary_t library, const std::string &name, Buffers b, dim3 grid,
                          dim3 block, unsigned first, unsigned second) {
  cudaKernel_t kernel;
  cudaFuncAttributes attributes;
  check(cudaLibraryGetKernel(&kernel, library, name.c_str()), name);
  check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void *>(kernel)), name);
  if (product(block) > size_t(attributes.maxThreadsPerBlock))
    return {};
  check(cudaMemset(b.Out, 0, b.OutWords * 4), "cudaMemset");
  check(cudaMemset(b.Counter, 0, 4), "cudaMemset");
  void *arguments[] = {&b.In, &b.Out, &first, &second, &b.Counter}; // the last one, if it takes it
  check(cudaLaunchKernel(reinterpret_cast<void *>(kernel), grid, block, arguments, 0, nullptr),
        name);
  std::vector<unsigned> result(b.OutWords);
  check(cudaMemcpy(result.data(), b.Out, b.OutWords * 4, cudaMemcpyDeviceToHost), name);
  return result;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: versions_on_gpu MODULE.cubin LAUNCHES\n");
    return 2;
  }
  cudaLibrary_t library;
  check(cudaLibraryLoadFromFile(&library, argv[1], nullptr, nullptr, 0, nullptr, nullptr, 0),
        argv[1]);
  std::ifstream file(argv[2]);
  unsigned launches = 0, differ = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, version;
    unsigned first, second;
    words >> name;
    const dim3 grid = read_shape(words), block = read_shape(words);
    words >> first >> second;
    const Buffers b = allocate(product(grid) * product(block));
    const std::vector<unsigned> expected = run(library, name, b, grid, block, first, second);
    while (words >> version) {
      const std::vector<unsigned> result = run(library, version, b, grid, block, first, second);
      launches += !result.empty();
      if (result.empty() || result == expected)
        continue;
      std::printf("%s: results differ: %s\n", version.c_str(), line.c_str());
      differ++;
    }
    release(b);
  }
  std::printf("%u launches, %u differ\n", launches, differ);
  return differ != 0;
}
