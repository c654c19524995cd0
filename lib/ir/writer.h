// What the parts of the writer share: the function, its flow and the LLVM block of each block of
// it.
//
//   write.c   blocks, guards, terminators
//   joins.c   what edges choose: the guards' values, the phis of the original program, the value
//             that is returned
//   repair.c  results of instructions that no longer dominate their uses
#ifndef LIN_IR_WRITER_H
#define LIN_IR_WRITER_H

#include "linearize/carry.h"
#include "linearize/values.h"
#include "write.h"

typedef struct writer {
  lin_arena *arena;
  const lin_ir_function *ir;
  const lin_result *result;
  const lin_flow *flow;
  const lin_graph *graph; // the flow's
  lin_carry *carry;
  lin_values *values;
  LLVMBuilderRef builder;
  LLVMTypeRef guard_type, flag_type; // of guards that are integers, and flags
  LLVMMetadataRef nowhere;    // a location for code that stands nowhere in the source, or NULL
  LLVMBasicBlockRef *block;   // [graph->num_blocks] NULL for an exit that has no block
  bool *collapsed;            // [graph->num_blocks] all edges of the block become one branch
  struct block_place *places; // [graph->num_blocks] from LLVM's blocks back to numbers
  LLVMValueRef *phi;          // [graph->num_blocks] the phis of the variable at hand
  LLVMValueRef *made;         // [num_made] all phis made, for those that turn out unused
  size_t num_made, made_capacity;
} writer;

// The block of the input graph that a block of the flow is, or LIN_NONE for guards and the exit.
static inline lin_block lin_writer_input(const writer *w, lin_block block) {
  lin_block ordered = w->flow->original[block];
  if (ordered == LIN_NONE)
    return LIN_NONE;
  lin_block united = w->result->order->origin[ordered];
  return united < w->ir->graph->num_blocks ? united : LIN_NONE;
}

// The number in the flow of one of LLVM's blocks; LIN_NONE if the function never reaches it.
lin_block lin_writer_place(const writer *w, LLVMBasicBlockRef block);

// True if a block of the function returns and goes on doing so itself.
bool lin_writer_keeps_return(const writer *w, lin_block block);

void lin_writer_remember(writer *w, LLVMValueRef phi);

// True if `edge` of the flow goes to another block than it did in the function.
bool lin_writer_is_rerouted(const writer *w, lin_edge edge);

// ---- joins.c

// A variable of which the value at the end of each setting block is known.
typedef struct lin_chosen {
  LLVMTypeRef type;
  uint32_t num_sets;
  lin_block *set;      // [num_sets] rising
  LLVMValueRef *value; // [num_sets]
  uint32_t num_reads;
  const lin_point *read;
  lin_headers carried;
  LLVMValueRef otherwise; // what it is where nothing set it; NULL: poison
  const char *name;
} lin_chosen;

// Places and builds the phis of a chosen variable; afterwards lin_writer_value_at says what it is.
void lin_writer_build(writer *w, const lin_chosen *chosen);
LLVMValueRef lin_writer_value_at(const writer *w, const lin_chosen *chosen, lin_point point);

// Defines each region's guard at the ends of the blocks that set it, and joins it with phis.
// Returns the guard's value in each guard block: [graph->num_blocks], NULL elsewhere.
LLVMValueRef *lin_writer_guards(writer *w);

// Gives the phis of blocks that are entered otherwise than before what the edges chose.
void lin_writer_phis(writer *w);

// The value to return in the exit block, or NULL.
LLVMValueRef lin_writer_returned(writer *w);

// ---- repair.c

// Makes every use of an instruction's result see it, or poison.
void lin_writer_repair(writer *w);

#endif
