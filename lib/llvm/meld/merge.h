// What melding needs that LLVM's C API can't do: whether instructions are alike, what is left of
// two that become one, operands of phis that go, values where different definitions meet.
#ifndef LIN_LLVM_MELD_MERGE_H
#define LIN_LLVM_MELD_MERGE_H

#include <llvm-c/Types.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether two instructions do the same but for operands that may be variables, numbers in PTX
// assembly among them, or one comparison is the inverse of the other. O(operands, text).
bool lin_ir_is_alike(LLVMValueRef a, LLVMValueRef b);

// Whether one of two comparisons that are alike is true where the other one isn't. O(1).
bool lin_ir_is_inverse(LLVMValueRef a, LLVMValueRef b);

// Whether the first two operands may change places. O(1), of assembly O(text).
bool lin_ir_commutes(LLVMValueRef instruction);

// The operands of a call of assembly, with numbers in its text, and once for each place that reads
// them; at most `most` are set. Returns how many there are. O(text).
unsigned lin_ir_assembly_values(LLVMValueRef call, LLVMValueRef *values, unsigned most);

// Makes these its operands; returns what stands for the call now. O(text).
LLVMValueRef lin_ir_show_assembly(LLVMValueRef call);

// Whether an instruction may run, whatever its operands are, where it didn't run. O(operands).
bool lin_ir_may_run_anywhere(LLVMValueRef instruction);

// It does, so that what it takes for granted of its operands no longer holds. O(metadata).
void lin_ir_run_anywhere(LLVMValueRef instruction);

// Whether a call may not be melded: it hangs on which threads run together, has operand bundles or
// may not be made twice. O(attributes).
bool lin_ir_is_peculiar_call(LLVMValueRef call);

// `kept` stands for `gone`, too: it has the weaker flags and metadata of both, and a place in the
// source that is right for both. O(operands, metadata).
void lin_ir_stand_for(LLVMValueRef kept, LLVMValueRef gone);

// The same for terminators, of which `made` stands for both: a loop keeps what both say of it.
void lin_ir_end_for(LLVMValueRef made, LLVMValueRef a, LLVMValueRef b);

// Variables that have values in `old`, for threads of one arm, have none from the top of `block`
// on, where threads of both are (records.h). O(records).
void lin_ir_forget_variables(LLVMBasicBlockRef block, LLVMBasicBlockRef old);

// A phi has no operand from `block` any more. O(operands).
void lin_ir_remove_incoming(LLVMValueRef phi, LLVMBasicBlockRef block);

// What a variable is at the top of `place`, that is value[i] at the end of block[i]. Places phis,
// with poison or undef for those who come by none of them. O(blocks between).
LLVMValueRef lin_ir_value_at(LLVMBasicBlockRef place, LLVMBasicBlockRef *block, LLVMValueRef *value,
                             unsigned count);

// Makes uses of what the blocks compute see it, through phis, where a definition doesn't dominate
// them any more. O(blocks of the function), and for each such value the blocks between.
void lin_ir_repair_uses(LLVMBasicBlockRef *blocks, unsigned count);

// Selects of these blocks between values from above a loop go there, but not above `top`. O(blocks
// and instructions of the function).
void lin_ir_hoist_selects(LLVMBasicBlockRef *blocks, unsigned count, LLVMBasicBlockRef top);

#ifdef __cplusplus
}
#endif

#endif
