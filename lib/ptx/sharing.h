// Which blocks load and store memory in which the threads of a warp may meet: shared memory, and
// what is volatile, as for the front end of LLVM (llvm/read/sharing.h). Programs exchange values
// there without a word of it, and rely on who has come as far as they have.
//
//     st.shared.u32 [%r1], %r2;       shared memory: all of it is one object, and wherever an
//     ld.volatile.global.u32 ...      address points, others may be; the rest is another one
//     ld.u32 %r3, [%rd4];             shared memory, too, if the module has any
#ifndef LIN_PTX_SHARING_H
#define LIN_PTX_SHARING_H

#include "read.h"

// Whether shared memory is named anywhere in a module. O(length).
bool lin_ptx_names_shared(const lin_ptx_module *module);

// Fills f->graph->sharing, or leaves it NULL if there is no such memory. `has_shared`: generic
// addresses may be of shared memory. Lives in the arena. O(length of the function).
void lin_ptx_read_sharing(lin_arena *arena, lin_ptx_function *f, bool has_shared);

#endif
