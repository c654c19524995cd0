// The version that clang looks for.
#define CUDA_VERSION 12000
