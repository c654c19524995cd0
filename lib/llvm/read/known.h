// What a block's test will say for those who come to it from one block: what is known of it before
// the program runs, from constants that phis join and from what they decide.
#ifndef LIN_LLVM_READ_KNOWN_H
#define LIN_LLVM_READ_KNOWN_H

#include <llvm-c/Core.h>

// Where the terminator of `block`, a branch or a switch, leads those who come from `from`, or NULL.
// O(instructions of the block, and operands of its phis).
LLVMBasicBlockRef lin_ir_next_from(LLVMBasicBlockRef block, LLVMBasicBlockRef from);

#endif
