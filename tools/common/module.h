// Reading LLVM modules.
#ifndef LIN_TOOLS_MODULE_H
#define LIN_TOOLS_MODULE_H

#include <llvm-c/Types.h>

// Parses and verifies `buffer`, which it takes, in a context of its own. Ends the program, with
// LLVM's message in one line that begins with `name`, if it is no module.
LLVMModuleRef tool_parse_module(const char *name, LLVMMemoryBufferRef buffer);

// Gives every value of `function` without a name one: `prefix` and its number, as LLVM numbers
// parameters, blocks and results where it prints them. O(instructions).
void tool_name_values(LLVMValueRef function, const char *prefix);

// Frees a module and its context.
void tool_release_module(LLVMModuleRef module);

// Ends the program with LLVM's message, without the lines of source below it, and with the file's
// name once.
_Noreturn void tool_die_of_llvm(const char *name, char *message);

#endif
