// What it gains to give a section to other threads: counted, over the indices of a block.
//
// For each index: which blocks of the section it comes to, and which addresses it accesses, as far as
// that follows from the index and from what is the same for all threads; a branch that asks for
// anything else is taken to go both ways. A warp runs a block that any of its threads comes to:
//
//     t % 2 ? B : J     B, of 20 instructions, in 8 warps of 256 threads       160
//                       split: in 4 of them                                     80, and 8 * 5 for P
//
// What is the same for all threads takes values as it has them when the kernel runs: it is walked
// through as all threads go together, with made-up parameters, and each time that the section is
// come to is a sample (s = 1, 2, 4, ... of a tree's loop); such as are alike are one.
//
// Costs are warp instructions. A multiprocessor issues four in a cycle, and in that time passes 128
// bytes between its shared memory or first-level cache and registers (CUDA C++ Programming Guide,
// "Arithmetic Instructions" and "Shared Memory"; Nsight Compute's guide, "Memory Tables"). So an access
// to shared memory costs four more for each time that its threads need the same bank, and one to
// other memory one for each sector of 32 bytes.
#ifndef LIN_PERMUTE_GAIN_H
#define LIN_PERMUTE_GAIN_H

#include "formula.h"
#include "section.h"

typedef struct lin_samples lin_samples;

typedef struct lin_gain {
  double before, after; // warp instructions of a block, in the mean of the samples
  double active_before; // threads that are active in a warp that comes to code that not all come to
  double active_after;
  uint32_t threads; // of the block that was counted
} lin_gain;

// Counts a section, with each index at its own position. NULL: there is nothing to count, as the
// section isn't come to, or it takes more than `*work`, of which it takes what it takes: samples *
// threads * (instructions that decide it, blocks and accesses). Where nobody knows how large blocks
// are, several sizes are tried. O(that).
lin_samples *lin_samples_take(lin_arena *arena, const lin_values *values,
                              const lin_together *together, const lin_section *section,
                              uint64_t *work);

// What a formula gains. `cost`: instructions that each warp executes more, or fewer, beside those of
// the formula. O(samples * threads * blocks and accesses).
lin_gain lin_samples_gain(const lin_samples *samples, const lin_formula *formula, int cost);

#endif
