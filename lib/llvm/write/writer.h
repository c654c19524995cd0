// What the parts of the writer share: the function, its flow and the LLVM block of each block of
// it.
//
//   write.c      blocks, guards, terminators
//   writer.c     what all of them ask
//   joins.c      the phis of a variable
//   choices.c    what the edge that a terminator takes stands for
//   guards.c     what edges choose: the guards' values, the value that is returned
//   names.c      guards that are the operand of a switch
//   narrow.c     integer guards that are flags
//   variables.c  phis and what flows into them: which there are,
//   settings.c   where they are set,
//   readings.c   and where they are read
//   repair.c     other results of instructions that no longer dominate their uses
//   phis.c       fewer phis
//   words.c      words for conditions that test a part of one
//   decided.c    conditions of branches for guards that say the same
//   latches.c    counters of loops that threads leave early
//   meld.c       one load for two arms
//   predicate.c  selects for short guarded blocks
//   switches.c   comparisons for switches with few targets
//   odds.c       weights for branches
#ifndef LIN_LLVM_WRITE_WRITER_H
#define LIN_LLVM_WRITE_WRITER_H

#include "driver/pipeline.h"
#include "linearize/carry.h"
#include "linearize/guards.h"
#include "linearize/phis.h"
#include "llvm/ask/questions.h"
#include "llvm/read/function.h"

typedef struct lin_variables lin_variables;

// What a guard's values are called, by one of the switches that set it (names.c).
typedef struct lin_names {
  const uint32_t *name; // NULL: they are what they are
  lin_block selector;   // the block whose switch names them
  uint32_t rest;        // the name of what is no case
  bool cut;             // the operand has to be cut off there
} lin_names;

// What a choice is if a block's terminator takes the edge to `successor`.
typedef struct lin_way {
  uint32_t successor;
  LLVMValueRef value;
} lin_way;

// How often a guard is taken; both 0: nobody knows.
typedef struct lin_ir_odds {
  uint64_t yes, no;
} lin_ir_odds;

typedef struct writer {
  lin_arena *arena;
  const lin_ir_function *ir;
  const lin_result *result;
  const lin_flow *flow;
  const lin_graph *graph; // the flow's
  lin_carry *carry;
  lin_phis *values;
  LLVMBuilderRef builder;
  LLVMTypeRef guard_type, flag_type;            // of guards that are integers, and flags
  unsigned loop_kind, profile_kind, guard_kind; // of metadata
  LLVMValueRef mark;                            // the metadata of guards
  LLVMMetadataRef nowhere;  // a location for code that stands nowhere in the source, or NULL
  LLVMBasicBlockRef *block; // [graph->num_blocks] NULL for an exit that has no block
  bool *collapsed;          // [graph->num_blocks] all edges of the block become one branch
  lin_numbers places;       // from LLVM's blocks back to numbers
  lin_postdominators *postdominators; // of graph; NULL until somebody asks
  lin_ir_odds *odds;                  // [graph->num_blocks] of guard blocks
  bool *entered;                      // [graph->num_blocks] otherwise than before
  lin_names *names;                   // [num_guards]
  const lin_guard_uses *uses;         // of guards
  LLVMValueRef *choice;               // [num_choices] instructions made for them, in order
  uint32_t num_choices, choice_capacity;
  LLVMValueRef *opposite;             // [graph->num_blocks] of a branch's condition, once made
  lin_edge *first_alike, *next_alike; // [graph->num_edges] of a block, that led to one destination
  LLVMValueRef *is_taken, *is_not_taken; // [graph->num_edges] by first_alike, once made
  lin_variables *variables;
  LLVMValueRef *phi; // [graph->num_blocks] the phis of the variable at hand
} writer;

// The block of the input graph that a block of the flow is, or LIN_NONE for guards and the exit.
static inline lin_block lin_writer_input(const writer *w, lin_block block) {
  lin_block ordered = w->flow->original[block];
  if (ordered == LIN_NONE)
    return LIN_NONE;
  lin_block united = w->result->shape.order->origin[ordered];
  return united < w->ir->graph->num_blocks ? united : LIN_NONE;
}

// The number in the flow of one of LLVM's blocks; LIN_NONE for others.
lin_block lin_writer_place(const writer *w, LLVMBasicBlockRef block);

// True if a block of the function returned.
bool lin_writer_returns(const writer *w, lin_block block);

// True if a block of the function returns and goes on doing so itself.
bool lin_writer_keeps_return(const writer *w, lin_block block);

// True if `edge` of the flow goes to another block than it did in the function.
bool lin_writer_is_rerouted(const writer *w, lin_edge edge);

// True if an edge of `block` does, so that where its threads go is what a guard may ask.
bool lin_writer_sets_guard(const writer *w, lin_block block);

// True if `edge` is one of the branches into its destination: a return that stays one is none, and
// edges that became one branch count once.
bool lin_writer_is_branch(const writer *w, lin_edge edge);

// True if `value` is an address into something that the back end must keep in sight; into what an
// ordinary pointer parameter points to only if it costs nothing to make it again.
bool lin_writer_is_made_again(LLVMValueRef value);

// Marks what was built for a guard with metadata, `!linearize.guard`, for those who count it.
// Returns it; what isn't an instruction stays as it is.
LLVMValueRef lin_writer_mark(const writer *w, LLVMValueRef value);

// ---- odds.c
//
// Weights (`!prof`) are the function's own, or derived from them, or there are none:
//   - a branch or switch keeps its weights, wherever its edges lead now, since it decides the same
//     as before; where all its edges lead to one place, it goes with its weights;
//   - comparisons that stand for a switch have its weights, summed up;
//   - a guard right behind the one branch that sets it has that branch's weights;
//   - how often other guards are taken, no weights say, and they have none, but those of loops:
//     theirs are even, for llc would guess that they go around, and put them above their loops.

// How often each successor of a block of the function is taken, among the others, or NULL if nobody
// says. O(successors).
const uint32_t *lin_writer_weights(const writer *w, lin_block block);

// Finds the odds of a guard block whose guard the block `set` alone has set; its terminator is
// still the function's. O(successors and what they set), and near-linear in the edges the first
// time.
void lin_writer_find_odds(writer *w, lin_block guard, lin_block set);

// Says how often a branch is taken, `yes` to `no`.
void lin_writer_set_odds(writer *w, LLVMValueRef branch, uint64_t yes, uint64_t no);

// ---- joins.c

// A variable of which the value at the end of each setting block is known.
typedef struct lin_ir_variable {
  LLVMTypeRef type;
  uint32_t num_sets;
  lin_block *set;      // [num_sets] rising
  LLVMValueRef *value; // [num_sets]
  uint32_t num_reads;
  const lin_point *read;
  lin_headers carried;
  bool is_guard;
  uint32_t guard;         // if it is one
  LLVMValueRef otherwise; // what it is where nothing set it; NULL: poison
  const char *name;
} lin_ir_variable;

// Places and builds the phis of a chosen variable; afterwards lin_writer_value_at says what it is.
void lin_writer_build(writer *w, const lin_ir_variable *chosen);
LLVMValueRef lin_writer_value_at(const writer *w, const lin_ir_variable *chosen, lin_point point);

void lin_writer_add_incoming(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef block);

// Gives a phi that stands for another one its name and what else is known of it.
void lin_writer_inherit(const writer *w, LLVMValueRef from, LLVMValueRef to);

// Replaces a phi by one in which `value` from `now` stands for all operands from `from` and `too`
// (or NULL).
void lin_writer_rebuild_phi(writer *w, LLVMValueRef phi, LLVMBasicBlockRef from,
                            LLVMBasicBlockRef too, LLVMBasicBlockRef now, LLVMValueRef value);

// ---- choices.c

// What an edge says of a guard, LIN_NONE if it doesn't matter: another edge sets the guard before
// anything reads it.
uint32_t lin_writer_value_on_edge(const writer *w, lin_edge edge, uint32_t guard);

// Remembers what was built to choose, in case nothing will read it, and marks it. Returns it.
LLVMValueRef lin_writer_built(writer *w, LLVMValueRef value);

// Whether the operand of a switch is, or isn't, the case of one of its edges.
LLVMValueRef lin_writer_compare_case(writer *w, lin_edge edge, bool equal);

// What the edge that a block's terminator will take stands for; `ways`, by rising successors, has
// those where it matters, and may leave out what stands for the same as the first of them. NULL if
// it matters nowhere. Instructions that this takes are put at the end of the block.
LLVMValueRef lin_writer_choose(writer *w, lin_block block, const lin_way *ways, uint32_t count);

// Erases what was built to choose and is not read.
void lin_writer_erase_unused_choices(writer *w);

// ---- guards.c

// Defines each region's guard at the ends of the blocks that set it, and joins it with phis.
// Returns the guard's value in each guard block: [graph->num_blocks], NULL elsewhere. With `named`,
// switches may name what guards hold.
LLVMValueRef *lin_writer_guards(writer *w, bool named);

// The value to return in the exit block, or NULL.
LLVMValueRef lin_writer_returned(writer *w);

// ---- names.c

// Names the values of each guard that a switch sets to many leaves by the cases of that switch.
void lin_writer_name_leaves(writer *w);

// What a value of the guard is called.
uint32_t lin_writer_name(const writer *w, uint32_t guard, uint32_t value);

// The guard as the switch that names its values sets it.
LLVMValueRef lin_writer_choose_name(writer *w, lin_block block, uint32_t guard);

// ---- narrow.c

// Makes flags of integer guards where they are one of two values.
void lin_writer_narrow_guards(writer *w);

// ---- variables.c

// Finds the variables of the function, before anything of it changes. With `unite`, a phi and its
// operands are one wherever that is possible.
void lin_writer_find_variables(writer *w, bool unite);
bool lin_writer_is_variable(const writer *w, LLVMValueRef value);

// The value as it is at the end of a block, for use elsewhere.
LLVMValueRef lin_writer_hold(writer *w, lin_block block, LLVMValueRef value);

// ---- settings.c

// Sets the variables at the ends of the blocks that lead to their phis.
void lin_writer_set_variables(writer *w);

// ---- readings.c

// Makes every use of a variable see what it is there; the phis of blocks that are entered otherwise
// than before go. Resolves what lin_writer_hold returned.
void lin_writer_read_variables(writer *w);

// ---- repair.c

// Makes every use of an instruction's result see it, or poison, but those of variables.
void lin_writer_repair(writer *w);

// ---- phis.c

// Erases the phis that nothing reads; `thoroughly`, also those that another value can stand for.
// `before`: the blocks are still connected as the function has them. Near-linear in the operands of
// all phis.
void lin_writer_clean_phis(const writer *w, bool before, bool thoroughly);

// ---- words.c

// Keeps loads of words whole of which a condition tests a part. The blocks are still connected as
// the function has them. O(blocks and edges).
void lin_writer_keep_words(const writer *w);

// ---- decided.c

// Replaces flags by the conditions of branches that decide them.
void lin_writer_reuse_conditions(writer *w);

// ---- meld.c

// Makes one of loads that two arms end with, in front of a guard.
void lin_writer_meld_loads(writer *w);

// ---- latches.c

// Takes the steps of counters above the guards in latches. O(operands of phis).
void lin_writer_straighten_latches(const writer *w);

// ---- predicate.c

// Turns short blocks without effects behind new branches into selects. The blocks go, of `w` and of
// `w->ir`.
void lin_writer_predicate(writer *w);

// ---- switches.c

// Turns switches that have few targets left into comparisons.
void lin_writer_simplify_switches(writer *w);

#endif
