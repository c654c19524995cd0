// Blocks cut in two, which LLVM's C API can't: it changes no phi's incoming block. And places in
// the source of instructions that there are already.
#ifndef LIN_LLVM_EDIT_SPLIT_H
#define LIN_LLVM_EDIT_SPLIT_H

#include <llvm-c/Types.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Cuts the block of `instruction` in front of it, which is no phi: the block ends with a branch to
// a new one, which begins with it and is returned. O(successors' phis + instructions behind).
LLVMBasicBlockRef lin_ir_split_before(LLVMValueRef instruction, const char *name);

// Puts a new block on the edges from `count` different blocks to `block`, with a phi for each of
// its phis that they give different values, and returns it. O(phis * edges).
LLVMBasicBlockRef lin_ir_split_edges(LLVMBasicBlockRef block, LLVMBasicBlockRef *from,
                                     unsigned count, const char *name);

// Makes one block of `block` and the one in front of it, if that leads here alone and is the only
// one. Phis of `block` become what they are. O(instructions).
void lin_ir_merge_into_former(LLVMBasicBlockRef block);

// The edges to a block that only has phis and leads on to one lead there again, and it goes; phis
// there have their operands from the `count` blocks `from` in this order. Returns false where LLVM
// doesn't see that. O(phis * edges^2).
bool lin_ir_join_edges(LLVMBasicBlockRef block, LLVMBasicBlockRef const *from, unsigned count);

// Gives `to` the place in the source that `from` has, if any. O(1).
void lin_ir_copy_place(LLVMValueRef from, LLVMValueRef to);

#ifdef __cplusplus
}
#endif

#endif
