// Blocks that nothing reaches. LLVM allows them, with edges and values into blocks that are
// reached:
//
//     a      dead              a
//     │    ╱                   │
//     b ◀─╯  phi of %a, %dead  b   phi of %a
//
// The graphs of the core are without them (order.h), but LLVM's own lists aren't: of users, of
// predecessors, of what a phi joins. So a function is worked on without them.
#ifndef LIN_LLVM_EDIT_UNREACHABLE_H
#define LIN_LLVM_EDIT_UNREACHABLE_H

#include "llvm/read/read.h"

// Whether the function has any. O(blocks and edges).
bool lin_ir_has_unreachable(lin_arena *arena, const lin_ir_function *f);

// Takes them out of the function, with what phis have of them; what else names their values (debug
// records do) has poison then. Returns the function as it is read then, but that its blocks keep
// the names which they have in `f`: unnamed ones are numbered, and profiles and remarks know the
// numbers. O(instructions).
lin_ir_function *lin_ir_drop_unreachable(lin_arena *arena, const lin_ir_function *f,
                                         const lin_ir_read_options *options);

#endif
