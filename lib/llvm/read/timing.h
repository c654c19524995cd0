// How long the pieces of an arm take, what they wait for, and what they keep in registers: what
// choose/schedule.h chooses by.
#ifndef LIN_LLVM_READ_TIMING_H
#define LIN_LLVM_READ_TIMING_H

#include "front/pieces.h"
#include "gpu/target.h"
#include "read.h"
#include "llvm/ask/numbers.h"

// An instruction of an arm, and in which piece it is.
typedef struct lin_ir_issue {
  LLVMValueRef instruction;
  uint32_t piece;
} lin_ir_issue;

// An arm as a warp issues it.
typedef struct lin_ir_arm {
  lin_ir_issue *issue; // [count] with ascending pieces
  uint32_t count, capacity;
} lin_ir_arm;

// Cycles from an instruction's issue until what it gives can be used; no fewer than what it is made
// of takes: a division is many, and busy till its end. O(operands).
uint32_t lin_ir_latency(const lin_latency *latency, LLVMValueRef at);

// What choose/schedule.h needs to know of the arm. What lies behind piece LIN_MOST_PIECES - 1 is
// part of it. O(uses).
lin_row lin_ir_time_arm(lin_arena *arena, const lin_ir_function *f, const lin_ir_arm *arm);

#endif
