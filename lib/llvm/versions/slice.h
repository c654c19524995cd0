// What of a kernel's code decides which ways its threads go: the conditions of its branches, what
// these are computed of, and what writes the stack slots that are read for it.
//
//     for (i = 0; i < length[t]; i++)       length[t], i, the comparison: the slice
//       sum += value[i] * weight(i);
//     out[t] = sum;
//
// Run ahead of the kernel, without its stores, it goes the same ways, as far as it reads what the
// kernel will read: that is, what no store may have changed before. Who writes what another thread
// reads has a race as it is.
#ifndef LIN_LLVM_VERSIONS_SLICE_H
#define LIN_LLVM_VERSIONS_SLICE_H

#include "llvm/read/function.h"

typedef struct lin_ir_slice {
  LLVMValueRef *instruction; // [count] of the function, in its order
  bool *is_kept;             // [count] it belongs to the slice
  uint32_t count;
  char why[160]; // "", or why there is none: a clause
  LLVMValueRef where;
} lin_ir_slice;

// Of a kernel whose threads know nothing of each other (llvm/ask/alone.h). None, too, where it is
// more than so much of the kernel's work, with 8 iterations for each loop. In the arena. Expected
// O(instructions and their uses).
lin_ir_slice lin_ir_find_slice(lin_arena *arena, const lin_ir_function *f, unsigned most_percent);

#endif
