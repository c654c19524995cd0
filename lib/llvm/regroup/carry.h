// Slots, stack variables of a function that LLVM's mem2reg makes registers of, in which a kernel's
// state is carried over stations:
//
//   of each carried value   set where it is computed, and behind each cut; read where it is used
//   label                   which cut of its station a thread came from
//   words                   what moves: set in front of each cut from the values that move there
#ifndef LIN_LLVM_REGROUP_CARRY_H
#define LIN_LLVM_REGROUP_CARRY_H

#include "emit.h"
#include "state.h"

typedef struct lin_ir_carry {
  lin_arena *arena;
  const lin_ir_emitter *e;
  const lin_ir_state *state;
  LLVMValueRef *slot; // [state->num_carried]
  LLVMValueRef label;
  LLVMValueRef *word; // [the most words of a station]
} lin_ir_carry;

// A new slot, at the head of the function. O(1).
LLVMValueRef lin_ir_new_slot(const lin_ir_emitter *e, LLVMTypeRef type, const char *name);

// Makes the slots; carried values go through theirs, but in the block that computes them. O(uses).
lin_ir_carry lin_ir_carry_values(lin_arena *arena, const lin_ir_emitter *e,
                                 const lin_ir_state *state);

// In front of a branch at the end of the block before the cut number `cut`: sets the words from
// what moves there. The label, number `label` of the station's cuts, is part of them if labels
// move. O(words).
void lin_ir_pack(const lin_ir_carry *carry, uint32_t cut, uint32_t label, uint32_t label_bits,
                 LLVMValueRef branch);

// At the beginning of the block behind the cut: sets all slots that are needed there from the
// words. O(words + what is computed again).
void lin_ir_unpack(const lin_ir_carry *carry, uint32_t cut, uint32_t label_bits,
                   LLVMBasicBlockRef behind);

#endif
