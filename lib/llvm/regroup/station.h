// A station, as code:
//
//     before 0 ─▶ pack 0 ─┐
//     before 1 ─▶ pack 1 ─┤
//     ...                 ▼
//     ┌─────────────▶ station     the warp comes together; count; all threads of the block wait
//     │                 ├──▶ nobody ──────────┐    all come from barriers and exits: if any
//     │                 ▼                     │    from barriers, these go on, else all do
//     │               places                  │
//     │                 ├──▶ stays ──────┐    │
//     │                 ▼                ▼    │
//     │               moving ──────▶ moved    │    those from points go on
//     │                                ├──────┤
//     └────────────────────────────────┴── waits
//                                             ▼
//                                         dispatch ─▶ behind 0, behind 1, ...
//
// Threads that only wait go back to the station at once. If nobody comes back from behind points,
// all go on.
//
// The station is in a loop with what leads back to it. So that this has one entry, threads come to
// it by the dispatch, the first time, if some come to the station without coming by the loop's
// header: from the last block that all come by, with a label of its own ("start"). What isn't
// reducible then, a loop around the point in which threads go by it, linearize makes so, at the
// pipeline's end.
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
