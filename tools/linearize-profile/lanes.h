// Which lanes of a warp are active over time: a picture of what linearize-simt --lanes prints,
//
//     lanes,function,block          in the order in which the warp entered blocks
//     ffffffff,walk,entry
//     0000ffff,walk,loop
//
// where a block takes as long as the counts say that it takes a warp that is alone.
#ifndef LIN_TOOLS_PROFILE_LANES_H
#define LIN_TOOLS_PROFILE_LANES_H

#include "threads/counts_file.h"

typedef struct profile_step {
  uint32_t lanes;
  uint32_t cycles;
} profile_step;

typedef struct profile_lanes {
  profile_step *step;
  size_t count;
} profile_lanes;

// Reads the text of `name` as of blocks of `launch`, in the memory; the text is changed. Ends the
// program if it isn't as above, or if the launch hasn't got a block. Where rows and blocks are in
// the same order, or few blocks are far from each other, O(length).
profile_lanes profile_lanes_read(lin_memory *memory, const char *name, char *text,
                                 const lin_counts_launch *launch);

// Draws it as SVG: a row for each lane, time to the right. O(steps + what is drawn).
void profile_draw_lanes(FILE *file, const profile_lanes *lanes);

#endif
