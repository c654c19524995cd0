// Answers to what the core asks about PTX (front/front.h). Registers are variables: a copy of a
// block sets what the block sets, and whoever reads that behind it minds no copies.
#ifndef LIN_PTX_ANSWERS_H
#define LIN_PTX_ANSWERS_H

#include "read.h"

#include "front/front.h"

// About `f`, which has to stay. Lives in the arena. What takes time is found when it is asked for.
// O(1).
const lin_front *lin_ptx_answers(lin_arena *arena, const lin_ptx_function *f);

// Whether blocks may be copied, moved or led to: none of them, nor where they lead, is in a scope
// that isn't left as a whole. O(edges of the block).
bool lin_ptx_is_open(const lin_ptx_function *f, lin_block block);

#endif
