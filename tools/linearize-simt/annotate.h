// Functions with counts.
#ifndef LIN_TOOLS_SIMT_ANNOTATE_H
#define LIN_TOOLS_SIMT_ANNOTATE_H

#include "simt/machine.h"

#include <llvm-c/Types.h>
#include <stdio.h>

// Prints each function that the machine's program reaches as LLVM prints it, with a comment at the
// head of each block: how often warps entered it, how many threads at a time, how often again in
// one pass, how often its branch parted them, what part of all warp instructions is its. Blocks
// that the simulator has made of others (reshape.h) are told there, too. O(text).
void tool_annotate(FILE *file, LLVMModuleRef module, const simt_machine *machine);

#endif
