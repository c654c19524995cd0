// What became of each minimal region of Definition 1 (minimal.h) and why, with numbers for people.
//
// The regions that are linearized are those of the edges that the mode wants. So several may lie in
// one minimal region, and several minimal regions may become one, whose guards are for all of them:
// that one has the number of the outermost.
#ifndef LIN_DRIVER_OUTCOME_H
#define LIN_DRIVER_OUTCOME_H

#include "linearize/minimal.h"
#include "pipeline.h"

// A region that is linearized.
typedef struct lin_linearized {
  uint32_t blocks;      // without those of regions in it
  uint32_t guards;      // guard blocks
  uint32_t cost;        // instructions that test guards
  lin_block first;      // its first block
  lin_block cross_lane; // one whose result depends on which threads run together, or LIN_NONE
} lin_linearized;

typedef enum lin_fate {
  LIN_FATE_UNASKED,    // the mode is after others, or others were chosen
  LIN_FATE_UNWORTHY,   // see its verdict
  LIN_FATE_REFUSED,    // see the refusals
  LIN_FATE_PART,       // linearized as part of another one
  LIN_FATE_LINEARIZED, // at least one region stands for it
} lin_fate;

// So many loops of a region are named.
enum { LIN_NAMED_LOOPS = 3 };

// A minimal region of Definition 1; its edges are without those of minimal regions in it.
typedef struct lin_outcome {
  lin_fate fate;
  lin_verdict verdict; // the most telling one of its edges
  bool gains;          // the mode wanted one of its edges for what it gains
  lin_block first;
  lin_block foreign; // for LIN_VERDICT_CALLS, one that calls what isn't here; else LIN_NONE
  uint32_t blocks;
  uint32_t into;         // for a part, or what is refused, the number of the one that it went into,
                         // which may be its own; LIN_NONE for the whole function
  uint32_t around;       // the number of the one that it lies in, or LIN_NONE
  uint32_t inner;        // of one in it that is linearized, or LIN_NONE
  uint64_t instructions; // of its blocks, by their cost
  uint64_t executed;     // instructions that a warp runs in it for each time it comes (estimate.h)
  uint64_t gain;         // of those, what it doesn't run when it is linearized
  uint64_t guards;       // what guards add, or would
  uint32_t num_guessed;  // loops in it of which nobody knows how often they go around (ways.h)
  lin_block guessed[LIN_NAMED_LOOPS]; // headers of the first of them
  uint32_t branches, weighed; // in it that may part threads, and those of them that have weights
  uint32_t rests_on;          // blocks of the region that these numbers are of
  uint64_t largest;           // what stands behind one edge with that verdict, at most
} lin_outcome;

typedef struct lin_outcomes {
  uint32_t count;
  lin_outcome *outcome;        // [count] by number
  uint32_t *number;            // [result->regions->num_regions] of the outermost minimal region
                               // that became this one, LIN_NONE if there is none
  uint32_t *number_of_refused; // the same, of those that were refused
} lin_outcomes;

// Returns [result->regions->num_regions], zero for those that are gone. O(blocks + nodes).
lin_linearized *lin_linearized_build(lin_arena *arena, const lin_result *result);

// O(edges * (log blocks + nesting)).
lin_outcomes *lin_outcomes_build(lin_arena *arena, const lin_result *result,
                                 const lin_policy *policy);

#endif
