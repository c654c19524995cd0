// Options as text, and for the core.
#ifndef LIN_LLVM_RUN_OPTIONS_H
#define LIN_LLVM_RUN_OPTIONS_H

#include "driver/driver.h"
#include "linearize/linearize.h"

#include <llvm-c/Core.h>

// True for functions that a GPU runs.
bool lin_ir_is_gpu(LLVMValueRef function);

// Sets in `*options` what the attributes and annotations of `function` say. Returns what is wrong
// with one of them, in the arena, or NULL. O(annotations of the module).
const char *lin_ir_read_attributes(lin_arena *arena, LLVMValueRef function,
                                   linearize_options *options);

// What the options ask for, of a function; NULL: of a graph that is none of LLVM's. `options` must
// be such as the parser makes. O(length of options->only).
lin_asked lin_ir_asked(lin_arena *arena, LLVMValueRef function, const linearize_options *options);

#endif
