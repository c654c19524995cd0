// Bodies that LLVM has written go back into the module's text.
//
//     the module                          what llc wrote
//     .visible .entry f(.param ...)       .visible .entry f(...)
//     .maxntid 256                        {
//     {                            ◀──      .reg ...
//       ...                                 .loc 1 17 0     the instruction stood on line 17
//     }                                   }
//
// Everything outside of the braces stays as it is, byte for byte: names of parameters are those of
// the module, a line's .loc is the one that was in force there, variables in shared memory that a
// function declares stay its own. What LLVM's passes have added to the module, a variable, is put
// in front of the first function.
#ifndef LIN_LIFT_SPLICE_H
#define LIN_LIFT_SPLICE_H

#include "lines.h"
#include "ptx/patch.h"

// Has `patch` replace the body of a function, whose lines these are, by that of the function of the
// same name in `written`. Returns false if there is none. O(length of both bodies).
bool lin_lift_splice(const lin_lift_lines *lines, const lin_ptx_module *written,
                     lin_ptx_patch *patch);

// Has `patch` add the function `name` of `written`, a version of the function whose lines these
// are, behind the module's last function. It has that one's variables, and lines of the source.
// Returns false if there is no such function. O(length of both).
bool lin_lift_splice_copy(const lin_lift_lines *lines, const char *name,
                          const lin_ptx_module *written, lin_ptx_patch *patch);

// Has `patch` add the variables that `written` defines, and `ptx` doesn't have. O(length of both).
void lin_lift_splice_variables(const lin_ptx_module *ptx, const lin_ptx_module *written,
                               lin_ptx_patch *patch);

// What LLVM calls the variable `name` that a function declares itself: `name.of.function`. In the
// arena.
const char *lin_lift_own_name(lin_arena *arena, const char *name, const char *function);

#endif
