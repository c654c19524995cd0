// Which regions are linearized, and why others are not.
//
// The rules, of which docs/algorithm.md tells why:
//   - a block that may not stand behind a guard keeps its region, and all around it, as it was;
//   - where threads of a warp run in lock step (below sm_70), a region is left in which guards
//     would make some threads wait for others for ever (waiting.h);
//   - operations that depend on which threads run together are left alone unless the mode asks;
//   - a region whose branches are all uniform has nothing to gain (modes needed, irreducible);
//   - mode needed leaves regions alone that gain too little (estimate.h), or in which threads wait
//     for others, but for irreducible loops;
//   - a region over budget is left as it was, and all around it, whatever the mode: one of more
//     blocks than most_blocks, or of more work than most_work. Work is what planning and writing
//     take, the same on every machine, in about 20 ns: the sum, over its blocks, of the square of
//     how many of its regions a block is in, and of how many loops, for guards are set for each;
//     and for each join that threads come to late from a switch LIN_WORK_OF_CASE for each case.
#ifndef LIN_CHOOSE_POLICY_H
#define LIN_CHOOSE_POLICY_H

#include "gpu/target.h"
#include "linearize/algorithm2_regions.h"
#include "modes.h"
#include "worth.h"

// The budget, unless somebody says otherwise: blocks of a region, and work in units of about 20 ns,
// so a second (bench/scaling --modes paper --shapes any,nested prints the time that they take).
enum { LIN_MOST_BLOCKS = 100000, LIN_MOST_WORK = 50000000 };

// A loop around a switch of 10000 cases, of which every fourth goes on to the next one, takes the
// budget, a second and 650 MB (bench/scaling --modes paper --shapes switch --sizes 5000,10000).
enum { LIN_WORK_OF_CASE = 2 };

typedef struct lin_policy {
  lin_mode mode;
  bool lock_step;        // the target runs the threads of a warp in lock step (below sm_70)
  bool force;            // linearize although threads that wait for each other may hang
  bool divergence_known; // LIN_UNIFORM flags say something; else every branch counts as divergent
  bool regardless;       // of what it gains: modes merge-loops, interleave; votes
  bool counts_ended;     // a profile knew the function as it was before it was changed
  bool votes;            // regions may keep their plain form for warps whose threads agree
  bool many_registers;   // the function takes so many that they bound how many warps there are
  double least_gain;     // modes that choose by what is gained: the part of what a warp runs in a
                         // region that has to be, at least
  const lin_target *gpu; // mode interleave: that the code is for; NULL: one that nobody knows
  uint32_t most_nested;  // mode limit-depth: branches
  uint32_t warps;        // mode interleave: of a multiprocessor; 0: what the front end knows
  uint32_t least_cost;   // of a join that is worth a guard; 0: LIN_LEAST_COST
  uint32_t most_blocks;  // of a region, inner ones' included; 0: LIN_MOST_BLOCKS
  uint32_t most_work;    // for a region; 0: LIN_MOST_WORK
  uint32_t num_only;     // 0: the mode decides
  const uint32_t *only;  // [num_only] numbers of the minimal regions (minimal.h) that are
                         // linearized, whatever they are worth, and no others; for bisection
} lin_policy;

typedef struct lin_refusal {
  uint32_t region;
  lin_block block;    // the block at fault, of the ordered graph
  const char *reason; // one clause
  bool irreducible;   // an irreducible loop is left behind
  bool over_budget;
} lin_refusal;

typedef struct lin_refusals {
  uint32_t count;
  lin_refusal *refusal; // [count]
  lin_verdict *verdict; // [num_regions] why a region was left that isn't refused;
                        // LIN_VERDICT_WORTH_IT for all others
  const bool *plain;    // [num_regions] those that lin_plan_options.plain is for; NULL: none
} lin_refusals;

// The most blocks that a region may have.
static inline uint32_t lin_policy_most_blocks(const lin_policy *policy) {
  return policy->most_blocks == 0 ? LIN_MOST_BLOCKS : policy->most_blocks;
}

// The most work that a region may take.
static inline uint64_t lin_policy_most_work(const lin_policy *policy) {
  return policy->most_work == 0 ? LIN_MOST_WORK : policy->most_work;
}

// True if everything unstructured is asked for, or what the caller chose, not what gains from it.
bool lin_policy_is_asked(const lin_policy *policy);

// Where regions come from. Who chooses some of the minimal regions doesn't get the function whole.
lin_basis lin_policy_basis(const lin_policy *policy);

// Marks the edges whose regions the mode wants: [num_edges]. `joins` are those for what the policy
// knows of branches and of the target.
bool *lin_policy_seeds(lin_arena *arena, const lin_analysis *analysis, const lin_joins *joins,
                       const lin_policy *policy);

// Removes from `regions`, those of the edges for which `seed` is set, the ones that may not or need
// not be linearized. Those that may not are listed. O(edges + blocks * nesting) of regions within
// the budget.
lin_refusals lin_policy_apply(lin_arena *arena, const lin_analysis *analysis,
                              const lin_joins *joins, const lin_policy *policy,
                              lin_regions *regions, const bool *seed);

// Takes back the seeds of regions that gain too little, but lie in one that is linearized: regions
// of the other seeds leave them as they are. Returns whether there are any.
// O(edges * nesting).
bool lin_policy_drop_seeds(const lin_analysis *analysis, const lin_regions *regions,
                           const lin_refusals *refusals, bool *seed);

#endif
