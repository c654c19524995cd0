// Reading: the graph of an LLVM function, with what each block means to threads that wait for each
// other and to the instructions that may not stand behind a guard.
#ifndef LIN_LLVM_READ_READ_H
#define LIN_LLVM_READ_READ_H

#include "graph/graph.h"
#include "graph/order.h"
#include "llvm/ask/numbers.h"
#include "llvm/ask/summaries.h"
#include "llvm/ask/versions.h"

typedef struct lin_ir_function {
  LLVMValueRef function;
  lin_graph *graph;         // blocks in the function's order, names as LLVM prints them
  LLVMBasicBlockRef *block; // [graph->num_blocks]
  const char *refused;      // why the function as a whole is refused, or NULL
  lin_block refused_at;     // the block at fault, LIN_NONE for the function itself
} lin_ir_function;

typedef struct lin_ir_read_options {
  bool force; // optnone functions too
} lin_ir_read_options;

// Reads a definition, but for what its instructions do to other threads; changes nothing.
// O(instructions).
lin_ir_function *lin_ir_read(lin_arena *arena, LLVMValueRef function,
                             const lin_ir_read_options *options);

// Flags the blocks of `f` with what their instructions, and what these call, do to other threads.
// O(instructions), and the size of what they reach that isn't in `summaries` yet.
void lin_ir_read_effects(lin_ir_function *f, lin_ir_summaries *summaries);

// Asks about every branch and switch of `f`, and flags the blocks of uniform ones. O(blocks).
void lin_ir_read_uniform(lin_ir_function *f,
                         bool (*is_uniform)(LLVMValueRef terminator, void *context), void *context);

// Asks about every block of `f`, as the header of a loop. O(blocks).
void lin_ir_read_turns(lin_ir_function *f,
                       unsigned (*most_turns)(LLVMBasicBlockRef header, bool *counted,
                                              void *context),
                       void *context);

// LLVM's block of the number that `order`, of the function's graph with its returns united, gives
// it. O(1).
static inline LLVMBasicBlockRef lin_ir_block(const lin_ir_function *f, const lin_order *order,
                                             lin_block ordered) {
  return f->block[order->origin[ordered]];
}

// These numbers, of all blocks that the function has and can reach. O(blocks).
lin_numbers lin_ir_number_blocks(lin_arena *arena, const lin_ir_function *f,
                                 const lin_order *order);

// Which operand of its user a use is. O(operands).
unsigned lin_ir_operand(LLVMUseRef use);

// Has the user of a use read `value` instead. The use is none of the former value any more.
// O(operands).
void lin_ir_set_use(LLVMUseRef use, LLVMValueRef value);

// The block in which a use reads: a phi reads an operand at the end of the block that it comes
// from. O(operands).
LLVMBasicBlockRef lin_ir_place_of(LLVMUseRef use);

// What the branch at the end of a block asks, or NULL if it has no condition or is another
// terminator. O(1).
LLVMValueRef lin_ir_condition(LLVMBasicBlockRef block);

#endif
