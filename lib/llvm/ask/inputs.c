#include "inputs.h"

#include "graph/graph.h"
#include "names.h"
#include "numbers.h"

typedef struct work {
  lin_arena *arena;
  lin_numbers seen;
  LLVMValueRef *value; // still to be looked at
  uint32_t count, capacity;
} work;

static void add(work *w, LLVMValueRef value) {
  if (LLVMIsAInstruction(value) == NULL || lin_numbers_find(&w->seen, value) != LIN_NONE)
    return;
  lin_numbers_add(w->arena, &w->seen, value, 0);
  w->value = LIN_ROOM(w->arena, w->value, w->count, &w->capacity);
  w->value[w->count++] = value;
}

static bool is_index(LLVMValueRef call) { return lin_nvptx_axis(lin_ir_register_read(call)) >= 0; }

// A call whose result depends on its arguments alone.
static bool is_computed(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6);
  LLVMAttributeRef attribute =
      LLVMIsAFunction(callee) == NULL
          ? NULL
          : LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                        memory);
  return attribute != NULL && LLVMGetEnumAttributeValue(attribute) == 0 &&
         LLVMGetIntrinsicID(callee) != 0;
}

// What a thread only knows once it has run so far.
static bool is_found_out(LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMPHI:
  case LLVMLoad:
  case LLVMAlloca:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMInvoke:
    return true;
  case LLVMCall:
    return !is_index(value) && !is_computed(value);
  default:
    return false;
  }
}

// All that is computed from what is found out.
static void find_late(work *late, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (is_found_out(at))
        add(late, at);
  while (late->count > 0) {
    LLVMValueRef value = late->value[--late->count];
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use))
      add(late, LLVMGetUser(use));
  }
}

static void add_operands(work *slice, LLVMValueRef value) {
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    add(slice, LLVMGetOperand(value, (unsigned)i));
}

static bool is_input(const work *late, LLVMValueRef value) {
  return LLVMGetInstructionOpcode(value) == LLVMLoad && !LLVMGetVolatile(value) &&
         LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic &&
         lin_numbers_find(&late->seen, LLVMGetOperand(value, 0)) == LIN_NONE;
}

lin_ir_inputs lin_ir_find_inputs(lin_arena *arena, LLVMValueRef function) {
  work late = {.arena = arena}, slice = {.arena = arena};
  find_late(&late, function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (LLVMIsABranchInst(end) != NULL && LLVMIsConditional(end))
      add(&slice, LLVMGetCondition(end));
    else if (LLVMIsASwitchInst(end) != NULL)
      add(&slice, LLVMGetOperand(end, 0));
  }
  lin_numbers ends = {0};
  while (slice.count > 0) {
    LLVMValueRef value = slice.value[--slice.count];
    bool is_phi = LLVMGetInstructionOpcode(value) == LLVMPHI;
    if (is_input(&late, value))
      lin_numbers_add(arena, &ends, value, 0);
    else if (is_phi || !is_found_out(value))
      add_operands(&slice, value);
  }
  lin_ir_inputs inputs = {0};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (lin_numbers_find(&ends, at) != LIN_NONE) {
        inputs.load = LIN_ROOM(arena, inputs.load, inputs.count, &inputs.capacity);
        inputs.load[inputs.count++] = at;
      }
  return inputs;
}
