#include "answers.h"

#include "known.h"
#include "live.h"
#include "llvm/ask/cost.h"
#include "llvm/ask/occupancy.h"
#include "llvm/ask/questions.h"
#include "llvm/ask/target.h"

typedef struct answers {
  lin_front front;
  lin_arena *arena;
  const lin_ir_function *f;
  lin_numbers number; // of LLVM's blocks; empty until somebody asks
  uint32_t *seen;     // [blocks] the last question in which a block was named
  uint32_t questions;
  unsigned guard_kind;
  lin_ir_cutter *cutter; // NULL until somebody asks for pieces
  const uint32_t *live;  // [blocks] behind each; likewise
} answers;

static lin_block number_of(answers *a, LLVMBasicBlockRef block) {
  for (lin_block i = 0; a->number.count < a->f->graph->num_blocks; i++)
    lin_numbers_add(a->arena, &a->number, a->f->block[i], i);
  return lin_numbers_find(&a->number, block);
}

static void begin_question(answers *a) {
  if (a->seen == NULL)
    a->seen = LIN_ARRAY(a->arena, uint32_t, (size_t)a->f->graph->num_blocks + 1);
  a->questions++;
}

static lin_block next_from(void *context, lin_block block, lin_block from) {
  answers *a = context;
  LLVMBasicBlockRef next = lin_ir_next_from(a->f->block[block], a->f->block[from]);
  return next == NULL ? LIN_NONE : number_of(a, next);
}

static uint32_t cost_of_copy(void *context, lin_block block, uint32_t most) {
  const answers *a = context;
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(a->f->block[block]);
  if (LLVMIsABranchInst(terminator) == NULL && LLVMIsASwitchInst(terminator) == NULL)
    return UINT32_MAX;
  uint32_t cost = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(a->f->block[block]); at != NULL && cost <= most;
       at = LLVMGetNextInstruction(at)) {
    if (!lin_ir_may_stand_twice(at))
      return UINT32_MAX;
    cost += lin_ir_cost(at);
  }
  return cost;
}

static uint32_t cost_of_moving(void *context, lin_block block) {
  const answers *a = context;
  uint32_t cost = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(a->f->block[block]); !LLVMIsATerminatorInst(at);
       at = LLVMGetNextInstruction(at)) {
    if (!lin_ir_is_cheap(at))
      return UINT32_MAX;
    cost += lin_ir_cost(at);
  }
  return cost;
}

static bool is_used_outside(answers *a, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
    lin_block number = number_of(a, LLVMGetInstructionParent(LLVMGetUser(use)));
    if (number == LIN_NONE || a->seen[number] != a->questions)
      return true;
  }
  return false;
}

// Whether each iteration adds one constant to `phi`: what it was follows from what it is.
static bool is_counter(answers *a, LLVMValueRef phi) {
  for (uint32_t i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef next = LLVMGetIncomingValue(phi, i);
    lin_block from = number_of(a, LLVMGetIncomingBlock(phi, i));
    if (from == LIN_NONE || a->seen[from] != a->questions)
      continue;
    if (lin_ir_added_to(phi, next) == NULL)
      return false;
  }
  return true;
}

static uint32_t kept_behind(void *context, const lin_block *block, uint32_t count) {
  answers *a = context;
  uint32_t kept = 0;
  begin_question(a);
  for (uint32_t i = 0; i < count; i++)
    a->seen[block[i]] = a->questions;
  for (LLVMValueRef at = LLVMGetFirstInstruction(a->f->block[block[0]]); LLVMIsAPHINode(at) != NULL;
       at = LLVMGetNextInstruction(at))
    kept += is_used_outside(a, at) && !is_counter(a, at);
  return kept;
}

static bool is_branch(void *context, lin_block block) {
  const answers *a = context;
  return lin_ir_condition(a->f->block[block]) != NULL;
}

static bool is_guard(void *context, lin_block block) {
  const answers *a = context;
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(a->f->block[block]);
  return LLVMGetMetadata(terminator, a->guard_kind) != NULL;
}

static const lin_block *uses(void *context, lin_arena *arena, lin_block block, uint32_t *count) {
  answers *a = context;
  uint32_t capacity = 0, blocks = a->f->graph->num_blocks;
  lin_block *place = NULL;
  begin_question(a);
  *count = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(a->f->block[block]); at != NULL;
       at = LLVMGetNextInstruction(at))
    for (LLVMUseRef use = LLVMGetFirstUse(at); use != NULL; use = LLVMGetNextUse(use)) {
      lin_block number = number_of(a, lin_ir_place_of(use));
      uint32_t *seen = &a->seen[number == LIN_NONE ? blocks : number];
      if (*seen == a->questions)
        continue;
      *seen = a->questions;
      place = lin_arena_room(arena, place, *count, &capacity, sizeof *place);
      place[(*count)++] = number;
    }
  return place;
}

// A vote (VOTE, or MATCH for the number of a switch), a branch and, where threads don't agree, one
// around the plain form, which stands behind the other; activemask, if it isn't known who is there.
// Who agree run 2 instructions more, as machine code counts (scripts/lib/machine.py, 2026-11-25:
// 69.5 in place of 67.8 for short_circuit_8, 54.0 in place of 52.0 for switch_fallthrough).
static uint32_t cost_of_vote(void *context, lin_block block, bool known) {
  enum { VOTE = 3, WORD = 32, FIRST_TO_MATCH = 70 };
  const answers *a = context;
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(a->f->block[block]);
  if (!lin_ir_has_votes(a->f->function))
    return UINT32_MAX;
  bool is_word = LLVMIsASwitchInst(terminator) != NULL &&
                 LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(terminator, 0))) <= WORD &&
                 lin_ir_target_number(a->f->function) >= FIRST_TO_MATCH;
  if (!is_word && lin_ir_condition(a->f->block[block]) == NULL)
    return UINT32_MAX;
  return known ? VOTE : VOTE + 1;
}

static lin_pieces pieces(void *context, const lin_arm *arm) {
  answers *a = context;
  if (a->cutter == NULL)
    a->cutter = lin_ir_cutter_new(a->arena, a->f);
  return lin_ir_find_pieces(a->cutter, arm);
}

static uint32_t live_behind(void *context, lin_block block) {
  answers *a = context;
  if (a->live == NULL)
    a->live = lin_ir_live_out(a->arena, a->f);
  return a->live[block];
}

static uint32_t most_warps(void *context) {
  const answers *a = context;
  return lin_ir_warps(a->f->function);
}

static uint32_t registers(void *context, uint32_t warps) {
  const answers *a = context;
  return lin_ir_registers(a->f->function, warps);
}

const lin_ir_cut *lin_ir_place(const lin_front *front, uint32_t place) {
  const answers *a = front->context;
  return lin_ir_find_cut(a->cutter, place);
}

const lin_front *lin_ir_answers(lin_arena *arena, const lin_ir_function *f) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function));
  answers *a = LIN_NEW(arena, answers);
  *a = (answers){.arena = arena,
                 .f = f,
                 .guard_kind = LLVMGetMDKindIDInContext(context, "linearize.guard", 15)};
  a->front = (lin_front){.context = a,
                         .num_blocks = f->graph->num_blocks,
                         .next_from = next_from,
                         .cost_of_copy = cost_of_copy,
                         .cost_of_moving = cost_of_moving,
                         .kept_behind = kept_behind,
                         .is_branch = is_branch,
                         .is_guard = is_guard,
                         .uses = uses,
                         .cost_of_vote = cost_of_vote,
                         .pieces = pieces,
                         .live_behind = live_behind,
                         .most_warps = most_warps,
                         .registers = registers};
  return &a->front;
}
