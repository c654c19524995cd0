// Functions as pseudo-code.
#ifndef LIN_TOOL_PSEUDO_H
#define LIN_TOOL_PSEUDO_H

#include "common/terminal.h"
#include "sides.h"

// The function of `work` before and after; with the text of source lines, where IR says which.
void tool_print_pseudo(FILE *file, const tool_work *work, bool with_source, tool_terminal terminal);

#endif
