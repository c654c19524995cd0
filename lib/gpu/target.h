// What is known of the GPUs that code is compiled for: a row of one table for each architecture.
//
// A row says how threads of a warp run, what a multiprocessor has room for, and how long a warp
// waits. Where numbers come from, and how they are had again:
//
//   lock_step        CUDA C++ Programming Guide, "Independent Thread Scheduling": from sm_70 on
//                    threads of a warp make progress one by one
//   warps, blocks    `scripts/check-target` asks ptxas, for what it knows (sm_75 and newer: it
//                    refuses a .minnctapersm that has no room); older ones: that guide, edition
//                    8.0, "Technical Specifications per Compute Capability"
//   registers        the same table, and "Register allocation" of cuda_occupancy.h in CUDA 13.0
//   shared           the same table; cuda_occupancy.h, cudaOccAlignUpShmemSizeVoltaPlus
//   shared_taken     the same guide, "Shared Memory" of compute capability 8.x and newer
//   schedulers       the same table; cuda_occupancy.h, cudaOccSubPartitionsPerMultiprocessor
//   latency          measured on an H200 (sm_90), bench/results/h200-2026-11-22-latency.txt:
//                    `nvcc -arch=native -o latency bench/device/latency.cu && ./latency`; nobody
//                    has measured others, which are taken to be like it
#ifndef LIN_GPU_TARGET_H
#define LIN_GPU_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The same on all GPUs (CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability"; the step is cudaOccRegAllocationGranularity of cuda_occupancy.h, 256 a warp).
enum {
  LIN_WARP = 32,            // threads
  LIN_LARGEST_BLOCK = 1024, // threads of a thread block
  LIN_REGISTER_STEP = 8,    // registers of a thread come so many at a time
  LIN_MOST_WARPS = 64,      // of a multiprocessor, of any GPU
};

// Cycles from an instruction's issue until what it gives can be used, on an idle GPU.
typedef struct lin_latency {
  uint16_t arithmetic; // of 32 bits
  uint16_t wide;       // of doubles
  uint16_t special;    // reciprocals, roots, sines
  uint16_t shared;     // a load from shared memory, constants or parameters
  uint16_t global;     // a load from elsewhere, found in the second-level cache
  uint16_t parting;    // a branch that parts a warp, beside both arms
} lin_latency;

typedef struct lin_target {
  uint16_t sm;        // of sm_N; the row is for newer ones, too, up to the next row
  bool lock_step;     // threads of a warp run in lock step: who waits for another may wait for ever
  uint8_t warps;      // that a multiprocessor has room for
  uint8_t blocks;     // thread blocks that it has room for
  uint8_t schedulers; // of a multiprocessor; each issues for a part of the warps
  uint8_t thread_registers; // that a thread can name
  uint32_t registers;       // of a multiprocessor
  uint32_t shared;          // bytes of shared memory of a multiprocessor
  uint32_t shared_taken;    // of which each thread block has so many less
  const lin_latency *latency;
} lin_target;

// N of "sm_N", or of "sm_Na" and "sm_Nf", in `length` characters; 0 for anything else. The only
// place that knows how a target is spelled. O(1).
uint32_t lin_target_number(const char *name, size_t length);

// The row of sm_N, never NULL. Of 0, a target that nobody knows: what all GPUs can do, so its
// threads run in lock step. O(rows).
const lin_target *lin_target_find(uint32_t sm);

#ifdef __cplusplus
}
#endif

#endif
