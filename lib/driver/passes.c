#include "passes.h"

#include "choose/entries.h"
#include "choose/exits.h"
#include "choose/short_loops.h"
#include "choose/strips.h"

enum { MOST_FLAGS = 4 }; // by which threads leave loops in one another, one after the other

static bool is_needed(const lin_policy *policy) { return policy->mode == LIN_MODE_NEEDED; }

// Who asks for some regions by their numbers means those of the function as it is.
static bool chooses_loops(const lin_policy *policy) {
  return (policy->mode == LIN_MODE_NEEDED || policy->mode == LIN_MODE_IRREDUCIBLE) &&
         policy->num_only == 0;
}

static bool merges_loops(const lin_policy *policy) { return policy->mode == LIN_MODE_MERGE_LOOPS; }

static lin_edits *free_exits(lin_arena *arena, const lin_front *front, const lin_result *result,
                             const lin_policy *policy) {
  return lin_exits_find(arena, front, result->united, result->order, result->analysis, policy);
}

static lin_edits *fold_tests(lin_arena *arena, const lin_front *front, const lin_result *result,
                             const lin_policy *policy) {
  return lin_short_loops_find(arena, front, result->order, result->analysis,
                              policy->divergence_known);
}

static lin_edits *copy_entries(lin_arena *arena, const lin_front *front, const lin_result *result,
                               const lin_policy *policy) {
  (void)policy;
  return result->num_regions == 0
             ? LIN_NEW(arena, lin_edits)
             : lin_entries_find(arena, front, result->order, result->analysis, result->regions);
}

static lin_edits *strip_loops(lin_arena *arena, const lin_front *front, const lin_result *result,
                              const lin_policy *policy) {
  (void)policy;
  return result->num_regions == 0
             ? LIN_NEW(arena, lin_edits)
             : lin_strips_find(arena, front, result->order, result->analysis, result->nests);
}

const lin_pass lin_passes[LIN_NUM_PASSES] = {
    {"free-exits", "ways out of loops that go through a flag become edges", MOST_FLAGS, is_needed,
     free_exits},
    {"fold-tests", "the tests of a short loop become one", 1, is_needed, fold_tests},
    {"copy-entries", "entries of a loop with several are copied in front of it", 1, chooses_loops,
     copy_entries},
    {"strip-loops", "inner loops are cut into strips, to be merged", 1, merges_loops, strip_loops},
};
