// Homes: memory of a thread's that stays where it is while its work moves. Each work has room in
// shared memory, at the place where it began, and finds it wherever it goes, by the index of that
// place, which moves:
//
//     thread 0 began    thread 1 began    thread 2 began
//     ┌────────────────┬────────────────┬────────────────┬─
//     │ stack[8]  │ n │ │ stack[8]  │ n │ │ ...
//     └────────────────┴────────────────┴────────────────┴─
//     └── stride: an odd number of words, so that neighbours are in different banks
//
// Whose address is taken, indexed, or handed on, needn't be known: it is a generic one before and
// after.
#ifndef LIN_LLVM_REGROUP_HOMES_H
#define LIN_LLVM_REGROUP_HOMES_H

#include "cuts.h"
#include "regroup/rounds.h"

typedef struct lin_ir_homes {
  LLVMValueRef *variable; // [count] allocas
  uint32_t *at;           // [count] bytes from where a thread's begin
  uint32_t count, stride; // of threads, in bytes
  uint32_t align;
  lin_numbers number; // of the variables
} lin_ir_homes;

// The variables of a plan's function that would move, as far as there is room. In the arena.
// O(uses + blocks, for each variable).
lin_ir_homes lin_ir_find_homes(lin_arena *arena, const lin_ir_plan *plan, const lin_room *room);

// The bytes of shared memory that they take. O(1).
uint32_t lin_ir_bytes_of_homes(const lin_ir_homes *homes, const lin_room *room);

// Moves them there. O(uses).
void lin_ir_build_homes(const lin_ir_emitter *e, const lin_ir_homes *homes, const lin_room *room);

#endif
