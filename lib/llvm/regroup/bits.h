// Values as integers, and back: what moves, moves as bits. A structure is its fields, one by one,
// and a vector, a float or a pointer the integer of its size.
#ifndef LIN_LLVM_REGROUP_BITS_H
#define LIN_LLVM_REGROUP_BITS_H

#include "emit.h"
#include "graph/arena.h"

typedef struct lin_ir_bits {
  uint32_t *bits; // [count] of each integer
  uint32_t count, capacity;
} lin_ir_bits;

// Adds the integers that a value of `type` becomes. Returns false, and adds some of them, for a
// type that has none: tokens, what has no size, and structures in more than 15 structures.
// O(fields).
bool lin_ir_add_bits(lin_arena *arena, LLVMModuleRef module, LLVMTypeRef type, lin_ir_bits *to);

// The integers that `value` becomes, in that order: integer[0] and so on. Returns how many.
// O(fields).
uint32_t lin_ir_take_apart(const lin_ir_emitter *e, LLVMValueRef value, LLVMValueRef *integer);

// The value of `type` that became these integers; `*used` is how many. O(fields).
LLVMValueRef lin_ir_put_together(const lin_ir_emitter *e, LLVMTypeRef type,
                                 const LLVMValueRef *integer, uint32_t *used);

#endif
