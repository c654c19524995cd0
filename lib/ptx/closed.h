// Scopes that are closed (body.h).
//
//     {  L: @q bra L;  }       closed: its branch stays in it
//     {  @q bra OUT;   }       not closed, and neither is a scope around it that hasn't OUT
#ifndef LIN_PTX_CLOSED_H
#define LIN_PTX_CLOSED_H

#include "body.h"

// Finds them: scope[].is_closed, instruction[].is_closed, and what may be set in them. Branches are
// resolved. The arena is the body's. O(length).
void lin_ptx_close_scopes(lin_arena *arena, lin_ptx_body *body);

// Marks the labels that branches name that aren't in closed scopes. O(length).
void lin_ptx_mark_targets(lin_ptx_body *body);

#endif
