/* linearize: linearize/layout.h on the GPU: an order of threads by sorting their keys, and arrays
 * in the GPU's memory moved to it and put back. For CUDA C++; all of it is here, with CUB.
 *
 *     keys     3 0 1 0                   of threads: what they will do
 *     order    1 3 2 0                   linearize_order_cuda: place 0 is that of thread 1
 *     own      a B c D                   in the threads' own order
 *     moved    B D c a                   linearize_layout_cuda, before the kernel
 *     own      ...                       linearize_layout_back_cuda, behind it
 *
 * `order` is what linearize_inverse makes of a destination. What has to hold is said in layout.h;
 * arrays are those of the GPU, of 4, 8 or 16 bytes an element, or of any number of bytes, which
 * takes longer. Work of a stream that nobody waits for; nothing is allocated.
 *
 * Errors: cudaErrorInvalidValue (a wrong argument: nothing is done), or what CUDA says. With the
 * environment variable LINEARIZE_CHECK set, orders are copied to the host, and a line on standard
 * error says what is wrong with one that is no permutation; that waits, and needs
 * liblinearize-threads.
 */
#ifndef LINEARIZE_LAYOUT_CUDA_H
#define LINEARIZE_LAYOUT_CUDA_H

#include "layout.h"

#include <cub/device/device_radix_sort.cuh>
#include <cuda_runtime.h>
#include <stdlib.h>
#include <vector>

namespace linearize_layout_of {

constexpr unsigned Block = 256;

inline unsigned gridOf(size_t n) { return unsigned((n + Block - 1) / Block); }

static __global__ void countUp(uint32_t *words, uint32_t n) {
  const uint32_t at = blockIdx.x * Block + threadIdx.x;
  if (at < n)
    words[at] = at;
}

/* One element a thread: to its place, or back from there. */
template <typename Element>
__global__ void move(const Element *from, Element *to, const uint32_t *order, uint32_t n,
                     bool isBack) {
  const uint32_t place = blockIdx.x * Block + threadIdx.x;
  if (place < n)
    to[isBack ? order[place] : place] = from[isBack ? place : order[place]];
}

/* The same in bytes. */
static __global__ void moveBytes(const unsigned char *from, unsigned char *to,
                                 const uint32_t *order, uint32_t n, size_t size, bool isBack) {
  const uint32_t place = blockIdx.x * Block + threadIdx.x;
  if (place >= n)
    return;
  const size_t there = order[place] * size, here = place * size;
  for (size_t byte = 0; byte < size; byte++)
    to[(isBack ? there : here) + byte] = from[(isBack ? here : there) + byte];
}

template <typename Element>
void launch(const void *from, void *to, const uint32_t *order, uint32_t n, bool isBack,
            cudaStream_t stream) {
  move<<<gridOf(n), Block, 0, stream>>>(static_cast<const Element *>(from),
                                        static_cast<Element *>(to), order, n, isBack);
}

inline bool isAligned(const linearize_array &a, size_t size) {
  return a.size == size &&
         (reinterpret_cast<uintptr_t>(a.own) | reinterpret_cast<uintptr_t>(a.moved)) % size == 0;
}

inline cudaError_t moveArray(const linearize_array &a, const uint32_t *order, uint32_t n,
                             bool isBack, cudaStream_t stream) {
  const void *from = isBack ? a.moved : a.own;
  void *to = isBack ? a.own : a.moved;
  if (isAligned(a, 4))
    launch<uint32_t>(from, to, order, n, isBack, stream);
  else if (isAligned(a, 8))
    launch<uint2>(from, to, order, n, isBack, stream);
  else if (isAligned(a, 16))
    launch<uint4>(from, to, order, n, isBack, stream);
  else
    moveBytes<<<gridOf(n), Block, 0, stream>>>(static_cast<const unsigned char *>(from),
                                               static_cast<unsigned char *>(to), order, n, a.size,
                                               isBack);
  return cudaGetLastError();
}

inline bool isOrder(const uint32_t *order, size_t n, cudaStream_t stream) {
  const char *asked = getenv("LINEARIZE_CHECK");
  if (asked == nullptr || asked[0] == '\0')
    return true;
  std::vector<uint32_t> there(n), inverse(n);
  return cudaMemcpyAsync(there.data(), order, n * sizeof *order, cudaMemcpyDeviceToHost, stream) ==
             cudaSuccess &&
         cudaStreamSynchronize(stream) == cudaSuccess &&
         linearize_inverse(there.data(), n, inverse.data()) == 0;
}

inline cudaError_t moveArrays(const linearize_array *arrays, size_t count, const uint32_t *order,
                              size_t n, linearize_use use, cudaStream_t stream) {
  for (size_t i = 0; i < count; i++)
    if (arrays[i].own == arrays[i].moved || arrays[i].size == 0)
      return cudaErrorInvalidValue;
  if (n != uint32_t(n) || !isOrder(order, n, stream))
    return cudaErrorInvalidValue;
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < count && n > 0 && error == cudaSuccess; i++)
    if (arrays[i].use & use)
      error = moveArray(arrays[i], order, uint32_t(n), use == LINEARIZE_WRITTEN, stream);
  return error;
}

} // namespace linearize_layout_of

/* The order in which keys rise, equal ones as they are: threads with equal keys stand side by side
 * (003, section 4.2: Sorting).
 *
 *   keys     [n] such as an inspector writes (docs/rearranged.md); overwritten
 *   order    [n] order[place] = thread
 *   n        below 2^32; 0 is allowed
 *   scratch  *bytes of the GPU's memory; NULL: *bytes is set to what is needed, and nothing done
 *
 * O(n). */
inline cudaError_t linearize_order_cuda(uint32_t *keys, uint32_t *order, size_t n, void *scratch,
                                        size_t *bytes, cudaStream_t stream) {
  using namespace linearize_layout_of;
  const size_t words = (n * sizeof(uint32_t) + 255) / 256 * 256;
  const uint32_t count = uint32_t(n);
  if (count != n)
    return cudaErrorInvalidValue;
  char *at = static_cast<char *>(scratch);
  cub::DoubleBuffer<uint32_t> k(keys, reinterpret_cast<uint32_t *>(at));
  cub::DoubleBuffer<uint32_t> o(order, reinterpret_cast<uint32_t *>(at + words));
  size_t room = 0;
  cudaError_t error = cub::DeviceRadixSort::SortPairs(nullptr, room, k, o, count, 0, 32, stream);
  if (scratch == nullptr) {
    *bytes = 2 * words + room;
    return error;
  }
  if (error != cudaSuccess || *bytes < 2 * words + room)
    return error != cudaSuccess ? error : cudaErrorInvalidValue;
  if (n == 0)
    return cudaSuccess;
  countUp<<<gridOf(n), Block, 0, stream>>>(order, count);
  error = cub::DeviceRadixSort::SortPairs(at + 2 * words, room, k, o, count, 0, 32, stream);
  if (error == cudaSuccess && o.Current() != order)
    error =
        cudaMemcpyAsync(order, o.Current(), n * sizeof *order, cudaMemcpyDeviceToDevice, stream);
  return error;
}

/* Before the kernel: moved[place] = own[order[place]], of all arrays that it reads.
 *
 *   arrays  [num_arrays] of the GPU's memory; `own` and `moved` of none are the same
 *   order   [n] a permutation, on the GPU
 *   n       below 2^32; 0 is allowed
 *
 * O(n * bytes of an element of each array). */
inline cudaError_t linearize_layout_cuda(const linearize_array *arrays, size_t num_arrays,
                                         const uint32_t *order, size_t n, cudaStream_t stream) {
  return linearize_layout_of::moveArrays(arrays, num_arrays, order, n, LINEARIZE_READ, stream);
}

/* Behind it: own[order[place]] = moved[place], of all arrays that it writes. As above. */
inline cudaError_t linearize_layout_back_cuda(const linearize_array *arrays, size_t num_arrays,
                                              const uint32_t *order, size_t n,
                                              cudaStream_t stream) {
  return linearize_layout_of::moveArrays(arrays, num_arrays, order, n, LINEARIZE_WRITTEN, stream);
}

#endif
