// Runs kernels of reorder.py before and after their threads are regrouped, and compares all that they write:
//
//   reorder_on_gpu BEFORE.cubin AFTER.cubin LAUNCHES
//
// LAUNCHES has a line for each kernel: its name, and blocks as X,Y,Z. A launch that differs is printed; the last
// line is `N launches, M differ`. Who calls it ends it if a kernel doesn't.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr unsigned Mask = 255, Blocks = 40, Counts = 8;

void check(cudaError_t error, const std::string &what) {
  if (error == cudaSuccess)
    return;
  std::printf("reorder_on_gpu: %s: %s\n", what.c_str(), cudaGetErrorString(error));
  std::fflush(stdout);
  std::_Exit(1);
}

cudaLibrary_t load(const char *path) {
  cudaLibrary_t library;
  check(cudaLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, nullptr, nullptr, 0), path);
  return library;
}

// `when`: for messages.
std::vector<unsigned> run(cudaLibrary_t library, const std::string &name, dim3 block,
                          const char *when) {
  static unsigned *input = nullptr, *output = nullptr;
  const unsigned words = Blocks * 1024 * 2 + Counts;
  if (!input) {
    std::vector<unsigned> random(Mask + 1);
    unsigned state = 12345;
    for (unsigned &word : random)
      word = state = state * 1664525u + 1013904223u, word ^= word >> 15;
    check(cudaMalloc(&input, random.size() * 4), "cudaMalloc");
    check(cudaMalloc(&output, words * 4), "cudaMalloc");
    check(cudaMemcpy(input, random.data(), random.size() * 4, cudaMemcpyHostToDevice), "copy");
  }
  cudaKernel_t kernel;
  check(cudaLibraryGetKernel(&kernel, library, name.c_str()), name);
  check(cudaMemset(output, 0, words * 4), "cudaMemset");
  unsigned mask = Mask, *counts = output + (words - Counts);
  void *arguments[] = {&input, &mask, &output, &counts};
  const std::string which = name + ' ' + when;
  check(cudaLaunchKernel(reinterpret_cast<void *>(kernel), dim3(Blocks), block, arguments, 0,
                         nullptr),
        which);
  std::vector<unsigned> result(words);
  check(cudaMemcpy(result.data(), output, words * 4, cudaMemcpyDeviceToHost), which);
  return result;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: reorder_on_gpu BEFORE.cubin AFTER.cubin LAUNCHES\n");
    return 2;
  }
  cudaLibrary_t before = load(argv[1]), after = load(argv[2]);
  std::ifstream file(argv[3]);
  unsigned launches = 0, differ = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, shape;
    words >> name;
    while (words >> shape) {
      dim3 block(1, 1, 1);
      if (std::sscanf(shape.c_str(), "%u,%u,%u", &block.x, &block.y, &block.z) != 3)
        return 2;
      std::printf("%s %s\r", name.c_str(), shape.c_str()); // so that who ends it knows
      std::fflush(stdout);
      const std::vector<unsigned> was = run(before, name, block, "before");
      const bool same = was == run(after, name, block, "after");
      if (!same)
        std::printf("%s, blocks of %s: results differ\n", name.c_str(), shape.c_str());
      launches++;
      differ += !same;
    }
  }
  std::printf("%u launches, %u differ\n", launches, differ);
  return differ != 0;
}
