// 1. D's branch stays behind in a block of its own, D2.
// 2. Copies of the blocks, and of D2, which becomes D1; they take each other's values.
// 3. Phis behind them get what the copies bring; other values that are used behind get a phi there.
// 4. D votes.
#include "vote.h"

#include "gpu/nvptx.h"
#include "move.h"
#include "records.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct voter {
  lin_arena *arena;
  LLVMValueRef function;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMBasicBlockRef *old, *new; // [count] blocks and their copies, D2 and D1 last
  uint32_t count;
  lin_numbers number; // of old[]
  lin_numbers index;  // of their instructions
  LLVMValueRef *copy; // [index]
} voter;

static LLVMValueRef copied(LLVMValueRef value, const void *context) {
  const voter *v = context;
  uint32_t index = LLVMIsAInstruction(value) ? lin_numbers_find(&v->index, value) : LIN_NONE;
  return index == LIN_NONE ? value : v->copy[index];
}

static LLVMBasicBlockRef copied_block(const voter *v, LLVMBasicBlockRef block) {
  uint32_t number = lin_numbers_find(&v->number, block);
  return number == LIN_NONE ? block : v->new[number];
}

// ---- step 1

// All of D but its branch goes to a block in front of it, which has its name then and is entered in
// its place; so phis behind the branch stay as they are. Returns that block.
static LLVMBasicBlockRef part_branch(voter *v, LLVMBasicBlockRef block) {
  const char *name = LLVMGetBasicBlockName(block);
  name = lin_arena_text(v->arena, name, strlen(name));
  LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(v->context, block, "");
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
  LLVMPositionBuilderAtEnd(v->builder, head);
  LLVMBuildUnreachable(v->builder); // in whose place all of it comes
  lin_ir_append_block(head, block);
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    if (LLVMIsAInstruction(LLVMGetUser(use)))
      lin_ir_set_use(use, LLVMBasicBlockAsValue(head));
  }
  LLVMPositionBuilderAtEnd(v->builder, block);
  lin_ir_move_instruction(v->arena, v->builder, branch);
  LLVMValueRef named = LLVMBasicBlockAsValue(block);
  LLVMSetValueName2(named, "linearize.apart", strlen("linearize.apart"));
  LLVMSetValueName2(LLVMBasicBlockAsValue(head), name, strlen(name));
  return head;
}

// ---- step 2

static void copy_instruction(voter *v, LLVMValueRef at) {
  bool is_phi = LLVMIsAPHINode(at) != NULL;
  bool is_value = LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMVoidTypeKind;
  LLVMValueRef made =
      is_phi ? LLVMBuildPhi(v->builder, LLVMTypeOf(at), "agreed") : LLVMInstructionClone(at);
  if (!is_phi)
    LLVMInsertIntoBuilderWithName(v->builder, made, is_value ? "agreed" : "");
  else if (LLVMCanValueUseFastMathFlags(at))
    LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(at));
  LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(at));
  uint32_t count = (uint32_t)v->index.count;
  lin_numbers_add(v->arena, &v->index, at, count);
  v->copy[count] = made;
}

static void take_copies(const voter *v, LLVMValueRef at) {
  LLVMValueRef made = copied(at, v);
  if (LLVMIsAPHINode(at)) {
    for (unsigned i = 0; i < LLVMCountIncoming(at); i++) {
      LLVMValueRef value = copied(LLVMGetIncomingValue(at, i), v);
      LLVMBasicBlockRef from = copied_block(v, LLVMGetIncomingBlock(at, i));
      LLVMAddIncoming(made, &value, &from, 1);
    }
    return;
  }
  for (int i = 0; i < LLVMGetNumOperands(made); i++)
    if (!LLVMValueIsBasicBlock(LLVMGetOperand(made, (unsigned)i)))
      LLVMSetOperand(made, (unsigned)i, copied(LLVMGetOperand(made, (unsigned)i), v));
  if (LLVMIsATerminatorInst(made))
    for (unsigned i = 0; i < LLVMGetNumSuccessors(made); i++)
      LLVMSetSuccessor(made, i, copied_block(v, LLVMGetSuccessor(made, i)));
}

static void mark_agreed(const voter *v, LLVMValueRef terminator) {
  LLVMMetadataRef nothing = LLVMMDNodeInContext2(v->context, NULL, 0);
  LLVMSetMetadata(terminator, lin_ir_agreed_kind(v->context),
                  LLVMMetadataAsValue(v->context, nothing));
}

static void copy_blocks(voter *v) {
  uint32_t instructions = 0;
  for (uint32_t i = 0; i < v->count; i++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(v->old[i]); at != NULL;
         at = LLVMGetNextInstruction(at))
      instructions++;
  v->copy = LIN_ARRAY(v->arena, LLVMValueRef, instructions);
  for (uint32_t i = 0; i < v->count; i++) {
    LLVMPositionBuilderAtEnd(v->builder, v->new[i]);
    for (LLVMValueRef at = LLVMGetFirstInstruction(v->old[i]); at != NULL;
         at = LLVMGetNextInstruction(at))
      copy_instruction(v, at);
  }
  for (uint32_t i = 0; i < v->count; i++) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(v->old[i]); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      take_copies(v, at);
      lin_ir_copy_records(copied(at, v), at, copied, v);
    }
    mark_agreed(v, LLVMGetBasicBlockTerminator(v->new[i]));
  }
}

// ---- step 3

// The phis of a block behind get an operand for each edge from a copy.
static void extend_phis(const voter *v, LLVMBasicBlockRef behind) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(behind); LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi)) {
    unsigned count = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < count; i++) {
      LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i), made = copied_block(v, from);
      LLVMValueRef value = copied(LLVMGetIncomingValue(phi, i), v);
      if (made != from)
        LLVMAddIncoming(phi, &value, &made, 1);
    }
  }
}

static bool is_copy(const voter *v, LLVMBasicBlockRef block) {
  for (uint32_t i = 0; i < v->count; i++)
    if (v->new[i] == block)
      return true;
  return false;
}

// A phi of a value and its copy in the block behind, to which nothing else leads.
static LLVMValueRef join(const voter *v, LLVMValueRef value, LLVMBasicBlockRef behind) {
  LLVMPositionBuilderBeforeInstrAndDbgRecords(v->builder, LLVMGetFirstInstruction(behind));
  LLVMValueRef phi = LLVMBuildPhi(v->builder, LLVMTypeOf(value), "");
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(behind)); use != NULL;
       use = LLVMGetNextUse(use)) {
    if (!LLVMIsAInstruction(LLVMGetUser(use)))
      continue;
    LLVMBasicBlockRef from = LLVMGetInstructionParent(LLVMGetUser(use));
    LLVMValueRef incoming = is_copy(v, from) ? copied(value, v) : value;
    LLVMAddIncoming(phi, &incoming, &from, 1);
  }
  return phi;
}

static void join_behind(const voter *v, LLVMValueRef value, LLVMBasicBlockRef behind) {
  LLVMValueRef joined = NULL;
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    if (lin_numbers_find(&v->number, lin_ir_place_of(use)) != LIN_NONE)
      continue;
    if (joined == NULL)
      joined = join(v, value, behind);
    lin_ir_set_use(use, joined);
  }
}

// Where the blocks lead: to `behind`, and to where threads don't come back from.
static void join_values(voter *v, LLVMBasicBlockRef behind) {
  lin_numbers left = {0};
  for (uint32_t i = 0; i < v->count; i++) {
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(v->old[i]);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(terminator); k++) {
      LLVMBasicBlockRef next = LLVMGetSuccessor(terminator, k);
      if (lin_numbers_find(&v->number, next) == LIN_NONE &&
          lin_numbers_find(&left, next) == LIN_NONE) {
        lin_numbers_add(v->arena, &left, next, 0);
        extend_phis(v, next);
      }
    }
  }
  for (uint32_t i = 0; behind != NULL && i + 1 < v->count; i++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(v->old[i]); at != NULL;
         at = LLVMGetNextInstruction(at))
      join_behind(v, at, behind);
}

// ---- step 4

static LLVMValueRef call(const voter *v, const char *name, LLVMValueRef *arguments,
                         unsigned count) {
  LLVMValueRef callee = LLVMGetIntrinsicDeclaration(
      LLVMGetGlobalParent(v->function), LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
  return LLVMBuildCall2(v->builder, LLVMGlobalGetValueType(callee), callee, arguments, count, "");
}

// Whether the threads of `mask` agree on the operand of a branch or a switch.
static LLVMValueRef build_vote(const voter *v, LLVMValueRef branch, LLVMValueRef mask) {
  if (LLVMIsABranchInst(branch)) {
    LLVMValueRef both[2] = {mask, LLVMGetCondition(branch)};
    return call(v, LIN_NVVM_AGREE, both, 2);
  }
  LLVMValueRef number = LLVMGetOperand(branch, 0);
  LLVMTypeRef word = LLVMInt32TypeInContext(v->context);
  LLVMValueRef both[2] = {mask, LLVMBuildIntCast2(v->builder, number, word, false, "")};
  return LLVMBuildExtractValue(v->builder, call(v, LIN_NVVM_MATCH_ALL, both, 2), 1, "");
}

void lin_ir_vote(lin_arena *arena, const lin_ir_function *f, const lin_edit *edit,
                 LLVMBasicBlockRef *block, LLVMBasicBlockRef *made) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function));
  voter v = {.arena = arena,
             .function = f->function,
             .context = context,
             .builder = LLVMCreateBuilderInContext(context),
             .old = LIN_ARRAY(arena, LLVMBasicBlockRef, edit->count + 1),
             .new = LIN_ARRAY(arena, LLVMBasicBlockRef, edit->count + 1),
             .count = edit->count + 1};
  LLVMBasicBlockRef apart = block[edit->block], voting = part_branch(&v, apart);
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(apart);
  for (uint32_t i = 0; i < v.count; i++) {
    bool last = i == edit->count;
    v.old[i] = last ? apart : block[edit->from[i]];
    v.new[i] = LLVMAppendBasicBlockInContext(context, f->function,
                                             last ? "linearize.together" : "linearize.agreed");
    lin_numbers_add(arena, &v.number, v.old[i], i);
    made[last ? 0 : 2 + i] = v.new[i];
  }
  made[1] = apart;
  block[edit->block] = voting;
  copy_blocks(&v);
  join_values(&v, edit->exit == LIN_NONE ? NULL : block[edit->exit]);
  LLVMSetCurrentDebugLocation2(v.builder, LLVMInstructionGetDebugLoc(branch));
  if (edit->who == LIN_NONE)
    LLVMPositionBuilderAtEnd(v.builder, voting);
  else
    LLVMPositionBuilderBefore(v.builder, LLVMGetBasicBlockTerminator(block[edit->who]));
  LLVMValueRef mask = call(&v, LIN_NVVM_ACTIVEMASK, NULL, 0);
  LLVMPositionBuilderAtEnd(v.builder, voting);
  LLVMValueRef part = LLVMBuildNot(v.builder, build_vote(&v, branch, mask), "");
  mark_agreed(&v, LLVMBuildCondBr(v.builder, part, apart, made[0]));
  LLVMDisposeBuilder(v.builder);
}
