#include "passes.h"

#include "choose/entries.h"
#include "choose/exits.h"
#include "choose/short_loops.h"
#include "choose/stages.h"
#include "choose/strips.h"
#include "choose/votes.h"

// Flags by which threads leave loops in one another, one after the other. With 1 the outer one is
// linearized before it is freed (test/ir/exits.ll); with 2 to 8 all code that was tried is the same
// (`scripts/calibrate MOST_FLAGS`, 2026-11-23): a bound on work, which is that of reading the
// function.
enum { MOST_FLAGS = 4 };

// ---- who wants a pass

static bool always(const lin_policy *policy) {
  (void)policy;
  return true;
}

static bool gains(const lin_policy *policy) { return lin_modes[policy->mode].gains; }

// Who asks for some regions by their numbers means those of the function as it is.
static bool copies_entries(const lin_policy *policy) {
  return lin_modes[policy->mode].copies_entries && policy->num_only == 0;
}

static bool merges_loops(const lin_policy *policy) {
  return lin_modes[policy->mode].basis == LIN_OF_NESTS;
}

static bool interleaves(const lin_policy *policy) {
  return lin_modes[policy->mode].basis == LIN_OF_ARMS;
}

// ---- passes that propose edits

static lin_edits *free_exits(lin_arena *arena, const lin_front *front, const lin_result *result,
                             const lin_policy *policy) {
  return lin_exits_find(arena, front, &result->shape, policy);
}

static lin_edits *fold_tests(lin_arena *arena, const lin_front *front, const lin_result *result,
                             const lin_policy *policy) {
  return lin_short_loops_find(arena, front, &result->shape, policy->divergence_known);
}

static lin_edits *copy_entries(lin_arena *arena, const lin_front *front, const lin_result *result,
                               const lin_policy *policy) {
  (void)policy;
  return result->num_regions == 0 ? LIN_NEW(arena, lin_edits)
                                  : lin_entries_find(arena, front, &result->shape, result->regions);
}

static lin_edits *strip_loops(lin_arena *arena, const lin_front *front, const lin_result *result,
                              const lin_policy *policy) {
  (void)policy;
  return result->num_regions == 0 ? LIN_NEW(arena, lin_edits)
                                  : lin_strips_find(arena, front, &result->shape, result->nests);
}

static lin_edits *cut_arms(lin_arena *arena, const lin_front *front, const lin_result *result,
                           const lin_policy *policy) {
  return lin_stages_find(arena, front, &result->shape, policy);
}

static lin_edits *keep_plain(lin_arena *arena, const lin_front *front, const lin_result *result,
                             const lin_policy *policy) {
  return result->num_regions == 0 || !policy->votes || policy->lock_step
             ? LIN_NEW(arena, lin_edits)
             : lin_votes_find(arena, front,
                              &(lin_voting){&result->shape, result->joins, result->regions,
                                            result->seed, policy->divergence_known,
                                            policy->regardless});
}

// ---- passes that are no edits

static bool drop_unreachable(lin_driver *d) {
  return lin_driver_may_change(d) && d->end->drop_unreachable != NULL &&
         d->end->drop_unreachable(d->end->context, &d->code);
}

static bool write_plan(lin_driver *d) {
  bool writes = d->result.num_regions > 0;
  if (writes) {
    if (d->end->changing != NULL)
      d->end->changing(d->end->context);
    lin_counts_forget(&d->counts);
    d->end->write(d->end->context, &d->result);
  }
  d->end->tell(d->end->context, d);
  return writes;
}

static bool finish(lin_driver *d) {
  if (d->end->finish != NULL)
    d->end->finish(d->end->context);
  return true;
}

// ---- the list

const lin_pass lin_passes[] = {
    {"drop-unreachable", "blocks that nothing reaches go", LIN_BEFORE, 1, always, NULL,
     drop_unreachable},
    {"free-exits", "exits of loops that go through a flag become edges", LIN_IN_ROUND, MOST_FLAGS,
     gains, free_exits, NULL},
    {"fold-tests", "the tests of a short loop become one", LIN_IN_ROUND, 1, gains, fold_tests,
     NULL},
    {"copy-entries", "entries of a loop with several are copied in front of it", LIN_IN_ROUND, 1,
     copies_entries, copy_entries, NULL},
    {"strip-loops", "inner loops are cut into strips, to be merged", LIN_IN_ROUND, 1, merges_loops,
     strip_loops, NULL},
    {"cut-arms", "the arms of branches are cut into stages, to be interleaved", LIN_IN_ROUND, 1,
     interleaves, cut_arms, NULL},
    {"keep-plain", "regions keep their plain form for warps whose threads agree", LIN_IN_ROUND, 1,
     gains, keep_plain, NULL},
    {"linearize", "regions get the control flow of their plan", LIN_IN_ROUND, 1, always, NULL,
     write_plan},
    {"finish", "last touches for the compiler behind", LIN_AT_LAST, 1, always, NULL, finish},
    {.name = NULL},
};

_Static_assert(sizeof lin_passes / sizeof lin_passes[0] <= LIN_MOST_PASSES + 1,
               "LIN_MOST_PASSES is less than there are");
