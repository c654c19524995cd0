// Why a launch's warps diverge, and where: what blocks cost is put down to the loop or branch that
// causes it.
//
//     entry ─▶ head ⟲ ─▶ arm ─▶ ...      counts of threads     cause
//                                        arm = k * head        what causes head's cost
//                                        arm = head - entry    the same: a test at the loop's top
//                                        else                  head: a loop; arm: a branch
//
// Arms of one branch add up to the block around them, and are one cause.
#ifndef LIN_TOOLS_PROFILE_CAUSES_H
#define LIN_TOOLS_PROFILE_CAUSES_H

#include "threads/memory.h"

#include <stdint.h>

struct profile_estimate;

typedef enum profile_kind {
  PROFILE_ARMS,    // threads of a warp take different arms
  PROFILE_TRIPS,   // threads go around a loop differently often
  PROFILE_RETURNS, // threads end before others begin what takes long
  PROFILE_AGAIN,   // warps enter a block more than once in a pass
  PROFILE_IDLE,    // thread blocks don't fill their last warp
  PROFILE_NUM_KINDS
} profile_kind;

typedef struct profile_cause {
  profile_kind kind;
  bool is_inner;  // in a loop
  uint32_t block; // of the launch: where it is
  double cost;    // cycles of warps, as profile_block.cost; of PROFILE_IDLE none of these
} profile_cause;

typedef struct profile_causes {
  profile_cause *cause; // what costs most comes first; all that cost anything
  uint32_t count;
} profile_causes;

// What a kind is called, in a few words.
extern const char *const profile_kind_names[PROFILE_NUM_KINDS];

// In the memory. Ends the program if there is none. O(blocks * (vectors + log blocks)).
profile_causes profile_find_causes(lin_memory *memory, const struct profile_estimate *estimate);

#endif
