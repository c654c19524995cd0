// By CUB's radix sort. Of two buffers each, the sort fills either; `order` is one of its two.
//
//     keys ───┐
//     order: 0 1 2 ... ─┐            scratch:  other keys │ other order │ what CUB needs
//
#include "sort.h"

#include <cub/device/device_radix_sort.cuh>

namespace {

constexpr uint32_t Block = 256;
constexpr size_t Alignment = 256;

size_t wordsOf(uint32_t count) {
  return (count * sizeof(uint32_t) + Alignment - 1) / Alignment * Alignment;
}

__global__ void countUp(uint32_t *order, uint32_t count) {
  const size_t at = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at < count)
    order[at] = uint32_t(at);
}

struct Buffers {
  cub::DoubleBuffer<uint32_t> keys, order;
};

cudaError_t sort(void *room, size_t &bytes, Buffers &b, uint32_t count, cudaStream_t stream) {
  return cub::DeviceRadixSort::SortPairs(room, bytes, b.keys, b.order, count, 0, 32, stream);
}

template <typename T> T *at(uint64_t address) { return reinterpret_cast<T *>(address); }

// What CUB needs. An error stays with this library's runtime, not with the program's.
cudaError_t roomOf(uint32_t count, size_t &bytes) {
  Buffers none;
  bytes = 0;
  return sort(nullptr, bytes, none, count, nullptr);
}

} // namespace

size_t linearize_sort_scratch(uint32_t count) {
  size_t bytes;
  return roomOf(count, bytes) == cudaSuccess ? 2 * wordsOf(count) + bytes : 0;
}

int linearize_sort_order(uint64_t keys, uint64_t order, uint32_t count, uint64_t scratch,
                         void *streamHandle) {
  const auto stream = static_cast<cudaStream_t>(streamHandle);
  const size_t words = wordsOf(count);
  Buffers b = {{at<uint32_t>(keys), at<uint32_t>(scratch)},
               {at<uint32_t>(order), at<uint32_t>(scratch + words)}};
  size_t bytes;
  cudaError_t error = roomOf(count, bytes);
  if (error != cudaSuccess)
    return error;
  countUp<<<(count - 1) / Block + 1, Block, 0, stream>>>(at<uint32_t>(order), count);
  error = cudaGetLastError();
  if (error == cudaSuccess)
    error = sort(at<void>(scratch + 2 * words), bytes, b, count, stream);
  if (error == cudaSuccess && b.order.Current() != at<uint32_t>(order))
    error = cudaMemcpyAsync(at<void>(order), b.order.Current(), count * sizeof(uint32_t),
                            cudaMemcpyDeviceToDevice, stream);
  return error;
}
