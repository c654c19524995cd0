// How often blocks were run, and what that says of the edges between them.
//
// A profile is text, comma-separated: a line of column names, then a line for each block. The
// columns `function`, `block` and `thread_entries` (how often threads entered the block) may stand
// anywhere among others; lines without a block, and those that begin with #, are skipped. Lines of
// one block add up, and the column names may come again, so that profiles of several launches can
// stand in one file. `linearize-simt --csv --blocks` prints it; a name is the block's name, or its
// number as LLVM prints it (%12).
//
//     function,block,thread_entries
//     hotspot,%92,31560
//
// What is known of blocks is known of most edges: what enters a block leaves it. An edge is what is
// left over where it is the only unknown one of a block's ways in, or out, and so on from block to
// block; of the rest, those that leave a block are taken to be alike, and so are several edges from
// one block to another.
//
//     A 10 ─▶ B 7       A-▶C is 3, so B-▶C is 4, for C has 7; and B-▶D is 3
//       └▶ C 7 ◀┘ └▶ D 3
//
// A profile is of other code than a function, and of no use for it, if
//   - it names a block that the function doesn't have, or
//   - a block, but the entry, was entered more often than all blocks before it together.
// Counts of the same code never are so, of a run that was cut off neither: a profile may leave out
// blocks that no thread entered, and a thread may end in any block, but it comes to each over an
// edge. Of other code that has the same names, with the same ways into all that ran, they may pass.
#ifndef LIN_COUNTS_PROFILE_H
#define LIN_COUNTS_PROFILE_H

#include "graph/graph.h"
#include "threads/counts_file.h"

typedef struct lin_profile_entry lin_profile_entry;

// What linearize.h calls a linearize_profile. It owns all that it points to.
typedef struct linearize_profile {
  lin_arena arena;
  lin_memory memory;
  lin_profile_entry *entry; // [count] one for each block, sorted by function and block
  size_t count;
  const lin_counts *launches; // of a file of counts, else NULL
} lin_profile;

// The launches of a profile, or of none; NULL: nobody counted any. O(1).
static inline const lin_counts *lin_profile_launches(const lin_profile *profile) {
  return profile == NULL ? NULL : profile->launches;
}

// Reads the `length` bytes at `text`, which have to stay, into an empty profile. Returns false if
// they are no profile, and sets `*line` (from 1) and `*error`, a clause; so it does if they are a
// file of counts that is cut off. O(length log lines).
bool lin_profile_parse(lin_profile *profile, const char *text, size_t length, size_t *line,
                       const char **error);

// Frees all that an empty profile has got. O(its size).
void lin_profile_release(lin_profile *profile);

typedef enum lin_profile_fit {
  LIN_PROFILE_FITS,
  LIN_PROFILE_UNKNOWN, // it has no line of the function, or no thread entered that
  LIN_PROFILE_FOREIGN, // it is of other code
} lin_profile_fit;

// Sets the weights of the edges of `graph`, a function that the profile may know by its title, if
// it fits; changes nothing else. A block that the profile doesn't name was not run; blocks that no
// thread left keep their weights. `*reason`, a clause about the profile, is set if it is of other
// code. O((blocks + edges) log lines).
lin_profile_fit lin_profile_apply(lin_arena *arena, const lin_profile *profile, lin_graph *graph,
                                  const char **reason);

#endif
