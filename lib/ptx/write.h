// Gives a function the control flow of a plan: branches are changed, guards added, and nothing
// else. Blocks stay where they are in the text.
//
//       ...                                 ...
//       @%p1 bra $L3;                       not.pred   %linearize_p1, %p1;     c next?
//       ...                         ==>     @%p1 bra $linearize_1;
//     $L2:                                $linearize_1:
//       c                                   @!%linearize_p1 bra $linearize_2;
//     $L3:                                $L2:
//                                           c
//
// A guard is a register, set at the end of each block whose edges lead to a test of it. Registers
// are variables, so nothing needs phis; those that are set on some ways only get a definition
// (define.h).
#ifndef LIN_PTX_WRITE_H
#define LIN_PTX_WRITE_H

#include "patch.h"
#include "read.h"

#include "driver/pipeline.h"

// Adds what changes to `patch`. `result` is of the graph of `f`, and at least one region is
// linearized. O(blocks + edges * guards that are live at once, and the function's text).
void lin_ptx_write(const lin_ptx_function *f, const lin_result *result, lin_ptx_patch *patch);

#endif
