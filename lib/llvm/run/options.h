// Options as text, and for the core.
#ifndef LIN_LLVM_RUN_OPTIONS_H
#define LIN_LLVM_RUN_OPTIONS_H

#include "driver/pipeline.h"
#include "linearize/linearize.h"
#include "llvm/read/read.h"

#include <llvm-c/Core.h>

// True for functions that a GPU runs.
bool lin_ir_is_gpu(LLVMValueRef function);

// Sets in `*options` what the attributes and annotations of `function` say. Returns what is wrong
// with one of them, in the arena, or NULL. O(annotations of the module).
const char *lin_ir_read_attributes(lin_arena *arena, LLVMValueRef function,
                                   linearize_options *options);

// What is to be done to a function, one after the other. Sets steps[0] ... and returns how many.
enum { LIN_MOST_STEPS = 4 };
uint32_t lin_ir_steps(const linearize_options *options, lin_mode *steps);

// Whether divergence has to be known for a step, which may linearize whatever is unstructured, or
// for a function whose threads wait for each other, in lock step. O(blocks).
bool lin_ir_uses_divergence(const lin_ir_function *f, const linearize_options *options,
                            lin_mode mode);

// The core's options for a step. `options` must be such as the parser makes. O(blocks).
lin_options lin_ir_core_options(lin_arena *arena, const lin_ir_function *f,
                                const linearize_options *options, lin_mode mode);

#endif
