// Effects of calls: what an instruction, with all that it may call, does to other threads.
//
// A function's summary is the union of what its instructions do and of its callees' summaries.
// Functions that call each other in a circle have one summary together. A function is taken to spin
// if it polls memory and goes around in a cycle, be each of it in a callee.
#ifndef LIN_LLVM_ASK_SUMMARIES_H
#define LIN_LLVM_ASK_SUMMARIES_H

#include "effects.h"
#include "graph/arena.h"

// The summaries that have been asked for so far, and of what those functions call. Only valid while
// none of these functions gets other effects; linearizing one gives it none.
typedef struct lin_ir_summaries lin_ir_summaries;

// Empty; lives in `arena`.
lin_ir_summaries *lin_ir_summaries_new(lin_arena *arena);

// LIN_WAITS | LIN_POLLS | LIN_RELEASES | LIN_CROSS_LANE | LIN_MAY_SPIN of `instruction`. O(1) but
// for the first call of a function: every function is looked at once.
uint32_t lin_ir_effects(lin_ir_summaries *summaries, LLVMValueRef instruction);

#endif
