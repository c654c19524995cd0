// What code costs a warp, in machine instructions of sm_90, whatever the GPU; lin_graph.cost is in
// this unit. And what ptxas makes of a few of them.
//
// `scripts/check-target` measures anew what ptxas decides; `scripts/calibrate NAME` what becomes of
// the kernels of bench/ with other costs than these.
#ifndef LIN_GPU_COSTS_H
#define LIN_GPU_COSTS_H

// Roughly how many machine instructions llc and ptxas make of one. It is enough to be rough:
// `scripts/check-target` counts them, and wants these within a factor of two of the mean. With a
// few at 1 or 2, or many at 4 or 8, warps run the same within 0.01%; with a few at 8, or many at
// 32, a kernel (hotspot) runs 6.6% more (`scripts/calibrate LIN_COST_FEW LIN_COST_MANY`,
// 2026-11-24). Intrinsics of 1 to 8 and calls of 8 to 128 made no difference: they have no number
// of their own.
enum {
  LIN_COST_SIMPLE = 1,
  LIN_COST_FEW = 4,   // a load or store with its address; an intrinsic, assembly
  LIN_COST_MANY = 16, // a division; a root that is rounded as IEEE 754 says; a call with its callee
};

// ptxas predicates an arm of an `if` of so many instructions, and branches around one more. A load
// counts as two. In kernels of one arm on which threads part it predicates 8, with a load of global
// memory up to 20; but of 26 kernels `scripts/bench predict` tells 21 with 6, 20 with 8, 15 with 8
// and 20 (2026-11-28).
enum { LIN_PREDICATED = 6 };

// ptxas has threads wait for each other at a join in front of so many instructions, or in front of
// a load or store (meetings.h, 2. and 3.). Of 385 joins in random graphs `scripts/bench joins`
// tells 354 with 11; with 8 and 14 it is 348 and 350, with 1 331, with 20 349 (2026-11-25).
enum { LIN_WORTH_WAITING = 11 };

// A guard: a comparison and a branch, in front of what it guards; and a number, and a phi's move,
// where threads part for it. `scripts/calibrate LIN_COST_OF_TEST LIN_COST_OF_SET`, 2026-11-23: of 1
// to 4, warps run least with these, by 0.1 to 0.2%.
#define LIN_COST_OF_TEST 2.0
#define LIN_COST_OF_SET 2.0

// A word that regrouped threads exchange: a store, a load, and their share of waiting. Two words
// more take a round of 256 threads 3 to 4.5 cycles a warp more, in which a multiprocessor issues 4
// instructions each. `scripts/bench reorder --run costs` measures it.
enum { LIN_COST_OF_MOVED_WORD = 7 };

// What a round of regrouping takes a warp beside what rounds.h says, which is of code written by
// hand: labels, slots, masks of those that are there. In the simulator, rounds of the kernels of
// bench/threads with points of -linearize-regroup take 150 to 380 instructions (7 words where a
// third of the rounds is skipped, to 31), with this the estimate is 5 to 60% more
// (`scripts/bench reorder --simulated`, 2026-11-25).
enum { LIN_COST_OF_STATION = 100 };

// Registers that ptxas takes beside the most that live at once, for addresses and for what is
// under way: of the kernels of bench/threads in the open half the median is 14, from -54 (arrays
// that it keeps in memory) to 32 (some that it doesn't); `scripts/bench reorder --run automatic`
// prints what it takes.
enum { LIN_REGISTERS_BESIDE = 14 };

// A line of memory (128 bytes) more that the threads of a warp access at once: a cycle of the
// first-level cache, which has so many bytes ready in each (CUDA's programming guide), and in which
// four instructions are issued. `scripts/bench threads` compares it with what a GPU takes
// (`sectors`).
enum { LIN_COST_OF_LINE = 4 };

// A sector of memory (32 bytes) that comes from the second-level cache: so many instructions of
// warps a GPU issues in the time. An H200 issues 927 a nanosecond (132 multiprocessors, 4 a cycle,
// 1.755 GHz); in kernels refilled by hand 169 sectors came in one, 5.4 TB/s.
// `bench/device/sectors.cu` measures it: 7.6 on an H100 (1,009 and 133).
#define LIN_COST_OF_SECTOR 5.5

// So many times as many sectors lanes ask for that hold neighbouring items in bunches alone, as
// refilled ones do: 1.3 to 1.8 in the same kernels. Words of 4 bytes in bunches of n lanes, which
// begin anywhere, take 1 + 7/n: 1.5 of 14. `bench/device/sectors.cu` measures it for 4 to
// 32: 3.2, 1.9, 1.3 and 1.2 on an H100.
#define LIN_RISE_OF_SECTORS 1.5

#endif
