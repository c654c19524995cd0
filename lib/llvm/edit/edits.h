// Edits (front/edit.h) of an LLVM function.
#ifndef LIN_LLVM_EDIT_EDITS_H
#define LIN_LLVM_EDIT_EDITS_H

#include "driver/pipeline.h"
#include "front/edit.h"
#include "front/front.h"
#include "llvm/read/read.h"

// Makes the edits, all of one kind and from one decision about `f`, of which `result` is, by the
// answers of `front`. The
// function is valid afterwards, and no longer what it was read as; blocks that only lead to each
// other may be one. Returns how each block of lin_edit_apply's graph ends, NULL for those not made:
// of blocks that have become one, the last one's end is left. O(blocks, and instructions of those
// at hand, with their uses).
LLVMValueRef *lin_ir_apply(lin_arena *arena, const lin_ir_function *f, const lin_front *front,
                           const lin_result *result, const lin_edits *edits);

// For each block of `f`, the function as it is read after that, which of the `count` blocks that
// `end` is of ends as it does; LIN_NONE: none. O(blocks).
lin_block *lin_ir_match(lin_arena *arena, const lin_ir_function *f, const LLVMValueRef *end,
                        uint32_t count);

#endif
