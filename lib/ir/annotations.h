// What the source says of a function by __attribute__((annotate("..."))).
#ifndef LIN_IR_ANNOTATIONS_H
#define LIN_IR_ANNOTATIONS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Whether `function` is annotated with `text`, or has a string attribute of that name.
// O(annotations of the module).
bool lin_ir_is_annotated(LLVMValueRef function, const char *text);

#endif
