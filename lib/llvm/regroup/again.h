// What may be computed again by another thread, and what the whole block has in common.
#ifndef LIN_LLVM_REGROUP_AGAIN_H
#define LIN_LLVM_REGROUP_AGAIN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Whether an instruction gives every thread that has its operands the same, at any time, and does
// nothing else. Not phis; of loads those of constants and of kernels' parameters. O(operands).
bool lin_ir_is_computed(LLVMValueRef instruction);

// Whether an instruction asks for what belongs to the lane, and not to the work: its number, masks
// of others, the warp's number. Such a value never moves. O(1).
bool lin_ir_is_of_lane(LLVMValueRef instruction);

// 0, 1 or 2 for an instruction that reads threadIdx.x, y or z; else -1. O(1).
int lin_ir_index_dimension(LLVMValueRef instruction);

// How many bits of an integer may be set, from the lowest on: fewer than it has for threadIdx (a
// block has 1024 threads, 64 in z), what is masked or shifted, and phis and selects of such. At
// least 1. O(operands).
uint32_t lin_ir_bits_set(LLVMValueRef integer);

// Whether an instruction asks for what all threads of the block have in common: blockIdx and the
// like. O(1).
bool lin_ir_is_of_block(LLVMValueRef instruction);

// Whether it is a call that waits for all threads of the block, and nothing else: __syncthreads.
// O(1).
bool lin_ir_is_plain_barrier(LLVMValueRef instruction);

#endif
