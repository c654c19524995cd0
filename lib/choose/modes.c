#include "modes.h"

// What is done to one region may make another one worth it, or a loop one that threads may leave
// by themselves; arms of branches are cut from the inside out. A bound on work: in mode needed all
// kernels of bench/ are the same with 1 to 17 (`scripts/calibrate ROUNDS_OF_EDGES`, 2026-11-24);
// the second round of test/regress/work-left-for-a-second-run.ll changes something.
enum { ROUNDS_OF_EDGES = 17, ROUNDS_OF_ARMS = 4 };

const lin_mode_row lin_modes[] = {
    [LIN_MODE_NEEDED] = {.basis = LIN_OF_EDGES,
                         .gains = true,
                         .copies_entries = true,
                         .rounds = ROUNDS_OF_EDGES,
                         .most_level = 4,
                         .undecided = LIN_MODE_IRREDUCIBLE},
    [LIN_MODE_IRREDUCIBLE] = {.basis = LIN_OF_EDGES,
                              .copies_entries = true,
                              .rounds = ROUNDS_OF_EDGES,
                              .most_level = 4,
                              .undecided = LIN_MODE_IRREDUCIBLE},
    [LIN_MODE_PAPER] = {.basis = LIN_OF_EDGES,
                        .all_edges = true,
                        .rounds = ROUNDS_OF_EDGES,
                        .most_level = 4,
                        .undecided = LIN_MODE_PAPER},
    [LIN_MODE_ALL] = {.basis = LIN_OF_FUNCTION,
                      .all_edges = true,
                      .rounds = 1,
                      .most_level = 4,
                      .undecided = LIN_MODE_ALL},
    [LIN_MODE_MERGE_LOOPS] = {.basis = LIN_OF_NESTS,
                              .asks_for_sharing = true,
                              .rounds = 1,
                              .most_level = 4,
                              .undecided = LIN_NO_MODE},
    // Stages are arranged without O4, which chooses between forms of other guards.
    [LIN_MODE_INTERLEAVE] = {.basis = LIN_OF_ARMS,
                             .asks_for_sharing = true,
                             .rounds = ROUNDS_OF_ARMS,
                             .most_level = 3,
                             .undecided = LIN_NO_MODE},
    // O2 and O3 nest branches.
    [LIN_MODE_LIMIT_DEPTH] = {.basis = LIN_OF_SCOPES,
                              .rounds = 1,
                              .most_level = 1,
                              .undecided = LIN_NO_MODE},
};
