// Regions that keep their plain form beside the linearized one. Where a region begins, a warp
// votes: if its threads are all sent the same way, they run the blocks as they were, and guards
// cost them nothing; else the linearized ones.
//
//     D ─▶ V ─ agree ─▶ X as it was ─▶ P
//          └──────────▶ X linearized ──┘
//
// Threads that agree in D may part later, in the plain form: it is right nevertheless, but gains
// nothing. Whether that pays hangs on how threads part, which is known where branches have weights,
// and else taken for dice. (CS6963, lecture 9: "Tests for aggregate behavior".)
#ifndef LIN_CHOOSE_VOTES_H
#define LIN_CHOOSE_VOTES_H

#include "front/edit.h"
#include "front/front.h"
#include "joins.h"
#include "linearize/algorithm2_regions.h"
#include "linearize/shape.h"

// What a vote may take of the instructions that are gained where threads part. No more than 3% of
// the time that is gained shall be lost (issue 28). Warps whose threads part wait for memory most
// of the time, so that an instruction more takes them less than its part: votes of 14% of what is
// said to be gained (early_returns) take 3.5% of the time that is gained, of 8%
// (switch_fallthrough, shared_tails) 1.7% and 1.9%: the first is in one half of the kernels, by
// scripts/lib/halves.py, these in the other (`scripts/bench indices`, variant voted, H100, 64 KB of
// input, 2026-11-25).
#define LIN_MOST_OF_GAIN 0.1

// How many warps may agree of threads that come there by chance: they would vote for nothing.
#define LIN_MOST_BY_CHANCE 0.03

// What it may take of the guards, which a warp whose threads agree is to be spared. Estimated
// guards are those of a warp whose threads part; one whose threads don't runs about half of them
// (short_circuit_8 20 of 40, short_circuit 7 of 10, switch_fallthrough 20 of 15:
// scripts/lib/machine.py, 2026-11-25).
#define LIN_MOST_OF_GUARDS 0.25

// Instructions that may stand twice: a bound on code. The first-level instruction cache of an
// H100's multiprocessor has 128 KB (Luo et al., "Dissecting the NVIDIA Hopper Architecture", 2024),
// 8000 instructions of 16 bytes.
enum { LIN_MOST_TWICE = 2000 };

typedef struct lin_voting {
  const lin_shape *shape;
  const lin_joins *joins;
  const lin_regions *regions;        // that are to be linearized
  const bool *seed;                  // edges that they are of
  bool divergence_known, regardless; // of what it gains
} lin_voting;

// An edit for each of the outermost regions where it pays: LIN_EDIT_VOTE. None without
// `divergence_known`: nothing would keep the plain form from being linearized, too. The edits live
// in the arena. O((edges + blocks) * nesting of loops).
lin_edits *lin_votes_find(lin_arena *arena, const lin_front *front, const lin_voting *voting);

#endif
