// The state that moves at each cut: what its work needs behind it.
//
// A value that lives across a cut and isn't there for all is *carried*: it has a slot, for behind
// the cut it is another thread's. Of these and of what they are computed from, regroup/moved.h says
// which move; the others are computed again, into their slots.
//
//     %i = add %base, %tid      before:  words = tid
//     %p = gep %a, %i           behind:  tid = words; i = base + tid; p = gep a, i
//     ────── cut
//     load %p
//
// Not carried is what the same instruction gives all threads, if all have passed it before any
// comes to a station.
#ifndef LIN_LLVM_REGROUP_STATE_H
#define LIN_LLVM_REGROUP_STATE_H

#include "bits.h"
#include "cuts.h"
#include "memory.h"
#include "regroup/layout.h"

// A part of a thread's memory of 8, 16 or 32 bits.
typedef struct lin_ir_part {
  LLVMValueRef variable;
  uint32_t offset, bits; // bytes; bits
} lin_ir_part;

// What moves at a cut, as integers one behind the other: the label, if there is one, then values,
// then parts of memory.
typedef struct lin_ir_cargo {
  LLVMValueRef *value; // [num_values] each one integer, or several
  LLVMValueRef
      *again; // [num_again] computed again, in this order; carried, or only needed for that
  LLVMValueRef *
      *operands;     // [num_again] of what; the instruction may read some from slots meanwhile
  lin_ir_part *part; // [num_parts]
  uint32_t num_values, num_again, num_parts;
  lin_ir_bits bits; // of all integers
  lin_layout layout;
} lin_ir_cargo;

typedef struct lin_ir_state {
  lin_ir_cargo *cargo;   // [cuts]
  LLVMValueRef *carried; // [num_carried] in the function's order
  uint32_t num_carried;
  lin_numbers number;   // of these
  uint32_t *label_bits; // [stations] 0: no label moves
  uint32_t *num_words;  // [stations] the most that a cut of it moves
} lin_ir_state;

// `f` is the function with its cuts, and no block that nothing reaches; each threadIdx is read
// once, in the entry; what can't move has been refused (refuse.h). In the arena. Expected O(rounds
// * (instructions * blocks they live through)), where few rounds find nothing new, and as moved.h
// says.
lin_ir_state lin_ir_find_state(lin_arena *arena, const lin_ir_function *f, const lin_ir_cuts *cuts);

#endif
