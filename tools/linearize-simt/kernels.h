// The kernels of a module: by name, and what a launch of them needs.
#ifndef LIN_TOOLS_SIMT_KERNELS_H
#define LIN_TOOLS_SIMT_KERNELS_H

#include "graph/arena.h"
#include "simt/machine.h"

#include <llvm-c/Types.h>
#include <stdio.h>

// The name of `symbol` for people: as C++ writes it, or itself. In the arena.
const char *tool_title(lin_arena *arena, const char *symbol);

// The function `name` of `module`, by its symbol or as above; without a name the only kernel. Ends
// the program, with the kernels that there are, if it is none or several; `file` is for the
// message.
LLVMValueRef tool_find_kernel(lin_arena *arena, const char *file, LLVMModuleRef module,
                              const char *name);

// The model of a GPU that `kernel` is compiled for: volta from sm_70 on, else ipdom.
simt_model tool_model_of(LLVMValueRef kernel);

// Prints the kernels of `module`, each with the options that a launch needs.
void tool_list_kernels(FILE *file, lin_arena *arena, LLVMModuleRef module);

// Prints an --arg for each parameter of `kernel`, behind each other.
void tool_print_parameters(FILE *file, lin_arena *arena, LLVMValueRef kernel);

#endif
