// A block cut in two, so that what is behind the cut begins a stage of an arm (choose/stages.h).
#ifndef LIN_LLVM_EDIT_STAGES_H
#define LIN_LLVM_EDIT_STAGES_H

#include "front/edit.h"
#include "front/front.h"
#include "llvm/read/read.h"

// Makes the head of a block, its phis and what comes before the cut, a block before it, and returns
// that; something does. `front`: the answers by which it was decided. `before`: the head that
// was cut off the block last, or NULL. Instructions move within their block only, and no load moves
// over what may write. O(instructions of the head, and edges to the block).
LLVMBasicBlockRef lin_ir_cut_block(lin_arena *arena, const lin_ir_function *f,
                                   const lin_front *front, const lin_edit *edit,
                                   LLVMBasicBlockRef before);

#endif
