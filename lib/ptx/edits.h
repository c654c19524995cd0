// Makes edits (front/edit.h) in a function's text: branches get other destinations, and new blocks
// come behind all others, where nothing runs into them.
//
//     m: ...                              m: ...
//        @%p1 bra $X;    copy m for a        bra.uni $H;
//        ...               to X rest H       ...
//                             ==>         $linearize_1: ...        m's instructions; a leads here
//                                            bra.uni $X;
#ifndef LIN_PTX_EDITS_H
#define LIN_PTX_EDITS_H

#include "patch.h"
#include "read.h"

#include "front/edit.h"

// Adds what the edits change to `patch`: copies, folds and strips of blocks that the answers allow.
// O(blocks + edges + text of the blocks that are copied or folded).
void lin_ptx_edit(const lin_ptx_function *f, const lin_edits *edits, lin_ptx_patch *patch);

// For each block of `after`, which was read from the draft that the patch made of `before`, the one
// of `before` whose text it is, or LIN_NONE. Lives in the arena. O(blocks * log changes).
lin_block *lin_ptx_match(lin_arena *arena, const lin_ptx_function *before,
                         const lin_ptx_function *after);

#endif
