// What a station knows of the thread that stands there, as the hardware has it, whatever work it
// does; and the shared memory of all stations of a kernel (regroup/rounds.h). Words of the work
// that moves are free for the next station as soon as all threads have read what they need, which a
// barrier in that one waits for.
#ifndef LIN_LLVM_REGROUP_LANES_H
#define LIN_LLVM_REGROUP_LANES_H

#include "emit.h"
#include "regroup/rounds.h"

typedef struct lin_ir_lanes {
  LLVMValueRef thread, threads; // its number in the block, and how many there are
  LLVMValueRef lane, warp, warps;
  LLVMValueRef all;       // a mask of all lanes of a warp; those that there aren't count as gone
  LLVMValueRef members;   // those that there are
  LLVMValueRef below;     // the lanes below this one
  LLVMValueRef is_full;   // all 32 are there; NULL: in each warp
  LLVMValueRef is_uneven; // not so in the block's last warp
  LLVMValueRef round;     // slot: how many rounds there have been
  LLVMValueRef left;      // slot: how many threads there are, if warps may leave; else NULL
  LLVMValueRef memory;    // shared
  uint32_t most_threads;  // of a block
  const lin_rounds *rounds;
} lin_ir_lanes;

// Takes the shared memory that `rounds` need, and computes at the head of the function what
// stations know. The rest is found at each. `exact`: a block has `most_threads`, as long as none
// leave. O(1).
lin_ir_lanes lin_ir_make_lanes(const lin_ir_emitter *e, uint32_t most_threads, bool exact,
                               bool may_leave, const lin_rounds *rounds);

// The same for code where the builder is: what follows from the thread's number is computed there,
// so that it takes no registers elsewhere. O(1).
lin_ir_lanes lin_ir_find_lanes(const lin_ir_emitter *e, const lin_ir_lanes *made);

// A value that LLVM can't look through: so nothing that is computed of it is computed in front of a
// loop. O(1).
LLVMValueRef lin_ir_opaque(const lin_ir_emitter *e, LLVMValueRef value);

// An address in the shared memory, `bytes` behind the constant `at`. O(1).
LLVMValueRef lin_ir_shared_at(const lin_ir_emitter *e, const lin_ir_lanes *lanes, uint32_t at,
                              LLVMValueRef bytes);

// 0 or 1, another one each time: which of two tables is next. O(1).
LLVMValueRef lin_ir_next_parity(const lin_ir_emitter *e, const lin_ir_lanes *lanes);

// By how many of `threads` places are turned, the same for the whole block: whole warps, from 0 to
// less than all of them, by a hash of the block's number and the round. So warps that hold several
// keys, which are often the same ones in each block, aren't all on the same part of a
// multiprocessor. O(1).
LLVMValueRef lin_ir_rotation(const lin_ir_emitter *e, const lin_ir_lanes *lanes,
                             LLVMValueRef threads);

#endif
