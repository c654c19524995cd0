// Registers that get a definition where a region begins.
//
// Behind guards, code that uses a register may be reached, as far as ptxas can see, on ways on
// which nothing has set it. No thread goes there, but ptxas (13.0) takes such a register to be, on
// all ways, what it is set to on some, and two that are set to the same to be one (docs/limits.md).
//
//     D ─▶ [a next?] ─▶ [b next?] ─▶       D: mov.b32 %r1, 0;    unless what %r1 holds there is
//              ▼            ▼                                   needed behind D
//          a: set %r1   b: use %r1
#ifndef LIN_PTX_DEFINE_H
#define LIN_PTX_DEFINE_H

#include "read.h"

#include "driver/pipeline.h"

typedef struct lin_ptx_define {
  uint32_t reg;
  struct lin_ptx_define *next;
} lin_ptx_define;

typedef struct lin_ptx_defines {
  lin_ptx_define **of;      // [blocks of the function] at their ends
  lin_ptx_define *at_entry; // where the function begins
} lin_ptx_defines;

// Finds them, for registers that a region sets. Lives in the arena. O(accesses + blocks in which
// each such register is needed); where that is very many, they get one where the function begins.
lin_ptx_defines *lin_ptx_defines_build(lin_arena *arena, const lin_ptx_function *f,
                                       const lin_result *result);

// How a register is set to zero, up to its name; NULL if it can't be, by one instruction.
const char *lin_ptx_zero(const lin_ptx_body *body, uint32_t reg, const char **zero);

#endif
