// Phis that nothing defines.
#ifndef LIN_LLVM_EDIT_UNDEFINED_H
#define LIN_LLVM_EDIT_UNDEFINED_H

#include <llvm-c/Core.h>

// Takes out the phis of a function that have undefined values alone, and so may be any value:
//
//     %a = phi ptr [ poison, %x ], [ poison, %y ]         uses of %a and %b
//     %b = phi ptr [ %a, %z ], [ poison, %w ]       ==>   become poison
//
// LLVM's InferAddressSpaces (22.1), which llc and our plugin run, crashes where such pointers reach
// others. O(phis and their operands).
void lin_ir_drop_undefined(LLVMValueRef function);

#endif
