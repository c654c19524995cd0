#include "strip.h"

#include "move.h"

#include <llvm-c/DebugInfo.h>

typedef struct strip {
  lin_arena *arena;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMBasicBlockRef header, end; // of the inner loop; its last block
  LLVMBasicBlockRef entry, exit; // M and X
} strip;

// A phi of M for one of the header's: what comes into the loop from outside, and what the last turn
// of a strip leaves.
static void split_phi(strip *s, LLVMValueRef phi) {
  LLVMTypeRef type = LLVMTypeOf(phi);
  LLVMPositionBuilderAtEnd(s->builder, s->entry);
  LLVMValueRef outer = LLVMBuildPhi(s->builder, type, "");
  LLVMPositionBuilderBeforeInstrAndDbgRecords(s->builder, phi);
  LLVMValueRef inner = LLVMBuildPhi(s->builder, type, "");
  LLVMAddIncoming(inner, &outer, &s->entry, 1);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (from == s->end) {
      LLVMAddIncoming(inner, &value, &from, 1);
      LLVMAddIncoming(outer, &value, &s->exit, 1);
    } else {
      LLVMAddIncoming(outer, &value, &from, 1);
    }
  }
  LLVMReplaceAllUsesWith(phi, inner);
  LLVMInstructionEraseFromParent(phi);
}

static void split_phis(strip *s) {
  LLVMValueRef at = LLVMGetFirstInstruction(s->header);
  while (LLVMIsAPHINode(at)) {
    LLVMValueRef next = LLVMGetNextInstruction(at);
    split_phi(s, at);
    at = next;
  }
}

// All edges into the header from outside lead to M.
static void enter(strip *s, const lin_ir_function *f, lin_block header) {
  for (LIN_IN_EDGES(f->graph, header, i)) {
    LLVMBasicBlockRef from = f->block[f->graph->source[f->graph->in_edge[i]]];
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(from);
    for (unsigned successor = 0; from != s->end && successor < LLVMGetNumSuccessors(branch);
         successor++)
      if (LLVMGetSuccessor(branch, successor) == s->header)
        LLVMSetSuccessor(branch, successor, s->entry);
  }
}

// Replaces the branch of the end: it goes on in the strip, or to X, which goes on with the next one
// or leaves.
static void split_branch(strip *s, LLVMValueRef old, uint32_t length) {
  LLVMTypeRef integer = LLVMInt32TypeInContext(s->context);
  LLVMPositionBuilderBeforeInstrAndDbgRecords(s->builder, LLVMGetFirstInstruction(s->header));
  LLVMValueRef count = LLVMBuildPhi(s->builder, integer, "");
  bool stays_if_true = LLVMGetSuccessor(old, 0) == s->header;
  LLVMBasicBlockRef behind = LLVMGetSuccessor(old, stays_if_true ? 1 : 0);
  LLVMValueRef condition = LLVMGetCondition(old);
  LLVMPositionBuilderBefore(s->builder, old);
  LLVMValueRef next = LLVMBuildAdd(s->builder, count, LLVMConstInt(integer, 1, false), "");
  LLVMValueRef limit = LLVMConstInt(integer, length, false);
  LLVMTypeRef truth = LLVMInt1TypeInContext(s->context);
  LLVMValueRef stays,
      short_of = LLVMBuildICmp(s->builder, stays_if_true ? LLVMIntNE : LLVMIntEQ, next, limit, "");
  if (stays_if_true)
    stays = LLVMBuildSelect(s->builder, condition, short_of, LLVMConstNull(truth), "");
  else
    stays = LLVMBuildSelect(s->builder, condition, LLVMConstAllOnes(truth), short_of, "");
  LLVMValueRef in_strip = LLVMBuildCondBr(s->builder, stays, stays_if_true ? s->header : s->exit,
                                          stays_if_true ? s->exit : s->header);
  LLVMInstructionSetDebugLoc(in_strip, LLVMInstructionGetDebugLoc(old));
  LLVMPositionBuilderAtEnd(s->builder, s->exit);
  LLVMValueRef goes_on = LLVMBuildCondBr(s->builder, condition, stays_if_true ? s->entry : behind,
                                         stays_if_true ? behind : s->entry);
  LLVMInstructionSetDebugLoc(goes_on, LLVMInstructionGetDebugLoc(old));
  LLVMInstructionEraseFromParent(old);
  LLVMValueRef first = LLVMConstNull(integer);
  LLVMAddIncoming(count, &first, &s->entry, 1);
  LLVMAddIncoming(count, &next, &s->end, 1);
  lin_ir_move_incoming(s->arena, behind, s->end, s->exit);
}

static void strip_loop(lin_arena *arena, const lin_ir_function *f, lin_block header, lin_block end,
                       uint32_t length) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function));
  strip s = {.arena = arena,
             .context = context,
             .builder = LLVMCreateBuilderInContext(context),
             .header = f->block[header],
             .end = f->block[end]};
  s.entry = LLVMInsertBasicBlockInContext(context, s.header, "linearize.strip");
  s.exit = LLVMAppendBasicBlockInContext(context, f->function, "linearize.strip.end");
  LLVMMoveBasicBlockAfter(s.exit, s.end);
  enter(&s, f, header);
  split_phis(&s);
  LLVMPositionBuilderAtEnd(s.builder, s.entry);
  LLVMValueRef old = LLVMGetBasicBlockTerminator(s.end);
  LLVMInstructionSetDebugLoc(LLVMBuildBr(s.builder, s.header), LLVMInstructionGetDebugLoc(old));
  split_branch(&s, old, length);
  LLVMDisposeBuilder(s.builder);
}

uint32_t lin_ir_strip(lin_arena *arena, const lin_ir_function *f, const lin_result *result,
                      LLVMBasicBlockRef *strips) {
  const lin_graph *ordered = result->analysis->graph;
  const lin_loops *loops = result->analysis->loops;
  uint32_t count = 0;
  for (lin_edge edge = 0; edge < ordered->num_edges; edge++) {
    uint32_t loop = lin_loop_around(loops, ordered, edge);
    if (loop == 0 || !result->nests->merged[loop] || result->nests->nest[loop].strip < 2)
      continue;
    lin_block header = result->order->origin[loops->header[loop]];
    lin_block end = result->order->origin[ordered->source[edge]];
    if (lin_ir_condition(f->block[end]) == NULL)
      continue;
    strip_loop(arena, f, header, end, result->nests->nest[loop].strip);
    strips[count++] = f->block[header];
  }
  return count;
}
