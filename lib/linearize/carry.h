// What the loops of a plan carry around: for each retreating edge the loop that it goes around, and
// for each block the loops around which a value defined there must be kept.
//
// A value is carried only where the original program could reach a use from the definition over a
// retreating edge without meeting the definition again: the edge's destination is dominated by the
// definition, and both are in the loop. That happens only where the loop begins above the edge's
// destination: in irreducible loops, and where spans were merged.
//
//        ┌─▶ m: x = ...      loop [m..n]; k -> n goes around it, m doesn't run again, and n still
//        │   n: use x        uses the x of the time before
//        │   k: goto n or m
//        └───┘
#ifndef LIN_LINEARIZE_CARRY_H
#define LIN_LINEARIZE_CARRY_H

#include "flow.h"

typedef struct lin_headers {
  uint32_t count;
  const lin_block *block; // [count] blocks of the flow: headers of loops
} lin_headers;

typedef struct lin_carry {
  lin_block *around;  // [edges of the plan's graph] for a retreating edge of a region the header,
                      // in the flow, of the loop that it goes around; LIN_NONE for other edges
  lin_headers *value; // [blocks of the plan's graph] loops that carry what is defined there
  lin_headers *guard; // [guards of the plan] loops that carry it
} lin_carry;

// O((edges + blocks * nesting) log blocks), and for irreducible loops the depth of dominators.
lin_carry *lin_carry_build(lin_arena *arena, const lin_flow *flow);

#endif
