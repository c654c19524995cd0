// What is known while two arms are melded, and what the parts of that share.
#ifndef LIN_LLVM_MELD_STATE_H
#define LIN_LLVM_MELD_STATE_H

#include "operations.h"

// An edge from a new block.
typedef struct edge {
  LLVMBasicBlockRef from;
  LLVMBasicBlockRef to[2];   // of each arm's old blocks, where its threads go; NULL: it has none
  LLVMBasicBlockRef last[2]; // the old block that they come from
  uint32_t next;             // to the same place, or LIN_NONE
} edge;

// What a melded block has of two phis; one of them may be NULL.
typedef struct phi_pair {
  LLVMValueRef old[2], made;
  lin_block twins[2];
} phi_pair;

// Stands for a value that is chosen; old NULL: for the arm.
typedef struct mark {
  LLVMValueRef old[2], instruction;
} mark;

// What a block has chosen.
typedef struct chosen {
  LLVMValueRef old[2], value;
  uint32_t next; // of the same block, or LIN_NONE
} chosen;

// Lists of edges or choices: the newest of each block.
typedef struct newest {
  lin_numbers number; // of the block
  uint32_t *last;     // [number.count]
  uint32_t capacity;
} newest;

typedef struct melder {
  lin_arena *arena;
  const lin_ir_function *f;
  const lin_ir_operations *ops;
  const lin_melds *melds;
  const lin_meld_arms *arms;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMBasicBlockRef branch, stub[2];
  LLVMValueRef condition;   // of D: true for the first arm; NULL: a phi says which arm it is
  LLVMBasicBlockRef *first; // [num_blocks] what a block of an arm is entered by now
  lin_numbers gone;         // old blocks that are melded
  lin_numbers shared;       // new ones
  lin_numbers of_arms;      // all blocks of the arms, old and new
  LLVMBasicBlockRef *all;   // [num_all] that stay, and blocks between D and the arms
  uint32_t num_all, all_capacity;
  edge *edges;
  uint32_t num_edges, edge_capacity;
  newest targets; // of edges: old blocks
  phi_pair *phis;
  uint32_t num_phis, phi_capacity;
  mark *marks;
  uint32_t num_marks, mark_capacity;
  chosen *choices;
  uint32_t num_choices, choice_capacity;
  newest choosing; // blocks that have chosen
  bool repeats;    // the block at hand is in a loop that D is not in
} melder;

// LLVM's block of that number, as it was. O(1).
static inline LLVMBasicBlockRef lin_ir_meld_block(const melder *m, lin_block block) {
  return m->ops->block[block];
}

// Whether it has a counterpart. O(1).
static inline bool lin_ir_meld_is_melded(const melder *m, lin_block block) {
  return m->melds->twin[block] != LIN_NONE;
}

// The newest of a block, or LIN_NONE. O(1).
static inline uint32_t lin_ir_meld_newest(const newest *of, LLVMBasicBlockRef block) {
  const uint32_t number = lin_numbers_find(&of->number, block);
  return number == LIN_NONE ? LIN_NONE : of->last[number];
}

// `item` is the newest of a block now; returns what was, or LIN_NONE. O(1) on average.
static inline uint32_t lin_ir_meld_push(lin_arena *arena, newest *of, LLVMBasicBlockRef block,
                                        uint32_t item) {
  uint32_t number = lin_numbers_find(&of->number, block), former = LIN_NONE;
  if (number == LIN_NONE) {
    number = (uint32_t)of->number.count;
    lin_numbers_add(arena, &of->number, block, number);
    of->last = LIN_ROOM(arena, of->last, number, &of->capacity);
  } else {
    former = of->last[number];
  }
  of->last[number] = item;
  return former;
}

// ---- choose.c

// Whether the arm is the first one, where `block` begins. O(choices of the block).
LLVMValueRef lin_ir_meld_arm_at(melder *m, LLVMBasicBlockRef block);

// `a` for threads of the first arm, `b` for those of the second, where the builder is, in `block`.
// Values of blocks of one arm alone meet in a phi. O(choices of the block).
LLVMValueRef lin_ir_meld_choose(melder *m, LLVMBasicBlockRef block, LLVMValueRef a, LLVMValueRef b);

// The same of values from above D, there, if D's condition tells the arms apart.
LLVMValueRef lin_ir_meld_choose_above(melder *m, LLVMValueRef a, LLVMValueRef b);

// What stood for values until it was known which blocks lead where, becomes what it is. O(marks),
// and what lin_ir_value_at takes.
void lin_ir_meld_resolve_marks(const melder *m);

// ---- reconnect.c

// Of both arms it is where the first one's old block was. O(1).
void lin_ir_meld_add_edge(melder *m, edge e);

// Has phis take what comes by the new edges, and deletes the blocks that are melded. O(instructions
// of these, operands of phis).
void lin_ir_meld_reconnect(melder *m);

#endif
