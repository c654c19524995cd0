// A station, as code:
//
//     before 0 ─▶ pack 0 ─┐
//     before 1 ─▶ pack 1 ─┤
//     ...                 ▼
//     ┌─────────────▶ station     the warp comes together; count; all threads of the block wait
//     │                 ├──▶ nobody ─────────────▶ leave ─▶ behind exits
//     │                 ▼
//     │               places
//     │                 ├──▶ stays ──────┐
//     │                 ▼                ▼
//     │               moving ──────▶ moved
//     │                                │       those from points go on, the others wait
//     │                                ▼
//     ├──────── waits ───────────── dispatch ─▶ behind points ─▶ ...
//     └───────────────────────────────────────────────────────── before 0, before 1
//
// That is a station in a loop: all ways from the dispatch lead back to it, so that the lanes of a
// warp that part there meet at the station. Who waits goes that way, too: by an edge of their own
// from where it is decided they would go around in a loop in the loop, at whose end the others
// would wait for them. If nobody has a key those from barriers go around, if there are any, else
// all leave.
//
// If nobody comes back from behind points, all leave at once; before that those from barriers, as
// long as there are any, go around in the same way.
//
// So that the loop has one entry, threads come to the station by the dispatch the first time, if
// some come to it without coming by the loop's header: from the last block that all come by, with a
// label of its own ("start"). What isn't reducible then, a loop around the point in which threads
// go by it, linearize makes so, at the pipeline's end.
#ifndef LIN_LLVM_REGROUP_STATION_H
#define LIN_LLVM_REGROUP_STATION_H

#include "carry.h"
#include "cuts.h"
#include "search.h"

// What is decided for a station, beside its round.
typedef struct lin_ir_station {
  const lin_round *round;
  uint32_t least_gain; // runs of a key by a warp that have to be saved, or nothing moves
} lin_ir_station;

// Builds station number `number` for its cuts, each of which leads on to what is behind it so far.
// O(cuts * words + blocks).
void lin_ir_build_station(lin_arena *arena, const lin_ir_emitter *e, const lin_ir_cuts *cuts,
                          const lin_ir_carry *carry, const lin_ir_lanes *lanes, uint32_t number,
                          const lin_ir_station *station);

#endif
