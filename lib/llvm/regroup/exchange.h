// Words that threads exchange through shared memory.
#ifndef LIN_LLVM_REGROUP_EXCHANGE_H
#define LIN_LLVM_REGROUP_EXCHANGE_H

#include "carry.h"
#include "search.h"

// Moves the first `count` words of `carry` by the places of `search`, so many at a time; a barrier
// stands between, but neither before nor behind. `small`, `at_once_small`: as lin_ir_station has
// it. O(words).
void lin_ir_exchange(const lin_ir_carry *carry, const lin_ir_search *search, uint32_t count,
                     uint32_t at_once, uint32_t small, uint32_t at_once_small);

#endif
