// Cuts the arms of branches into stages, so that they can be interleaved (linearize/interleave.h).
//
//     arm: %p = ...          arm: %p = ...         What the loads of a block need, and the loads,
//          %a = load %p           %q = ...         come first; then begins a stage, with the first
//          %b = add %a, 1         %a = load %p     instruction that has to wait for one.
//          %q = ...        ==>    %c = load %q
//          %c = load %q      -------------------
//          ...               cut: %b = add %a, 1
//                                 ...
#ifndef LIN_IR_STAGES_H
#define LIN_IR_STAGES_H

#include "graph/order.h"
#include "linearize/interleave.h"
#include "read.h"

typedef struct lin_ir_cutter lin_ir_cutter;

typedef struct lin_ir_stages {
  LLVMBasicBlockRef *branch; // [num_branches] that have two arms of several stages
  uint32_t num_branches;
  LLVMBasicBlockRef *stage; // [num_stages] blocks with which later stages of arms begin, once cut
  uint32_t num_stages;
  lin_ir_cutter *cutter;
} lin_ir_stages;

// Finds those of `branches` (of `analysis`, inner ones first) whose arms both have something to
// wait for, and that contain no other one of which that is true. Changes nothing. O(instructions of
// the arms * nesting).
lin_ir_stages *lin_ir_find_stages(lin_arena *arena, const lin_ir_function *f,
                                  const lin_order *order, const lin_analysis *analysis,
                                  const lin_two_sided *branches, uint32_t count);

// Cuts the arms. Instructions move within their blocks only, and no load moves over what may write.
// O(instructions of the arms).
void lin_ir_cut_arms(lin_ir_stages *stages);

#endif
