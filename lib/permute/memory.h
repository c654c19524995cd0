// Whether the order of accesses to memory lets other threads run a section (section.h): nothing of
// what it writes may be read or written by the same index between it and the next barriers, on
// either side.
//
// Some programs exchange values among the threads of a warp without a word of it (__syncwarp): a
// store to shared memory, and behind it, without a barrier, a load from another place. By CUDA's
// rules that is a race; it works as long as the threads are of one warp. Such sections are left
// alone, too.
//
#ifndef LIN_PERMUTE_MEMORY_H
#define LIN_PERMUTE_MEMORY_H

#include "section.h"

// Adds to `*found` what is in the way, or that the first thread has to keep index 0. `force`:
// threads don't exchange values as above. O(instructions, and those that touch memory between the
// barriers around the section times those of the section).
void lin_memory_check(lin_arena *arena, const lin_values *values, const lin_section *section,
                      bool force, lin_obstacle *found);

#endif
