// Statements that run nothing: declarations, labels, lists of labels, lines of the source.
#ifndef LIN_PTX_DECLARATIONS_H
#define LIN_PTX_DECLARATIONS_H

#include "parser.h"

// Declares the registers that stand for parameters: (.reg .b32 %a, .reg .b64 %b). O(their number).
void lin_ptx_declare_signature(lin_ptx_parser *p);

// Reads what stands behind a label's name and its colon: nothing, or `.branchtargets L1, L2;`.
// False: it is refused. O(length).
bool lin_ptx_read_label(lin_ptx_parser *p, lin_ptx_token name);

// Reads the rest of a statement that begins with a word like `.reg`. False: it is refused.
// O(length).
bool lin_ptx_read_directive(lin_ptx_parser *p, lin_ptx_token name);

#endif
