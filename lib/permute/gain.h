// What it gains to give a section to other threads: counted, over the indices of a block. A warp
// runs a block of code that any of its threads comes to:
//
//     t % 2 ? B : J     B, of 20 instructions, in 8 warps of 256 threads       160
//                       split: in 4 of them                                     80, and 8 * 5 for P
//
// but what ptxas predicates (gpu/costs.h), it runs whenever any of them comes to the branch.
//
// Costs are warp instructions. A multiprocessor issues four in a cycle, and in that time passes 128
// bytes between its shared memory or first-level cache and registers (CUDA C++ Programming Guide,
// "Arithmetic Instructions" and "Shared Memory"; Nsight Compute's guide, "Memory Tables"). So an
// access to shared memory costs four more, as many times as its threads need the same bank, and one
// to other memory one more for each sector of 32 bytes.
#ifndef LIN_PERMUTE_GAIN_H
#define LIN_PERMUTE_GAIN_H

#include "formula.h"
#include "samples.h"

// Instructions beside those of the section and of the formula: that each warp executes before, and
// no more; that each executes afterwards; that each does which has anything to do.
typedef struct lin_change {
  uint32_t saved, all, working;
} lin_change;

// Of a block, in the mean of the samples.
typedef struct lin_gain {
  double issue_before, issue_after;   // warp instructions
  double memory_before, memory_after; // what accesses cost besides
  double warps_before,
      warps_after; // that enter code that not all threads come to, for each block of it
  double active_before, active_after; // threads that are active in such a warp
  uint32_t threads;                   // of the block that was counted
} lin_gain;

// What a formula gains. O(lin_gain_work), which is samples * threads * (blocks and accesses).
uint64_t lin_gain_work(const lin_samples *samples);
lin_gain lin_gain_of(const lin_samples *samples, const lin_formula *formula, lin_change change);

// What warps execute after, of what they execute before. O(1).
static inline double lin_gain_ratio(const lin_gain *gain) {
  double before = gain->issue_before + gain->memory_before;
  return before == 0 ? 1 : (gain->issue_after + gain->memory_after) / before;
}

#endif
