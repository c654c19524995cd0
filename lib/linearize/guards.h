// Guards as variables: where they are set, read and joined.
#ifndef LIN_LINEARIZE_GUARDS_H
#define LIN_LINEARIZE_GUARDS_H

#include "phis.h"

typedef struct lin_guard_uses {
  uint32_t *num_sets; // [num_guards]
  lin_block **set;    // [num_guards] the blocks whose edges set a guard, rising
  uint32_t *num_edges;
  lin_edge **edge; // [num_guards] those edges, rising
  uint32_t *num_reads;
  lin_point **read; // [num_guards] the guard blocks that test it
} lin_guard_uses;

typedef struct lin_guard_phis {
  uint32_t *count;         // [num_guards]
  const lin_block **block; // [num_guards] where a guard needs them, rising
  uint32_t total;
} lin_guard_phis;

// O(edges and what they set).
lin_guard_uses *lin_guard_uses_build(lin_arena *arena, const lin_flow *flow);

// False if what `edge`, of an original block, says of `guard` doesn't matter: no guard block tests
// it on the way to the next original block, and that one sets it. It does matter on the way into a
// loop, around which most guards aren't carried: there they are what they were before it. Where
// finding out would take long, true. O(log blocks).
bool lin_guard_matters(const lin_guard_uses *uses, const lin_flow *flow, lin_edge edge,
                       uint32_t guard);

// O(edges * depth of loops), and near-linear in uses and phis.
lin_guard_phis *lin_guard_phis_build(lin_arena *arena, const lin_flow *flow);

#endif
