// What is the same for all threads of a block. Values:
//
//   always    whoever computes it, whenever: parameters, blockIdx, what is computed of these. No
//             phis
//   in step   while all threads of the block do the same: the counter of a loop, too, if no branch
//             that sends threads different ways decides how often it goes around, or what it begins
//             with
//
// and branches at which threads of the block don't part, for values in step.
//
// LLVM's uniformity analysis is about warps: what one warp loads from an address another may load
// later, from a place that was written meanwhile.
#ifndef LIN_LLVM_REGROUP_SAME_H
#define LIN_LLVM_REGROUP_SAME_H

#include "graph/dominators.h"
#include "llvm/read/function.h"

typedef struct lin_ir_same {
  lin_numbers number; // of the function's instructions
  bool *always, *in_step;
  bool *parts; // [num_blocks of the ordered graph] threads of the block may part at its end
} lin_ir_same;

// `postdominators`: of `order`, of the function's graph. `homes`: variables whose address differs,
// by the function's instructions (homes.h); NULL: none. In the arena. O(uses, and for each branch
// at which threads part the blocks up to where they meet); with more than LIN_MOST_PARTING such
// branches nothing is in step.
lin_ir_same lin_ir_find_same(lin_arena *arena, const lin_ir_function *f, const lin_order *order,
                             const lin_postdominators *postdominators, const lin_numbers *homes);

// Whether a value is the same always, or, with `in_step`, in step. False for instructions that
// weren't there then. O(1).
bool lin_ir_is_same(const lin_ir_same *same, LLVMValueRef value, bool in_step);

#endif
