// What the compiler itself decides of each version of the kernels that were counted: it has the PTX
// that the program has, and the counts as a profile. Made is what `linearize PROGRAM` makes, too,
// which has no profile.
//
//     PTX, counts ──▶ linearize-lift ──▶ remarks (docs/remarks.md) ──▶ profile_estimate.decided
//
// Versions that it makes save what it expects, as a share of what was counted:
//
//     linearized   of the code that warps run twice as much as guards leave of what it saves
//     merged       of the cycles of the outer loop as much as of its instructions
//     melded       of all cycles, as it says of each branch
//     refilled, regrouped   of all cycles, as it says
//     redirected   what the best order of threads does (estimate.h)
#ifndef LIN_TOOLS_PROFILE_DECISIONS_H
#define LIN_TOOLS_PROFILE_DECISIONS_H

#include "estimate.h"
#include "notes.h"

// Asks of every kernel whose PTX the notes have, if divergence costs it 2% of what all launches
// take or more, and sets what was decided. A name that stands for several kernels isn't asked
// about. Where the helper fails, a warning says why. Ends the program if there is no memory. Three
// helpers for each image, of ten seconds at most; after the first ten seconds no other image is
// begun with.
void profile_decisions_find(lin_memory *memory, const profile_notes *notes,
                            const lin_counts *counts, profile_estimate *estimate, uint32_t count);

#endif
