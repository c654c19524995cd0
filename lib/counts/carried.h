// How often the edges of a function are taken: what its profile says (profile.h), carried over
// edits.
//
//     graph ── profile, by the names of its blocks ──▶ counts
//       │                                                │ lin_edit_apply
//       ▼ the front end edits the function               ▼
//     the function, read again ◀── `was`: blocks ─── counts of the edited graph
//
// A profile knows the function that was compiled for it, so it is looked up once, before anything
// is changed. An edit says how counts move. What a plan makes of a function has no counts: they
// end there.
#ifndef LIN_COUNTS_CARRIED_H
#define LIN_COUNTS_CARRIED_H

#include "front/edit.h"
#include "profile.h"

typedef struct lin_carried_counts {
  lin_graph *graph;   // that the function was read as last, with counts as weights, 0 where no
                      // thread left a block; NULL: nothing is known
  bool was_looked_up; // in the profile
  bool is_forgotten;  // something has been known, of a function that a plan has made another one
} lin_carried_counts;

// Looks up `graph`, the first time, and gives it the weights that the counts make, and visits if
// the profile knows them; blocks that no thread left keep their weights. A graph that the same
// function is read as later gets both again; of another function the counts are forgotten. Returns
// why the profile is of other code, a clause in the arena, or NULL. O((blocks + edges) log lines),
// and what lin_traffic_count takes.
const char *lin_counts_look_up(lin_arena *arena, lin_carried_counts *counts,
                               const lin_profile *profile, lin_graph *graph);

// Gives `after`, which the function is read as once the edits are made, the weights that the counts
// make there. `was`: for each of its blocks the block of lin_edit_apply's graph that ends as it
// does, or LIN_NONE. Nothing happens if nothing is known. O(blocks + edges, of both).
void lin_counts_move(lin_arena *arena, lin_carried_counts *counts, const lin_edits *edits,
                     lin_graph *after, const lin_block *was);

// The function is another one, of which nothing is known. O(1).
static inline void lin_counts_forget(lin_carried_counts *counts) {
  counts->is_forgotten |= counts->graph != NULL;
  counts->graph = NULL;
}

#endif
