// Blocks that are copied for warps whose threads agree (front/edit.h, vote):
//
//     D ─▶ b ─▶ j        D: m = activemask; agree = vote.sync.uni m, c;  br agree, D1, D2
//     └──▶ c ─▶ j   ==>  D1: br c, b', c'       D2: br c, b, c
#ifndef LIN_LLVM_EDIT_VOTE_H
#define LIN_LLVM_EDIT_VOTE_H

#include "front/edit.h"
#include "llvm/read/read.h"

// Makes the edit in `f`. `block`: LLVM's blocks by number, of which that of D becomes another one;
// `made`: the new ones, which are set.
// O(instructions of what is copied, and their uses).
void lin_ir_vote(lin_arena *arena, const lin_ir_function *f, const lin_edit *edit,
                 LLVMBasicBlockRef *block, LLVMBasicBlockRef *made);

#endif
