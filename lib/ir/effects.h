// Effects of an instruction on other threads: whether it may wait for them, read what they change,
// release them, or depend on which of them run together.
#ifndef LIN_IR_EFFECTS_H
#define LIN_IR_EFFECTS_H

#include "graph/graph.h"

#include <llvm-c/Core.h>

// LIN_WAITS | LIN_POLLS | LIN_RELEASES | LIN_CROSS_LANE of one instruction. A call has the effects
// of all it may reach; a function that is only declared may do anything, unless its attributes say
// it doesn't. O(1), for a call O(size of what it reaches).
uint32_t lin_ir_effects(LLVMValueRef instruction);

// The function's attribute of that name, or NULL. O(attributes).
LLVMAttributeRef lin_ir_attribute(LLVMValueRef function, const char *name);

// True if the parameter is a pointer to a copy that the caller makes (byval). O(parameters).
bool lin_ir_is_by_value(LLVMValueRef parameter);

#endif
