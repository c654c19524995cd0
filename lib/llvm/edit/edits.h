// Edits (front/edit.h) of an LLVM function.
#ifndef LIN_LLVM_EDIT_EDITS_H
#define LIN_LLVM_EDIT_EDITS_H

#include "driver/pipeline.h"
#include "front/edit.h"
#include "llvm/read/read.h"

// Makes the edits, all of one kind and from one decision about `f`, of which `result` is. The
// function is valid afterwards, and no longer what it was read as; blocks that only lead to each
// other may be one. Returns the blocks that the edits add, in their order, NULL for those not made.
// O(instructions of the blocks at hand, and their uses).
LLVMBasicBlockRef *lin_ir_apply(lin_arena *arena, const lin_ir_function *f,
                                const lin_result *result, const lin_edits *edits);

#endif
