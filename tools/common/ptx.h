// PTX as LLVM's IR, for tools that read either.
#ifndef LIN_TOOLS_PTX_H
#define LIN_TOOLS_PTX_H

#include "held_ptx.h"

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stddef.h>

// Lifts PTX to a module in a context of its own (tool_release_module frees both). Debug locations
// are the source's where the PTX has .loc, else the PTX's own. Variables are defined as the PTX
// defines them. Says in a line which functions can't be lifted, and why; `name` is the file's.
// Ends the program if the text can't be read, or none of its functions lifted. O(length).
LLVMModuleRef tool_lift_module(const char *name, const char *text, size_t length);

// Reads LLVM's IR, bitcode, PTX, or a program that holds PTX (programs.h), from a file, or from
// standard input, which "-" names; messages call it `name`. `choice` says which of a program's
// modules. Ends the program if that is none. O(length).
LLVMModuleRef tool_read_module(const char *path, const char *name, const tool_choice *choice);

// The same of bytes that were read. They stay the caller's.
LLVMModuleRef tool_module_of(const char *name, const char *bytes, size_t length,
                             const tool_choice *choice);

#endif
