// What linearizing a region saves a warp, and what it costs.
//
// A warp comes to a block in as many passes as its threads come over different ways, until they
// meet. The more often they part, the fewer threads a pass has: one of three threads takes three
// ways at most, and no block is run in more passes than threads come to it. So two numbers go along
// the edges of a region, to which a warp comes once (ways.h says with how many threads, which
// shares of them take which way, and what `any` is):
//
//     threads(b) = those of the ways into b, each its share of those of its source
//     passes(b)  = the sum over the ways into b of passes(source) * any(share, threads of a pass),
//                  no more than threads(b); and where all wait for each other no more than those of
//                  b's immediate dominator
//
//     D ─▶ c2 ──▶ J2        threads: D 32, c2 16, c3 24, J2 20, J 12
//     └──▶ c3 ◀┘  ▲         passes: D 1, c2 1, c3 2, J2 (c2, c3) 3, J (c3) 2
//          │└─────┘         linearized: each 1
//          └──▶ J
//
// As a region is, threads wait at immediate post-dominators, and where joins.h says that they wait
// nevertheless; linearized, wherever a guard stands, too. Both walks count iterations of loops
// inside the region as a warp has them, with the threads that each iteration still has. What comes
// around a loop doesn't count, but where the loop scatters threads (ways.h).
//
//     saved = the sum over the blocks of cost * (passes as it is - passes linearized)
//
// A guard is tested where it stands, set where threads part for it, in each iteration, and asked
// for at the end of each iteration of a loop that they leave: guards of exits are dear in long
// loops.
//
// Where a loop shares the iterations of the one around it (gpu/iterations.h), a warp has one
// loop, at the end of whose iterations threads wait for each other; linearized it has two, and
// guards hold who has left the inner one until all have. Whether that pays hangs on how often
// threads go around each: unless weights say so, nothing counts as saved in the outer loop behind
// the inner one.
//
//     light continue, half of the time (bench/exits/walk_lost, machine.py): x1.17 warp
//     instructions, active 9.6 to 9.3; believed, it would be "saves 742 of 1835, guards take 492"
//
// Numbers are instructions (lin_graph.cost). Why not each way a pass of its own, as many as there
// are: a chain of eight joins would have 2^8 passes of the last block, where 32 threads, of which a
// half leaves at each, have five. Warps that run random acyclic graphs of known weights in lock
// step come to blocks in a tenth fewer passes than that says (test/property/estimate_property.c):
// which ways threads take together, weights don't tell.
#ifndef LIN_CHOOSE_ESTIMATE_H
#define LIN_CHOOSE_ESTIMATE_H

#include "linearize/algorithm2_regions.h"
#include "ways.h"

typedef struct lin_estimate {
  double total;   // what a warp runs in the region
  double saved;   // of these, those that it need not run again
  double guards;  // what guards add
  double around;  // of what a warp runs in the region around it, if any, what is in this one
  double doubted; // what may be saved besides, behind inner loops that share iterations
} lin_estimate;

// In all of these, `ways` are those of joins->compiled.
//
// In how many passes a warp comes to each block, if it comes to the function once, in one iteration
// of the loops around the block: [num_blocks]. O(edges * nesting of loops).
double *lin_estimate_passes(lin_arena *arena, const lin_analysis *analysis, const lin_joins *joins,
                            const lin_ways *ways);

// Of each region, what is nested in it included: [num_regions]. They are the regions of the edges
// for which `seed` is set, NULL: of all unstructured ones. Others stay as they are. Of a
// region in which others nest very deep, only what is known of those is known. O((edges + blocks) *
// nesting of loops).
lin_estimate *lin_estimate_regions(lin_arena *arena, const lin_analysis *analysis,
                                   const lin_joins *joins, const lin_ways *ways,
                                   const lin_regions *regions, const bool *seed);

// Linearized code keeps some values longer. Where registers bound how many warps there are, that
// may cost warps: a generator of random numbers that took 135 registers in place of 128 had half
// the warps, and 0.62 times the speed of clang's on an H200. So there that part of what a warp runs
// in a region has to be gained, which is more than clang's own program is off itself (2%,
// bench/results/*-gpu.csv). Warp instructions don't tell: `scripts/calibrate
// LIN_LEAST_GAIN_OF_MANY_REGISTERS` finds 0.03 to 0.2 alike.
#define LIN_LEAST_GAIN_OF_MANY_REGISTERS 0.06

// The same of code that was PTX. The compiler before has unrolled loops and laid out blocks for
// itself, and all that guards become is instructions. Of the regions of nvcc's PTX that gain
// something by the estimate, the two that gain 11 and 12% have warps run 1.12 and 1.25 times as
// much (sudoku_small, nqueen), and one of clang's that gains 10% 1.20 times (shared_tails); the
// others gain 16% or more, and run less. (`scripts/bench machine --ptx`, 2026-11-23; lifted to LLVM
// IR the same, 2026-11-27: LINEARIZE_PTX=ir.)
#define LIN_LEAST_GAIN_OF_PTX 0.14

// Guards are certain, and what is saved is a guess (scripts/bench estimates says how good): half as
// much again has to be saved as guards take (of 0.5 to 3, 1.5 to 2 run least: `scripts/calibrate
// LIN_LEAST_FOR_GUARDS`, 2026-11-23, by 0.2%). A join of nine instructions behind a short circuit
// saves 1.75 times as much (test/ir/short-joins.ll), and is up to 1.39 times as fast on an H200. In
// lock step threads meet where the graph says, and nowhere else.
#define LIN_LEAST_FOR_GUARDS 1.5
#define LIN_LEAST_FOR_GUARDS_IN_LOCK_STEP 1

// Which regions to linearize, [num_regions]: where the part `least` of what a warp runs is gained,
// guards are paid for, and more is gained than by linearizing only what is nested there.
// O(regions).
bool *lin_estimate_choose(lin_arena *arena, const lin_estimate *estimate,
                          const lin_regions *regions, double least, double for_guards);

#endif
