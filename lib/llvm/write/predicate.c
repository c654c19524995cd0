// Short guarded blocks without effects are computed by all threads, and a select keeps the result
// only for those that the guard let in. A test, a branch and a block go:
//
//       g: br %skip, %next, %b                  g: %x = add %y, 1
//       b: %x = add %y, 1                          %z = select %skip, %y, %x
//          br %next                                br %next
//    next: %z = phi [%y, %g], [%x, %b]       next: ...
//
// ptxas does the same to what comes out as a few instructions, so nothing is executed that wasn't.
// LLVM has done it where it could before this pass; now there are new places.
#include "gpu/costs.h"
#include "writer.h"
#include "llvm/edit/move.h"
#include "llvm/edit/records.h"

#include <llvm-c/DebugInfo.h>

// Selects of a block, which hold registers. In mode needed warps run alike with 0 to 12, within
// 0.01% on both halves (`scripts/calibrate MOST_SELECTS`, 2026-11-24); but without the bound 87
// modules for sm_75 come out otherwise in the other modes (`scripts/same-code`), and nobody has
// counted what warps run of these.
enum {
  MOST_SELECTS = 2,
  MOST_OPERANDS = 512 // of a phi: it is built anew for each block that goes
};

// A branch around a block: `from` goes to `block` or past it to `to`, `block` only to `to`.
typedef struct detour {
  LLVMValueRef branch; // the terminator of `from`
  LLVMBasicBlockRef from, block, to;
  bool when; // the condition's value that leads to `block`
} detour;

static bool find_detour(LLVMBasicBlockRef from, bool when, detour *d) {
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(from);
  if (lin_ir_condition(from) == NULL)
    return false;
  LLVMBasicBlockRef block = LLVMGetSuccessor(branch, when ? 0 : 1);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  *d = (detour){branch, from, block, LLVMGetSuccessor(branch, when ? 1 : 0), when};
  return LLVMIsABranchInst(end) && !LLVMIsConditional(end) && LLVMGetSuccessor(end, 0) == d->to &&
         d->to != block && d->to != from && lin_ir_only_entry(block) != NULL;
}

// Instructions that keep `past` or `through`; there is no select between predicates in PTX.
static uint32_t cost_of_select(const writer *w, LLVMValueRef past, LLVMValueRef through) {
  if (past == through || LLVMIsPoison(past) || LLVMIsPoison(through))
    return 0;
  bool of_predicates = LLVMTypeOf(past) == w->flag_type;
  return of_predicates && !LLVMIsAConstantInt(past) && !LLVMIsAConstantInt(through) ? 3 : 1;
}

static uint32_t count_instructions(const writer *w, const detour *d) {
  uint32_t count = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(d->block); !LLVMIsATerminatorInst(at);
       at = LLVMGetNextInstruction(at)) {
    if (!lin_ir_is_cheap(at))
      return UINT32_MAX;
    count++;
  }
  uint32_t selects = 0;
  for (LLVMValueRef phi = LLVMGetFirstInstruction(d->to); LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi)) {
    if (LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMVectorTypeKind ||
        LLVMCountIncoming(phi) > MOST_OPERANDS)
      return UINT32_MAX;
    LLVMValueRef past = lin_ir_incoming(phi, d->from), through = lin_ir_incoming(phi, d->block);
    selects += cost_of_select(w, past, through);
  }
  return selects > MOST_SELECTS ? UINT32_MAX : count + selects;
}

static LLVMValueRef select_value(writer *w, const detour *d, LLVMValueRef past,
                                 LLVMValueRef through) {
  if (past == through || LLVMIsPoison(past))
    return through;
  if (LLVMIsPoison(through))
    return past;
  LLVMValueRef condition = LLVMGetCondition(d->branch);
  LLVMValueRef yes = d->when ? through : past, no = d->when ? past : through;
  if (lin_ir_is_flag(yes, true) && lin_ir_is_flag(no, false))
    return condition;
  return lin_writer_mark(w, LLVMBuildSelect(w->builder, condition, yes, no, ""));
}

static void take_out(writer *w, const detour *d) {
  for (LLVMValueRef at; at = LLVMGetFirstInstruction(d->block), !LLVMIsATerminatorInst(at);) {
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(at);
    LLVMInstructionRemoveFromParent(at);
    LLVMPositionBuilderBefore(w->builder, d->branch);
    LLVMInsertIntoBuilder(w->builder, at);
    LLVMInstructionSetDebugLoc(at, location);
  }
  for (LLVMValueRef next, phi = LLVMGetFirstInstruction(d->to); LLVMIsAPHINode(phi); phi = next) {
    next = LLVMGetNextInstruction(phi);
    LLVMPositionBuilderBefore(w->builder, d->branch);
    LLVMValueRef past = lin_ir_incoming(phi, d->from);
    LLVMValueRef value = select_value(w, d, past, lin_ir_incoming(phi, d->block));
    lin_writer_rebuild_phi(w, phi, d->from, d->block, d->from, value);
  }
  LLVMPositionBuilderBefore(w->builder, d->branch);
  lin_ir_replace_branch(d->branch, LLVMBuildBr(w->builder, d->to));
  lin_ir_delete_block(d->block);
}

// LLVM had its chance with what was there before.
static bool is_new(const writer *w, lin_block from, lin_block block) {
  return lin_writer_sets_guard(w, from) || lin_writer_is_rerouted(w, w->graph->first_edge[block]);
}

// A block may go into one that goes itself, into one before it.
static void find_places(writer *w, lin_block *into) {
  for (lin_block block = 0; block < w->graph->num_blocks; block++) {
    if (into[block] == LIN_NONE)
      continue;
    if (into[into[block]] != LIN_NONE)
      into[block] = into[into[block]];
    if (lin_writer_input(w, block) != LIN_NONE)
      w->ir->block[lin_writer_input(w, block)] = w->block[into[block]];
  }
}

void lin_writer_predicate(writer *w) {
  lin_block *into = LIN_ARRAY(w->arena, lin_block, w->graph->num_blocks); // LIN_NONE: it stays
  for (lin_block block = 0; block < w->graph->num_blocks; block++)
    into[block] = LIN_NONE;
  for (lin_block from = w->graph->num_blocks; from-- > 0;) {
    detour d;
    if (w->block[from] == NULL ||
        !(find_detour(w->block[from], true, &d) || find_detour(w->block[from], false, &d)))
      continue;
    lin_block block = lin_writer_place(w, d.block);
    if (block == LIN_NONE || !is_new(w, from, block) || count_instructions(w, &d) > LIN_PREDICATED)
      continue;
    take_out(w, &d);
    w->block[block] = NULL;
    into[block] = from;
  }
  find_places(w, into);
}
