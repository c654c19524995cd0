// What !prof metadata says of a branch or switch.
#ifndef LIN_LLVM_ASK_WEIGHTS_H
#define LIN_LLVM_ASK_WEIGHTS_H

#include <llvm-c/Core.h>
#include <stdint.h>

// Sets weight[i] to how often the terminator's successor i is taken, among the others; leaves
// `weight` as it is if nobody says. `profile_kind` is the number of the metadata kind "prof".
// O(successors).
void lin_ir_weights(LLVMValueRef terminator, unsigned profile_kind, uint32_t *weight);

#endif
