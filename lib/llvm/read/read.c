// Blocks keep the function's order; a successor is an edge, in the terminator's order.
//
// Refused as a whole: functions with terminators whose targets cannot be chosen by a guard, with
// exception handling, and functions marked optnone. Refused block by block: what may not stand
// behind a guard (musttail calls, whose return cannot move; tokens used in another block than the
// one that makes them, or that control convergence).
#include "read.h"

#include "awaited.h"
#include "versions/format.h"
#include "llvm/ask/coherent.h"
#include "llvm/ask/cost.h"
#include "llvm/ask/numbers.h"
#include "llvm/ask/questions.h"
#include "llvm/ask/summaries.h"
#include "llvm/ask/weights.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_unnamed(LLVMValueRef value) {
  size_t length;
  LLVMGetValueName2(value, &length);
  return length == 0;
}

// Unnamed values are numbered as LLVM prints them: arguments, then blocks and results in order.
static void name_blocks(lin_arena *arena, LLVMValueRef function, lin_graph *graph,
                        const LLVMBasicBlockRef *block) {
  unsigned slot = 0;
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    slot += is_unnamed(LLVMGetParam(function, i));
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    const char *name = LLVMGetBasicBlockName(block[b]);
    if (name[0] != '\0') {
      graph->name[b] = lin_arena_text(arena, name, strlen(name));
    } else {
      char number[16];
      int length = snprintf(number, sizeof number, "%%%u", slot++);
      graph->name[b] = lin_arena_text(arena, number, (size_t)length);
    }
    for (LLVMValueRef at = LLVMGetFirstInstruction(block[b]); at != NULL;
         at = LLVMGetNextInstruction(at))
      slot += LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMVoidTypeKind && is_unnamed(at);
  }
}

static const char *refused_instruction(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMIndirectBr:
    return "indirectbr chooses among addresses";
  case LLVMCallBr:
    return "callbr chooses its successor inside assembly";
  case LLVMInvoke:
  case LLVMResume:
  case LLVMLandingPad:
  case LLVMCleanupRet:
  case LLVMCatchRet:
  case LLVMCatchPad:
  case LLVMCleanupPad:
  case LLVMCatchSwitch:
    return "exception handling";
  default:
    return NULL;
  }
}

static void refuse_block(lin_graph *graph, lin_block block, const char *reason) {
  graph->flags[block] |= LIN_REFUSED;
  if (graph->reason[block] == NULL)
    graph->reason[block] = reason;
}

static bool is_convergence_token(LLVMValueRef instruction) {
  LLVMValueRef called =
      LLVMGetInstructionOpcode(instruction) == LLVMCall ? LLVMGetCalledValue(instruction) : NULL;
  if (called == NULL || !LLVMIsAFunction(called))
    return false;
  size_t length;
  const char *name = LLVMGetValueName2(called, &length);
  const char *prefix = "llvm.experimental.convergence.";
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

// A token cannot pass through a phi, and a convergence token ties blocks to their cycle.
static void refuse_token(lin_graph *graph, lin_block block, LLVMValueRef token,
                         const lin_numbers *numbers) {
  bool convergence = is_convergence_token(token);
  const char *reason =
      convergence ? "a convergence control token" : "a token that would cross a guard";
  if (convergence)
    refuse_block(graph, block, reason);
  for (LLVMUseRef use = LLVMGetFirstUse(token); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user))
      continue;
    lin_block at = lin_numbers_find(numbers, LLVMGetInstructionParent(user));
    if (!convergence && at == block)
      continue;
    refuse_block(graph, block, reason);
    refuse_block(graph, at, reason);
  }
}

static bool touches_memory(LLVMValueRef at) {
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMLoad:
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return true;
  case LLVMCall:
    return LLVMGetIntrinsicID(LLVMGetCalledValue(at)) == 0;
  default:
    return false;
  }
}

static void read_instructions(lin_ir_function *f, lin_block block, const lin_numbers *numbers) {
  lin_graph *graph = f->graph;
  graph->cost[block] = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(f->block[block]); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    const char *reason = refused_instruction(at);
    if (reason != NULL && f->refused == NULL) {
      f->refused = reason;
      f->refused_at = block;
    }
    graph->cost[block] += lin_ir_cost(at);
    graph->flags[block] |= touches_memory(at) ? LIN_MEMORY : 0;
    if (LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMTokenTypeKind)
      refuse_token(graph, block, at, numbers);
    if (LLVMGetInstructionOpcode(at) == LLVMCall &&
        LLVMGetTailCallKind(at) == LLVMTailCallKindMustTail)
      refuse_block(graph, block, "a musttail call");
  }
}

enum { MOST_ENTRIES = 64 }; // of a loop with several back edges; they are searched through

// Whether nothing is left of a block once values have registers: the phis of the one block behind
// it take phis from it, which nobody else needs, so that both may have one register.
static bool vanishes(LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block), at = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(at) != NULL)
    at = LLVMGetNextInstruction(at);
  if (at != end || LLVMGetNumSuccessors(end) != 1)
    return false;
  LLVMBasicBlockRef next = LLVMGetSuccessor(end, 0);
  for (at = LLVMGetFirstInstruction(next); LLVMIsAPHINode(at) != NULL;
       at = LLVMGetNextInstruction(at)) {
    LLVMValueRef value = LLVMCountIncoming(at) <= MOST_ENTRIES ? lin_ir_incoming(at, block) : at;
    if (LLVMIsAPHINode(value) == NULL || LLVMGetInstructionParent(value) != block ||
        LLVMGetNextUse(LLVMGetFirstUse(value)) != NULL)
      return false;
  }
  return true;
}

static void read_terminator(lin_ir_function *f, lin_block block) {
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(f->block[block]);
  if (lin_ir_is_agreed(terminator))
    f->graph->flags[block] |= LIN_AGREED | LIN_UNIFORM;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(terminator);
  if (opcode == LLVMRet)
    f->graph->flags[block] |= LIN_RETURN;
  else if (LLVMGetNumSuccessors(terminator) == 0)
    f->graph->flags[block] |= LIN_TRAP;
  else if (lin_ir_is_coherent(terminator))
    f->graph->flags[block] |= LIN_COHERENT;
  else if (vanishes(f->block[block]))
    f->graph->flags[block] |= LIN_VANISHES;
}

bool lin_ir_is_agreed(LLVMValueRef terminator) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(terminator));
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  return LLVMHasMetadata(terminator) &&
         LLVMGetMetadata(terminator, lin_ir_agreed_kind(context)) != NULL;
}

unsigned lin_ir_agreed_kind(LLVMContextRef context) {
  return LLVMGetMDKindIDInContext(context, "linearize.agreed", 16);
}

// A profile is of the kernel, not of its versions.
static void name_counted(lin_arena *arena, lin_graph *graph) {
  const char *version = strstr(graph->title, LIN_VERSIONS_FUNCTION_INFIX);
  if (version != NULL)
    graph->counted = lin_arena_text(arena, graph->title, (size_t)(version - graph->title));
}

lin_ir_function *lin_ir_read(lin_arena *arena, LLVMValueRef function,
                             const lin_ir_read_options *options) {
  lin_ir_function *f = LIN_NEW(arena, lin_ir_function);
  uint32_t n = LLVMCountBasicBlocks(function), num_edges = 0;
  f->function = function;
  f->refused_at = LIN_NONE;
  f->block = LIN_ARRAY(arena, LLVMBasicBlockRef, n);
  LLVMGetBasicBlocks(function, f->block);
  lin_numbers numbers = {0};
  for (lin_block block = 0; block < n; block++) {
    lin_numbers_add(arena, &numbers, f->block[block], block);
    num_edges += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(f->block[block]));
  }

  lin_graph *graph = f->graph = lin_graph_new(arena, n, num_edges);
  size_t length;
  const char *title = LLVMGetValueName2(function, &length);
  graph->title = lin_arena_text(arena, title, length);
  name_counted(arena, graph);
  name_blocks(arena, function, graph, f->block);
  if (!options->force && lin_ir_attribute(function, "optnone") != NULL)
    f->refused = "the function is marked optnone, as clang does at -O0: build with -O1 or more";
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  unsigned profile_kind = LLVMGetMDKindIDInContext(context, "prof", 4);
  lin_edge next = 0;
  for (lin_block block = 0; block < n; block++) {
    graph->first_edge[block] = next;
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(f->block[block]);
    lin_ir_weights(terminator, profile_kind, &graph->weight[next]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
      graph->destination[next++] = lin_numbers_find(&numbers, LLVMGetSuccessor(terminator, i));
    read_terminator(f, block);
    read_instructions(f, block, &numbers);
  }
  graph->first_edge[n] = next;
  lin_graph_finish(arena, graph);
  return f;
}

void lin_ir_read_effects(lin_ir_function *f, lin_ir_summaries *summaries) {
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(f->block[block]); at != NULL;
         at = LLVMGetNextInstruction(at))
      f->graph->flags[block] |= lin_ir_effects(summaries, at);
  lin_ir_read_awaited(f, summaries);
}

void lin_ir_read_uniform(lin_ir_function *f,
                         bool (*is_uniform)(LLVMValueRef terminator, void *context),
                         void *context) {
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    if (lin_out_degree(f->graph, block) > 1 &&
        is_uniform(LLVMGetBasicBlockTerminator(f->block[block]), context))
      f->graph->flags[block] |= LIN_UNIFORM;
}

void lin_ir_read_trips(lin_ir_function *f,
                       unsigned (*most_trips)(LLVMBasicBlockRef header, bool *counted,
                                              void *context),
                       void *context) {
  for (lin_block block = 0; block < f->graph->num_blocks; block++) {
    bool counted = false;
    f->graph->most_trips[block] = most_trips(f->block[block], &counted, context);
    f->graph->flags[block] |= counted ? LIN_COUNTED : 0;
  }
}
