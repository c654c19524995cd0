// Functions as pseudo-code.
#ifndef LIN_TOOL_PSEUDO_H
#define LIN_TOOL_PSEUDO_H

#include "common/terminal.h"
#include "sides.h"

// The function of `work` before and after; with the text of source lines, where they were read.
void tool_print_pseudo(FILE *file, const tool_work *work, tool_terminal terminal);

#endif
