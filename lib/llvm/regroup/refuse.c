#include "refuse.h"

#include "again.h"
#include "gpu/assembly.h"
#include "memory.h"
#include "llvm/ask/effects.h"
#include "llvm/ask/names.h"
#include "llvm/ask/summaries.h"
#include "llvm/ask/target.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_SM = 70, MOST_BITS = 32 };

static const char *format(lin_arena *arena, const char *text, const char *name) {
  size_t size = strlen(text) + strlen(name) + 1;
  char *result = lin_arena_bytes(arena, size);
  snprintf(result, size, text, name);
  return result;
}

// ---- points

const char *lin_ir_refuse_point(const lin_ir_point *point) {
  if (point->bits > MOST_BITS)
    return "how many bits of the key count must be a constant from 0 to 32";
  if (point->algorithm >= LIN_NUM_ALGORITHMS)
    return "the algorithm must be a constant, one of linearize_reorder_algorithm";
  switch (point->neighbours) {
  case 0:
  case 4:
  case 8:
  case 16:
  case 32:
  case 64:
    return NULL;
  default:
    return "DGI counts for 4, 8, 16, 32 or 64 neighbours, or 0 for the usual number";
  }
}

// ---- functions

// Memory of a parameter is the same for all threads as long as nobody writes it.
static bool is_written(lin_arena *arena, LLVMValueRef parameter) {
  lin_numbers seen = {0};
  LLVMValueRef *pending = NULL;
  uint32_t count = 0, capacity = 0;
  for (LLVMValueRef at = parameter;; at = pending[--count]) {
    for (LLVMUseRef use = LLVMGetFirstUse(at); use != NULL; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (LLVMIsALoadInst(user) != NULL || LLVMIsAICmpInst(user) != NULL)
        continue;
      if (LLVMIsAGetElementPtrInst(user) == NULL && LLVMIsABitCastInst(user) == NULL &&
          LLVMIsAAddrSpaceCastInst(user) == NULL)
        return strncmp(lin_ir_called_name(user), "llvm.memcpy.", 12) != 0 ||
               lin_ir_operand(use) != 1;
      if (lin_numbers_find(&seen, user) != LIN_NONE)
        continue;
      lin_numbers_add(arena, &seen, user, 0);
      pending = LIN_ROOM(arena, pending, count, &capacity);
      pending[count++] = user;
    }
    if (count == 0)
      return false;
  }
}

static bool assembly_names(LLVMValueRef call, lin_nvptx_family family) {
  size_t length;
  LLVMValueRef called = LLVMIsACallInst(call) != NULL ? LLVMGetCalledValue(call) : NULL;
  if (called == NULL || LLVMIsAInlineAsm(called) == NULL)
    return false;
  const char *text = LLVMGetInlineAsmAsmString(called, &length);
  const lin_assembly read = lin_assembly_read(text, length);
  return lin_assembly_names(&read, family);
}

static const char *refuse_instruction(LLVMValueRef at) {
  if (lin_nvptx_is(lin_ir_intrinsic(at), LIN_NVPTX_EXIT) || assembly_names(at, LIN_NVPTX_EXIT))
    return "threads end in assembly (exit), and others would wait for them: let them return";
  if (assembly_names(at, LIN_NVPTX_TID))
    return "assembly asks for %tid, which would be that of another thread's work: use threadIdx";
  return NULL;
}

const char *lin_ir_refuse_function(lin_arena *arena, const lin_ir_function *f) {
  if (lin_ir_target(f->function)->sm < FIRST_SM)
    return "that takes sm_70 or newer";
  if (f->refused != NULL)
    return f->refused;
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    if (f->graph->reason[b] != NULL)
      return f->graph->reason[b];
    for (LLVMValueRef at = LLVMGetFirstInstruction(f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      const char *refused = refuse_instruction(at);
      if (refused != NULL)
        return refused;
    }
  }
  for (LLVMValueRef at = LLVMGetFirstParam(f->function); at != NULL; at = LLVMGetNextParam(at))
    if (lin_ir_is_by_value(at) && is_written(arena, at))
      return "a parameter that is passed by value is written to: copy it into a variable";
  return NULL;
}

// ---- stations

typedef struct checker {
  lin_arena *arena;
  const lin_ir_plan *plan;
  uint32_t station;
  lin_ir_summaries *summaries;
  lin_numbers asked; // functions that were looked at: do they ask for the index?
  bool *is_behind;   // [blocks in order] a way leads there from one of its points
} checker;

static void reach(checker *c) {
  const lin_graph *graph = c->plan->order->graph;
  const lin_stations *s = c->plan->stations;
  lin_block *stack = LIN_ARRAY(c->arena, lin_block, graph->num_blocks);
  uint32_t count = 0;
  c->is_behind = LIN_ARRAY(c->arena, bool, graph->num_blocks);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    if (s->station_of[b] == c->station)
      stack[count++] = b;
  while (count > 0) {
    lin_block at = stack[--count];
    for (LIN_OUT_EDGES(graph, at, edge)) {
      lin_block to = graph->destination[edge];
      if (!c->is_behind[to])
        stack[count++] = to;
      c->is_behind[to] = true;
    }
  }
}

// Whether a function, or one that it calls, asks for threadIdx. Each is looked at once.
static bool asks_for_index(checker *c, LLVMValueRef function) {
  LLVMValueRef *pending = NULL;
  uint32_t count = 0, capacity = 0;
  for (LLVMValueRef f = function;; f = pending[--count]) {
    if (lin_numbers_find(&c->asked, f) == LIN_NONE) {
      lin_numbers_add(c->arena, &c->asked, f, 0);
      for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef at = LLVMGetFirstInstruction(b); at != NULL;
             at = LLVMGetNextInstruction(at)) {
          LLVMValueRef callee;
          if (lin_ir_index_dimension(at) >= 0 || assembly_names(at, LIN_NVPTX_TID))
            return true;
          lin_ir_own_effects(at, &callee);
          if (callee == NULL)
            continue;
          pending = LIN_ROOM(c->arena, pending, count, &capacity);
          pending[count++] = callee;
        }
    }
    if (count == 0)
      return false;
  }
}

// Whether threads may wait at the station, or beyond, while others are at `block`.
static bool some_wait(const checker *c, lin_block block) {
  const lin_stations *s = c->plan->stations;
  return s->first[block] <= c->station && !s->is_together[c->station];
}

static bool is_barrier(const lin_nvptx *row) {
  return lin_nvptx_is(row, LIN_NVPTX_BARRIER) || lin_nvptx_is(row, LIN_NVPTX_TOLD) ||
         lin_nvptx_is(row, LIN_NVPTX_PART);
}

static const char *refuse_call(checker *c, lin_block block, LLVMValueRef call) {
  const char *name = lin_ir_called_name(call);
  const bool waits = some_wait(c, block), behind = c->is_behind[block];
  lin_ir_point point;
  if (!waits && !behind)
    return NULL;
  if (lin_ir_is_point(call, &point) || lin_ir_is_plain_barrier(call))
    return NULL;
  const lin_nvptx *row = lin_ir_intrinsic(call);
  const bool tells_all = lin_nvptx_is(row, LIN_NVPTX_TOLD);
  if (is_barrier(row) && !(tells_all && !waits))
    return tells_all
               ? "a barrier that counts or compares stands where threads wait to be regrouped: use "
                 "__syncthreads()"
               : "a barrier for a part of the block can't know whose work its threads do";
  if (waits &&
      (lin_nvptx_is(row, LIN_NVPTX_MATRIX) ||
       (lin_nvptx_is(row, LIN_NVPTX_WARP) && LLVMIsAConstant(LLVMGetOperand(call, 0)) != NULL)))
    return "a warp operation waits for lanes that may wait to be regrouped: name the lanes that "
           "are "
           "there, __activemask()";
  LLVMValueRef callee;
  uint32_t effects = lin_ir_own_effects(call, &callee);
  if (callee != NULL)
    effects = lin_ir_effects(c->summaries, call);
  if (callee != NULL && behind && asks_for_index(c, callee))
    return format(c->arena, "'%s' asks for threadIdx: declare it __forceinline__",
                  lin_ir_called_name(call));
  if (LLVMGetIntrinsicID(LLVMGetCalledValue(call)) == 0 && (effects & LIN_WAITS) != 0)
    return *name == '\0'
               ? "what is called here by a pointer, or in assembly, may be a barrier"
               : format(c->arena, "'%s' may wait for other threads: declare it __forceinline__",
                        name);
  return NULL;
}

// What is in the thread's own memory at places where its work moves.
static const char *refuse_memory(checker *c, const lin_ir_homes *homes) {
  lin_ir_cuts cuts = lin_ir_planned_cuts(c->arena, c->plan, c->station);
  const char *refused = NULL;
  lin_ir_own_memory memory = lin_ir_find_memory(c->arena, c->plan->f, &cuts, &refused);
  for (uint32_t cut = 0; cut < cuts.count && refused == NULL; cut++) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < memory.count; i++)
      if (memory.moves[i][cut] && lin_numbers_find(&homes->number, memory.variable[i]) == LIN_NONE)
        bytes += memory.bytes[i];
    if (bytes > 4 * LIN_MOST_MEMORY)
      refused =
          "each thread has arrays or structures in memory that are too large to move, more than "
          "256 bytes: put them into shared memory, or end their scope before";
  }
  return refused;
}

const char *lin_ir_refuse_station(lin_arena *arena, const lin_ir_plan *plan, uint32_t station,
                                  const lin_ir_homes *homes) {
  checker c = {.arena = arena, .plan = plan, .station = station};
  c.summaries = lin_ir_summaries_new(arena);
  reach(&c);
  for (lin_block b = 0; b < plan->order->graph->num_blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(plan->f, plan->order, b));
         at != NULL; at = LLVMGetNextInstruction(at)) {
      const char *refused = LLVMIsACallInst(at) != NULL ? refuse_call(&c, b, at) : NULL;
      if (refused != NULL)
        return refused;
    }
  return refuse_memory(&c, homes);
}
