#include "fingerprint.h"

#include "graph/fingerprint.h"
#include "llvm/ask/calls.h"
#include "llvm/ask/cost.h"
#include "llvm/ask/effects.h"
#include "llvm/read/read.h"

static bool is_call_of_function(LLVMValueRef at) {
  if (LLVMIsACallInst(at) == NULL)
    return false;
  LLVMValueRef callee = LLVMGetCalledValue(at);
  return LLVMIsAInlineAsm(callee) == NULL &&
         (LLVMIsAFunction(callee) == NULL || LLVMGetIntrinsicID(callee) == 0);
}

// Which kind an instruction is counted as.
static uint32_t *kind_of(lin_block_work *work, LLVMValueRef at) {
  const uint32_t meeting = LIN_WAITS | LIN_POLLS | LIN_CROSS_LANE;
  LLVMValueRef callee;
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMLoad:
    return &work->loads;
  case LLVMStore:
    return &work->stores;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMFence:
    return &work->meetings;
  default:
    if (is_call_of_function(at))
      return &work->calls;
    return (lin_ir_own_effects(at, &callee) & meeting) != 0 ? &work->meetings : &work->others;
  }
}

// What is no machine code isn't counted: debug information must not tell.
static uint32_t count(LLVMBasicBlockRef block, lin_block_work *work) {
  uint32_t instructions = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
       at = LLVMGetNextInstruction(at))
    if (lin_ir_cost(at) > 0) {
      ++*kind_of(work, at);
      instructions++;
    }
  return instructions;
}

lin_ir_fingerprint lin_ir_find_fingerprint(LLVMValueRef kernel) {
  const lin_ir_read_options options = {.force = true};
  lin_arena arena = {0};
  const lin_ir_called called = lin_ir_find_called(&arena, kernel);
  lin_ir_fingerprint found = {LIN_FINGERPRINT_START, 0};
  for (uint32_t i = 0; i < called.count; i++) {
    const lin_ir_function *f = lin_ir_read(&arena, called.function[i], &options);
    lin_block_work *work = LIN_ARRAY(&arena, lin_block_work, f->graph->num_blocks);
    for (lin_block b = 0; b < f->graph->num_blocks; b++)
      found.instructions += count(f->block[b], &work[b]);
    found.hash = lin_fingerprint(found.hash, f->graph, work);
  }
  lin_arena_release(&arena);
  return found;
}
