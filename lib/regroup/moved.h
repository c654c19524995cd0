// Which values move, and which are computed again where the work goes on.
//
// Behind a point, values are needed that were computed in front of it. A thread gets them from the
// one that had the work, or computes them again from others, which it has to have then. A value
// that is the same for the whole block is there; one that was loaded, or hangs on the way that a
// thread came, can only move.
//
//     tid ──▶ i ──▶ &a[i] ──▶ needed         moved: tid, of 10 bits; i and both addresses are
//     args    └───▶ &b[i] ──▶ needed         computed again, instead of moving 2 * 64 bits
//
// That is a minimum cut. Each value v has two nodes: v, it is there behind the point, and v', it is
// computed again; nodes on the source's side are true.
//
//     source ──∞──▶ v         if it is needed
//     v ──moving──▶ v'        is there, but isn't computed again: it moves
//     v' ──computing──▶ sink  ∞ if it can't be computed again
//     v' ──∞──▶ u             for each operand u: it has to be there
//
// Of cuts that cost the same the one next to what is needed is taken: less is computed again.
#ifndef LIN_REGROUP_MOVED_H
#define LIN_REGROUP_MOVED_H

#include "graph/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { LIN_NEVER = UINT32_MAX }; // a cost

typedef struct lin_expressions {
  uint32_t num_values;
  const uint32_t *first_operand; // [num_values + 1] into operand
  const uint32_t *operand;       // a value's are numbered below it
  const uint32_t *moving;        // [num_values] what moving costs; 0: it is there; or LIN_NEVER
  const uint32_t
      *computing;        // [num_values] what computing it costs, with its operands; or LIN_NEVER
  const bool *is_needed; // [num_values]
} lin_expressions;

enum { LIN_NOT_THERE, LIN_MOVES, LIN_COMPUTED };

// [num_values] what becomes of each value, at the least cost, in the arena. NULL if something is
// needed that neither moves nor can be computed. Costs must add up to less than 2^62. Dinic's
// algorithm: O(values^2 * operands) at worst; on what programs compute nearly linear.
uint8_t *lin_moved_find(lin_arena *arena, const lin_expressions *e);

#endif
