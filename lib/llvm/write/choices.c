// What the edge that a terminator will take stands for, known at the end of its block before the
// edge is taken: a condition, a comparison with a case, a select.
#include "writer.h"

#include <llvm-c/DebugInfo.h>

static bool is_one(LLVMValueRef value) {
  return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 1;
}

// Remembers what was built, in case nothing will read it.
LLVMValueRef lin_writer_built(writer *w, LLVMValueRef value) {
  if (LLVMIsAInstruction(value)) {
    w->choice = LIN_ROOM(w->arena, w->choice, w->num_choices, &w->choice_capacity);
    w->choice[w->num_choices++] = value;
  }
  return lin_writer_mark(w, value);
}

void lin_writer_erase_unused_choices(writer *w) {
  while (w->num_choices > 0) { // last to first: operands after their users
    LLVMValueRef value = w->choice[--w->num_choices];
    if (LLVMGetFirstUse(value) == NULL)
      LLVMInstructionEraseFromParent(value);
  }
}

// Several choices of one block ask the same; each question is put once.

static LLVMValueRef opposite(writer *w, lin_block block, LLVMValueRef condition) {
  LLVMValueRef *made = &w->opposite[block];
  if (*made == NULL)
    *made = lin_writer_built(w, LLVMBuildNot(w->builder, condition, ""));
  return *made;
}

LLVMValueRef lin_writer_compare_case(writer *w, lin_edge edge, bool equal) {
  lin_block block = w->graph->source[edge];
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(w->block[block]);
  return lin_writer_built(
      w, LLVMBuildICmp(w->builder, equal ? LLVMIntEQ : LLVMIntNE, LLVMGetOperand(terminator, 0),
                       lin_ir_case(terminator, edge - w->graph->first_edge[block]), ""));
}

// True if the switch goes where its case `first` leads, by that or by a later case.
static LLVMValueRef is_taken(writer *w, lin_edge first) {
  LLVMValueRef *made = &w->is_taken[first];
  if (*made == NULL)
    for (lin_edge edge = first; edge != LIN_NONE; edge = w->next_alike[edge]) {
      LLVMValueRef is_case = lin_writer_compare_case(w, edge, true);
      *made = *made == NULL ? is_case
                            : lin_writer_built(w, LLVMBuildOr(w->builder, *made, is_case, ""));
    }
  return *made;
}

static LLVMValueRef is_not_taken(writer *w, lin_edge first) {
  LLVMValueRef *made = &w->is_not_taken[first];
  if (*made == NULL)
    *made = w->next_alike[first] == LIN_NONE
                ? lin_writer_compare_case(w, first, false)
                : lin_writer_built(w, LLVMBuildNot(w->builder, is_taken(w, first), ""));
  return *made;
}

static bool is_constant_flag(const writer *w, LLVMValueRef value) {
  return LLVMTypeOf(value) == w->flag_type && LLVMIsAConstantInt(value);
}

// `yes` if the branch's condition is true, else `no`; of two different flags, the condition or its
// opposite.
static LLVMValueRef choose_way(writer *w, lin_block block, LLVMValueRef branch, LLVMValueRef yes,
                               LLVMValueRef no) {
  LLVMValueRef condition = LLVMGetCondition(branch);
  if (is_constant_flag(w, yes) && is_constant_flag(w, no))
    return is_one(yes) ? condition : opposite(w, block, condition);
  return lin_writer_built(w, LLVMBuildSelect(w->builder, condition, yes, no, ""));
}

// What a switch chooses, `base` where nothing else is said. The same destination means the same
// value. Only known flags are put together by logic: another value may be poison where it isn't
// taken, and then a select isn't.
static LLVMValueRef choose_case(writer *w, lin_block block, const lin_way *ways, uint32_t count,
                                bool flags) {
  LLVMValueRef base = ways[0].value, choice = base;
  for (uint32_t i = 0; i < count; i++) {
    lin_edge edge = w->graph->first_edge[block] + ways[i].successor;
    if (ways[i].value == base || w->first_alike[edge] != edge)
      continue;
    if (!flags)
      choice = lin_writer_built(
          w, LLVMBuildSelect(w->builder, is_taken(w, edge), ways[i].value, choice, ""));
    else if (is_one(base)) {
      LLVMValueRef other = is_not_taken(w, edge);
      choice =
          choice == base ? other : lin_writer_built(w, LLVMBuildAnd(w->builder, choice, other, ""));
    } else {
      LLVMValueRef taken = is_taken(w, edge);
      choice =
          choice == base ? taken : lin_writer_built(w, LLVMBuildOr(w->builder, choice, taken, ""));
    }
  }
  return choice;
}

LLVMValueRef lin_writer_choose(writer *w, lin_block block, const lin_way *ways, uint32_t count) {
  LLVMValueRef base = count == 0 ? NULL : ways[0].value, other = NULL;
  bool flags = true;
  for (uint32_t i = 0; i < count; i++) {
    if (ways[i].value != base)
      other = ways[i].value;
    flags &= is_constant_flag(w, ways[i].value);
  }
  // One of a guard block's edges at most says something.
  if (other == NULL || lin_writer_input(w, block) == LIN_NONE)
    return base;
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(w->block[block]);
  LLVMPositionBuilderBefore(w->builder, terminator);
  LLVMSetCurrentDebugLocation2(w->builder, LLVMInstructionGetDebugLoc(terminator));
  LLVMValueRef choice = LLVMGetInstructionOpcode(terminator) == LLVMBr
                            ? choose_way(w, block, terminator, base, other)
                            : choose_case(w, block, ways, count, flags);
  LLVMSetCurrentDebugLocation2(w->builder, NULL);
  return choice;
}

// True for an edge inside of a leaf of the guard's region. All threads leave that for one place,
// and where they set the guard they set it to that. A flag says whether they leave all the same:
// that is the branch's condition, which costs nothing.
static bool is_inside_leaf(const writer *w, lin_edge edge, const lin_guard *guard) {
  return !guard->is_flag && !w->flow->leaves[edge] &&
         lin_region_contains(w->flow->plan->regions, guard->region,
                             w->flow->original[w->graph->source[edge]]);
}

uint32_t lin_writer_value_on_edge(const writer *w, lin_edge edge, uint32_t index) {
  const lin_plan *plan = w->flow->plan;
  const lin_guard *guard = &plan->guard[index];
  const lin_assignment *assigned = lin_assignment_to(w->flow->assigned[edge], index);
  bool is_original = w->flow->original[w->graph->source[edge]] != LIN_NONE;
  if (is_original &&
      (is_inside_leaf(w, edge, guard) || !lin_guard_matters(w->uses, w->flow, edge, index)))
    return LIN_NONE;
  if (assigned != NULL)
    return assigned->value;
  return is_original ? guard->otherwise : LIN_NONE; // one of a guard block's edges at most sets it
}
