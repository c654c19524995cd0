// Moving: instructions with their names, and what phis have of edges that lead elsewhere now.
#ifndef LIN_LLVM_EDIT_MOVE_H
#define LIN_LLVM_EDIT_MOVE_H

#include "llvm/ask/numbers.h"

#include <llvm-c/Core.h>

// A copy of a value's name, which LLVM's own may overwrite. O(length).
const char *lin_ir_name(lin_arena *arena, LLVMValueRef value, size_t *length);

// Erases a branch for which `made` stands now, that has its place in the source and its loop's
// metadata from it. O(1).
void lin_ir_replace_branch(LLVMValueRef old, LLVMValueRef made);

// Moves an instruction to where the builder is. It keeps its place in the source; debug records
// before it stay behind (records.h). O(1).
void lin_ir_move_instruction(lin_arena *arena, LLVMBuilderRef builder, LLVMValueRef instruction);

// What the phis of `block` are for those who come from `from` they become for those who come from
// `to`, by one edge, which may be `from` itself; with NULL nobody comes from there any more.
// O(operands of the phis).
void lin_ir_move_incoming(lin_arena *arena, LLVMBasicBlockRef block, LLVMBasicBlockRef from,
                          LLVMBasicBlockRef to);

// Nobody comes from any of `blocks` any more. O(operands of the phis).
void lin_ir_drop_incoming(lin_arena *arena, LLVMBasicBlockRef block, const lin_numbers *blocks);

// Phis of one operand become that operand. O(phis and their uses).
void lin_ir_resolve_phis(LLVMBasicBlockRef block);

#endif
