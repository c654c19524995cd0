// Debug locations of lifted code: the lines of the source where the PTX has .loc.
#ifndef LIN_TOOLS_PTX_LINES_H
#define LIN_TOOLS_PTX_LINES_H

#include <llvm-c/Types.h>

// Gives every instruction of lifted functions the place in the source that their PTX names, and
// those that it names none for keep the line of the PTX. O(instructions log lines).
void tool_use_source_lines(LLVMModuleRef module);

#endif
