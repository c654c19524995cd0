// What it gains to meld two arms, for a warp whose threads part there.
//
//   saved    what is melded runs once
//   paid     operands chosen by the arm; guards, where only one arm goes on
#ifndef LIN_MELD_GAIN_H
#define LIN_MELD_GAIN_H

#include "meld.h"

// What has to be gained: instructions. Guesses of what ptxas makes of code are good to 10%
// (gpu/costs.h). Eight are enough where they are most of what the shorter arm has: bitonic of
// bench/meld saves 9 of 20, and is 1.34 and 1.14 times as fast on an H200 (2^22, 2^18 items).
enum { LIN_MELD_LEAST_GAIN = 8, LIN_MELD_USUAL_GAIN = 12 };

// What is gained beyond doubt. On an H200, of ten kernels with the gain of their best branch, 13 to
// 27 instructions made 1.11, 0.93 and 0.96 times as fast, 123 and more at least 1.24, with 2^18 and
// 2^22 items (bench/results/h200-2026-11-28-profile.txt, `bench/device/gains meld`).
enum { LIN_MELD_SURE_GAIN = 64 };

static inline double lin_meld_least_gain(const lin_meld_code *code) {
  return code->sure ? LIN_MELD_SURE_GAIN : LIN_MELD_LEAST_GAIN;
}

// What is asked about again and again.
typedef struct lin_meld_facts {
  const lin_meld_code *code;
  uint32_t *block_of; // [num_ops]
  double *times;      // [num_blocks] that a thread which comes to the function runs it, if branches
                      // send it there
  uint8_t *side;      // [num_blocks] 1, 2: of the arms at hand
  bool *is_guarded;   // [num_ops] of these, stands behind a guard in a block that is melded
} lin_meld_facts;

lin_meld_facts *lin_meld_facts_find(lin_arena *arena, const lin_meld_code *code);

// Sets before and after of `arms`, whose blocks are marked in `side`. O(instructions of the arms).
void lin_meld_estimate(const lin_meld_facts *facts, const lin_melds *melds, lin_meld_arms *arms);

// What a warp runs of the code as it is, in the passes that the estimate of regions takes it to
// come to each block in (choose/estimate.h); branches count, and phis a half.
typedef struct lin_meld_price {
  double total, serial;           // serial: if it came to every block once in each iteration
  double *times, *times_serially; // [num_blocks] how often it comes to a block
} lin_meld_price;

// What a warp runs less each time that it comes to the branch, melded, in the unit of arms->before:
// prices know no trip counts. No more than the shorter arm has. Where several ways lead to an arm
// it is to be the serial price: threads don't wait at what two of many arms share, but where they
// are gathered for what all of them do, and one step is no more than two. O(instructions of arms).
double lin_meld_gain(const lin_meld_code *code, const lin_meld_arms *arms, bool serially,
                     const lin_meld_price *before, const lin_meld_price *after);

// Every branch may part threads. O(instructions, and what lin_estimate_passes takes).
lin_meld_price lin_meld_price_of(lin_arena *arena, const lin_meld_code *code, bool lock_step);

// What a warp runs of a block: instructions. O(instructions of the block).
double lin_meld_cost_of(const lin_meld_code *code, lin_block block);

// What warps ran of the code in all, as it is counted: instructions, as many as lin_visits has
// passes. 0: nothing is counted. O(instructions).
double lin_meld_counted(const lin_meld_code *code);

// Whether warps go on together behind the branch, or never come there, as far as it is counted:
// there melding gains nothing. O(successors).
bool lin_meld_agrees(const lin_graph *graph, lin_block branch);

#endif
