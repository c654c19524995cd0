// Whether a kernel ends whatever else is launched: whether none of its threads can wait for what
// another kernel, or the host, writes.
//
//     while (flag[0] == 0);               no: `flag` is volatile, or read by an atomic operation
//     for (...) { ...; __syncthreads(); } yes: a barrier is for threads of one block
//
// To wait for others' writes takes reads that may not be done just once: volatile or atomic ones,
// or plain ones behind a fence. So a kernel that has none of these ends, or runs for ever by
// itself. Only code that is known counts: calls by pointer, of other files, or assembly that does
// more than compute, may do anything.
#ifndef LIN_LLVM_ASK_ENDS_H
#define LIN_LLVM_ASK_ENDS_H

#include "graph/arena.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

// A kernel, with all that it calls. Expected O(instructions).
bool lin_ir_ends(lin_arena *arena, LLVMValueRef kernel);

#endif
