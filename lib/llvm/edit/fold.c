// Several exit tests of a short loop become one.
#include "loops.h"
#include "move.h"
#include "records.h"
#include "llvm/ask/questions.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

// A test of the loop.
typedef struct test {
  LLVMBasicBlockRef block, exit, apart; // where the threads that leave find out that they do
  LLVMValueRef branch, leaves;
} test;

static void read_tests(const lin_ir_function *f, const lin_edit *edit, test *tests) {
  const lin_graph *graph = f->graph;
  for (uint32_t i = 0; i < edit->count; i++) {
    lin_block block = edit->from[i];
    lin_block next = edit->from[i + 1 < edit->count ? i + 1 : 0];
    bool yes_stays = graph->destination[graph->first_edge[block]] == next;
    tests[i].block = f->block[block];
    tests[i].branch = LLVMGetBasicBlockTerminator(tests[i].block);
    tests[i].leaves = yes_stays ? NULL : LLVMGetCondition(tests[i].branch);
    tests[i].exit = LLVMGetSuccessor(tests[i].branch, yes_stays ? 1 : 0);
  }
}

// Who leaves goes through the tests once more.
static void test_apart(lin_arena *arena, LLVMBuilderRef builder, const test *tests,
                       uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    LLVMPositionBuilderAtEnd(builder, tests[i].apart);
    LLVMValueRef branch =
        i + 1 < count ? LLVMBuildCondBr(builder, tests[i].leaves, tests[i].exit, tests[i + 1].apart)
                      : LLVMBuildBr(builder, tests[i].exit);
    LLVMInstructionSetDebugLoc(branch, LLVMInstructionGetDebugLoc(tests[i].branch));
    lin_ir_move_incoming(arena, tests[i].exit, tests[i].block, tests[i].apart);
  }
}

// What comes before a later test moves to the end of the first block.
static void move_between(lin_arena *arena, LLVMBuilderRef builder, const test *first,
                         const test *later) {
  LLVMPositionBuilderBefore(builder, first->branch);
  for (LLVMValueRef at; (at = LLVMGetFirstInstruction(later->block)) != later->branch;)
    lin_ir_move_instruction(arena, builder, at);
}

// Whether a thread leaves by a test up to each, which `leaves` says from then on, at the end of the
// first block; returns that of the last. Behind the loop it stands for the test itself, for who
// asks there has left by none before. ptxas makes one instruction of an `or` and the comparison
// that is its first operand; a comparison that something else needs, too, it computes once more.
// (Source: ptxas 13.0, the machine code of rows of 2 to 5 tests, every order.)
static LLVMValueRef gather_tests(lin_arena *arena, LLVMBuilderRef builder, test *tests,
                                 uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0)
      move_between(arena, builder, &tests[0], &tests[i]);
    LLVMPositionBuilderBefore(builder, tests[0].branch);
    if (tests[i].leaves == NULL)
      tests[i].leaves = LLVMBuildNot(builder, LLVMGetCondition(tests[i].branch), "");
    if (i > 0) // it may be poison where an earlier one holds
      tests[i].leaves = LLVMBuildOr(builder, LLVMBuildFreeze(builder, tests[i].leaves, ""),
                                    tests[i - 1].leaves, "");
  }
  return tests[count - 1].leaves;
}

// Whether values of that type have registers of their own.
static bool may_be_hidden(LLVMTypeRef type) {
  unsigned bits = LLVMGetIntTypeWidth(type);
  return bits == 32 || bits == 64;
}

// The same value, of which nothing is known. LLVM and ptxas would follow a sum back to what is
// added to, and keep that in a register instead.
static LLVMValueRef hide(LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value), code = LLVMFunctionType(type, &type, 1, false);
  const char *operands = LLVMGetIntTypeWidth(type) == 32 ? "=r,0" : "=l,0";
  LLVMValueRef nothing = LLVMGetInlineAsm(code, "", 0, operands, strlen(operands), false, false,
                                          LLVMInlineAsmDialectATT, false);
  return LLVMBuildCall2(builder, code, nothing, &value, 1, "");
}

static void replace_outside(LLVMValueRef value, LLVMBasicBlockRef loop, LLVMValueRef by) {
  for (LLVMUseRef use = LLVMGetFirstUse(value), next; use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    if (lin_ir_place_of(use) != loop)
      lin_ir_set_use(use, by);
  }
}

static bool is_read_outside(LLVMValueRef value, LLVMBasicBlockRef loop) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use))
    if (lin_ir_place_of(use) != loop)
      return true;
  return false;
}

// Who leaves by an early test needs a counter as it was before the iteration counted: behind the
// loop, what it added is taken back. Else an iteration would copy it. The sum wraps, for it is now
// computed where it wasn't.
static void take_counts_back(LLVMBuilderRef builder, LLVMBasicBlockRef loop,
                             LLVMBasicBlockRef behind) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(loop); LLVMIsAPHINode(phi) != NULL;
       phi = LLVMGetNextInstruction(phi)) {
    LLVMValueRef sum = lin_ir_incoming(phi, loop), step = lin_ir_added_to(phi, sum);
    if (step == NULL || !may_be_hidden(LLVMTypeOf(phi)) || !is_read_outside(phi, loop))
      continue;
    LLVMSetNUW(sum, false);
    LLVMSetNSW(sum, false);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(behind));
    replace_outside(phi, loop, LLVMBuildSub(builder, hide(builder, sum), step, ""));
  }
}

LLVMBasicBlockRef lin_ir_fold_tests(lin_arena *arena, const lin_ir_function *f,
                                    const lin_edit *edit, LLVMBasicBlockRef *block) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  uint32_t count = edit->count;
  test *tests = LIN_ARRAY(arena, test, count);
  read_tests(f, edit, tests);
  LLVMBasicBlockRef header = tests[0].block;
  for (uint32_t i = 0; i < count; i++)
    tests[i].apart = LLVMAppendBasicBlockInContext(context, f->function, "linearize.exit");
  LLVMValueRef all = gather_tests(arena, builder, tests, count);
  test_apart(arena, builder, tests, count);
  lin_ir_move_incoming(arena, header, tests[count - 1].block, header);
  LLVMPositionBuilderBefore(builder, tests[0].branch);
  LLVMValueRef around = LLVMBuildCondBr(builder, all, tests[0].apart, header);
  lin_ir_replace_branch(tests[count - 1].branch, around);
  LLVMInstructionEraseFromParent(tests[0].branch);
  if (strncmp(LLVMGetTarget(LLVMGetGlobalParent(f->function)), "nvptx", 5) == 0)
    take_counts_back(builder, header, tests[0].apart);
  LLVMDisposeBuilder(builder);
  for (uint32_t i = 1; i < count; i++) {
    lin_ir_delete_block(tests[i].block);
    block[edit->from[i]] = tests[i].apart;
  }
  return tests[0].apart;
}
