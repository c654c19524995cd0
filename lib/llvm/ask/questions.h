// Small questions about values, instructions and blocks. None of them looks at more than it says.
#ifndef LIN_LLVM_ASK_QUESTIONS_H
#define LIN_LLVM_ASK_QUESTIONS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// The operand of a phi from `block`, which leads to the phi's block. O(operands).
LLVMValueRef lin_ir_incoming(LLVMValueRef phi, LLVMBasicBlockRef block);

// True for what costs next to nothing and can't trap, whatever its operands are. O(1).
bool lin_ir_is_cheap(LLVMValueRef instruction);

// True for a flag, a constant of type i1, that is `wanted`. O(1).
bool lin_ir_is_flag(LLVMValueRef value, bool wanted);

// What reads `value`, if one instruction does, by one operand; else NULL. O(1).
LLVMValueRef lin_ir_only_reader(LLVMValueRef value);

// The block that branches to `block`, if it is one by one edge; else NULL. O(1).
LLVMBasicBlockRef lin_ir_only_entry(LLVMBasicBlockRef block);

// Whether a copy of the instruction does what it does. O(attributes of what it calls).
bool lin_ir_may_stand_twice(LLVMValueRef instruction);

// The constant that `next` is `value` and it, or NULL. O(1).
LLVMValueRef lin_ir_added_to(LLVMValueRef value, LLVMValueRef next);

// What an instruction or a constant expression does; LLVMUnreachable for any other value. O(1).
LLVMOpcode lin_ir_opcode(LLVMValueRef value);

// What an address points into, through additions and casts; the address itself, if that isn't
// known. PTX adds to addresses as integers: the base is the one pointer among what is added (a
// parameter, where PTX has only integers, if it is cast to an address before anything is added).
// O(these).
LLVMValueRef lin_ir_base(LLVMValueRef pointer);

// Whether the results of such atomic operations on one place are the same in any order: sums of
// integers and the like, not of floats, which round. O(1).
bool lin_ir_is_of_any_order(LLVMAtomicRMWBinOp operation);

// True for a parameter of a function with the calling convention of kernels. O(1).
bool lin_ir_is_kernel_parameter(LLVMValueRef value);

#endif
