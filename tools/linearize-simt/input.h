// Reading a kernel.
#ifndef LIN_TOOLS_SIMT_INPUT_H
#define LIN_TOOLS_SIMT_INPUT_H

#include "options.h"

#include <llvm-c/Types.h>

typedef struct tool_input {
  const simt_program *program;
  LLVMModuleRef module; // tool_release_module frees it
  simt_launch launch;   // of the kernel, with its model
  const char *needs;    // the --arg of the kernel's parameters
  bool was_ptx;
} tool_input;

// Reads the module `file` (.ll, .bc, PTX or a program; - is standard input), finds the kernel that
// `options` name and decodes it for their model, or for that of its target. All but the module is
// in the arena. Ends the program if that can't be done.
tool_input tool_read_program(lin_arena *arena, const char *file, const tool_options *options);

#endif
