#include "operations.h"

#include "gpu/assembly.h"
#include "linearize/shape.h"
#include "merge.h"
#include "llvm/ask/cost.h"
#include "llvm/ask/effects.h"
#include "llvm/ask/questions.h"
#include "llvm/edit/split.h"

// An instruction that stands for those alike.
typedef struct sample {
  LLVMValueRef instruction;
  uint32_t kind;
} sample;

typedef struct reader {
  lin_arena *arena;
  lin_ir_operations *made;
  lin_numbers numbers; // of values: instructions, then others
  sample *samples;     // [capacity] a hash table
  size_t capacity;
  uint32_t num_kinds;
  uint32_t num_operands, operand_capacity;
} reader;

// ---- kinds

static bool is_assembly(LLVMValueRef at) {
  return LLVMIsACallInst(at) != NULL && LLVMIsAInlineAsm(LLVMGetCalledValue(at)) != NULL;
}

static size_t hash_of(LLVMValueRef at) {
  size_t hash = (size_t)LLVMGetInstructionOpcode(at) * 0x9E3779B97F4A7C15u;
  hash = (hash ^ (size_t)LLVMGetTypeKind(LLVMTypeOf(at))) * 0x9E3779B97F4A7C15u;
  if (!is_assembly(at)) // numbers in it may be operands
    hash = (hash ^ (size_t)LLVMGetNumOperands(at)) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 31;
}

static uint32_t kind_of(reader *r, LLVMValueRef at) {
  size_t slot = hash_of(at) & (r->capacity - 1);
  while (r->samples[slot].instruction != NULL) {
    if (lin_ir_is_alike(r->samples[slot].instruction, at))
      return r->samples[slot].kind;
    slot = (slot + 1) & (r->capacity - 1);
  }
  r->samples[slot] = (sample){at, r->num_kinds};
  return r->num_kinds++;
}

// What PTX computes is assembly: it costs what its opcodes do, as LLVM's own instructions.
static uint32_t cost_of(LLVMValueRef at) {
  if (!is_assembly(at))
    return lin_ir_cost(at);
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(at), &length);
  return lin_assembly_read(text, length).cost;
}

// ---- flags

static bool is_plain_call(LLVMValueRef at) {
  LLVMValueRef called = LLVMGetCalledValue(at);
  return !lin_ir_is_peculiar_call(at) && LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMTokenTypeKind &&
         (LLVMIsAInlineAsm(called) == NULL || lin_ir_is_arithmetic(called));
}

// What may be melded, if it is alike. All else stays as it is, for the threads of its arm alone.
static bool may_be_melded(LLVMValueRef at) {
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMPHI:
  case LLVMBr:
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMSelect:
  case LLVMFNeg:
  case LLVMFreeze:
  case LLVMGetElementPtr:
  case LLVMExtractValue:
  case LLVMInsertValue:
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMShuffleVector:
  case LLVMLoad:
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return true;
  case LLVMCall:
    return is_plain_call(at);
  case LLVMRet:
    return LLVMGetNumOperands(at) == 0;
  default:
    return LLVMIsABinaryOperator(at) != NULL || LLVMIsACastInst(at) != NULL;
  }
}

static uint32_t flags_of(LLVMValueRef at) {
  uint32_t flags = may_be_melded(at) ? 0 : LIN_MELD_ALONE;
  if (LLVMIsAPHINode(at) != NULL)
    return flags | LIN_MELD_PHI;
  if (LLVMIsATerminatorInst(at) != NULL)
    return flags | LIN_MELD_END;
  if ((flags & LIN_MELD_ALONE) == 0 && lin_ir_may_run_anywhere(at))
    flags |= LIN_MELD_FREE;
  return flags | (lin_ir_commutes(at) ? LIN_MELD_COMMUTES : 0);
}

// ---- operands

static uint32_t number_of(reader *r, LLVMValueRef value) {
  uint32_t number = lin_numbers_find(&r->numbers, value);
  if (number != LIN_NONE)
    return number;
  number = (uint32_t)r->numbers.count;
  lin_numbers_add(r->arena, &r->numbers, value, number);
  return number;
}

static void add_operand(reader *r, LLVMValueRef operand) {
  lin_meld_code *code = &r->made->code;
  code->operand = LIN_ROOM(r->arena, code->operand, r->num_operands, &r->operand_capacity);
  code->operand[r->num_operands++] = number_of(r, operand);
}

static void read_operands(reader *r, LLVMValueRef at) {
  if (is_assembly(at)) {
    const unsigned count = lin_ir_assembly_values(at, NULL, 0);
    LLVMValueRef *values = LIN_ARRAY(r->arena, LLVMValueRef, count);
    (void)lin_ir_assembly_values(at, values, count);
    for (unsigned i = 0; i < count; i++)
      add_operand(r, values[i]);
    return;
  }
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++)
    if (!LLVMValueIsBasicBlock(LLVMGetOperand(at, i)))
      add_operand(r, LLVMGetOperand(at, i));
}

// Arrays of the thread, and parameters that are copied: an address that may be of one of two hides
// both from the back end.
static uint32_t base_of(reader *r, LLVMValueRef value) {
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind)
    return 0;
  LLVMValueRef base = lin_ir_base(value);
  bool stays = LLVMIsAAllocaInst(base) != NULL ||
               (LLVMIsAArgument(base) != NULL && lin_ir_is_by_value(base));
  return stays ? number_of(r, base) + 1 : 0;
}

static void find_bases(reader *r) {
  lin_meld_code *code = &r->made->code;
  uint32_t count = (uint32_t)r->numbers.count;
  LLVMValueRef *value = LIN_ARRAY(r->arena, LLVMValueRef, count);
  for (size_t i = 0; i < r->numbers.capacity; i++)
    if (r->numbers.key[i] != NULL)
      value[r->numbers.number[i]] = (LLVMValueRef)(uintptr_t)r->numbers.key[i];
  uint32_t *base = LIN_ARRAY(r->arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    base[i] = base_of(r, value[i]);
  code->base = base;
  code->num_values = count;
}

// ---- all

lin_ir_operations *lin_ir_operations_read(lin_arena *arena, const lin_ir_function *f) {
  const lin_shape shape = lin_shape_of_united(arena, f->graph);
  const lin_order *order = shape.order;
  const lin_analysis *analysis = shape.analysis;
  const uint32_t blocks = analysis->graph->num_blocks;
  lin_ir_operations *made = LIN_NEW(arena, lin_ir_operations);
  reader r = {.arena = arena, .made = made, .capacity = 16};
  lin_meld_code *code = &made->code;
  made->order = order;
  code->analysis = analysis;
  code->first_op = LIN_ARRAY(arena, uint32_t, (size_t)blocks + 1);
  made->block = LIN_ARRAY(arena, LLVMBasicBlockRef, blocks);
  for (lin_block block = 0; block < blocks; block++) {
    code->first_op[block] = code->num_ops;
    made->block[block] = lin_ir_block(f, order, block);
    for (LLVMValueRef at = LLVMGetFirstInstruction(made->block[block]); at != NULL;
         at = LLVMGetNextInstruction(at))
      lin_numbers_add(arena, &r.numbers, at, code->num_ops++);
  }
  code->first_op[blocks] = code->num_ops;
  while (r.capacity < 2 * (size_t)code->num_ops)
    r.capacity *= 2;
  r.samples = LIN_ARRAY(arena, sample, r.capacity);
  code->op = LIN_ARRAY(arena, lin_meld_op, (size_t)code->num_ops + 1);
  made->llvm = LIN_ARRAY(arena, LLVMValueRef, code->num_ops);
  uint32_t next = 0;
  for (lin_block block = 0; block < blocks; block++) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(made->block[block]); at != NULL;
         at = LLVMGetNextInstruction(at), next++) {
      made->llvm[next] = at;
      code->op[next] = (lin_meld_op){.kind = kind_of(&r, at),
                                     .cost = cost_of(at),
                                     .flags = flags_of(at),
                                     .first_operand = r.num_operands};
      if (LLVMIsAPHINode(at) == NULL)
        read_operands(&r, at);
    }
  }
  code->op[code->num_ops].first_operand = r.num_operands;
  find_bases(&r);
  return made;
}

lin_numbers lin_ir_meld_number(lin_arena *arena, LLVMBasicBlockRef const *blocks, uint32_t count) {
  lin_numbers numbers = {0};
  for (uint32_t i = 0; i < count; i++)
    if (blocks[i] != NULL && lin_numbers_find(&numbers, blocks[i]) == LIN_NONE)
      lin_numbers_add(arena, &numbers, blocks[i], i);
  return numbers;
}

bool lin_ir_operations_hold(const lin_ir_operations *ops, lin_block block) {
  uint32_t next = ops->code.first_op[block];
  const uint32_t end = ops->code.first_op[block + 1];
  LLVMValueRef at = LLVMGetFirstInstruction(ops->block[block]);
  while (at != NULL && next < end && at == ops->llvm[next]) {
    at = LLVMGetNextInstruction(at);
    next++;
  }
  return at == NULL && next == end;
}

LLVMBasicBlockRef lin_ir_operations_split(lin_arena *arena, const lin_ir_operations *ops,
                                          const lin_block *from, uint32_t count, lin_block to,
                                          const char *name) {
  const lin_graph *graph = ops->code.analysis->graph;
  LLVMBasicBlockRef *leading = LIN_ARRAY(arena, LLVMBasicBlockRef, count);
  unsigned num_leading = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool leads = false;
    for (LIN_OUT_EDGES(graph, from[i], edge))
      leads |= graph->destination[edge] == to;
    if (leads)
      leading[num_leading++] = ops->block[from[i]];
  }
  return lin_ir_split_edges(ops->block[to], leading, num_leading, name);
}
