// Where branches lead, whose labels may stand behind them: the innermost scope first.
#ifndef LIN_PTX_TARGETS_H
#define LIN_PTX_TARGETS_H

#include "parser.h"

// Fills in body->leads_to and the labels of the targets, until a branch is refused. O(length *
// nesting).
void lin_ptx_resolve_branches(lin_ptx_parser *p);

#endif
