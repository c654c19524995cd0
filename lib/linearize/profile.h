// How often blocks were run, and what that says of the edges between them.
//
// A profile is text, comma-separated: a line of column names, then a line for each block. The
// columns `function`, `block` and `thread_entries` (how often threads entered the block) may stand
// anywhere among others; lines without a block, and those that begin with #, are skipped.
// `linearize-simt --csv --blocks` prints it; a name is the block's name, or its number as LLVM
// prints it (%12).
//
//     function,block,thread_entries
//     hotspot,%92,31560
//
// What is known of blocks is known of most edges: what enters a block leaves it. An edge is what is
// left over where it is the only unknown one of a block's ways in, or out, and so on from block to
// block; of the rest, those that leave a block are taken to be alike.
//
//     A 10 ─▶ B 7       A-▶C is 3, so B-▶C is 4, for C has 7; and B-▶D is 3
//       └▶ C 7 ◀┘ └▶ D 3
#ifndef LIN_LINEARIZE_PROFILE_H
#define LIN_LINEARIZE_PROFILE_H

#include "graph/graph.h"

#include <stddef.h>

typedef struct lin_profile lin_profile;

// Reads the `length` bytes at `text`, which have to stay. Returns NULL if they are no profile, and
// sets `*line` (from 1) and `*error`, a clause. O(length log lines).
lin_profile *lin_profile_parse(lin_arena *arena, const char *text, size_t length, size_t *line,
                               const char **error);

// Sets the weights of the edges of `graph`, a function that the profile may know by its title. A
// block that it doesn't name was not run. Returns false, and changes nothing, if it has no line of
// the function. O((blocks + edges) log lines).
bool lin_profile_apply(lin_arena *arena, const lin_profile *profile, lin_graph *graph);

#endif
