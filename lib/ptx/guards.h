// The registers that guards become, and where each is set.
//
// An edge that leaves a leaf says what every guard is from then on (linearize/flow.h). Of these
// only those matter that a test asks for before the next block of the function runs: that are live
// where the edge leads.
//
//     a ──▶ [b next?] ──▶ [c next?] ──▶     live at the first test: both; at the second: c's alone
//               ▼             ▼             a's edge sets both; b's edge, behind it, sets c's
//               b             c
//
// All of them are set on each way to a test, also on those that no thread takes that far: ptxas may
// take a register that is set on some ways only to be set on all (docs/limits.md).
#ifndef LIN_PTX_GUARDS_H
#define LIN_PTX_GUARDS_H

#include "linearize/flow.h"

typedef struct lin_ptx_guard {
  bool is_flag;    // .pred, else .b32
  uint32_t number; // of its register, from 1: 0 is for what tests compute
} lin_ptx_guard;

typedef struct lin_ptx_live {
  uint32_t guard;
  const struct lin_ptx_live *next; // of a greater number
} lin_ptx_live;

typedef struct lin_ptx_guards {
  const lin_flow *flow;
  lin_ptx_guard *guard;             // [num_guards of the plan]
  uint32_t num_flags, num_integers; // registers, those for tests included
  const lin_ptx_live **live;        // [blocks of the flow] at guard blocks
} lin_ptx_guards;

// Lives in the arena. O(blocks + guards live at guard blocks, and edges to these).
lin_ptx_guards *lin_ptx_guards_build(lin_arena *arena, const lin_flow *flow);

// The guards that `edge` sets, by rising numbers. O(1).
const lin_ptx_live *lin_ptx_guards_set(const lin_ptx_guards *guards, lin_edge edge);

// What it sets one of them to. O(what is assigned on the edge).
uint32_t lin_ptx_guards_value(const lin_ptx_guards *guards, lin_edge edge, uint32_t guard);

#endif
