// Launches one kernel once, for a profiler around it and for linearize-simt beside it.
//
//   once CUBIN KERNEL GRID BLOCK WORDS ROUNDS OUT
//
// The input is linearize-simt's `--arg buf:u32:WORDS:random`; what each of the GRID * BLOCK threads
// wrote goes to the file OUT, word by word.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "once: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

int main(int argc, char **argv) {
  if (argc != 8) {
    std::fprintf(stderr, "usage: once CUBIN KERNEL GRID BLOCK WORDS ROUNDS OUT\n");
    return 2;
  }
  unsigned grid = unsigned(std::atoi(argv[3])), block = unsigned(std::atoi(argv[4])),
           num_words = unsigned(std::atoi(argv[5])), rounds = unsigned(std::atoi(argv[6])),
           mask = num_words - 1, threads = grid * block;
  std::vector<unsigned> input(num_words), output(threads + 1);
  unsigned long long state = 1;
  for (unsigned &word : input) {
    unsigned long long z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    word = unsigned((z ^ z >> 31) >> 32);
  }
  cudaLibrary_t library;
  cudaKernel_t kernel;
  check(cudaLibraryLoadFromFile(&library, argv[1], nullptr, nullptr, 0, nullptr, nullptr, 0),
        "load");
  check(cudaLibraryGetKernel(&kernel, library, argv[2]), "cudaLibraryGetKernel");
  unsigned *words, *out;
  check(cudaMalloc(&words, num_words * sizeof *words), "cudaMalloc");
  check(cudaMalloc(&out, (threads + 1) * sizeof *out), "cudaMalloc");
  check(cudaMemcpy(words, input.data(), num_words * sizeof *words, cudaMemcpyHostToDevice), "copy");
  check(cudaMemset(out, 0, (threads + 1) * sizeof *out), "cudaMemset");
  unsigned *order =
      nullptr; // of bench/threads: its threads as they are. Others take no such argument
  void *arguments[] = {&words, &mask, &rounds, &out, &threads, &order};
  check(cudaLaunchKernel(reinterpret_cast<void *>(kernel), dim3(grid), dim3(block), arguments, 0,
                         nullptr),
        "launch");
  check(cudaDeviceSynchronize(), "kernel");
  check(cudaMemcpy(output.data(), out, threads * sizeof *out, cudaMemcpyDeviceToHost), "copy");
  std::FILE *file = std::fopen(argv[7], "wb");
  if (!file || std::fwrite(output.data(), sizeof(unsigned), threads, file) != threads ||
      std::fclose(file) != 0) {
    std::perror(argv[7]);
    return 1;
  }
}
