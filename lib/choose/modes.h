// What each mode does, as a row of a table: passes, the driver and the checkers ask it for a
// property, and compare no modes. docs/options.md and docs/algorithm.md have the modes for users.
#ifndef LIN_CHOOSE_MODES_H
#define LIN_CHOOSE_MODES_H

#include <stdbool.h>
#include <stdint.h>

typedef enum lin_mode {
  LIN_MODE_NEEDED,      // what gains from it
  LIN_MODE_IRREDUCIBLE, // irreducible loops only
  LIN_MODE_PAPER,       // every unstructured region of Definition 1
  LIN_MODE_ALL,         // the function whole: for tests
  LIN_MODE_MERGE_LOOPS, // loop nests (nests.h)
  LIN_MODE_INTERLEAVE,  // arms of branches (interleave.h)
  LIN_MODE_LIMIT_DEPTH, // branches nested too deep (depth.h)
  LIN_NO_MODE,          // how many there are
} lin_mode;

// Where a mode's regions come from.
typedef enum lin_basis {
  LIN_OF_EDGES,    // unstructured edges (Definition 1, Algorithm 2)
  LIN_OF_FUNCTION, // one region, the whole function
  LIN_OF_NESTS,    // loop nests; these and the next two are found in structured code, too
  LIN_OF_ARMS,     // branches with two arms
  LIN_OF_SCOPES,   // branches, and what lies between them and where their threads meet
} lin_basis;

typedef struct lin_mode_row {
  const char *name; // docs/options.md, docs/algorithm.md
  lin_basis basis;
  bool all_edges;        // every unstructured edge is wanted, whatever it costs
  bool gains;            // edges are wanted that gain from it (worth.h, estimate.h), and edits by
                         // which there is less to linearize
  bool copies_entries;   // of irreducible loops, where that is cheaper than to linearize them
  bool asks_for_sharing; // threads run code in another order than others of their warp expect:
                         // what do they exchange?
  uint32_t rounds;       // that it may take, at most (driver.h)
  int most_level;        // of optimisation, where more is asked for
  lin_mode undecided;    // what is done instead where it is too dear to find out where threads
                         // part; LIN_NO_MODE: nothing
} lin_mode_row;

// Edges into irreducible loops are wanted by every mode whose regions are those of edges.
extern const lin_mode_row lin_modes[LIN_NO_MODE];

// Whether regions are found in structured code, too. O(1).
static inline bool lin_mode_has_own_regions(lin_mode mode) {
  return lin_modes[mode].basis > LIN_OF_FUNCTION;
}

#endif
