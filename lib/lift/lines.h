// The lines of PTX, which the debug locations of lifted code have, and the .loc in force on each.
//
//     12     .loc 1 17 0
//     13     add.s32 %r3, %r1, %r2;     made on line 17 of file 1
#ifndef LIN_LIFT_LINES_H
#define LIN_LIFT_LINES_H

#include "graph/arena.h"
#include "ptx/body.h"

typedef struct lin_lift_lines {
  const lin_ptx_body *body;
  uint32_t *line; // [body->num_locs] of the module's text, on which each .loc stands
  uint32_t
      *caller; // [body->num_locs] the .loc that its inlined_at names, which ptxas wants to have
               // seen before, or LIN_NONE
} lin_lift_lines;

// The lines of a function. In the arena, and valid as long as the body. O(length of the function).
lin_lift_lines lin_lift_lines_read(lin_arena *arena, const lin_ptx_body *body);

// The .loc in force on a line of the module's text, into body->loc, or LIN_NONE. O(log num_locs).
uint32_t lin_lift_loc_on(const lin_lift_lines *lines, uint32_t line);

#endif
