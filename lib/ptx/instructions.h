// Instructions: @!%p opcode operands; which registers they read, set, and may set.
#ifndef LIN_PTX_INSTRUCTIONS_H
#define LIN_PTX_INSTRUCTIONS_H

#include "parser.h"

// Room for one more instruction, of no text, in the scope that is open; it is the body's. It isn't
// counted.
lin_ptx_instruction *lin_ptx_add_instruction(lin_ptx_parser *p);

// Reads the instruction that begins with `token`. False: it is refused. O(length * nesting).
bool lin_ptx_read_instruction(lin_ptx_parser *p, lin_ptx_token token);

#endif
