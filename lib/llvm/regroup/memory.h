// A thread's memory that its work needs behind a cut: variables whose address was taken, arrays
// that are indexed. Each thread has its own at the same address, so that pointers stay right where
// the contents move; or it has a home (homes.h).
#ifndef LIN_LLVM_REGROUP_MEMORY_H
#define LIN_LLVM_REGROUP_MEMORY_H

#include "cuts.h"

typedef struct lin_ir_own_memory {
  LLVMValueRef *variable; // [count] allocas
  uint64_t *bytes;        // [count]
  bool **moves;           // [count][cuts] whether its contents may be needed behind a cut
  bool *is_local;         // [count] something asks for it as the thread's own (ld.local, assembly)
  uint32_t count;
} lin_ir_own_memory;

enum { LIN_MOST_MEMORY = 64 }; // words that are moved at a cut; larger memory is refused (refuse.h)

// All of the function's. `f` is the function with its cuts. `*refused` is set to what the function
// has that can't move, and why, or left alone. In the arena. O(uses + blocks, for each).
lin_ir_own_memory lin_ir_find_memory(lin_arena *arena, const lin_ir_function *f,
                                     const lin_ir_cuts *cuts, const char **refused);

#endif
