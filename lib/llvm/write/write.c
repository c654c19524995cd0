// 1. Make the guard blocks, and the exit if threads now leave a region for it; put all blocks in
//    the flow's order.
// 2. Let the edges' choices be values at the ends of their blocks: operands of phis (variables.c),
//    guards, returned values (guards.c).
// 3. Replace the terminators: edges that meet at one place become one branch, others go to their
//    new places; a guard block compares its region's guard.
// 4. Repair the values whose uses their definition no longer dominates (repair.c, variables.c).
#include "write.h"

#include "writer.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

// Threads that a guard sends to the exit return there; others return where they did.
static bool is_exit_needed(const writer *w, lin_block exit) {
  for (LIN_IN_EDGES(w->graph, exit, i))
    if (w->flow->original_edge[w->graph->in_edge[i]] == LIN_NONE)
      return true;
  return false;
}

static void make_blocks(writer *w) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(w->ir->function));
  for (lin_block block = 0; block < w->graph->num_blocks; block++) {
    lin_block input = lin_writer_input(w, block);
    if (input != LIN_NONE) {
      w->block[block] = w->ir->block[input];
      continue;
    }
    bool is_exit = (w->graph->flags[block] & LIN_RETURN) != 0;
    if (is_exit && !is_exit_needed(w, block))
      continue;
    const char *name = is_exit ? "linearize.return" : "linearize.guard";
    w->block[block] = LLVMAppendBasicBlockInContext(context, w->ir->function, name);
  }
  LLVMBasicBlockRef previous = w->block[0];
  for (lin_block block = 1; block < w->graph->num_blocks; block++) {
    if (w->block[block] == NULL)
      continue;
    LLVMMoveBasicBlockAfter(w->block[block], previous);
    previous = w->block[block];
  }
}

// All edges of a block that lead to one place become one, if any of them was moved.
static void find_collapsed(writer *w) {
  for (lin_block block = 0; block < w->graph->num_blocks; block++) {
    uint32_t degree = lin_out_degree(w->graph, block);
    lin_edge first = w->graph->first_edge[block];
    if (lin_writer_input(w, block) == LIN_NONE || degree == 0)
      continue;
    if (lin_writer_returns(w, block)) {
      w->collapsed[block] = !lin_writer_keeps_return(w, block);
      continue;
    }
    bool same = true;
    for (LIN_OUT_EDGES(w->graph, block, edge))
      same &= w->graph->destination[edge] == w->graph->destination[first];
    w->collapsed[block] = same && lin_writer_sets_guard(w, block);
  }
}

// Edges of a block that led to the same destination: one asks for all.
static void find_alike(writer *w) {
  const lin_graph *ordered = w->flow->plan->analysis->graph;
  lin_edge *last = LIN_ARRAY(w->arena, lin_edge, ordered->num_blocks); // + 1, by destination
  w->first_alike = LIN_ARRAY(w->arena, lin_edge, w->graph->num_edges);
  w->next_alike = LIN_ARRAY(w->arena, lin_edge, w->graph->num_edges);
  for (lin_edge edge = 0; edge < w->graph->num_edges; edge++) {
    w->first_alike[edge] = edge;
    w->next_alike[edge] = LIN_NONE;
    if (w->flow->original_edge[edge] == LIN_NONE)
      continue;
    lin_edge *before = &last[ordered->destination[w->flow->original_edge[edge]]];
    if (*before > w->graph->first_edge[w->graph->source[edge]]) {
      w->first_alike[edge] = w->first_alike[*before - 1];
      w->next_alike[*before - 1] = edge;
    }
    *before = edge + 1;
  }
}

// A block is entered otherwise than before if an edge to it leads elsewhere now, or a guard to it.
static void find_entered(writer *w) {
  for (lin_edge edge = 0; edge < w->graph->num_edges; edge++) {
    lin_edge original = w->flow->original_edge[edge];
    if (!lin_writer_is_rerouted(w, edge))
      continue;
    w->entered[w->graph->destination[edge]] |= original == LIN_NONE;
    if (original != LIN_NONE)
      w->entered[w->flow->place[w->flow->plan->analysis->graph->destination[original]]] = true;
  }
}

// ---- metadata

// The loop metadata of a loop of the plan, if it stands for one loop of the function: all its
// retreating edges go to one block and carry the same metadata.
typedef struct loop_metadata {
  lin_block destination; // LIN_NONE: no edge seen yet
  LLVMValueRef node;     // NULL: none, or not the same for all
} loop_metadata;

// Collects it for each header of the flow and takes it off the branches that no longer go around.
static loop_metadata *collect_loop_metadata(writer *w) {
  unsigned kind = w->loop_kind;
  const lin_graph *ordered = w->flow->plan->analysis->graph;
  loop_metadata *loops = LIN_ARRAY(w->arena, loop_metadata, w->graph->num_blocks);
  for (lin_block block = 0; block < w->graph->num_blocks; block++)
    loops[block].destination = LIN_NONE;
  for (lin_edge edge = 0; edge < ordered->num_edges; edge++) {
    lin_block around = w->carry->around[edge];
    if (around == LIN_NONE)
      continue;
    lin_block place = w->flow->place[ordered->source[edge]];
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(w->block[place]);
    LLVMValueRef node = LLVMGetMetadata(terminator, kind);
    loop_metadata *loop = &loops[around];
    bool first = loop->destination == LIN_NONE;
    if (first)
      *loop = (loop_metadata){ordered->destination[edge], node};
    else if (loop->destination != ordered->destination[edge] || loop->node != node)
      loop->node = NULL;
  }
  for (lin_edge edge = 0; edge < ordered->num_edges; edge++) {
    lin_block place = w->flow->place[ordered->source[edge]];
    lin_edge now = w->graph->first_edge[place] + edge - ordered->first_edge[ordered->source[edge]];
    if (w->carry->around[edge] != LIN_NONE && lin_writer_is_rerouted(w, now))
      LLVMSetMetadata(LLVMGetBasicBlockTerminator(w->block[place]), kind, NULL);
  }
  return loops;
}

// ---- terminators

static void replace_terminator(writer *w, lin_block block) {
  LLVMValueRef old = LLVMGetBasicBlockTerminator(w->block[block]);
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(old);
  LLVMBasicBlockRef target = w->block[w->graph->destination[w->graph->first_edge[block]]];
  LLVMInstructionEraseFromParent(old);
  LLVMPositionBuilderAtEnd(w->builder, w->block[block]);
  LLVMInstructionSetDebugLoc(LLVMBuildBr(w->builder, target), location);
}

static void redirect_terminator(writer *w, lin_block block) {
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(w->block[block]);
  unsigned successor = 0;
  for (LIN_OUT_EDGES(w->graph, block, edge)) {
    if (lin_writer_is_rerouted(w, edge))
      LLVMSetSuccessor(terminator, successor, w->block[w->graph->destination[edge]]);
    successor++;
  }
}

// The guard is one of low..high, by one unsigned comparison; a flag is the condition itself, or its
// opposite. Nothing is compared for equality with 0: llc guesses that it isn't, and moves the leaf
// away.
static LLVMValueRef build_condition(writer *w, const lin_node *node, LLVMValueRef guard) {
  if (w->flow->plan->guard[node->guard].is_flag)
    return guard;
  uint32_t first = lin_writer_name(w, node->guard, node->low);
  LLVMValueRef low = LLVMConstInt(w->guard_type, first, false);
  if (node->low == node->high && first != 0)
    return lin_writer_mark(w, LLVMBuildICmp(w->builder, LLVMIntEQ, guard, low, ""));
  LLVMValueRef offset = guard;
  if (first != 0)
    offset = lin_writer_mark(w, LLVMBuildSub(w->builder, guard, low, ""));
  LLVMValueRef length = LLVMConstInt(w->guard_type, node->high - node->low, false);
  return lin_writer_mark(w, LLVMBuildICmp(w->builder, LLVMIntULE, offset, length, ""));
}

static void finish_guard(writer *w, lin_block block, LLVMValueRef guard,
                         const loop_metadata *loops) {
  const lin_node *node = &w->flow->plan->node[w->flow->node[block]];
  lin_edge yes = w->graph->first_edge[block];
  LLVMPositionBuilderAtEnd(w->builder, w->block[block]);
  LLVMSetCurrentDebugLocation2(w->builder, w->nowhere);
  LLVMValueRef condition = build_condition(w, node, guard);
  bool skips = w->flow->plan->guard[node->guard].is_flag && node->low == 0;
  lin_edge if_true = skips ? yes + 1 : yes, if_false = skips ? yes : yes + 1;
  LLVMValueRef branch =
      LLVMBuildCondBr(w->builder, condition, w->block[w->graph->destination[if_true]],
                      w->block[w->graph->destination[if_false]]);
  lin_writer_mark(w, branch);
  lin_ir_odds odds = w->odds[block];
  if (odds.yes + odds.no > 0)
    lin_writer_set_odds(w, branch, skips ? odds.no : odds.yes, skips ? odds.yes : odds.no);
  else if (node->kind == LIN_LOOP)
    lin_writer_set_odds(w, branch, 1, 1);
  LLVMValueRef loop = node->kind == LIN_LOOP ? loops[w->graph->destination[yes]].node : NULL;
  if (loop != NULL)
    LLVMSetMetadata(branch, w->loop_kind, loop);
  LLVMSetCurrentDebugLocation2(w->builder, NULL);
}

static void finish_exit(writer *w, lin_block block, LLVMValueRef returned) {
  LLVMPositionBuilderAtEnd(w->builder, w->block[block]);
  LLVMSetCurrentDebugLocation2(w->builder, w->nowhere);
  if (returned == NULL)
    LLVMBuildRetVoid(w->builder);
  else
    LLVMBuildRet(w->builder, returned);
  LLVMSetCurrentDebugLocation2(w->builder, NULL);
}

static void finish_blocks(writer *w, LLVMValueRef *guards, LLVMValueRef returned) {
  const loop_metadata *loops = collect_loop_metadata(w);
  for (lin_block block = 0; block < w->graph->num_blocks; block++) {
    if (w->block[block] == NULL)
      continue;
    if (w->flow->node[block] != LIN_NONE)
      finish_guard(w, block, guards[block], loops);
    else if (lin_writer_input(w, block) == LIN_NONE)
      finish_exit(w, block, returned);
    else if (w->collapsed[block])
      replace_terminator(w, block);
    else if (!lin_writer_returns(w, block))
      redirect_terminator(w, block);
  }
}

void lin_ir_write(lin_arena *arena, const lin_ir_function *f, const lin_result *result, int level) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function));
  uint32_t n = result->flow->graph->num_blocks;
  writer w = {.arena = arena,
              .ir = f,
              .result = result,
              .flow = result->flow,
              .graph = result->flow->graph,
              .carry = lin_carry_build(arena, result->flow),
              .values = lin_phis_build(arena, result->flow),
              .builder = LLVMCreateBuilderInContext(context),
              .guard_type = LLVMInt32TypeInContext(context),
              .flag_type = LLVMInt1TypeInContext(context),
              .loop_kind = LLVMGetMDKindIDInContext(context, "llvm.loop", 9),
              .profile_kind = LLVMGetMDKindIDInContext(context, "prof", 4),
              .guard_kind = LLVMGetMDKindIDInContext(context, "linearize.guard", 15),
              .mark = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)),
              .block = LIN_ARRAY(arena, LLVMBasicBlockRef, n),
              .collapsed = LIN_ARRAY(arena, bool, n),
              .odds = LIN_ARRAY(arena, lin_ir_odds, n),
              .entered = LIN_ARRAY(arena, bool, n),
              .uses = lin_guard_uses_build(arena, result->flow),
              .names = LIN_ARRAY(arena, lin_names, result->plan->num_guards),
              .opposite = LIN_ARRAY(arena, LLVMValueRef, n),
              .is_taken = LIN_ARRAY(arena, LLVMValueRef, result->flow->graph->num_edges),
              .is_not_taken = LIN_ARRAY(arena, LLVMValueRef, result->flow->graph->num_edges),
              .phi = LIN_ARRAY(arena, LLVMValueRef, n)};
  LLVMMetadataRef subprogram = LLVMGetSubprogram(f->function);
  if (subprogram != NULL)
    w.nowhere = LLVMDIBuilderCreateDebugLocation(context, 0, 0, subprogram, NULL);
  make_blocks(&w);
  for (lin_block block = 0; block < n; block++)
    if (w.block[block] != NULL)
      lin_numbers_add(arena, &w.places, w.block[block], block);
  find_collapsed(&w);
  find_entered(&w);
  find_alike(&w);
  if (level >= 4) {
    lin_writer_keep_words(&w);
    lin_writer_clean_phis(&w, true, true);
  }
  lin_writer_find_variables(&w, level >= 4);
  lin_writer_set_variables(&w);
  LLVMValueRef *guards = lin_writer_guards(&w, level >= 4);
  LLVMValueRef returned = lin_writer_returned(&w);
  finish_blocks(&w, guards, returned);
  lin_writer_repair(&w);
  lin_writer_read_variables(&w);
  lin_writer_clean_phis(&w, false, level >= 4);
  if (level >= 4)
    lin_writer_narrow_guards(&w);
  lin_writer_erase_unused_choices(&w);
  if (result->sides != NULL) {
    lin_writer_reuse_conditions(&w);
    lin_writer_meld_loads(&w);
  }
  if (level >= 4) {
    lin_writer_straighten_latches(&w);
    lin_writer_predicate(&w);
    lin_writer_simplify_switches(&w);
  }
  LLVMDisposeBuilder(w.builder);
}
