// Functions that were PTX: their debug locations have lines of the PTX, and they say themselves on
// which lines of the source these were made.
//
//     define void @f() !linearize.lines !7
//     !7 = !{i32 12, !"walk.cu:17", i32 30, !"walk.cu:18"}      from line 12 of the PTX on, ...
#ifndef LIN_LLVM_ASK_LIFTED_H
#define LIN_LLVM_ASK_LIFTED_H

#include "graph/arena.h"

#include <llvm-c/Types.h>

#include <stdbool.h>

// Whether the function was PTX, which an attribute says. O(1).
bool lin_ir_was_ptx(LLVMValueRef function);

// Has the function say that from `line[i]` on, ascending, its PTX was made of `source[i]`, which
// is "FILE:LINE". O(count).
void lin_ir_set_source_lines(lin_arena *arena, LLVMValueRef function, const uint32_t *line,
                             const char *const *source, uint32_t count);

// What the function says of a line of its PTX, or NULL, and its length, for no NUL ends it.
// O(log count).
const char *lin_ir_source_of_line(LLVMValueRef function, unsigned line, unsigned *length);

#endif
