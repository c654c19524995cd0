// Has all threads come by one place in front of a block (meld/gather.h).
#ifndef LIN_LLVM_MELD_GATHER_H
#define LIN_LLVM_MELD_GATHER_H

#include "meld/gather.h"
#include "operations.h"

// `ops` is of the function as it is. O(blocks and edges of the function), and what
// lin_ir_repair_uses takes.
void lin_ir_meld_gather(lin_arena *arena, const lin_ir_operations *ops, const lin_gathering *g);

#endif
