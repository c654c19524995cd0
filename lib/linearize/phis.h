// Where values need phis in a new control flow: one variable at a time, on the flow of a plan.
//
// A variable is anything that is set in some blocks and read in others: an instruction's result
// (set once, where it stands), a phi of the original program (set at the end of each block whose
// edge chooses a value), a region's guard. Between a place that sets it and a place that reads it
// there may now be joins that only some threads reach with the value; each of these gets a phi,
// whose other operands are the values that arrive there, or nothing (poison).
//
// Liveness is that of the original program: around a loop of the plan a variable is carried only if
// the caller says so. Then its header gets a phi too.
#ifndef LIN_LINEARIZE_PHIS_H
#define LIN_LINEARIZE_PHIS_H

#include "flow.h"

// A place in the flow: the start of a block (after its phis) or its end.
typedef struct lin_point {
  lin_block block;
  bool at_end;
} lin_point;

typedef struct lin_variable {
  uint32_t num_sets;
  const lin_block *set; // [num_sets] blocks at or before the end of which it gets a value, rising
  uint32_t num_reads;
  const lin_point *read; // [num_reads]
  uint32_t num_carried;
  const lin_block *carried; // [num_carried] headers of the loops around which it is carried
  bool is_guard;            // set and read between two original blocks
} lin_variable;

// Where a value comes from, seen from a point.
typedef enum { LIN_FROM_NOWHERE, LIN_FROM_SET, LIN_FROM_PHI } lin_source_kind;

typedef struct lin_source {
  lin_source_kind kind;
  lin_block block; // that sets it, or that has the phi
} lin_source;

typedef struct lin_phis lin_phis;

// Prepares a flow. O(edges * depth of loops).
lin_phis *lin_phis_build(lin_arena *arena, const lin_flow *flow);

// Places the phis of a variable; the result is valid until the next call. Returns their number and
// sets `*phis` to their blocks, rising. Near-linear in sets, reads and phis.
uint32_t lin_phis_place(lin_phis *values, const lin_variable *variable, const lin_block **phis);

// What the variable is at a point, by the last call of lin_phis_place. O(log) in practice.
lin_source lin_phis_at(const lin_phis *values, lin_point point);

#endif
