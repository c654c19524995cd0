// What it gains to meld arms, tried in a copy of the function: what a warp runs there is compared
// with what it ran before. An estimate foresees no select that a phi becomes, and no value that has
// to be kept: of 62 melds of real PTX it saw a gain in 40 more than there was.
//
//     function ─▶ copy, arms melded ─▶ price ─┐
//             └─▶ price ──────────────────────┴▶ gain; the copy goes
#ifndef LIN_LLVM_MELD_TRIALS_H
#define LIN_LLVM_MELD_TRIALS_H

#include "meld.h"
#include "meld/gain.h"
#include "operations.h"

// Where so many trials of a function didn't gain, others hardly do.
enum { LIN_MELD_MOST_FAILED = 8 };

// Arms that a copy showed to gain too little.
typedef struct lin_ir_meld_failure {
  double promised, before; // instructions
} lin_ir_meld_failure;

// Of a function, over all rounds. Only `job` is set at first.
typedef struct lin_ir_meld_trials {
  const lin_ir_meld_job *job;
  const lin_ir_function *f; // of the round
  const lin_ir_operations *ops;
  lin_meld_price price;                              // of the function
  uint32_t warps;                                    // that a multiprocessor has
  uint64_t copied;                                   // instructions
  lin_ir_meld_failure failure[LIN_MELD_MOST_FAILED]; // [failed]
  uint32_t failed;                                   // copies
} lin_ir_meld_trials;

// Of a round. `f` and `ops` stay as long as it lasts, and so does `arena`. O(instructions), and
// what lin_meld_price_of takes.
void lin_ir_meld_begin_trials(lin_ir_meld_trials *t, lin_arena *arena, const lin_ir_function *f,
                              const lin_ir_operations *ops);

// Whether another copy may be made: they take their time.
bool lin_ir_meld_may_try(const lin_ir_meld_trials *t);

// Keeps of what was found what gains, and marks the branches of what doesn't. Returns whether any
// is kept. The function stays as it is. O(instructions of the function) for each that is tried.
bool lin_ir_meld_keep_good(lin_ir_meld_trials *t, lin_melds *melds, bool *skipped);

// Has threads gather (meld/gather.h) in front of those of made[count] to which a warp comes in
// several passes, where that gains. Entries may be NULL. Returns whether it did. O(instructions of
// the function) for each.
bool lin_ir_meld_gather_all(lin_ir_meld_trials *t, LLVMValueRef function,
                            LLVMBasicBlockRef const *made, uint32_t count);

#endif
