// What edges choose: the leaf that is next, and the value to return. Each is a variable, set at the
// ends of blocks and read where the flow needs it.
#include "writer.h"

#include "graph/sorted.h"

#include <stdlib.h>

// ---- guards

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
    lin_ir_variable chosen = {.type = type_of(w, guard),
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
      lin_source source = lin_phis_at(w->values, read);
      guards[read.block] = lin_writer_value_at(w, &chosen, read);
      if (source.kind == LIN_FROM_SET)
        lin_writer_find_odds(w, read.block, source.block);
    }
  }
  return guards;
}

// ---- returns

static uint32_t drop_repeated(lin_block *blocks, uint32_t count) {
  qsort(blocks, count, sizeof *blocks, lin_rising);
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
static void find_returns(writer *w, lin_block exit, lin_ir_variable *chosen) {
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
    if (lin_writer_is_branch(w, edge))
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
  lin_ir_variable chosen = {.type = type, .name = ""};
  find_returns(w, exit, &chosen);
  lin_writer_build(w, &chosen);
  LLVMPositionBuilderAtEnd(w->builder, w->block[exit]);
  LLVMValueRef result = LLVMBuildPhi(w->builder, type, "returned");
  for (LIN_IN_EDGES(w->graph, exit, i)) {
    lin_edge edge = w->graph->in_edge[i];
    lin_block from = w->graph->source[edge];
    if (lin_writer_is_branch(w, edge))
      lin_writer_add_incoming(result, lin_writer_value_at(w, &chosen, (lin_point){from, true}),
                              w->block[from]);
  }
  return result;
}
