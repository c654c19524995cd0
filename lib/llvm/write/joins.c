// What an edge chooses is known at the end of its block, before the edge is taken: the leaf that is
// next, the value to return. Each is a variable set at the ends of blocks and read where the flow
// needs it; between them it passes through phis (linearize/values.h).
#include "writer.h"

#include "graph/sorted.h"

#include <llvm-c/DebugInfo.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- building phis

static void position_at_top(writer *w, lin_block block) {
  LLVMValueRef first = LLVMGetFirstInstruction(w->block[block]);
  if (first == NULL)
    LLVMPositionBuilderAtEnd(w->builder, w->block[block]);
  else // in front of the debug records that stand before it, too
    LLVMPositionBuilderBeforeInstrAndDbgRecords(w->builder, first);
}

LLVMValueRef lin_writer_value_at(const writer *w, const lin_chosen *chosen, lin_point point) {
  lin_source source = lin_values_at(w->values, point);
  if (source.kind == LIN_FROM_PHI)
    return w->phi[source.block];
  if (source.kind == LIN_FROM_NOWHERE)
    return chosen->otherwise != NULL ? chosen->otherwise : LLVMGetPoison(chosen->type);
  uint32_t low = 0, high = chosen->num_sets;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (chosen->set[middle] <= source.block)
      low = middle;
    else
      high = middle;
  }
  return chosen->value[low];
}

static void add_incoming(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef block) {
  LLVMAddIncoming(phi, &value, &block, 1);
}

void lin_writer_inherit(const writer *w, LLVMValueRef from, LLVMValueRef to) {
  size_t length;
  const char *name = LLVMGetValueName2(from, &length);
  name = lin_arena_text(w->arena, name, length);
  LLVMSetValueName2(from, "", 0);
  LLVMSetValueName2(to, name, length);
  LLVMInstructionSetDebugLoc(to, LLVMInstructionGetDebugLoc(from));
  if (LLVMCanValueUseFastMathFlags(from))
    LLVMSetFastMathFlags(to, LLVMGetFastMathFlags(from));
}

void lin_writer_rebuild_phi(writer *w, LLVMValueRef phi, LLVMBasicBlockRef from,
                            LLVMBasicBlockRef too, LLVMBasicBlockRef now, LLVMValueRef value) {
  bool others = false;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    others |= LLVMGetIncomingBlock(phi, i) != from && LLVMGetIncomingBlock(phi, i) != too;
  if (!others) {
    LLVMReplaceAllUsesWith(phi, value);
    LLVMInstructionEraseFromParent(phi);
    return;
  }
  LLVMPositionBuilderBeforeInstrAndDbgRecords(w->builder, phi);
  LLVMValueRef result = LLVMBuildPhi(w->builder, LLVMTypeOf(phi), "");
  lin_writer_inherit(w, phi, result);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef at = LLVMGetIncomingBlock(phi, i);
    if (at != from && at != too)
      add_incoming(result, LLVMGetIncomingValue(phi, i), at);
  }
  add_incoming(result, value, now);
  LLVMReplaceAllUsesWith(phi, result);
  LLVMInstructionEraseFromParent(phi);
}

// True if `edge` is one of the branches into its destination: a return that stays one is none, and
// edges that became one branch count once.
static bool is_branch(const writer *w, lin_edge edge) {
  lin_block from = w->graph->source[edge];
  if (lin_writer_keeps_return(w, from))
    return false;
  return !w->collapsed[from] || edge == w->graph->first_edge[from];
}

// True if an edge from one block to another needs what the first one's end says of a variable. The
// edges between them begin at in_edge[first].
static bool matters(const writer *w, const lin_chosen *chosen, uint32_t first, lin_block to) {
  lin_block from = w->graph->source[w->graph->in_edge[first]];
  if (!chosen->is_guard || w->flow->original[from] == LIN_NONE)
    return true;
  for (uint32_t i = first; i < w->graph->first_in[to + 1]; i++) {
    lin_edge edge = w->graph->in_edge[i];
    if (w->graph->source[edge] != from)
      return false;
    if (lin_guard_matters(w->uses, w->flow, edge, chosen->guard))
      return true;
  }
  return false;
}

static void add_entries(const writer *w, const lin_chosen *chosen, LLVMValueRef phi,
                        lin_block place) {
  LLVMValueRef value = NULL;
  lin_block last = LIN_NONE; // edges from one block stand together
  for (LIN_IN_EDGES(w->graph, place, in)) {
    lin_edge edge = w->graph->in_edge[in];
    lin_block from = w->graph->source[edge];
    if (!is_branch(w, edge))
      continue;
    if (from != last)
      value = matters(w, chosen, in, place)
                  ? lin_writer_value_at(w, chosen, (lin_point){from, true})
                  : LLVMGetPoison(chosen->type);
    last = from;
    add_incoming(phi, value, w->block[from]);
  }
}

void lin_writer_build(writer *w, const lin_chosen *chosen) {
  lin_variable variable = {.num_sets = chosen->num_sets,
                           .set = chosen->set,
                           .num_reads = chosen->num_reads,
                           .read = chosen->read,
                           .num_carried = chosen->carried.count,
                           .carried = chosen->carried.block,
                           .is_guard = chosen->is_guard};
  const lin_block *blocks;
  uint32_t count = lin_values_place(w->values, &variable, &blocks);
  for (uint32_t i = 0; i < count; i++) {
    position_at_top(w, blocks[i]);
    w->phi[blocks[i]] = LLVMBuildPhi(w->builder, chosen->type, chosen->name);
  }
  for (uint32_t i = 0; i < count; i++)
    add_entries(w, chosen, w->phi[blocks[i]], blocks[i]);
}

// ---- choosing by the edge that a terminator takes

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

// ---- guards

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

static LLVMTypeRef type_of(const writer *w, uint32_t guard) {
  return w->flow->plan->guard[guard].is_flag ? w->flag_type : w->guard_type;
}

static LLVMValueRef constant(const writer *w, uint32_t guard, uint32_t value) {
  return LLVMConstInt(type_of(w, guard), lin_writer_name(w, guard, value), false);
}

static LLVMValueRef otherwise(const writer *w, uint32_t guard) {
  return constant(w, guard, w->flow->plan->guard[guard].otherwise);
}

// The first edge from `edge` on that sets the guard, or LIN_NONE.
static lin_edge next_that_sets(const lin_guard_uses *uses, uint32_t guard, lin_edge edge) {
  uint32_t at = lin_count_below(uses->edge[guard], uses->num_edges[guard], edge);
  return at < uses->num_edges[guard] ? uses->edge[guard][at] : LIN_NONE;
}

// The guard at the end of `block`, whose edges set it: what the edge that the terminator will take
// says of it.
static LLVMValueRef build_guard(writer *w, lin_block block, uint32_t index) {
  if (w->names[index].name != NULL && w->names[index].selector == block)
    return lin_writer_hold(w, block, lin_writer_choose_name(w, block, index));
  lin_edge first = w->graph->first_edge[block], end = w->graph->first_edge[block + 1];
  LLVMValueRef rest = otherwise(w, index);
  lin_way *ways = NULL;
  uint32_t count = 0, capacity = 0;
  for (lin_edge edge = first; edge < end; edge++) {
    if (count > 0 && ways[0].value == rest) // only edges that set it say something else
      edge = next_that_sets(w->uses, index, edge);
    if (edge >= end)
      break;
    uint32_t value = lin_writer_value_on_edge(w, edge, index);
    if (value == LIN_NONE)
      continue;
    ways = LIN_ROOM(w->arena, ways, count, &capacity);
    ways[count++] = (lin_way){edge - first, constant(w, index, value)};
  }
  LLVMValueRef choice = lin_writer_choose(w, block, ways, count);
  return choice == NULL ? rest : lin_writer_hold(w, block, choice);
}

LLVMValueRef *lin_writer_guards(writer *w, bool named) {
  const lin_plan *plan = w->flow->plan;
  LLVMValueRef *guards = LIN_ARRAY(w->arena, LLVMValueRef, w->graph->num_blocks);
  const lin_guard_uses *uses = w->uses;
  if (named)
    lin_writer_name_leaves(w);
  for (uint32_t guard = 0; guard < plan->num_guards; guard++) {
    lin_chosen chosen = {.type = type_of(w, guard),
                         .num_sets = uses->num_sets[guard],
                         .set = uses->set[guard],
                         .value = LIN_ARRAY(w->arena, LLVMValueRef, uses->num_sets[guard]),
                         .num_reads = uses->num_reads[guard],
                         .read = uses->read[guard],
                         .carried = w->carry->guard[guard],
                         .is_guard = true,
                         .guard = guard,
                         .otherwise = otherwise(w, guard),
                         .name = "next"};
    for (uint32_t i = 0; i < chosen.num_sets; i++)
      chosen.value[i] = build_guard(w, chosen.set[i], guard);
    lin_writer_build(w, &chosen);
    for (uint32_t i = 0; i < chosen.num_reads; i++) {
      lin_point read = chosen.read[i];
      lin_source source = lin_values_at(w->values, read);
      guards[read.block] = lin_writer_value_at(w, &chosen, read);
      if (source.kind == LIN_FROM_SET)
        lin_writer_find_odds(w, read.block, source.block);
    }
  }
  return guards;
}

// ---- returns

static int rising(const void *left, const void *right) {
  lin_block a = *(const lin_block *)left, b = *(const lin_block *)right;
  return a < b ? -1 : a > b;
}

static uint32_t drop_repeated(lin_block *blocks, uint32_t count) {
  qsort(blocks, count, sizeof *blocks, rising);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (kept == 0 || blocks[kept - 1] != blocks[i])
      blocks[kept++] = blocks[i];
  return kept;
}

static LLVMValueRef returned_value(const writer *w, lin_block block) {
  return LLVMGetOperand(LLVMGetBasicBlockTerminator(w->block[block]), 0);
}

// The blocks that come to the exit now, by the edges that the plan's graph gives it.
static void find_returns(writer *w, lin_block exit, lin_chosen *chosen) {
  const lin_graph *ordered = w->flow->plan->analysis->graph;
  lin_block original = w->flow->original[exit];
  chosen->set = LIN_ARRAY(w->arena, lin_block, lin_in_degree(ordered, original));
  for (LIN_IN_EDGES(ordered, original, i)) {
    lin_block from = w->flow->place[ordered->source[ordered->in_edge[i]]];
    if (!lin_writer_keeps_return(w, from))
      chosen->set[chosen->num_sets++] = from;
  }
  chosen->num_sets = drop_repeated(chosen->set, chosen->num_sets);
  chosen->value = LIN_ARRAY(w->arena, LLVMValueRef, chosen->num_sets);
  for (uint32_t i = 0; i < chosen->num_sets; i++)
    chosen->value[i] = lin_writer_hold(w, chosen->set[i], returned_value(w, chosen->set[i]));

  lin_point *read = LIN_ARRAY(w->arena, lin_point, lin_in_degree(w->graph, exit));
  for (LIN_IN_EDGES(w->graph, exit, i)) {
    lin_edge edge = w->graph->in_edge[i];
    if (is_branch(w, edge))
      read[chosen->num_reads++] = (lin_point){w->graph->source[edge], true};
  }
  chosen->read = read;
}

LLVMValueRef lin_writer_returned(writer *w) {
  lin_block exit = LIN_NONE;
  for (lin_block block = 0; block < w->graph->num_blocks; block++)
    if ((w->graph->flags[block] & LIN_RETURN) != 0 && w->block[block] != NULL)
      exit = block;
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(w->ir->function));
  if (exit == LIN_NONE || LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    return NULL;
  lin_chosen chosen = {.type = type, .name = ""};
  find_returns(w, exit, &chosen);
  lin_writer_build(w, &chosen);
  LLVMPositionBuilderAtEnd(w->builder, w->block[exit]);
  LLVMValueRef result = LLVMBuildPhi(w->builder, type, "returned");
  for (LIN_IN_EDGES(w->graph, exit, i)) {
    lin_edge edge = w->graph->in_edge[i];
    lin_block from = w->graph->source[edge];
    if (is_branch(w, edge))
      add_incoming(result, lin_writer_value_at(w, &chosen, (lin_point){from, true}),
                   w->block[from]);
  }
  return result;
}
