// At which branches items differ: by what they loaded, or computed of their number. Items of a warp
// mostly agree where arguments alone decide, and where their number is compared with such a bound:
//
//     if (i >= n) return;                       alike: one warp parts
//     for (k = 0; k < n; k++)                   alike
//     for (k = start[i]; k < start[i + 1]; k++) differs
//     if (i % 3 == 0)                           differs
//
// No proof, but a guess of what can gain: nothing else depends on it.
#ifndef LIN_LLVM_REFILL_ALIKE_H
#define LIN_LLVM_REFILL_ALIKE_H

#include "graph/loops.h"
#include "refill/counted.h"
#include "llvm/read/function.h"

// Flags the blocks of `f`, all reachable, where items mostly agree: LIN_COHERENT. What is loaded
// from the slot `item`, if it isn't NULL, is the item's number. Returns what an item asks of memory
// in each block, in the arena: beside its neighbours where the address is its number times a small
// constant, plus what is the same; none where it is the same; else alone. O(instructions * depth of
// loops).
lin_refill_memory *lin_ir_find_alike(lin_arena *arena, lin_ir_function *f, const lin_loops *loops,
                                     LLVMValueRef item);

#endif
