// Runs the kernels @run0, @run1, ... of a module that same_on_gpu.py has made, each on as many inputs
// as it has room for results, and prints what driver.c prints of the same functions:
//
//   run_on_gpu CUBIN COUNT
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr unsigned Block = 64;

struct Result {
  unsigned long long hash, end;
};

void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "run_on_gpu: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: run_on_gpu CUBIN COUNT\n");
    return 2;
  }
  static const char *const Ends[] = {"return", "budget", "die", "trap", "crash"};
  cudaLibrary_t library;
  check(cudaLibraryLoadFromFile(&library, argv[1], nullptr, nullptr, 0, nullptr, nullptr, 0),
        "load");
  void *results;
  size_t size;
  check(cudaLibraryGetGlobal(&results, &size, library, "results"), "cudaLibraryGetGlobal");
  check(cudaDeviceSetLimit(cudaLimitStackSize, 16384), "stack");
  const unsigned inputs = unsigned(size / sizeof(Result));
  std::vector<Result> host(inputs);
  for (int test = 0; test < std::atoi(argv[2]); test++) {
    cudaKernel_t kernel;
    check(cudaLibraryGetKernel(&kernel, library, ("run" + std::to_string(test)).c_str()), "kernel");
    check(cudaMemset(results, 0xff, size), "cudaMemset");
    check(cudaLaunchKernel(reinterpret_cast<void *>(kernel), dim3(inputs / Block), dim3(Block),
                           nullptr, 0, nullptr),
          "launch");
    check(cudaMemcpy(host.data(), results, size, cudaMemcpyDeviceToHost), "run");
    for (unsigned i = 0; i < inputs; i++)
      std::printf("%d %u %s %016llx\n", test, i, host[i].end < 5 ? Ends[host[i].end] : "nothing",
                  host[i].hash);
  }
}
