// Vectors that come one after the other, thread by thread, become different ones and runs of
// threads, as the file of counts has them (counts_file.h).
//
//     thread     0   1   2   3             vectors   A B C       in the order in which they come
//     vector     A   A   B   A             runs      2*A 1*B 1*A
//
// Launches of one kernel and shape add up: then a thread's vector is what it has in the launch
// before and what comes, and a thread is known that is known in both.
#ifndef LIN_THREADS_GATHER_H
#define LIN_THREADS_GATHER_H

#include "counts_file.h"

typedef struct lin_gather lin_gather;

// For threads with vectors of `num_blocks`, at least 1. `before`: what is added to, or NULL; it has
// to live on as long as threads come. Returns NULL if there is no memory. O(1).
lin_gather *lin_gather_new(lin_memory *memory, uint32_t num_blocks,
                           const lin_counts_launch *before);

// The next thread's vector, [num_blocks], or NULL: nothing is known of it. Sums beyond 2^64 - 1 are
// that. False if there is no memory (memory->is_out). Expected O(num_blocks).
bool lin_gather_thread(lin_gather *gather, const uint64_t *vector);

// The same for a vector that has a class, below 2^32 - 1: those of one class are equal. Expected
// O(1), but for the first one.
bool lin_gather_class(lin_gather *gather, uint32_t class, const uint64_t *vector);

// Sets vectors and runs of `launch`, which are in the memory. O(1).
void lin_gather_end(const lin_gather *gather, lin_counts_launch *launch);

#endif
