// A kernel of which a lane that is done takes the next item (an item is what was a thread), from a
// counter that is 0 before each launch. All values go through slots:
//
//     prologue ─▶ look ◀─────────────────────────────────────┐
//                  │ lanes that left the loop: finish, idle  │
//                  ├─▶ enough are idle: fetch, init ─────────┤
//                  ├─▶ nobody has an item: return            │
//                  └─▶ so many steps of the loop ────────────┘
//
// All lanes of a warp come together in front of `look`, and nowhere else. What an item knows goes
// through stack slots, of which registers are made at last: so edges lead elsewhere with no thought
// of values.
#ifndef LIN_LLVM_REFILL_REFILL_H
#define LIN_LLVM_REFILL_REFILL_H

#include "counts/profile.h"
#include "graph/arena.h"
#include "refill/predict.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

// Why a kernel whose threads know nothing of each other (llvm/ask/alone.h) can't be refilled, with
// the instruction in *where, or NULL; a clause. O(instructions).
const char *lin_ir_refuse_refill(LLVMValueRef kernel, LLVMValueRef *where);

// What a profile, or NULL, says of a kernel as it was counted: what refilling it gains, with
// `idle_lanes` and `steps`, or the fastest ones where these are 0. Nothing is known without a
// launch of this code, without a loop, with blocks that aren't reached, or if no thread came to the
// loop. O(instructions * depth of loops, items).
lin_refill_prediction lin_ir_predict_refill(lin_arena *arena, LLVMValueRef kernel,
                                            const lin_profile *profile, uint32_t idle_lanes,
                                            uint32_t steps);

typedef struct lin_ir_refilling {
  LLVMValueRef item;   // a slot of 32 bits, in which the kernel finds the number of its item
  uint32_t idle_lanes; // so many wait before they fetch; 0: as costs say
  uint32_t steps;      // between two looks; 0: likewise
  bool regardless;     // of whether items differ: whether there is anything to gain
  // Found out, of the loop:
  const char *block; // its header's name, in the arena; "": it has none
  unsigned line;     // of the source; 0: nobody knows
} lin_ir_refilling;

// Refills a kernel that isn't refused; its last parameter is the counter's address. A launch has
// fewer than 2^31 threads. What `how` leaves open is filled in. Returns NULL, or why not, a clause,
// and then the kernel is of no use. O(instructions and their uses).
const char *lin_ir_refill(lin_arena *arena, LLVMValueRef kernel, lin_ir_refilling *how);

#endif
