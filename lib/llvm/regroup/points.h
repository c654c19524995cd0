// Points in LLVM's IR at which the threads of a block may be regrouped.
//
// include/linearize/reorder.h calls a function without effects, so that nothing is left of it where
// nobody looks. At the start of the pipeline, before it vanishes, that call becomes a *mark*:
// assembly without instructions, which takes the key, and which LLVM neither removes nor copies
// into branches, nor moves over what votes and shuffles of warps do:
//
//     call void asm sideeffect "// linearize_reorder $0 $1 $2 $3", "r,r,r,r"(i32 %key, i32 3, ...)
//
// What is left of a mark that nobody takes is a comment.
#ifndef LIN_LLVM_REGROUP_POINTS_H
#define LIN_LLVM_REGROUP_POINTS_H

#include "regroup/rounds.h"

#include <llvm-c/Core.h>

// What a mark says; algorithms have the numbers of linearize_reorder_algorithm, and of
// lin_algorithm. Numbers that aren't constants are LIN_UNCLEAR.
typedef struct lin_ir_point {
  LLVMValueRef mark, key; // of 32 bits
  uint32_t bits, algorithm, neighbours;
} lin_ir_point;

enum { LIN_UNCLEAR = UINT32_MAX };

// Makes marks of the calls in a module. Functions that come to one, by whatever they call, are to
// be inlined then, unless they are kernels, or mustn't be. Returns whether there were any.
// O(calls).
bool lin_ir_mark_points(LLVMModuleRef module);

// Whether an instruction is a mark; `*point` says what it says. O(1).
bool lin_ir_is_point(LLVMValueRef instruction, lin_ir_point *point);

// Puts a mark in front of an instruction: there, threads may be regrouped by the lowest `bits` bits
// of `key`, an i32. Whoever finds that a place is worth it calls this, and lin_ir_regroup after it.
// Returns the mark. O(1).
LLVMValueRef lin_ir_add_point(LLVMValueRef before, LLVMValueRef key, uint32_t bits,
                              lin_algorithm algorithm, uint32_t neighbours);

// Notes that the threads of a kernel are regrouped: it has other blocks than its profile. O(1).
void lin_ir_mark_regrouped(LLVMValueRef kernel);
bool lin_ir_is_regrouped(LLVMValueRef kernel);

#endif
