// What a station knows of the thread that stands there, as the hardware has it, whatever work it does; and the
// shared memory of all stations of a kernel (regroup/rounds.h). Words of the work that moves are free for the
// next station as soon as all threads have read what they need, which a barrier in that one waits for.
#ifndef LIN_LLVM_REGROUP_LANES_H
#define LIN_LLVM_REGROUP_LANES_H

#include "emit.h"
#include "regroup/rounds.h"

typedef struct lin_ir_lanes {
  LLVMValueRef thread, threads; // its number in the block, and how many there are
  LLVMValueRef lane, warp, warps;
  LLVMValueRef members;   // the lanes of its warp that are threads
  LLVMValueRef below;     // the lanes below this one
  LLVMValueRef is_full;   // all 32 are threads; NULL: in each warp
  LLVMValueRef parity;    // slot: 0 or 1, which of two tables is next
  LLVMValueRef rotation;  // slot: how far places are turned, the same for the whole block
  LLVMValueRef memory;    // shared
  uint32_t most_threads;  // of a block
  const lin_rounds *rounds;
} lin_ir_lanes;

// Computes it at the head of the function, and takes the shared memory that `rounds` need. `exact`: a block has
// `most_threads`. O(1).
lin_ir_lanes lin_ir_find_lanes(const lin_ir_emitter *e, uint32_t most_threads, bool exact,
                               const lin_rounds *rounds);

// An address in the shared memory, `bytes` behind the constant `at`. O(1).
LLVMValueRef lin_ir_shared_at(const lin_ir_emitter *e, const lin_ir_lanes *lanes, uint32_t at,
                              LLVMValueRef bytes);

// The slot's value, and what it is the next time. O(1).
LLVMValueRef lin_ir_next_parity(const lin_ir_emitter *e, const lin_ir_lanes *lanes);
LLVMValueRef lin_ir_next_rotation(const lin_ir_emitter *e, const lin_ir_lanes *lanes);

#endif
