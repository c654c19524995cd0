// Waits that edits would take away.
//
// An edge that leaves two loops at once costs more than it saves, if ptxas no longer has the
// threads that stay wait for each other in the inner one (gpu/meetings.h):
//
//     H ◀──────────┐            H ◀───────┐
//     └─▶ h ◀────┐ │            └▶ h ◀──┐ │
//         ├─▶ c ─┤ │    ==>        ├▶ c ┤ │      c has a `continue`, r returns. Threads
//         ▼      │ │               ▼    │ │      that don't continue wait for each other
//         b ─────┘ │               b ───┘ │      at b, as long as r doesn't leave the loop
//         ├▶ r ─▶ m ─┘             ├▶ r ──┼─▶    of H by an edge of its own.
//         └─▶ ─▶ m ─▶              └▶ m ──┘
//
// That is asked of the graph after the edits (lin_edit_apply), as of the one before.
#ifndef LIN_CHOOSE_WAITS_H
#define LIN_CHOOSE_WAITS_H

#include "front/edit.h"
#include "linearize/shape.h"
#include "policy.h"

// Takes those edits out of `edits` that copy a block for exits of a loop, and without which threads
// wait at more places: in that loop, where the ways lead to, or behind the block that is copied.
// The edits are of the shape's united graph. Nothing changes on GPUs whose threads run in lock
// step, who always wait where all meet, and nowhere else. O((edges + blocks * nesting) log blocks +
// edits * lost waits).
void lin_waits_keep(const lin_shape *shape, const lin_policy *policy, lin_edits *edits);

#endif
