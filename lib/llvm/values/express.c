// 1. Leaves get numbers, then the instructions of each block, in order.
// 2. Each becomes a value: what it computes, of what, and what else it does.
#include "express.h"

#include "gpu/target.h"
#include "linearize/shape.h"
#include "memory.h"
#include "llvm/ask/annotations.h"
#include "llvm/ask/cost.h"
#include "llvm/ask/effects.h"
#include "llvm/ask/names.h"
#include "llvm/ask/operations.h"
#include "llvm/ask/questions.h"

#include <llvm-c/Target.h>

#include <stdlib.h>
#include <string.h>

typedef struct reader {
  lin_arena *arena;
  const lin_ir_function *f;
  lin_ir_values *all;
  lin_values *values;
  lin_ir_memory memory;
  LLVMTargetDataRef layout;
  uint32_t num_operands, room_for_values, room_for_llvm, room_for_operands, room_for_scales,
      room_for_touches;
} reader;

// ---- step 1: numbers

static lin_value *add_value(reader *r, LLVMValueRef value, lin_block block) {
  lin_values *v = r->values;
  v->value = LIN_ROOM(r->arena, v->value, v->count, &r->room_for_values);
  r->all->llvm = LIN_ROOM(r->arena, r->all->llvm, v->count, &r->room_for_llvm);
  v->value[v->count] = (lin_value){.block = block, .width = (uint8_t)lin_ir_width(value)};
  r->all->llvm[v->count] = value;
  lin_numbers_add(r->arena, &r->all->numbers, value, v->count);
  return &v->value[v->count++];
}

// What stands outside of the code: constants, parameters, variables. Poison is nothing that threads
// would agree on.
static void add_leaf(reader *r, LLVMValueRef value) {
  bool is_leaf = LLVMIsAInstruction(value) == NULL && !LLVMValueIsBasicBlock(value) &&
                 LLVMIsAFunction(value) == NULL && LLVMIsAInlineAsm(value) == NULL &&
                 LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMMetadataTypeKind &&
                 LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMTokenTypeKind;
  if (!is_leaf || lin_numbers_find(&r->all->numbers, value) != LIN_NONE)
    return;
  lin_value *leaf = add_value(r, value, 0);
  leaf->op = LLVMIsUndef(value) ? LIN_OP_DIFFERENT : LIN_OP_SAME;
  if (LLVMIsAConstantInt(value) != NULL && leaf->width > 0) {
    leaf->op = LIN_OP_CONSTANT;
    leaf->number = LLVMConstIntGetZExtValue(value);
  }
}

static bool is_in_code(const reader *r, lin_block block) {
  return r->all->order->origin[block] < r->f->graph->num_blocks;
}

static void number_values(reader *r) {
  const lin_graph *graph = r->all->order->graph;
  lin_values *v = r->values;
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    if (!is_in_code(r, block))
      continue;
    LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(r->f, r->all->order, block));
    for (; at != NULL; at = LLVMGetNextInstruction(at))
      for (int i = 0; i < LLVMGetNumOperands(at); i++)
        add_leaf(r, LLVMGetOperand(at, (unsigned)i));
  }
  v->first_value = LIN_ARRAY(r->arena, uint32_t, graph->num_blocks + 1);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    v->first_value[block] = v->count;
    if (!is_in_code(r, block))
      continue;
    LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(r->f, r->all->order, block));
    for (; at != NULL; at = LLVMGetNextInstruction(at))
      add_value(r, at, block);
  }
  v->first_value[graph->num_blocks] = v->count;
  v->reason = LIN_ARRAY(r->arena, const char *, v->count);
}

// ---- step 2: operands

static void add_operand(reader *r, lin_value *to, LLVMValueRef operand, uint64_t scale) {
  lin_values *v = r->values;
  uint32_t number = lin_numbers_find(&r->all->numbers, operand);
  if (number == LIN_NONE)
    return; // blocks, functions
  v->operand = LIN_ROOM(r->arena, v->operand, r->num_operands, &r->room_for_operands);
  v->scale = LIN_ROOM(r->arena, v->scale, r->num_operands, &r->room_for_scales);
  v->operand[r->num_operands] = number;
  v->scale[r->num_operands++] = scale;
  to->count++;
}

static void add_operands(reader *r, lin_value *to, LLVMValueRef at) {
  for (int i = 0; i < LLVMGetNumOperands(at); i++)
    add_operand(r, to, LLVMGetOperand(at, (unsigned)i), 0);
}

// ---- step 2: what is computed

static void express_comparison(reader *r, lin_value *v, LLVMValueRef at) {
  bool swaps;
  v->op = (uint8_t)lin_ir_operation(at, &swaps);
  add_operand(r, v, LLVMGetOperand(at, swaps), 0);
  add_operand(r, v, LLVMGetOperand(at, !swaps), 0);
}

static void express_address(reader *r, lin_value *v, LLVMValueRef at) {
  v->op = (uint8_t)(v->width > 0 ? LIN_OP_SUM : LIN_OP_FUNCTION);
  add_operand(r, v, LLVMGetOperand(at, 0), 1);
  LLVMTypeRef type = LLVMGetGEPSourceElementType(at);
  for (int i = 1; i < LLVMGetNumOperands(at); i++) {
    LLVMValueRef index = LLVMGetOperand(at, (unsigned)i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      v->number += LLVMOffsetOfElement(r->layout, type, member);
      type = LLVMStructGetTypeAtIndex(type, member);
      continue;
    }
    if (i > 1)
      type = LLVMGetElementType(type);
    uint64_t size = LLVMABISizeOfType(r->layout, type);
    if (LLVMIsAConstantInt(index) != NULL)
      v->number += size * (uint64_t)LLVMConstIntGetSExtValue(index);
    else
      add_operand(r, v, index, size);
  }
}

static void express_phi(reader *r, lin_value *v, LLVMValueRef at, const lin_numbers *blocks) {
  v->op = LIN_OP_PHI;
  for (unsigned i = 0; i < LLVMCountIncoming(at); i++) {
    lin_block from = lin_numbers_find(blocks, LLVMGetIncomingBlock(at, i));
    if (from != LIN_NONE) // else nothing reaches it
      add_operand(r, v, LLVMGetIncomingValue(at, i), from);
  }
}

// ---- step 2: memory

// The number of a touch stands in the value.
static lin_touch *add_touch(reader *r, lin_value *v, LLVMValueRef at, LLVMValueRef address,
                            LLVMTypeRef type, unsigned does) {
  lin_values *all = r->values;
  all->touch = LIN_ROOM(r->arena, all->touch, all->num_touches, &r->room_for_touches);
  lin_touch *touch = &all->touch[all->num_touches];
  *touch = (lin_touch){.value = lin_numbers_find(&r->all->numbers, at),
                       .address = lin_numbers_find(&r->all->numbers, address),
                       .bytes = (uint32_t)LLVMABISizeOfType(r->layout, type)};
  lin_ir_set_memory(&r->memory, address, touch);
  v->does |= (uint16_t)does;
  v->number = all->num_touches++;
  return touch;
}

static void refuse(reader *r, LLVMValueRef at, const char *reason) {
  r->values->reason[lin_numbers_find(&r->all->numbers, at)] = reason;
}

static const char observed[] =
    "is volatile or atomic here, by which threads may see who comes first";

static void express_load(reader *r, lin_value *v, LLVMValueRef at) {
  const lin_touch *touch = add_touch(r, v, at, LLVMGetOperand(at, 0), LLVMTypeOf(at), LIN_READS);
  bool plain = lin_ir_is_plain_load(at);
  bool own = touch->memory == LIN_MEMORY_OWN || touch->memory == LIN_MEMORY_ANY;
  v->op = plain && !own ? LIN_OP_LOAD : LIN_OP_DIFFERENT;
  if (!plain)
    refuse(r, at, observed);
  add_operands(r, v, at);
}

static void express_store(reader *r, lin_value *v, LLVMValueRef at) {
  v->op = LIN_OP_EFFECT;
  add_touch(r, v, at, LLVMGetOperand(at, 1), LLVMTypeOf(LLVMGetOperand(at, 0)), LIN_WRITES);
  if (LLVMGetVolatile(at) || LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic)
    refuse(r, at, observed);
  add_operands(r, v, at);
}

// Whose result nobody reads, and who may come in any order: on numbers, not on floats, which round.
static bool is_in_any_order(LLVMValueRef at) {
  return LLVMGetFirstUse(at) == NULL && !LLVMGetVolatile(at) &&
         lin_ir_is_of_any_order(LLVMGetAtomicRMWBinOp(at));
}

static void express_atomic(reader *r, lin_value *v, LLVMValueRef at) {
  v->op = LIN_OP_DIFFERENT;
  add_touch(r, v, at, LLVMGetOperand(at, 0), LLVMTypeOf(LLVMGetOperand(at, 1)),
            LIN_READS | LIN_WRITES);
  if (LLVMGetInstructionOpcode(at) == LLVMAtomicCmpXchg || !is_in_any_order(at))
    refuse(
        r, at,
        "is an atomic operation whose result, or whose rounding, tells which thread comes first: "
        "only unused results of operations on integers don't");
  add_operands(r, v, at);
}

// ---- step 2: calls

static void express_register(reader *r, lin_value *v, LLVMValueRef at, const lin_nvptx *read) {
  if (lin_nvptx_is(read, LIN_NVPTX_TID) || lin_nvptx_is(read, LIN_NVPTX_NTID)) {
    v->op = lin_nvptx_is(read, LIN_NVPTX_TID) ? LIN_OP_INDEX : LIN_OP_SIZE;
    v->number = (uint64_t)lin_nvptx_axis(read);
    return;
  }
  v->op = read->gives <= LIN_GIVES_BLOCK ? LIN_OP_SAME : LIN_OP_DIFFERENT;
  if (v->op == LIN_OP_DIFFERENT)
    refuse(r, at,
           "asks for a number of the warp or the lane, or for the time, and so sees which "
           "thread runs it");
}

// A barrier for all threads of the block, aligned or not, whatever else it counts.
static bool is_barrier(const lin_nvptx *row) {
  return lin_nvptx_is(row, LIN_NVPTX_BARRIER) || lin_nvptx_is(row, LIN_NVPTX_TOLD);
}

static bool is_nothing(const char *name) {
  return lin_ir_begins_with(name, "llvm.lifetime.") || lin_ir_begins_with(name, "llvm.dbg.") ||
         lin_ir_begins_with(name, "llvm.assume") || lin_ir_begins_with(name, "llvm.donothing") ||
         lin_ir_begins_with(name, "llvm.experimental.noalias.scope.decl");
}

// What only computes; a call that may not come where it isn't asked for keeps its place.
static bool is_function(LLVMValueRef callee) {
  return lin_ir_touches_no_memory(callee) && lin_ir_attribute(callee, "convergent") == NULL &&
         lin_ir_attribute(callee, "willreturn") != NULL;
}

static void express_call(reader *r, lin_value *v, LLVMValueRef at) {
  LLVMValueRef callee = LLVMGetCalledValue(at), body;
  const char *name = lin_ir_called_name(at);
  const lin_nvptx *read = lin_ir_register_read(at);
  add_operands(r, v, at);
  if (read != NULL) {
    express_register(r, v, at, read);
  } else if (is_barrier(lin_ir_intrinsic(at))) {
    v->op = LIN_OP_DIFFERENT;
    v->does = LIN_MEETS;
  } else if (is_nothing(name)) {
    v->op = LIN_OP_EFFECT;
  } else if (LLVMIsAFunction(callee) != NULL && is_function(callee)) {
    bool swaps;
    v->op = (uint8_t)lin_ir_operation(at, &swaps);
    v->does = lin_ir_attribute(callee, "speculatable") != NULL ? 0 : LIN_STAYS;
  } else if (LLVMIsAInlineAsm(callee) != NULL && lin_ir_is_arithmetic(callee)) {
    v->op = LIN_OP_FUNCTION; // PTX's arithmetic never traps
  } else {
    uint32_t effects = lin_ir_own_effects(at, &body);
    bool of_warp = LLVMGetIntrinsicID(callee) != 0 && (effects & (LIN_WAITS | LIN_CROSS_LANE)) != 0;
    v->op = LIN_OP_DIFFERENT;
    v->does = LIN_ORDERS;
    refuse(r, at,
           of_warp ? "is an operation among the threads of a warp, which would be others"
                   : "is a call, an operation or assembly of which nobody knows whether it sees "
                     "which thread runs it");
  }
}

// ---- step 2: instructions

static void express(reader *r, uint32_t number, const lin_numbers *blocks) {
  LLVMValueRef at = r->all->llvm[number];
  lin_value *v = &r->values->value[number];
  LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
  v->first = r->num_operands;
  switch (opcode) {
  case LLVMPHI:
    express_phi(r, v, at, blocks);
    return;
  case LLVMICmp:
    express_comparison(r, v, at);
    return;
  case LLVMGetElementPtr:
    express_address(r, v, at);
    return;
  case LLVMLoad:
    express_load(r, v, at);
    return;
  case LLVMStore:
    express_store(r, v, at);
    return;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    express_atomic(r, v, at);
    return;
  case LLVMCall:
    express_call(r, v, at);
    return;
  default:
    break;
  }
  add_operands(r, v, at);
  if (LLVMIsATerminatorInst(at) != NULL) {
    v->op = LIN_OP_EFFECT;
  } else if (opcode == LLVMAlloca) {
    v->op = LIN_OP_SAME; // an address that means other memory to each thread: see LIN_MEMORY_OWN
  } else if (opcode == LLVMFence) {
    v->op = LIN_OP_EFFECT;
    v->does = LIN_ORDERS;
    refuse(r, at, "orders memory for other threads");
  } else if (opcode == LLVMVAArg || LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMTokenTypeKind) {
    v->op = LIN_OP_DIFFERENT;
    refuse(r, at, "is of a kind that has to stay where it is");
  } else {
    bool swaps;
    v->op = (uint8_t)lin_ir_operation(at, &swaps);
    if (opcode == LLVMFreeze) // of poison, each is something else
      v->does = LIN_STAYS;
  }
}

// ---- costs

// An access to memory is one instruction here: what its address takes stands in what that is
// computed of. An address a constant away from another one is a part of the access.
static uint32_t cost_of(LLVMValueRef at) {
  enum { BY_CONSTANT = 4 }; // a division as ptxas makes it: a high product, a shift, what is left
  bool is_apart = false;
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMLoad:
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return 1;
  case LLVMBr:
  case LLVMSwitch:
    return LLVMGetNumSuccessors(at) - 1;
  case LLVMGetElementPtr:
    for (int i = 1; i < LLVMGetNumOperands(at); i++)
      is_apart |= LLVMIsAConstantInt(LLVMGetOperand(at, (unsigned)i)) == NULL;
    return is_apart;
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
    return LLVMIsAConstantInt(LLVMGetOperand(at, 1)) != NULL ? BY_CONSTANT : lin_ir_cost(at);
  default:
    return lin_ir_cost(at);
  }
}

// ---- branches

static void read_branch(reader *r, lin_block block) {
  lin_values *v = r->values;
  const lin_graph *graph = r->all->order->graph;
  v->condition[block] = LIN_NONE;
  if (!is_in_code(r, block))
    return;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(lin_ir_block(r->f, r->all->order, block));
  unsigned successors = LLVMGetNumSuccessors(end);
  if (successors < 2)
    return;
  bool is_switch = LLVMIsASwitchInst(end) != NULL;
  LLVMValueRef condition = is_switch ? LLVMGetOperand(end, 0) : LLVMGetCondition(end);
  v->condition[block] = lin_numbers_find(&r->all->numbers, condition);
  for (LIN_OUT_EDGES(graph, block, edge)) {
    unsigned successor = edge - graph->first_edge[block];
    v->taken_otherwise[edge] = is_switch && successor == 0;
    if (is_switch && successor > 0)
      v->taken_for[edge] = LLVMConstIntGetZExtValue(lin_ir_case(end, successor));
    else
      v->taken_for[edge] = successor == 0;
  }
}

// "128", "128,1,1": the sizes that are given, and 1 for the others.
static bool read_sizes(LLVMValueRef function, const char *name, uint32_t *size) {
  unsigned length;
  const char *text = lin_ir_string_attribute(function, name, &length);
  size[0] = size[1] = size[2] = 1;
  for (unsigned axis = 0; text != NULL && axis < 3; axis++) {
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (end == text || number == 0 || number > LIN_LARGEST_BLOCK)
      return false;
    size[axis] = (uint32_t)number;
    if (*end != ',')
      return true;
    text = end + 1;
  }
  return false;
}

static void read_block_size(reader *r) {
  lin_values *v = r->values;
  uint32_t size[3];
  v->most_threads = LIN_LARGEST_BLOCK;
  if (read_sizes(r->f->function, "nvvm.reqntid", size))
    memcpy(v->size, size, sizeof size);
  else if (!read_sizes(r->f->function, "nvvm.maxntid", size))
    return;
  uint32_t threads = size[0] * size[1] * size[2];
  v->most_threads = threads < v->most_threads ? threads : v->most_threads;
}

lin_ir_values *lin_ir_express(lin_arena *arena, const lin_ir_function *f) {
  lin_ir_values *all = LIN_NEW(arena, lin_ir_values);
  lin_values *v = all->values = LIN_NEW(arena, lin_values);
  const lin_shape shape = lin_shape_build(arena, f->graph);
  const lin_graph *graph = shape.order->graph;
  all->order = shape.order;
  v->analysis = shape.analysis;
  reader r = {.arena = arena,
              .f = f,
              .all = all,
              .values = v,
              .memory = lin_ir_read_memory(arena, f->function),
              .layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f->function))};
  number_values(&r);
  lin_numbers blocks = lin_ir_number_blocks(arena, f, all->order);
  for (uint32_t value = v->first_value[0]; value < v->count; value++) {
    express(&r, value, &blocks);
    v->value[value].cost = cost_of(all->llvm[value]);
  }
  v->condition = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  v->taken_for = LIN_ARRAY(arena, uint64_t, graph->num_edges);
  v->taken_otherwise = LIN_ARRAY(arena, bool, graph->num_edges);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    read_branch(&r, block);
  read_block_size(&r);
  return all;
}
