#include "fold.h"

#include "linearize/between.h"
#include "move.h"
#include "records.h"
#include "llvm/ask/cost.h"
#include "llvm/ask/questions.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>

// Tests of one loop, and simple instructions between the first and the last of them.
enum { MOST_TESTS = 8, MOST_BETWEEN = 16 };

struct lin_ir_folder {
  lin_arena *arena;
  const lin_ir_function *f;
  const lin_order *order;
  const lin_analysis *a;
  bool divergence_known;
};

typedef struct lin_ir_folder folder;

static LLVMBasicBlockRef llvm_block(const folder *l, lin_block block) {
  return lin_ir_block(l->f, l->order, block);
}

// ---- which loops

static bool is_cheap_block(const folder *l, lin_block block, uint32_t *cost) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(llvm_block(l, block)); !LLVMIsATerminatorInst(at);
       at = LLVMGetNextInstruction(at)) {
    if (!lin_ir_is_cheap(at))
      return false;
    *cost += lin_ir_cost(at);
  }
  return lin_in_degree(l->a->graph, block) == 1;
}

// Whether `block` ends in a branch out of the loop, or else to `next`.
static bool is_test(const folder *l, uint32_t loop, lin_block block, lin_block next) {
  const lin_graph *graph = l->a->graph;
  lin_edge first = graph->first_edge[block];
  if (lin_ir_condition(llvm_block(l, block)) == NULL)
    return false;
  lin_block yes = graph->destination[first], no = graph->destination[first + 1];
  bool yes_stays = lin_loop_contains(l->a->loops, loop, yes),
       no_stays = lin_loop_contains(l->a->loops, loop, no);
  return yes_stays != no_stays && (yes_stays ? yes : no) == next;
}

// The number of tests of which the loop consists, 0 if it doesn't. Its blocks stand together.
static uint32_t count_tests(const folder *l, uint32_t loop) {
  const lin_graph *graph = l->a->graph;
  lin_block header = l->a->loops->header[loop], block = header;
  uint32_t cost = 0;
  bool parts = false;
  for (;; block++) {
    bool is_last =
        block + 1 == graph->num_blocks || !lin_loop_contains(l->a->loops, loop, block + 1);
    if (block - header == MOST_TESTS || l->a->loops->loop_of[block] != loop ||
        (graph->flags[block] & LIN_LEFT_OUT) != 0 ||
        !is_test(l, loop, block, is_last ? header : block + 1) ||
        (block != header && !is_cheap_block(l, block, &cost)) || cost > MOST_BETWEEN)
      return 0;
    parts |= lin_may_part(graph, block, l->divergence_known);
    if (is_last)
      return parts && block != header ? block - header + 1 : 0;
  }
}

lin_ir_short_loops *lin_ir_find_short_loops(lin_arena *arena, const lin_ir_function *f,
                                            const lin_result *result, bool divergence_known) {
  const lin_loops *loops = result->analysis->loops;
  lin_ir_short_loops *found = LIN_NEW(arena, lin_ir_short_loops);
  folder *l = found->folder = LIN_NEW(arena, folder);
  *l = (folder){arena, f, result->order, result->analysis, divergence_known};
  found->loop = LIN_ARRAY(arena, lin_ir_tests, loops->num_loops);
  for (uint32_t loop = 1; loop < loops->num_loops; loop++) {
    uint32_t tests = loops->irreducible[loop] ? 0 : count_tests(l, loop);
    if (tests > 0)
      found->loop[found->count++] =
          (lin_ir_tests){result->order->origin[loops->header[loop]], tests};
  }
  return found;
}

// ---- folding

// A test of the loop.
typedef struct test {
  LLVMBasicBlockRef block, exit, apart; // where the threads that leave find out that they do
  LLVMValueRef branch, leaves;
} test;

static void read_tests(const folder *l, const lin_ir_tests *loop, test *tests) {
  lin_block header = l->order->number[loop->header];
  for (uint32_t i = 0; i < loop->tests; i++) {
    lin_block block = header + i;
    lin_edge first = l->a->graph->first_edge[block];
    lin_block yes = l->a->graph->destination[first];
    lin_block next = i + 1 < loop->tests ? block + 1 : header;
    tests[i].block = llvm_block(l, block);
    tests[i].branch = LLVMGetBasicBlockTerminator(tests[i].block);
    tests[i].leaves = yes == next ? NULL : LLVMGetCondition(tests[i].branch);
    tests[i].exit = LLVMGetSuccessor(tests[i].branch, yes == next ? 1 : 0);
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

// Whether a thread leaves by any test. `leaves` of each is known at the end of the first block
// then.
static LLVMValueRef gather_tests(lin_arena *arena, LLVMBuilderRef builder, test *tests,
                                 uint32_t count) {
  LLVMValueRef all = NULL, yes = LLVMConstAllOnes(LLVMTypeOf(LLVMGetCondition(tests[0].branch)));
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0)
      move_between(arena, builder, &tests[0], &tests[i]);
    LLVMPositionBuilderBefore(builder, tests[0].branch);
    if (tests[i].leaves == NULL)
      tests[i].leaves = LLVMBuildNot(builder, LLVMGetCondition(tests[i].branch), "");
    all = all == NULL ? tests[i].leaves // a later one may be poison where an earlier one holds
                      : LLVMBuildSelect(builder, all, yes, tests[i].leaves, "");
  }
  return all;
}

static void fold_loop(const folder *l, const lin_ir_tests *loop) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(l->f->function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  test tests[MOST_TESTS] = {0};
  uint32_t count = loop->tests;
  assert(count >= 2 && count <= MOST_TESTS);
  read_tests(l, loop, tests);
  LLVMBasicBlockRef header = tests[0].block;
  for (uint32_t i = 0; i < count; i++)
    tests[i].apart = LLVMAppendBasicBlockInContext(context, l->f->function, "linearize.exit");
  LLVMValueRef all = gather_tests(l->arena, builder, tests, count);
  test_apart(l->arena, builder, tests, count);
  lin_ir_move_incoming(l->arena, header, tests[count - 1].block, header);
  LLVMPositionBuilderBefore(builder, tests[0].branch);
  LLVMValueRef around = LLVMBuildCondBr(builder, all, tests[0].apart, header);
  lin_ir_replace_branch(tests[count - 1].branch, around);
  LLVMInstructionEraseFromParent(tests[0].branch);
  LLVMDisposeBuilder(builder);
  for (uint32_t i = 1; i < count; i++)
    lin_ir_delete_block(tests[i].block);
}

void lin_ir_fold_tests(const lin_ir_short_loops *loops) {
  for (uint32_t i = 0; i < loops->count; i++)
    fold_loop(loops->folder, &loops->loop[i]);
}
