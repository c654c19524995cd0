// Everything that must hold of linearize on a graph. One body for fixed seeds, long runs, graphs in
// files and libFuzzer.
#ifndef LIN_TEST_PROPERTIES_H
#define LIN_TEST_PROPERTIES_H

#include "check/check.h"

enum { PROPERTY_MODES = 7, PROPERTY_LEVELS = 5 };

// The modes that a graph is tested in: paper, irreducible, all, needed, merge-loops, limit-depth,
// interleave.
extern const lin_mode property_mode[PROPERTY_MODES];
extern const char *const property_mode_name[PROPERTY_MODES];

// How a graph is tested.
typedef struct property_case {
  uint32_t mode; // index of property_mode
  int level;
  uint64_t seed; // of what is drawn: oracles of branches, samples
} property_case;

// What was looked at.
typedef struct property_stats {
  lin_region_sizes sizes; // added up
  uint32_t num_blocks;    // of the last graph, those that can be reached
} property_stats;

// In mode interleave the graph is another one, drawn from the seed. Returns the first violation of
// `graph`, or NULL. It begins with the name of its check and a colon and lives in the arena.
const char *property_violation(lin_arena *arena, const lin_graph *graph, const property_case *test,
                               property_stats *stats);

// True if two violations are of the same check.
bool property_same_check(const char *a, const char *b);

#endif
