// Debug records: where the source's variables are. They stand between instructions, and are none;
// each goes with the instruction that it stands in front of.
//
//     %j = add i32 %i, 1
//       #dbg_value(i32 %j, !i, ...)        from here on i is in %j
//     br label %h
//
// What becomes of them:
//   - a block that joins another one, or is copied, takes them along, and a copy's say what the
//     copy computes;
//   - an instruction that is moved past others leaves them where they are: the variable has its
//     value from there on, as before;
//   - of a block that threads now run who didn't before (a select for a branch, tests in one) they
//     go: for these threads the variable hasn't got that value.
//
// LLVM's C API moves and copies none, so this is C++ (records.cpp), and calls as little of it as it
// can.
#ifndef LIN_LLVM_EDIT_RECORDS_H
#define LIN_LLVM_EDIT_RECORDS_H

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Moves all that stands in `block` to the end of `to`, in place of its branch. O(instructions).
void lin_ir_append_block(LLVMBasicBlockRef to, LLVMBasicBlockRef block);

// What stands for a value in a copy; the value itself if nothing does.
typedef LLVMValueRef (*lin_ir_copied)(LLVMValueRef value, const void *context);

// Copies the records in front of `instruction` to the front of `copy`. O(records and what they
// name).
void lin_ir_copy_records(LLVMValueRef copy, LLVMValueRef instruction, lin_ir_copied copied,
                         const void *context);

// Deletes a block to which nothing leads, with or without a terminator. (LLVMDeleteBasicBlock
// forgets records behind the last instruction, and the next block at the same address has them
// then.) O(instructions).
void lin_ir_delete_block(LLVMBasicBlockRef block);

#ifdef __cplusplus
}
#endif

#endif
