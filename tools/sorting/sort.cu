#include "sort.h"

#include "linearize/layout_cuda.h"

namespace {

uint32_t *wordsAt(uint64_t address) { return reinterpret_cast<uint32_t *>(address); }

} // namespace

size_t linearize_sort_scratch(uint32_t count) {
  size_t bytes;
  const cudaError_t error = linearize_order_cuda(nullptr, nullptr, count, nullptr, &bytes, nullptr);
  return error == cudaSuccess ? bytes : 0;
}

// An error stays with this library's runtime, not with the program's.
int linearize_sort_order(uint64_t keys, uint64_t order, uint32_t count, uint64_t scratch,
                         void *stream) {
  size_t bytes = linearize_sort_scratch(count);
  return linearize_order_cuda(wordsAt(keys), wordsAt(order), count, wordsAt(scratch), &bytes,
                              static_cast<cudaStream_t>(stream));
}
