// In which blocks each register is set, and read before it is set.
#ifndef LIN_PTX_LIVE_H
#define LIN_PTX_LIVE_H

#include "read.h"

enum {
  LIN_PTX_READS = 1,   // before the block sets it
  LIN_PTX_SETS = 2,    // for certain
  LIN_PTX_CHANGES = 4, // perhaps
};

typedef struct lin_ptx_use {
  lin_block block;
  uint32_t what; // LIN_PTX_READS | ...
} lin_ptx_use;

typedef struct lin_ptx_uses {
  uint32_t *first;  // [num_regs + 1] into use[]
  lin_ptx_use *use; // of each register, by rising blocks
} lin_ptx_uses;

// Lives in the arena. O(accesses + registers).
lin_ptx_uses *lin_ptx_uses_build(lin_arena *arena, const lin_ptx_function *f);

// for (LIN_PTX_USES(uses, reg, i)) ... visits the indices of use[] of one register.
#define LIN_PTX_USES(uses, reg, index)                                                             \
  uint32_t index = (uses)->first[reg];                                                             \
  index < (uses)->first[(reg) + 1];                                                                \
  index++

#endif
