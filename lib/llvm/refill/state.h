// What is known while a kernel is refilled.
#ifndef LIN_LLVM_REFILL_STATE_H
#define LIN_LLVM_REFILL_STATE_H

#include "refill.h"
#include "refill/plan.h"
#include "llvm/read/function.h"
#include "llvm/regroup/emit.h"

typedef struct lin_ir_refiller {
  lin_arena *arena;
  lin_ir_emitter e;
  const lin_ir_function *f; // as the kernel was
  const lin_loops *loops;
  const lin_refill_plan *plan;
  LLVMBasicBlockRef prologue, entry; // the new entry, and the kernel's own
  LLVMValueRef counter;
  LLVMValueRef items, members;          // of the launch; the lanes of this warp
  LLVMValueRef item, busy, exit, round; // slots of a lane: what it works on, whether it does, by
                                        // which exit it left the loop, or 0, and its steps so far
  LLVMValueRef more, base; // of all lanes alike: whether there are items, and the first
  LLVMValueRef *slot;      // [num_slots] all of them
  uint32_t num_slots, slot_room;
} lin_ir_refiller;

// Puts the prologue in front of the kernel, with its stack slots and what doesn't depend on the
// item; it has no end yet. O(instructions).
void lin_ir_refill_begin(lin_ir_refiller *r);

// Values that more than one block uses, and phis, go through slots. O(instructions and their uses).
void lin_ir_refill_demote(lin_ir_refiller *r);

// Has the kernel's edges lead by `look`. O(instructions).
void lin_ir_refill_reroute(lin_ir_refiller *r);

#endif
