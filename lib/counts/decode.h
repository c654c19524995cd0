// From a kernel's counters to a launch of the file of counts (threads/counts_file.h).
#ifndef LIN_COUNTS_DECODE_H
#define LIN_COUNTS_DECODE_H

#include "description.h"
#include "threads/counts_file.h"

// The slots that the launch's threads need, one thread block of `launch->sample` counted: less than
// 2^32 of a launch with less than 2^32 threads. O(1).
uint64_t lin_count_slots(const lin_counts_launch *launch);

// The blocks of the description as the file wants them, [d->num_blocks], in the memory; NULL if
// there is none. Names stay the description's. O(edges log edges).
lin_counts_block *lin_count_blocks(lin_memory *memory, const lin_count_description *d);

// Fills blocks, hash, vectors, runs and, if they are counted, passes of `launch`, of which kernel,
// grid, block and sample are set, from `counters`, of `capacity` slots; NULL: only threads of which
// nothing is known. Threads whose slots there aren't are such, too, and threads that haven't
// written their counters. What stays in `arena` has to live as long as the launch. `before`: the
// launch is added to that (gather.h), or NULL. False if there is no memory (memory->is_out).
// O(threads * counters + different threads * edges).
bool lin_count_decode(lin_arena *arena, lin_memory *memory, const lin_count_description *d,
                      const uint32_t *counters, uint64_t capacity, const lin_counts_launch *before,
                      lin_counts_launch *launch);

#endif
