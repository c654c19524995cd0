// The thread's index, of which a kernel is to have another one: that of the thread with a number
// (place.h). Where it is used as blockIdx.x * blockDim.x + threadIdx.x alone, it is that number;
// else a division finds blockIdx and threadIdx, and four more if there are y and z.
#ifndef LIN_LLVM_VERSIONS_INDEX_H
#define LIN_LLVM_VERSIONS_INDEX_H

#include "graph/arena.h"
#include "place.h"

#include <stdbool.h>
#include <stdint.h>

// All that a kernel reads of the thread's index.
typedef struct lin_ir_index {
  LLVMValueRef *read; // [count]
  uint32_t count, room;
} lin_ir_index;

// In the arena. O(instructions).
lin_ir_index lin_ir_find_index(lin_arena *arena, LLVMValueRef kernel);

// Has the kernel be what the thread number `thread` of the launch is, by instructions at the site,
// which `thread` comes before. `is_line`: it is launched in one dimension. O(instructions).
void lin_ir_replace_index(const lin_ir_site *site, LLVMValueRef kernel, const lin_ir_index *index,
                          LLVMValueRef thread, bool is_line);

#endif
