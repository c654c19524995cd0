// The file of counts: how often each thread of each launch of a program entered each block.
//
//  linearize-simt --counts FILE ─┐          ┌─▶ linearize-profile: what divergence costs, and where
//  a program that counts ────────┴─▶ FILE ──┴─▶ -linearize-profile=FILE: counts/profile.h
//
// It is text, and a profile as counts/profile.h reads them: that skips the lines with #. Threads of
// equal counts share a vector, so that the file grows with what threads do differently. Here two
// thread blocks of 64 threads; the first 96 threads go around a loop 8 times, the others never.
//
//     # linearize counts 2
//     function,block,thread_entries
//     walk,entry,128
//     walk,loop,768
//     # launch walk                   the kernel's symbol; to the end of the line, as is gpu's name
//     # hash 5d3c1b0a49e7f268         of its control flow, 16 digits: equal for equal code
//     # times 1                       launches, of one kernel and shape, that were added up;
//                                     "1 of 9" if there were more
//     # grid 2 1 1                    thread blocks
//     # block 64 1 1                  threads of each
//     # sample 1                      of so many thread blocks one is counted
//     # gpu NVIDIA H200               empty: not known
//     # multiprocessors 132           0: not known
//     # time 5184                     nanoseconds, of all launches together; 0: not measured
//     # blocks 2
//     # walk,entry,20,walk.cu:3,      function, block, cycles, place in the source, or nothing;
//     # walk,loop,85,walk.cu:5,0      the block around it (linearize_bbv_passes), or nothing
//     # vectors 2                     in the order of their first threads
//     # 0:1 1:8                       block 0 entered once, block 1 eight times, no other
//     # 0:1
//     # threads 2                     thread blocks one after the other, x before y before z
//     # 96*0 32*1                     96 threads of vector 0, then 32 of vector 1; 32*- of threads
//                                     of which nothing is known; one line a launch
//     # passes                        if warps were counted: how often they entered each block,
//     # 0:4 1:35                      and how often at most if none enters a block twice in one
//     # 0:4 1:32                      iteration of the loop around it
//     # end
//
// Commas and quotes are those of comma-separated values; a name can't have a quote or the end of a
// line, `_` stands for these.
#ifndef LIN_THREADS_COUNTS_FILE_H
#define LIN_THREADS_COUNTS_FILE_H

#include "memory.h"

#include <stdint.h>
#include <stdio.h>

#define LIN_COUNTS_UNKNOWN UINT32_MAX // the vector of threads of which nothing is known

typedef struct lin_counts_block {
  const char *function, *name;
  uint32_t latency;   // cycles
  const char *source; // "FILE:LINE", or ""
  uint32_t around;    // the block around it (linearize/threads.h), or UINT32_MAX
} lin_counts_block;

typedef struct lin_counts_run {
  uint32_t num_threads; // at least 1
  uint32_t vector;      // below num_vectors, or LIN_COUNTS_UNKNOWN
} lin_counts_run;

typedef struct lin_counts_launch {
  const char *kernel;
  uint64_t hash;
  uint64_t times;             // at least 1
  uint64_t launched;          // launches, with those that weren't counted; 0: no more than `times`
  uint32_t grid[3], block[3]; // at least 1; less than 2^32 threads
  uint32_t sample;            // at least 1
  const char *gpu;            // "": not known
  uint32_t multiprocessors;   // 0: not known
  uint64_t time;              // 0: not measured
  uint32_t num_blocks;        // at least 1
  uint32_t num_vectors, num_runs;
  lin_counts_block *blocks; // [num_blocks]
  uint64_t *vector;         // [num_vectors * num_blocks]
  lin_counts_run *run;      // [num_runs] of num_threads together
  uint64_t *passes;         // [num_blocks] entries by warps, or NULL: not counted
  uint64_t
      *passes_at_most; // [num_blocks] of these, if no warp enters a block twice in one iteration
} lin_counts_launch;

typedef struct lin_counts {
  lin_counts_launch *launch; // [num_launches]
  uint32_t num_launches;
} lin_counts;

typedef struct lin_counts_error {
  size_t line;    // from 1
  char text[160]; // a clause
} lin_counts_error;

// Threads of one of its thread blocks.
static inline uint64_t lin_counts_block_threads(const lin_counts_launch *launch) {
  return (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
}

// Threads of the launch: of a launch as above, less than 2^32. O(1).
uint64_t lin_counts_threads(const lin_counts_launch *launch);

// Reads the `length` bytes at `text`, which need not stay. Returns NULL, with `error` filled, if
// they are no file of counts, of another version, cut off, or don't add up; or if there is no
// memory (memory->is_out). What is returned is in `memory`. The rows of the profile are skipped.
// O(length + vectors * blocks).
lin_counts *lin_counts_read(lin_memory *memory, const char *text, size_t length,
                            lin_counts_error *error);

// Writes what reading gives back, but for characters that a name can't have. Whether `file` took it
// is the caller's to ask. Without memory for a word for each vector the rows of the profile are
// missing. O(vectors * blocks + runs).
void lin_counts_write(FILE *file, const lin_counts *counts);

#endif
