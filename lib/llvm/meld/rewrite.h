// Gives two arms one form of what they share (meld/meld.h).
#ifndef LIN_LLVM_MELD_REWRITE_H
#define LIN_LLVM_MELD_REWRITE_H

#include "operations.h"

// Melds `arms`, of those that `melds` found in the function of `f`. Blocks and instructions of the
// second arm that have a counterpart go. Returns what became of the blocks, by number; NULL: not
// melded, or part of the branch's block now. O(instructions of the arms), and what
// lin_ir_repair_uses takes.
LLVMBasicBlockRef *lin_ir_meld_arms(lin_arena *arena, const lin_ir_function *f,
                                    const lin_ir_operations *ops, const lin_melds *melds,
                                    const lin_meld_arms *arms);

#endif
