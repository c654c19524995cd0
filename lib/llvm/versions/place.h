// A thread's place in its launch, as new instructions of a kernel find it: blocks one after the
// other, and the threads in them.
#ifndef LIN_LLVM_VERSIONS_PLACE_H
#define LIN_LLVM_VERSIONS_PLACE_H

#include "gpu/nvptx.h"

#include <llvm-c/Core.h>

enum { LIN_IR_AXES = 3 };

// Where new instructions come to stand, and what they are made of.
typedef struct lin_ir_site {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder; // to be disposed of
  LLVMTypeRef word;       // of 32 bits
} lin_ir_site;

// Behind the stack slots with which a kernel begins. O(slots).
lin_ir_site lin_ir_begin_site(LLVMValueRef kernel);

// Reads a register along an axis from 0. O(rows of gpu/nvptx.def).
LLVMValueRef lin_ir_read_register(const lin_ir_site *s, lin_nvptx_family family, int axis);

// How many threads a block has, of so many axes. O(axes).
LLVMValueRef lin_ir_threads_of_block(const lin_ir_site *s, int axes);

// The place, of a launch of so many axes. O(axes).
LLVMValueRef lin_ir_place_of_thread(const lin_ir_site *s, int axes);

// The address of the word at a place. O(1).
LLVMValueRef lin_ir_element_at(const lin_ir_site *s, LLVMValueRef words, LLVMValueRef place);

#endif
