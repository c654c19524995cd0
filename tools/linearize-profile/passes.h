// How often warps entered blocks, as linearize-simt --csv --blocks prints it.
//
//     file,kernel,function,block,...,block_entries,reentries,thread_entries,...
//     walk.ll,walk,walk,loop,...,41,3,768,...
//
// The columns may stand anywhere among others. Rows without a block, and lines that begin with #,
// say nothing.
#ifndef LIN_TOOLS_PROFILE_PASSES_H
#define LIN_TOOLS_PROFILE_PASSES_H

#include "threads/counts_file.h"

typedef struct profile_row {
  const char *function, *block;
  double entries;   // by warps
  double again;     // of these, in a pass in which the warp had been there: linearized, it hasn't
  double threads;   // entries by threads; more, if an arm is predicated
  double divergent; // branches at its end on which a warp parted; not a number: unknown
  size_t line;
} profile_row;

typedef struct profile_passes {
  const char *file;
  profile_row *row;
  size_t num_rows;
} profile_passes;

// Reads `file`; ends the program if it isn't as above. What is returned is in `memory`, and points
// into `text`, which is changed. O(length).
profile_passes profile_passes_read(lin_memory *memory, const char *file, char *text);

// Rows of what `launch` counted itself, [num_blocks]; NULL if it didn't. What a warp enters again
// is the least that it may be, and where warps parted is not known.
const profile_row **profile_passes_of(lin_memory *memory, const lin_counts_launch *launch);

// The row of each block of `launch`, [num_blocks], NULL where the file has none. Returns NULL if it
// has none at all. Ends the program if a block has two. Where rows and blocks are in the same
// order, O(rows + blocks).
const profile_row **profile_passes_find(lin_memory *memory, const profile_passes *passes,
                                        const lin_counts_launch *launch);

#endif
