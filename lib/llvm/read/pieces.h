// The pieces of an arm of a branch: what lies between the places at which something has to wait for
// a load or a special function (choose/schedule.h).
//
//     arm: %p = ...          arm: %p = ...         What the loads of a block need, and the loads,
//          %a = load %p           %q = ...         come first; then begins a piece, with the first
//          %b = add %a, 1         %a = load %p     instruction that has to wait for one.
//          %q = ...        ==>    %c = load %q
//          %c = load %q      -------------------
//          ...                    %b = add %a, 1
//                                 ...
#ifndef LIN_LLVM_READ_PIECES_H
#define LIN_LLVM_READ_PIECES_H

#include "timing.h"

// A place where an arm can be cut: in a block, or before it.
typedef struct lin_ir_cut {
  lin_block block;     // of the function's graph
  LLVMValueRef *first; // [num_first] what comes before the cut, but what comes before earlier cuts
  uint32_t num_first;  // 0: the cut is before the block
} lin_ir_cut;

// The places that were found so far, by their numbers; those of an arm stand together, in order.
typedef struct lin_ir_cutter lin_ir_cutter;

// Looks at the arms of branches of `f`. O(instructions).
lin_ir_cutter *lin_ir_cutter_new(lin_arena *arena, const lin_ir_function *f);

// The pieces of an arm. Changes nothing. O(instructions of the arm, and their uses).
lin_pieces lin_ir_find_pieces(lin_ir_cutter *cutter, const lin_arm *arm);

// A place. O(1).
const lin_ir_cut *lin_ir_find_cut(const lin_ir_cutter *cutter, uint32_t place);

#endif
