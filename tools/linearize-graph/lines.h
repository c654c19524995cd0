// Where instructions come from, by debug locations.
#ifndef LIN_TOOL_LINES_H
#define LIN_TOOL_LINES_H

#include "common/sources.h"

#include <llvm-c/Types.h>

// How deep a line may be inlined to be the function's own: what looks like one function may be the
// body that a macro's kernel calls.
enum { TOOL_LEVELS = 2 };

// Adds the lines where `instruction` comes from, if they are known, in no order: to `all` its own
// and those of the calls that it was inlined through; to own[0] the one in the function, to own[1]
// the one in what was inlined there, if there is such a one, and so on.
void tool_add_lines(tool_sources *sources, LLVMValueRef instruction, tool_lines *all,
                    tool_lines own[TOOL_LEVELS]);

// Adds its own line, if that is in `file`.
void tool_add_line_in(tool_sources *sources, LLVMValueRef instruction, uint32_t file,
                      tool_lines *lines);

// The file of a function; LIN_NONE: nothing is known.
uint32_t tool_file_of(tool_sources *sources, LLVMValueRef function);

#endif
