// Each value is the same for all items (SAME), or their number times a small constant (NUMBERED) or
// times what is the same (STRIDED), plus what is the same, or anything (APART). Values only go up,
// so sweeps over the blocks come to an end.
#include "alike.h"

#include "graph/dominators.h"
#include "llvm/ask/alone.h"
#include "llvm/ask/effects.h"
#include "llvm/ask/names.h"
#include "llvm/ask/questions.h"
#include "llvm/ask/spaces.h"

#include <llvm-c/Target.h>

enum { SAME, NUMBERED, STRIDED, APART };
enum { NEIGHBOURS = 16 }; // bytes between items that share a sector of memory
enum { MOST_LOOKS = 64 }; // at branches in front of one join; what has more is APART

typedef struct alike {
  const lin_ir_function *f;
  const lin_graph *graph;
  const lin_loops *loops;
  const lin_tree *dominators;
  LLVMValueRef item;
  lin_numbers number; // of instructions
  uint8_t *level;     // [instructions]
  lin_block *block;   // [instructions] that they stand in
  uint8_t *branch;    // [num_blocks] of what its terminator asks
  uint8_t *leaving;   // [num_loops] of what decides when the loop is left
} alike;

static uint8_t higher(uint8_t a, uint8_t b) { return a > b ? a : b; }

// ---- operands ----------------------------------------------------------------------------------

// What is read behind a loop depends on when that was left.
static uint8_t level_at(const alike *a, LLVMValueRef value, lin_block reader) {
  const uint32_t number =
      LLVMIsAInstruction(value) == NULL ? LIN_NONE : lin_numbers_find(&a->number, value);
  if (number == LIN_NONE || a->block == NULL)
    return SAME;
  uint8_t level = a->level[number];
  for (uint32_t loop = a->loops->loop_of[a->block[number]];
       loop != 0 && !lin_loop_contains(a->loops, loop, reader); loop = a->loops->tree->parent[loop])
    level = higher(level, a->leaving[loop]);
  return level;
}

static uint8_t level_of_operands(const alike *a, LLVMValueRef at, lin_block block) {
  uint8_t level = SAME;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++)
    level = higher(level, level_at(a, LLVMGetOperand(at, i), block));
  return level;
}

// ---- phis --------------------------------------------------------------------------------------

// What decides by which of these edges threads come to a block.
static uint8_t level_of_edges(const alike *a, lin_block block, bool is_around) {
  const lin_graph *g = a->graph;
  uint8_t level = SAME;
  uint32_t edges = 0, looks = 0;
  for (uint32_t i = g->first_in[block]; i < g->first_in[block + 1]; i++) {
    const lin_edge e = g->in_edge[i];
    if ((lin_loop_around(a->loops, g, e) != 0) != is_around)
      continue;
    edges++;
    const lin_block end = is_around ? block : a->dominators->parent[block];
    for (lin_block b = g->source[e];; b = a->dominators->parent[b]) {
      level = looks++ < MOST_LOOKS ? higher(level, a->branch[b]) : APART;
      if (b == end || level == APART || a->dominators->parent[b] == LIN_NONE)
        break;
    }
  }
  return edges > 1 ? level : SAME;
}

static uint8_t level_of_phi(const alike *a, LLVMValueRef phi, lin_block block) {
  const uint8_t level = higher(level_of_operands(a, phi, block), level_of_edges(a, block, false));
  return higher(level, level_of_edges(a, block, true));
}

// ---- other instructions ------------------------------------------------------------------------

static uint8_t no_line(uint8_t level) { return level == SAME ? SAME : APART; }

static uint8_t level_of_load(const alike *a, LLVMValueRef at, uint8_t address) {
  LLVMValueRef base = lin_ir_base(LLVMGetOperand(at, 0));
  if (base == a->item)
    return NUMBERED;
  const bool is_own = LLVMIsAAllocaInst(base) != NULL;
  return is_own || LLVMGetVolatile(at) ? APART : no_line(address);
}

static uint8_t level_of_call(LLVMValueRef at, uint8_t operands) {
  const lin_nvptx *read = lin_ir_register_read(at);
  LLVMValueRef called = LLVMGetCalledValue(at);
  if (read != NULL && read->gives == LIN_GIVES_LAUNCH)
    return SAME;
  if (read != NULL)
    return lin_ir_is_of_index(read) ? NUMBERED : APART;
  if (LLVMIsAFunction(called) == NULL || !lin_ir_touches_no_memory(called))
    return APART;
  const char *name = lin_ir_called_name(at);
  const bool is_bound =
      lin_ir_begins_with(name, "llvm.smin") || lin_ir_begins_with(name, "llvm.umin") ||
      lin_ir_begins_with(name, "llvm.smax") || lin_ir_begins_with(name, "llvm.umax");
  return is_bound ? operands : no_line(operands);
}

// Counters are compared with their end by `!=`, too.
static bool is_counter(LLVMValueRef value) {
  return LLVMIsAPHINode(value) != NULL ||
         (LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMAdd &&
          LLVMIsAPHINode(LLVMGetOperand(value, 0)) != NULL);
}

static uint8_t level_of_compare(LLVMValueRef at, uint8_t operands) {
  const LLVMIntPredicate how = LLVMGetICmpPredicate(at);
  const bool is_order = how != LLVMIntEQ && how != LLVMIntNE;
  return is_order || is_counter(LLVMGetOperand(at, 0)) ? operands : no_line(operands);
}

// By a constant it is a pattern of neighbours; by an argument, the rows of a plane.
static uint8_t level_of_division(LLVMValueRef at, uint8_t operands) {
  return LLVMIsAConstant(LLVMGetOperand(at, 1)) == NULL ? operands : no_line(operands);
}

static bool is_below(LLVMValueRef value, uint64_t most) {
  return LLVMIsAConstantInt(value) != NULL && LLVMConstIntGetZExtValue(value) <= most;
}

// Of numbers further apart than neighbours.
static uint8_t level_of_product(LLVMValueRef at, uint8_t operands) {
  LLVMValueRef by = LLVMGetOperand(at, 1), other = LLVMGetOperand(at, 0);
  const bool is_shift = LLVMGetInstructionOpcode(at) == LLVMShl;
  const bool is_near =
      is_shift ? is_below(by, 4) : is_below(by, NEIGHBOURS) || is_below(other, NEIGHBOURS);
  return is_near || operands != NUMBERED ? operands : STRIDED;
}

static uint8_t level_of_address(LLVMValueRef at, uint8_t operands) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(
      LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(at))));
  const bool is_near = LLVMABISizeOfType(layout, LLVMGetGEPSourceElementType(at)) <= NEIGHBOURS;
  return is_near || operands != NUMBERED ? operands : STRIDED;
}

static uint8_t level_of(const alike *a, LLVMValueRef at, lin_block block) {
  if (LLVMIsAPHINode(at) != NULL)
    return level_of_phi(a, at, block);
  const uint8_t operands = level_of_operands(a, at, block);
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMAlloca:
    return SAME;
  case LLVMLoad:
    return level_of_load(a, at, operands);
  case LLVMCall:
    return level_of_call(at, operands);
  case LLVMICmp:
    return level_of_compare(at, operands);
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
    return level_of_division(at, operands);
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
    return APART;
  case LLVMMul:
  case LLVMShl:
    return level_of_product(at, operands);
  case LLVMGetElementPtr:
    return level_of_address(at, operands);
  case LLVMAdd:
  case LLVMSub:
  case LLVMOr: // an addition, where no bit is in both
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMFreeze:
  case LLVMSelect:
  case LLVMBr:
  case LLVMSwitch:
    return operands;
  case LLVMAnd:
  case LLVMXor: // of flags: both tests, either, or not
    return LLVMTypeOf(at) == LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(at)))
               ? operands
               : no_line(operands);
  default:
    return no_line(operands);
  }
}

// ---- sweeps ------------------------------------------------------------------------------------

static void number_instructions(lin_arena *arena, alike *a) {
  uint32_t count = 0, room = 0;
  for (lin_block b = 0; b < a->graph->num_blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(a->f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      a->block = LIN_ROOM(arena, a->block, count, &room);
      a->block[count] = b;
      lin_numbers_add(arena, &a->number, at, count++);
    }
  a->level = LIN_ARRAY(arena, uint8_t, count);
}

static void leave_loops(const alike *a, lin_block block) {
  for (LIN_OUT_EDGES(a->graph, block, e))
    for (uint32_t loop = a->loops->loop_of[block];
         loop != 0 && !lin_loop_contains(a->loops, loop, a->graph->destination[e]);
         loop = a->loops->tree->parent[loop])
      a->leaving[loop] = higher(a->leaving[loop], a->branch[block]);
}

// Whether something has gone up.
static bool sweep(const alike *a) {
  bool changed = false;
  uint32_t number = 0;
  for (lin_block b = 0; b < a->graph->num_blocks; b++) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(a->f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at), number++) {
      const uint8_t level = higher(a->level[number], level_of(a, at, b));
      changed |= level != a->level[number];
      a->level[number] = level;
      if (LLVMGetNextInstruction(at) == NULL && lin_out_degree(a->graph, b) > 1)
        a->branch[b] = level;
    }
    leave_loops(a, b);
  }
  return changed;
}

// ---- memory ------------------------------------------------------------------------------------

static bool is_of_gpu(LLVMValueRef address) {
  LLVMTypeRef type = LLVMTypeOf(lin_ir_base(address));
  const unsigned space = LLVMGetTypeKind(type) == LLVMPointerTypeKind
                             ? LLVMGetPointerAddressSpace(type)
                             : LIN_IR_GENERIC;
  return space == LIN_IR_GENERIC || space == LIN_IR_GLOBAL || space == LIN_IR_LOCAL;
}

// Arrays of a thread lie so that all threads' elements of one index are neighbours; items are at
// different ones.
static void add_access(const alike *a, LLVMValueRef at, lin_block block, lin_refill_memory *m) {
  const bool is_store = LLVMIsAStoreInst(at) != NULL;
  if (!is_store && LLVMIsALoadInst(at) == NULL)
    return;
  LLVMValueRef address = LLVMGetOperand(at, is_store ? 1 : 0);
  const uint8_t level = level_at(a, address, block);
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(a->f->function));
  if (!is_of_gpu(address) || level == SAME)
    return;
  if (level == NUMBERED && LLVMIsAAllocaInst(lin_ir_base(address)) == NULL)
    m->beside +=
        (double)LLVMABISizeOfType(layout, LLVMTypeOf(is_store ? LLVMGetOperand(at, 0) : at));
  else
    m->alone++;
}

static lin_refill_memory *find_memory(lin_arena *arena, const alike *a) {
  lin_refill_memory *memory = LIN_ARRAY(arena, lin_refill_memory, a->graph->num_blocks);
  for (lin_block b = 0; b < a->graph->num_blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(a->f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at))
      add_access(a, at, b, &memory[b]);
  return memory;
}

// ---- all of it ---------------------------------------------------------------------------------

lin_refill_memory *lin_ir_find_alike(lin_arena *arena, lin_ir_function *f, const lin_loops *loops,
                                     LLVMValueRef item) {
  alike a = {.f = f,
             .graph = f->graph,
             .loops = loops,
             .dominators = lin_dominators_build(arena, f->graph, 0),
             .item = item,
             .branch = LIN_ARRAY(arena, uint8_t, f->graph->num_blocks),
             .leaving = LIN_ARRAY(arena, uint8_t, loops->num_loops)};
  number_instructions(arena, &a);
  while (sweep(&a))
    ;
  for (lin_block b = 0; b < f->graph->num_blocks; b++)
    f->graph->flags[b] |= a.branch[b] == APART ? 0 : LIN_COHERENT;
  return find_memory(arena, &a);
}
