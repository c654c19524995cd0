// Which regions are linearized, and why others are not.
//
// The rules are those of ALGORITHM.md in the project's design; in short:
//   - a block that may not stand behind a guard keeps its region, and all around it, as it was;
//   - where threads of a warp run in lock step (below sm_70), a region may not hold two blocks that
//     wait for other threads and of which neither dominates the other, nor a loop that polls
//     memory beside a block that may release it: the guards would make some threads wait for ever;
//   - operations that depend on which threads run together are left alone unless the mode asks;
//   - a region whose branches are all uniform has nothing to gain (modes needed, irreducible).
#ifndef LIN_LINEARIZE_POLICY_H
#define LIN_LINEARIZE_POLICY_H

#include "regions.h"

typedef enum {
  LIN_MODE_NEEDED,      // what gains from it
  LIN_MODE_IRREDUCIBLE, // irreducible loops only
  LIN_MODE_PAPER,       // every unstructured region of Definition 1
  LIN_MODE_ALL,         // the function whole: for tests
} lin_mode;

typedef struct lin_policy {
  lin_mode mode;
  bool lock_step;        // the target runs the threads of a warp in lock step (below sm_70)
  bool force;            // linearize although threads that wait for each other may hang
  bool divergence_known; // LIN_UNIFORM flags say something; else every branch counts as divergent
} lin_policy;

typedef struct lin_refusal {
  uint32_t region;
  lin_block block;    // the block at fault, of the ordered graph
  const char *reason; // one clause
  bool irreducible;   // an irreducible loop is left behind
} lin_refusal;

typedef struct lin_refusals {
  uint32_t count;
  lin_refusal *refusal; // [count]
} lin_refusals;

// Marks the edges whose regions the mode wants: [num_edges].
bool *lin_policy_seeds(lin_arena *arena, const lin_analysis *analysis, const lin_policy *policy);

// Removes from `regions` those that may not or need not be linearized. Those that may not are
// listed. O(edges + blocks * nesting).
lin_refusals lin_policy_apply(lin_arena *arena, const lin_analysis *analysis,
                              const lin_policy *policy, lin_regions *regions);

#endif
