// Cuts the two arms of branches into stages that take turns (choose/interleave.h): pieces
// (pieces.h), as many of each arm, at the places that choose/schedule.h chooses.
#ifndef LIN_LLVM_EDIT_STAGES_H
#define LIN_LLVM_EDIT_STAGES_H

#include "llvm/read/pieces.h"

// What decides which branches are worth it.
typedef struct lin_ir_occupancy {
  uint32_t warps;     // that a multiprocessor will have: they hide what others wait for
  uint32_t registers; // that a thread may have then
  bool regardless;    // of what it gains, and of registers
} lin_ir_occupancy;

typedef struct lin_ir_two_sided lin_ir_two_sided;

// A branch whose arms wait, for less than the other warps take.
typedef struct lin_ir_hidden {
  lin_block branch;
  uint32_t warps; // the most that a multiprocessor may have for it to be worth it
} lin_ir_hidden;

typedef struct lin_ir_stages {
  LLVMBasicBlockRef *branch; // [num_branches] that have two arms of several stages
  uint32_t num_branches;
  LLVMBasicBlockRef *stage; // [num_stages] blocks with which later stages of arms begin, once cut
  uint32_t num_stages;
  lin_ir_hidden *hidden; // [num_hidden]
  uint32_t num_hidden;
  const lin_ir_function *f;
  lin_ir_two_sided *arms; // [num_branches]
} lin_ir_stages;

// Finds those of `branches` (of `analysis`, inner ones first) that gain by it, and that contain no
// other one of which that is true. Changes nothing. O(instructions of the arms * nesting), and
// lin_ir_live_out if there are any.
lin_ir_stages *lin_ir_find_stages(lin_arena *arena, const lin_ir_function *f,
                                  const lin_order *order, const lin_analysis *analysis,
                                  const lin_two_sided *branches, uint32_t count,
                                  const lin_ir_occupancy *occupancy);

// Cuts the arms. Instructions move within their blocks only, and no load moves over what may write.
// O(instructions of the arms).
void lin_ir_cut_arms(lin_arena *arena, lin_ir_stages *stages);

#endif
