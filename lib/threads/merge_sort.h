// A sort that is stable, takes a context, and never gets slow.
#ifndef LIN_THREADS_MERGE_SORT_H
#define LIN_THREADS_MERGE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether `a` has to stand in front of `b`.
typedef bool lin_before(uint32_t a, uint32_t b, const void *context);

// Sorts `number`; `other` has room for as many. O(count log count) calls.
void lin_merge_sort(uint32_t *number, uint32_t *other, size_t count, lin_before *before,
                    const void *context);

#endif
