// 1. Take the phis apart: what comes by the edges that lead to the copy is the copy's.
// 2. Copy the instructions, and have these edges lead there.
// 3. Phis of successors get what the copy computes, beside what the block does.
// 4. A value that is used elsewhere is used behind an exit that nothing else leads to: there a phi
//    joins it with the copy's.
#include "copy.h"

#include "move.h"
#include "records.h"
#include "llvm/read/read.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct copy {
  lin_arena *arena;
  const lin_ir_copying *asked;
  LLVMBuilderRef builder;
  LLVMBasicBlockRef block, made;
  lin_numbers index;   // of the block's instructions, phis included
  LLVMValueRef *value; // [index] the copy of each
} copy;

static LLVMValueRef copied(LLVMValueRef value, const void *context) {
  const copy *c = context;
  uint32_t index = LLVMIsAInstruction(value) ? lin_numbers_find(&c->index, value) : LIN_NONE;
  return index == LIN_NONE ? value : c->value[index];
}

static void add_copy(copy *c, LLVMValueRef value, LLVMValueRef made) {
  uint32_t count = (uint32_t)c->index.count;
  lin_numbers_add(c->arena, &c->index, value, count);
  c->value[count] = made;
}

static bool leads_to_copy(const copy *c, LLVMBasicBlockRef from) {
  return lin_numbers_find(c->asked->from, from) != LIN_NONE;
}

// Returns the phi that is left to the block.
static LLVMValueRef split_phi(copy *c, LLVMValueRef phi) {
  size_t length;
  const char *name = lin_ir_name(c->arena, phi, &length);
  LLVMPositionBuilderBeforeInstrAndDbgRecords(c->builder, phi);
  LLVMValueRef left = LLVMBuildPhi(c->builder, LLVMTypeOf(phi), "");
  LLVMPositionBuilderAtEnd(c->builder, c->made);
  LLVMValueRef taken = LLVMBuildPhi(c->builder, LLVMTypeOf(phi), c->asked->name);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    LLVMAddIncoming(leads_to_copy(c, from) ? taken : left, &value, &from, 1);
  }
  LLVMInstructionSetDebugLoc(left, LLVMInstructionGetDebugLoc(phi));
  LLVMInstructionSetDebugLoc(taken, LLVMInstructionGetDebugLoc(phi));
  LLVMReplaceAllUsesWith(phi, left);
  LLVMInstructionEraseFromParent(phi);
  LLVMSetValueName2(left, name, length);
  add_copy(c, left, taken);
  return left;
}

static void copy_instruction(copy *c, LLVMValueRef at) {
  LLVMValueRef made = LLVMInstructionClone(at);
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(made); i++)
    if (!LLVMValueIsBasicBlock(LLVMGetOperand(made, i)))
      LLVMSetOperand(made, i, copied(LLVMGetOperand(made, i), c));
  bool is_value = LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMVoidTypeKind;
  LLVMInsertIntoBuilderWithName(c->builder, made, is_value ? c->asked->name : "");
  LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(at)); // not the builder's
  lin_ir_copy_records(made, at, copied, c);
  add_copy(c, at, made);
}

static void copy_instructions(copy *c) {
  LLVMValueRef at = LLVMGetFirstInstruction(c->block);
  for (; LLVMIsAPHINode(at); at = LLVMGetNextInstruction(at))
    at = split_phi(c, at);
  LLVMPositionBuilderAtEnd(c->builder, c->made);
  for (; !LLVMIsATerminatorInst(at); at = LLVMGetNextInstruction(at))
    copy_instruction(c, at);
  if (c->asked->only == NULL) {
    copy_instruction(c, at);
    return;
  }
  LLVMValueRef branch = LLVMBuildBr(c->builder, c->asked->only);
  LLVMInstructionSetDebugLoc(branch, LLVMInstructionGetDebugLoc(at));
  lin_ir_copy_records(branch, at, copied, c);
}

// Edges come from other copies, too.
static void enter_copy(const copy *c) {
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(c->block)); use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) && leads_to_copy(c, LLVMGetInstructionParent(user)))
      lin_ir_set_use(use, LLVMBasicBlockAsValue(c->made));
  }
}

// A phi has an operand for each edge, of which a copy that asks nothing has one.
static void extend_phis(const copy *c, LLVMBasicBlockRef successor) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(successor); LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi)) {
    unsigned count = LLVMCountIncoming(phi);
    bool done = false;
    for (unsigned i = 0; i < count; i++)
      done |= LLVMGetIncomingBlock(phi, i) == c->made;
    for (unsigned i = 0; i < count && !done; i++) {
      LLVMValueRef value = copied(LLVMGetIncomingValue(phi, i), c);
      LLVMBasicBlockRef made = c->made;
      if (LLVMGetIncomingBlock(phi, i) != c->block)
        continue;
      LLVMAddIncoming(phi, &value, &made, 1);
      done = c->asked->only != NULL;
    }
  }
}

static bool is_used_behind(const copy *c, LLVMUseRef use) {
  LLVMBasicBlockRef place = lin_ir_place_of(use);
  return place != c->block && place != c->made && lin_ir_is_outside(&c->asked->loop, place);
}

static void join_behind(const copy *c, LLVMValueRef value) {
  LLVMBasicBlockRef exit = c->asked->exit;
  LLVMValueRef joined = NULL;
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    if (!is_used_behind(c, use))
      continue;
    if (joined == NULL) {
      LLVMPositionBuilderBeforeInstrAndDbgRecords(c->builder, LLVMGetFirstInstruction(exit));
      joined = LLVMBuildPhi(c->builder, LLVMTypeOf(value), c->asked->name);
    }
    lin_ir_set_use(use, joined);
  }
  if (joined == NULL)
    return;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(exit)); use != NULL;
       use = LLVMGetNextUse(use)) {
    if (!LLVMIsAInstruction(LLVMGetUser(use)))
      continue;
    LLVMBasicBlockRef from = LLVMGetInstructionParent(LLVMGetUser(use));
    LLVMValueRef incoming = from == c->made ? copied(value, c) : value;
    LLVMAddIncoming(joined, &incoming, &from, 1);
  }
}

LLVMBasicBlockRef lin_ir_copy_block(lin_arena *arena, const lin_ir_copying *copying) {
  LLVMValueRef function = LLVMGetBasicBlockParent(copying->block);
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  copy c = {.arena = arena,
            .asked = copying,
            .builder = LLVMCreateBuilderInContext(context),
            .block = copying->block};
  uint32_t count = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(c.block); at != NULL;
       at = LLVMGetNextInstruction(at))
    count++;
  c.value = LIN_ARRAY(arena, LLVMValueRef, count);
  c.made = LLVMAppendBasicBlockInContext(context, function, copying->name);
  copy_instructions(&c);
  enter_copy(&c);
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(c.made);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
    extend_phis(&c, LLVMGetSuccessor(terminator, i));
  for (LLVMValueRef at = LLVMGetFirstInstruction(c.block); at != NULL && copying->exit != NULL;
       at = LLVMGetNextInstruction(at))
    join_behind(&c, at);
  LLVMDisposeBuilder(c.builder);
  return c.made;
}
