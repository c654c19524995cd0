// How often threads, and warps, come to the blocks of a kernel that nobody has counted.
#ifndef LIN_REGROUP_GUESS_H
#define LIN_REGROUP_GUESS_H

#include "choose/ways.h"
#include "counts/traffic.h"

// What weights say, and where they don't, guesses (choose/ways.h): `warps` in a thread block. In
// the arena. O((edges + blocks) * nesting of loops).
lin_traffic lin_traffic_guess(lin_arena *arena, const lin_analysis *analysis,
                              const lin_joins *joins, const lin_ways *ways, uint32_t warps);

#endif
