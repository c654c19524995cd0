// Short loops that threads leave by several tests, of which all but the first need no more than a
// few instructions without effects: the tests become one, which all threads take each turn, and who
// leaves finds out behind the loop where to.
//
//     ┌─▶ h ──▶ x               ┌─▶ h, b ─┐
//     │   │                     │    │    ▼
//     │   ▼              ==>    └────┘    e ──▶ x        e: h's test again
//     └── b ──▶ y                         └───▶ y
//
// A turn takes one branch, and nobody waits for others in it. Who leaves at h computes b's
// instructions for nothing, beside the others. ("Exits" in the project's ALGORITHM.md.)
#ifndef LIN_LLVM_EDIT_FOLD_H
#define LIN_LLVM_EDIT_FOLD_H

#include "driver/pipeline.h"
#include "llvm/read/read.h"

// A loop with nothing but its tests.
typedef struct lin_ir_tests {
  lin_block header; // of f
  uint32_t tests;
} lin_ir_tests;

typedef struct lin_ir_short_loops {
  lin_ir_tests *loop; // [count]
  uint32_t count;
  struct lin_ir_folder *folder;
} lin_ir_short_loops;

// Finds such loops. `result` is of `f`. Changes nothing. O(edges and instructions of the loops).
lin_ir_short_loops *lin_ir_find_short_loops(lin_arena *arena, const lin_ir_function *f,
                                            const lin_result *result, bool divergence_known);

// Folds their tests into one. The function is valid afterwards, and no longer what it was read as.
// O(instructions of the loops, and phis behind them).
void lin_ir_fold_tests(const lin_ir_short_loops *loops);

#endif
