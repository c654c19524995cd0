// Effects of an instruction on other threads: whether it may wait for them, read what they change,
// release them, or depend on which of them run together. For calls see summaries.h.
#ifndef LIN_LLVM_ASK_EFFECTS_H
#define LIN_LLVM_ASK_EFFECTS_H

#include "graph/graph.h"

#include <llvm-c/Core.h>

// LIN_WAITS | LIN_POLLS | LIN_RELEASES | LIN_CROSS_LANE | LIN_MAY_SPIN of one instruction. A
// function that is only declared may do anything, unless its attributes say it doesn't, or it is
// known. A call of a defined function has no effects of its own: `*callee` is that function, else
// NULL. O(1).
uint32_t lin_ir_own_effects(LLVMValueRef instruction, LLVMValueRef *callee);

// True for inline assembly that computes a value of its operands and does nothing else: it names no
// memory, no other thread and no special register. O(length).
bool lin_ir_is_arithmetic(LLVMValueRef assembly);

// Whether a call of assembly, in a function that was PTX, does no more than compute, pass
// parameters, and call a function of the module, which is *callee then, else NULL. Elsewhere
// assembly may be there for what it says of memory. O(its text).
bool lin_ir_only_passes(LLVMValueRef call, LLVMValueRef *callee);

// True for a load that is neither volatile nor atomic. O(1).
bool lin_ir_is_plain_load(LLVMValueRef value);

// Whether a function of that name is one that every GPU program may call, from wherever its threads
// are, libdevice's mathematics too: none waits for threads of its own warp. O(length).
bool lin_ir_is_of_runtime(const char *name);

// True for a function that neither reads nor writes memory, by its attributes. O(attributes).
bool lin_ir_touches_no_memory(LLVMValueRef function);

// True for a function that writes no memory, by its attributes. O(attributes).
bool lin_ir_never_writes(LLVMValueRef function);

// The function's attribute of that name, or NULL. O(attributes).
LLVMAttributeRef lin_ir_attribute(LLVMValueRef function, const char *name);

// True if the parameter is a pointer to a copy that the caller makes (byval). O(parameters).
bool lin_ir_is_by_value(LLVMValueRef parameter);

#endif
