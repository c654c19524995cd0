// Where the threads of a block wait for each other to be regrouped.
//
// A *point* is where the program says that threads may change places. All threads of the block that
// are still there have to take part, but not all of them come to a point: some leave its loop
// early, or return. So where threads leave the blocks from which the point can be reached, they
// wait, too: at an *exit*. They wait at the *station* of the point, each with a *label* that says
// where it came from. As often as some came from a point the threads there are regrouped, and these
// go on; the others wait, until all have come from exits. Then all go on.
//
//     while (more) {          h ◀───────┐        h ◀─────────────┐
//       if (bad) return;      ├─▶ r     │        ├─▶ exit r ─┐   │
//       point;                ├─▶ x     │  ==>   ├─▶ exit x ─┤   │
//       work                  ▼ point   │        ▼ point ─▶ station ─▶ r or x, when all of them
//     }                       work ─────┘                    ▼   │     have come from exits
//                                                            work┘
//
// Where what follows is short, and does nothing together with other threads, threads don't wait in
// front of it: they do it at once, and wait where they would return, at an *end*. Nothing is left
// of their work then, and a warp of such threads may leave. That is so if it goes for all ways out
// of the one station that a kernel has, and it is in a loop.
//
// Nobody has left before: a thread that returns early is one that waits at an exit. So all threads
// of the block come to a station each time, and each lane of each warp is one that work can be
// given to.
//
// Points in one loop, whatever loops are in that one, share a station: threads of the block can be
// at several of them at a time. Points that come one after the other have one each. The further
// down, the more blocks it can be reached from:
//
//     entry ─▶ loop with P1 ─▶ loop with P2 ─▶ end    first: 0 before and in P1's loop, 1 up to
//              0               1               2              P2's loop, 2, for none, behind
//
// and who goes from blocks of 0 to one of 2, by a return, waits at the first station, and then at
// the second.
//
// *Barriers* of the program, where threads may wait at a station meanwhile, are places from which
// threads come to the station, too: once nobody comes from a point, those at barriers go on. (The
// station's own barriers are barriers to the program.) If the point isn't in a loop, those at
// barriers go on first: who has passed the point doesn't come to them.
//
// If no branch lets threads of the block come to different ones of all these places, a station
// needs no labels, and no exits.
#ifndef LIN_REGROUP_STATIONS_H
#define LIN_REGROUP_STATIONS_H

#include "graph/dominators.h"
#include "graph/loops.h"

// What stands at the end of a block.
enum { LIN_PLAIN, LIN_POINT, LIN_BARRIER };

// Where threads leave blocks of the same `first` for `block`: who goes there comes to the stations
// `from` to `to` - 1, in this order.
typedef struct lin_landing {
  lin_block block;
  uint32_t from, to;
} lin_landing;

typedef struct lin_stations {
  uint32_t num_stations;
  uint32_t *first; // [num_blocks] the first station that can be reached, num_stations for none
  uint32_t *
      station_of; // [num_blocks] of points and barriers that threads come to it from; else LIN_NONE
  bool *in_loop;  // [num_stations] threads come there again and again
  bool *is_together;    // [num_stations] all threads come from one point, at the same time
  bool *is_end;         // [num_blocks] a return in front of which threads wait
  bool has_ends;        // there are such, and so there are no landings
  bool in_step;         // no thread of the block is ever elsewhere than the others, as to all this
  lin_landing *landing; // [num_landings]
  uint32_t num_landings;
  uint32_t *landing_of; // [num_edges] LIN_NONE for edges on which nobody waits
} lin_stations;

// `graph` is in loop-contiguous order (order.h), `what` says what stands at the end of each block;
// a point or barrier stands at the end of a block with one successor. `parts`: the threads of the
// block may part at its branch; NULL: nobody knows, at each. `is_alone`: a block that does nothing
// together with other threads; NULL: none. All in the arena. O(edges log blocks),
// and with `parts` O(blocks) for each block that parts threads, as long as there are at most
// LIN_MOST_PARTING; with more it is as if nobody knew.
lin_stations *lin_stations_find(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                                const lin_tree *dominators,
                                const lin_postdominators *postdominators, const uint8_t *what,
                                const bool *parts, const bool *is_alone);

enum { LIN_MOST_PARTING = 256 };

// What follows is short up to so many simple instructions. Done at once, warps run it for few
// threads at a time; but waiting in front of it takes what it needs along, two instructions and
// more for each word in each round.
enum { LIN_SHORT_END = 64 };

#endif
