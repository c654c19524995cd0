// Optimistic: all is the same until it turns out to differ; what differs goes on to those that use
// it.
#include "same.h"

#include "again.h"
#include "regroup/stations.h"
#include "llvm/ask/names.h"

typedef struct finder {
  lin_arena *arena;
  const lin_ir_function *f;
  const lin_order *order;
  const lin_postdominators *postdominators;
  const lin_numbers *homes;
  lin_numbers number;       // of instructions
  lin_numbers block_number; // in order
  bool *differs;
  bool *parts;
  LLVMValueRef *todo;
  uint32_t num_todo, num_parting;
  uint32_t *seen; // [num_blocks] by which branch a block was reached last
  lin_block *stack;
} finder;

static void differ(finder *w, LLVMValueRef instruction) {
  uint32_t number = lin_numbers_find(&w->number, instruction);
  if (number == LIN_NONE || w->differs[number])
    return;
  w->differs[number] = true;
  w->todo[w->num_todo++] = instruction;
}

static void differ_phis(finder *w, lin_block block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(w->f, w->order, block));
       LLVMIsAPHINode(at) != NULL; at = LLVMGetNextInstruction(at))
    differ(w, at);
}

static void differ_all_phis(finder *w) {
  for (lin_block b = 0; b < w->order->graph->num_blocks; b++)
    differ_phis(w, b);
}

// Threads that part at `block` come to what lies between and where they meet at different times and
// by different ways.
static void part(finder *w, lin_block block) {
  const lin_graph *graph = w->order->graph;
  if (w->parts[block])
    return;
  w->parts[block] = true;
  if (++w->num_parting > LIN_MOST_PARTING) {
    if (w->num_parting == LIN_MOST_PARTING + 1)
      differ_all_phis(w);
    return;
  }
  lin_block meet = w->postdominators->tree->parent[block];
  uint32_t count = 0;
  w->stack[count++] = block;
  while (count > 0) {
    lin_block at = w->stack[--count];
    for (LIN_OUT_EDGES(graph, at, edge)) {
      lin_block to = graph->destination[edge];
      if (w->seen[to] == w->num_parting)
        continue;
      w->seen[to] = w->num_parting;
      differ_phis(w, to);
      if (to != meet)
        w->stack[count++] = to;
    }
  }
}

static void spread(finder *w) {
  while (w->num_todo > 0) {
    LLVMValueRef value = w->todo[--w->num_todo];
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (LLVMIsAInstruction(user) == NULL)
        continue;
      differ(w, user);
      if (LLVMIsATerminatorInst(user) != NULL && LLVMGetNumSuccessors(user) > 1)
        part(w, lin_numbers_find(&w->block_number, LLVMGetInstructionParent(user)));
    }
  }
}

// What __syncthreads_count and the like say, all threads are told.
static bool is_told_to_all(LLVMValueRef instruction) {
  return lin_nvptx_is(lin_ir_intrinsic(instruction), LIN_NVPTX_TOLD);
}

// Whether it is the same wherever its operands are.
static bool hangs_on_operands(const finder *w, LLVMValueRef at, bool in_step) {
  if (LLVMIsAPHINode(at) != NULL || is_told_to_all(at))
    return in_step;
  if (LLVMIsAAllocaInst(at) != NULL)
    return w->homes == NULL || lin_numbers_find(w->homes, at) == LIN_NONE;
  return LLVMIsATerminatorInst(at) != NULL || (lin_ir_is_computed(at) && !lin_ir_is_of_lane(at));
}

static bool *find(finder *w, bool in_step) {
  w->differs = LIN_ARRAY(w->arena, bool, w->number.count);
  for (lin_block b = 0; b < w->order->graph->num_blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(w->f, w->order, b)); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (!hangs_on_operands(w, at, in_step))
        differ(w, at);
  spread(w);
  for (uint32_t i = 0; i < w->number.count; i++)
    w->differs[i] = !w->differs[i];
  return w->differs;
}

lin_ir_same lin_ir_find_same(lin_arena *arena, const lin_ir_function *f, const lin_order *order,
                             const lin_postdominators *postdominators, const lin_numbers *homes) {
  const uint32_t blocks = order->graph->num_blocks;
  finder w = {.arena = arena,
              .f = f,
              .order = order,
              .postdominators = postdominators,
              .homes = homes,
              .block_number = lin_ir_number_blocks(arena, f, order),
              .parts = LIN_ARRAY(arena, bool, blocks),
              .seen = LIN_ARRAY(arena, uint32_t, blocks),
              .stack = LIN_ARRAY(arena, lin_block, blocks + 1)};
  for (lin_block b = 0; b < blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(f, order, b)); at != NULL;
         at = LLVMGetNextInstruction(at))
      lin_numbers_add(arena, &w.number, at, (uint32_t)w.number.count);
  w.todo = LIN_ARRAY(arena, LLVMValueRef, w.number.count);
  lin_ir_same same = {.in_step = find(&w, /*in_step=*/true), .parts = w.parts};
  w.parts = LIN_ARRAY(arena, bool, blocks);
  w.num_parting = LIN_MOST_PARTING + 1; // phis differ anyway
  same.always = find(&w, /*in_step=*/false);
  same.number = w.number;
  return same;
}

bool lin_ir_is_same(const lin_ir_same *same, LLVMValueRef value, bool in_step) {
  if (LLVMIsAInstruction(value) == NULL || LLVMIsAAllocaInst(value) != NULL)
    return true;
  uint32_t number = lin_numbers_find(&same->number, value);
  return number != LIN_NONE && (in_step ? same->in_step : same->always)[number];
}
