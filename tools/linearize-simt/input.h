// Reading a kernel.
#ifndef LIN_TOOLS_SIMT_INPUT_H
#define LIN_TOOLS_SIMT_INPUT_H

#include "simt/machine.h"

#include <llvm-c/Types.h>

typedef struct tool_input {
  const simt_program *program;
  LLVMModuleRef module; // tool_release_module frees it
} tool_input;

// Reads the module `file` (.ll or .bc; - is standard input) and decodes the kernel that `launch`
// names, for its model, into the arena. Ends the program if that can't be done.
tool_input tool_read_program(lin_arena *arena, const char *file, const simt_launch *launch);

#endif
