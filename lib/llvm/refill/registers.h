// Registers for stack slots, which LLVM's C API doesn't make.
#ifndef LIN_LLVM_REFILL_REGISTERS_H
#define LIN_LLVM_REFILL_REGISTERS_H

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Makes registers of those slots that are only loaded and stored. O(uses * dominance frontiers).
void lin_ir_make_registers(LLVMValueRef function, LLVMValueRef *slot, unsigned count);

// Takes the debug records of variables out: values don't live where these stand any more. Places in
// the source stay. O(instructions).
void lin_ir_drop_records(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
