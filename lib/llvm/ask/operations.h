// LLVM's instructions as operations on numbers (values/operations.h), and back.
//
//     %c = icmp ugt i32 %a, %b     LIN_OP_ULT of %b and %a
//     %d = trunc i64 %x to i32     LIN_OP_ZEXT
//
// What comes out of it is one operation for each instruction, so that folding, slicing and building
// say what an instruction means by one table.
#ifndef LIN_LLVM_ASK_OPERATIONS_H
#define LIN_LLVM_ASK_OPERATIONS_H

#include "values/operations.h"

#include <llvm-c/Core.h>

// The bits of a value that is a number of 1 to 64 of them, or a pointer; 0 of all others. O(1).
unsigned lin_ir_width(LLVMValueRef value);

// What `instruction` computes; LIN_OP_FUNCTION: something else, or not of numbers alone. Sets
// `*swaps` where operands 0 and 1 have to change places. O(operations).
lin_op lin_ir_operation(LLVMValueRef instruction, bool *swaps);

// Builds `op` of `of[]`, as many as it takes, for a result of `type`. Of leaves none can be built.
// O(operations).
LLVMValueRef lin_ir_build_operation(LLVMBuilderRef builder, lin_op op, LLVMTypeRef type,
                                    const LLVMValueRef of[3]);

#endif
