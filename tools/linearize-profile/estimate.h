// What divergence costs a launch, where, and what remedies would give.
//
// In cycles of a warp, latencies added, over all warps:
//
//     none      as often as its threads enter a block on average     ├──────────┤
//     now       as often as it does enter it                         ├──────────────────────┤
//                                                                               └ divergence ┘
//
// How often a warp enters a block is counted (passes.h), or else taken from equation (2): as often
// as that of its threads which does so most, which is a bound. Of that, only
// refilling is predicted.
//
// What linearizing and merging loops give isn't estimated here: the compiler decides on that by the
// same counts, with the code at hand, and says what it expects (decisions.h).
#ifndef LIN_TOOLS_PROFILE_ESTIMATE_H
#define LIN_TOOLS_PROFILE_ESTIMATE_H

#include "causes.h"
#include "passes.h"
#include "refill.h"

typedef enum profile_remedy {
  PROFILE_NOTHING,
  PROFILE_IN_BLOCK, // Greedy in each thread block
  PROFILE_SORTING,  // over the grid
  PROFILE_GREEDY,
  PROFILE_GREEDY_MAX,
  PROFILE_REFILLING,
  PROFILE_NUM_REMEDIES
} profile_remedy;

// Versions of a kernel (gains.h).
enum {
  PROFILE_LINEARIZED,
  PROFILE_MERGED,
  PROFILE_MELDED,
  PROFILE_REFILLED,
  PROFILE_REGROUPED,
  PROFILE_REDIRECTED,
  PROFILE_NUM_VERSIONS
};

// What the compiler decided of one (decisions.h).
typedef struct profile_decision {
  const char *says; // what it does, or why it does nothing; NULL: it wasn't asked
  bool is_made;
  double saved; // cycles, also of what isn't made; not a number: it doesn't say
} profile_decision;

typedef struct profile_block {
  double threads; // entries by threads
  double now;     // by warps
  double none;    // by warps without divergence
  double cost;    // of divergence, cycles
  double again;   // entries by warps that had been there in the same pass; 0: not known
  double parted;  // branches at its end on which a warp parted; not a number: unknown
} profile_block;

typedef struct profile_estimate {
  const lin_counts_launch *launch;
  char *title;                         // the kernel's name, for people
  bool is_ambiguous;                   // there is another kernel of that name, of other code
  size_t num_threads;                  // of which something is known
  const uint32_t *vectors;             // of these, [num_threads * num_blocks]
  bool has_passes;                     // they are counted
  profile_block *block;                // [num_blocks]
  double now, none;                    // cycles
  double cycles[PROFILE_NUM_REMEDIES]; // by remedy; not a number: unknown
  profile_refill refill;
  profile_decision decided[PROFILE_NUM_VERSIONS]; // all of them, or none
  double measured;       // cycles that the fastest version saves (outcome.h); or not a number
  profile_causes causes; // of what divergence costs
} profile_estimate;

// Ends the program if there is no memory, or `passes`, which may be NULL, are of another launch.
// Whoever looks at `file` sees it in messages. As long as linearize_regroup takes.
profile_estimate profile_estimate_launch(lin_memory *memory, const char *file,
                                         const lin_counts_launch *launch,
                                         const profile_passes *passes);

#endif
