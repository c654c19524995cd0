// Which reads of what other threads may be changing no thread waits for: atomics and volatile loads
// whose result decides nothing.
//
//     atom.add.u32 %r1, [%rd1], 1;     the old value says where to store something, and nothing
//     mul.wide.u32 %rd2, %r1, 4;       else: whatever it is, the thread goes on
//     st.global.u32 [%rd2], %r9;
#ifndef LIN_PTX_AWAITED_H
#define LIN_PTX_AWAITED_H

#include "body.h"

// [num_regs] true for the registers that decide something: what a branch, a predicate, a call, or
// another thread may see of them, themselves or by what is computed of them. What only says where
// to store, or to read for nothing, doesn't count. Lives in the arena. O(rounds * accesses), with a
// round for each time that a value goes back around a loop, 8 at most; then every register does.
bool *lin_ptx_find_deciding(lin_arena *arena, const lin_ptx_body *body);

// What an instruction does to other threads: its opcode's effects, but that it observes
// (LIN_OBSERVES) instead of polls if what it sets decides nothing.
uint32_t lin_ptx_effects(const lin_ptx_body *body, const bool *deciding, uint32_t at);

#endif
