// Where a block's branch takes threads that come from another block, if their way there says.
//
//     a: mov.pred %p5, 0;       b: ...                   %p5 is clear for those who come from a;
//        bra.uni $M;               @%p3 bra $M;          %p3 is set for those from b
//            │                        │
//            └──────▶ $M: @%p5 bra $X ◀┘
//
// Registers are followed along the blocks before, as far as one leads to the next alone; one that
// is set once, to a number, is that number.
#ifndef LIN_PTX_KNOWN_H
#define LIN_PTX_KNOWN_H

#include "read.h"

// For each register the instruction that sets it, if one does, and always; LIN_NONE for all others.
// Lives in the arena. O(accesses + registers).
const uint32_t *lin_ptx_only_sets(lin_arena *arena, const lin_ptx_body *body);

// The destination of `block` for those who come from `from`, which leads there, or LIN_NONE. O(1):
// some instructions are looked at.
lin_block lin_ptx_next_from(const lin_ptx_function *f, const uint32_t *only_sets, lin_block block,
                            lin_block from);

#endif
