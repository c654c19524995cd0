// A variable is needed behind a cut if a way leads from there to a use, before it begins to live
// anew (llvm.lifetime.start), and one from a use to the cut. One whose address gets out of sight
// always is.
#include "memory.h"

#include "again.h"
#include "llvm/ask/names.h"

#include <llvm-c/Target.h>
#include <string.h>

typedef struct finder {
  lin_arena *arena;
  const lin_ir_function *f;
  const lin_ir_cuts *cuts;
  lin_numbers number; // of blocks
  lin_block *stack;
  bool *uses, *begins, *reached; // [num_blocks] of the variable at hand
  lin_numbers seen;
  LLVMValueRef *address; // derived from it
  uint32_t num_addresses, capacity;
  bool escapes, is_local;
} finder;

// ---- uses

static void add_address(finder *w, LLVMValueRef value) {
  if (lin_numbers_find(&w->seen, value) != LIN_NONE)
    return;
  lin_numbers_add(w->arena, &w->seen, value, 0);
  w->address = LIN_ROOM(w->arena, w->address, w->num_addresses, &w->capacity);
  w->address[w->num_addresses++] = value;
}

static void use(finder *w, LLVMUseRef at) {
  LLVMValueRef user = LLVMGetUser(at);
  if (LLVMIsAInstruction(user) == NULL) {
    w->escapes = true;
    return;
  }
  lin_block block = lin_numbers_find(&w->number, LLVMGetInstructionParent(user));
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMAddrSpaceCast:
    w->is_local = true;
    add_address(w, user);
    return;
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMPHI:
  case LLVMSelect:
    add_address(w, user);
    return;
  case LLVMICmp:
    return;
  case LLVMLoad:
    w->uses[block] = true;
    return;
  case LLVMStore:
    w->uses[block] = true;
    w->escapes = w->escapes || lin_ir_operand(at) == 0;
    return;
  case LLVMCall:
    if (lin_ir_begins_with(lin_ir_called_name(user), "llvm.lifetime.start"))
      w->begins[block] = true;
    else if (!lin_ir_begins_with(lin_ir_called_name(user), "llvm.lifetime.end"))
      w->uses[block] = true;
    w->escapes = w->escapes || LLVMGetIntrinsicID(LLVMGetCalledValue(user)) == 0;
    w->is_local = w->is_local || LLVMIsAInlineAsm(LLVMGetCalledValue(user)) != NULL;
    return;
  default:
    w->escapes = true;
  }
}

static void find_uses(finder *w, LLVMValueRef variable) {
  const uint32_t blocks = w->f->graph->num_blocks;
  memset(w->uses, 0, blocks * sizeof *w->uses);
  memset(w->begins, 0, blocks * sizeof *w->begins);
  w->seen = (lin_numbers){0};
  w->num_addresses = 0;
  w->escapes = false;
  w->is_local = LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) != 0;
  add_address(w, variable);
  for (uint32_t i = 0; i < w->num_addresses; i++)
    for (LLVMUseRef at = LLVMGetFirstUse(w->address[i]); at != NULL; at = LLVMGetNextUse(at))
      use(w, at);
  // A block in which it begins and is used may do either first.
  for (lin_block b = 0; b < blocks; b++)
    w->begins[b] = w->begins[b] && !w->uses[b];
}

// ---- ways

// Sets reached[] for the blocks from whose ends a way leads to a use.
static void reach_back(finder *w) {
  const lin_graph *graph = w->f->graph;
  uint32_t count = 0;
  memset(w->reached, 0, graph->num_blocks * sizeof *w->reached);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    if (w->uses[b])
      w->stack[count++] = b;
  while (count > 0) {
    lin_block at = w->stack[--count];
    for (LIN_IN_EDGES(graph, at, i)) {
      lin_block before = graph->source[graph->in_edge[i]];
      if (w->reached[before])
        continue;
      w->reached[before] = true;
      if (!w->uses[before] && !w->begins[before])
        w->stack[count++] = before;
    }
  }
}

// Sets reached[] for the blocks to which a way leads from a use.
static void reach_on(finder *w) {
  const lin_graph *graph = w->f->graph;
  uint32_t count = 0;
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    w->reached[b] = w->uses[b];
    if (w->uses[b])
      w->stack[count++] = b;
  }
  while (count > 0) {
    lin_block at = w->stack[--count];
    for (LIN_OUT_EDGES(graph, at, edge)) {
      lin_block to = graph->destination[edge];
      if (!w->reached[to])
        w->stack[count++] = to;
      w->reached[to] = true;
    }
  }
}

static bool *find_cuts(finder *w, LLVMValueRef variable) {
  bool *moves = LIN_ARRAY(w->arena, bool, w->cuts->count);
  find_uses(w, variable);
  if (w->escapes) {
    memset(moves, true, w->cuts->count * sizeof *moves);
    return moves;
  }
  reach_back(w);
  for (uint32_t i = 0; i < w->cuts->count; i++)
    moves[i] = w->reached[lin_numbers_find(&w->number, w->cuts->cut[i].before)];
  reach_on(w);
  for (uint32_t i = 0; i < w->cuts->count; i++)
    moves[i] = moves[i] && w->reached[lin_numbers_find(&w->number, w->cuts->cut[i].before)];
  return moves;
}

// ---- all

static bool is_of_fixed_size(LLVMValueRef alloca) {
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  return LLVMIsAConstantInt(count) != NULL && LLVMConstIntGetZExtValue(count) == 1;
}

lin_ir_own_memory lin_ir_find_memory(lin_arena *arena, const lin_ir_function *f,
                                     const lin_ir_cuts *cuts, const char **refused) {
  const uint32_t blocks = f->graph->num_blocks;
  finder w = {.arena = arena,
              .f = f,
              .cuts = cuts,
              .stack = LIN_ARRAY(arena, lin_block, 2 * blocks),
              .uses = LIN_ARRAY(arena, bool, blocks),
              .begins = LIN_ARRAY(arena, bool, blocks),
              .reached = LIN_ARRAY(arena, bool, blocks)};
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f->function));
  lin_ir_own_memory memory = {0};
  uint32_t capacity = 0;
  for (lin_block b = 0; b < blocks; b++)
    lin_numbers_add(arena, &w.number, f->block[b], b);
  for (lin_block b = 0; b < blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      if (LLVMIsAAllocaInst(at) == NULL || at == cuts->key)
        continue;
      if (b != 0 || !is_of_fixed_size(at))
        *refused = "it takes memory on its stack as it runs (alloca), which can't move";
      memory.variable = LIN_ROOM(arena, memory.variable, memory.count, &capacity);
      memory.variable[memory.count++] = at;
    }
  memory.bytes = LIN_ARRAY(arena, uint64_t, memory.count);
  memory.moves = LIN_ARRAY(arena, bool *, memory.count);
  memory.is_local = LIN_ARRAY(arena, bool, memory.count);
  for (uint32_t i = 0; i < memory.count; i++) {
    memory.bytes[i] = LLVMABISizeOfType(layout, LLVMGetAllocatedType(memory.variable[i]));
    memory.moves[i] = find_cuts(&w, memory.variable[i]);
    memory.is_local[i] = w.is_local;
  }
  return memory;
}
