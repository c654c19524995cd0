// What calls do, by the functions of the module that they name, with all that these call. What is
// only declared may do anything, but for what every GPU program may call (vprintf, __assertfail,
// malloc, free, libdevice's mathematics), as for the front end of LLVM (llvm/ask/effects.c).
// Atomics for whose results nobody waits (awaited.h) are none that poll there, either.
#ifndef LIN_PTX_SUMMARIES_H
#define LIN_PTX_SUMMARIES_H

#include "module.h"

typedef struct lin_ptx_summaries lin_ptx_summaries;

// Reads the module's functions that may be called, one after the other. Lives in the arena.
// O(length of the module and calls).
lin_ptx_summaries *lin_ptx_summaries_build(lin_arena *arena, const lin_ptx_module *module);

// A lin_ptx_callee_effects (read.h) with the summaries as its context.
uint32_t lin_ptx_summary(const void *summaries, const char *name, uint32_t length);

#endif
