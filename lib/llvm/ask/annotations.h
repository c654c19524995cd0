// What the source says of a function by __attribute__((annotate("..."))).
#ifndef LIN_LLVM_ASK_ANNOTATIONS_H
#define LIN_LLVM_ASK_ANNOTATIONS_H

#include "graph/arena.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

// The value of a string attribute of `function` with its length, or NULL if it has none. O(1).
const char *lin_ir_string_attribute(LLVMValueRef function, const char *name, unsigned *length);

// Whether `function` is annotated with `text`, or has a string attribute of that name.
// O(annotations of the module).
bool lin_ir_is_annotated(LLVMValueRef function, const char *text);

// Why the function is to be left alone, as a clause about it: it is annotated no-linearize, or
// `except` (versions/excepted.h), which may be NULL, names it. NULL: it isn't. O(annotations of the
// module, and length of `except`).
const char *lin_ir_unwanted(LLVMValueRef function, const char *except);

// What follows `prefix` in the first annotation of `function` that begins with it and comes at or
// after `*next`, which is moved behind it; NULL if there is none. In the arena. O(annotations of
// the module).
const char *lin_ir_annotation(lin_arena *arena, LLVMValueRef function, const char *prefix,
                              unsigned *next);

#endif
