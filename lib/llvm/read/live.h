// Where values are needed, and how many registers they take at once, before ptxas has a say.
#ifndef LIN_LLVM_READ_LIVE_H
#define LIN_LLVM_READ_LIVE_H

#include "read.h"
#include "llvm/ask/numbers.h"

// The blocks behind which one value at a time is needed.
typedef struct lin_ir_live {
  const lin_ir_function *f;
  lin_numbers number; // of blocks
  uint32_t *seen;     // [num_blocks] the value it was last found for, by its number
  uint32_t value;     // numbers values as they are asked for, from 1
  lin_block *behind;  // [count] in no order
  uint32_t count;
} lin_ir_live;

// In the arena. O(blocks).
lin_ir_live *lin_ir_live_new(lin_arena *arena, const lin_ir_function *f);

// Finds the blocks at whose ends `value`, of an instruction in block `defined` or a parameter and
// that 0, is needed: live->behind. O(blocks in which it is needed, and edges to them).
void lin_ir_live_find(lin_ir_live *live, LLVMValueRef value, lin_block defined);

// The same, if it is needed at the ends of `count` blocks, too.
void lin_ir_live_find_also(lin_ir_live *live, LLVMValueRef value, lin_block defined,
                           const lin_block *also, uint32_t count);

// Registers of 32 bits for a value of that type; 0 for a condition, which is a predicate. O(1) but
// for structures.
uint32_t lin_ir_registers_of(const lin_ir_function *f, LLVMTypeRef type);

// Registers that are needed behind each block, for what instructions have given: [num_blocks].
// Parameters are memory on a GPU. O(blocks in which each value is needed, summed up).
uint32_t *lin_ir_live_out(lin_arena *arena, const lin_ir_function *f);

// The most of them; UINT32_MAX of a function that is too large to be looked through.
// O(instructions * blocks that values live through).
uint32_t lin_ir_most_live(const lin_ir_function *f);

// Whether `f` takes so many registers that a multiprocessor can have fewer warps for them. As long
// as lin_ir_most_live.
bool lin_ir_has_many_registers(const lin_ir_function *f);

#endif
