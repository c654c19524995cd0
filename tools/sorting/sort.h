// Sorting on a GPU, for orders of threads (versions/orders.h): the C interface of
// liblinearize-sort.so, a library of its own, for it is all of the project that needs CUDA's
// compiler. liblinearize-versions.so loads it when a redirected version is first tried; where there
// is none, these versions are left alone. Another library with these two functions is as good.
#ifndef LIN_TOOLS_SORTING_SORT_H
#define LIN_TOOLS_SORTING_SORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

// Bytes of the GPU's memory that sorting so many keys needs beside them. 0: it can't be done. In
// the current context. O(1).
size_t linearize_sort_scratch(uint32_t count);

// Writes to order[count] the numbers 0, 1, ..., count - 1 in the order in which their keys[count]
// rise, equal ones as they are; keys are overwritten. All are addresses of the GPU's memory,
// multiples of 256, `scratch` of so many bytes as above. Work of `stream`, a CUstream of the
// current context, that nobody waits for. Returns 0, or an error of CUDA's; then what is at `order`
// needn't be an order. O(count).
int linearize_sort_order(uint64_t keys, uint64_t order, uint32_t count, uint64_t scratch,
                         void *stream);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
