#include "cycles.h"

#include "llvm/ask/cost.h"
#include "llvm/ask/target.h"
#include "llvm/read/timing.h"

static uint32_t count_instructions(LLVMBasicBlockRef block) {
  uint32_t count = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
       at = LLVMGetNextInstruction(at))
    count++;
  return count;
}

static uint32_t cycles_of(lin_arena *arena, const lin_latency *latency, LLVMBasicBlockRef block) {
  lin_numbers numbers = {0}; // of the instructions so far
  uint64_t *ready = LIN_ARRAY(arena, uint64_t, count_instructions(block));
  uint64_t now = 0, end = 0;
  uint32_t count = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
       at = LLVMGetNextInstruction(at), count++) {
    uint64_t start = now;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at) && !LLVMIsAPHINode(at); i++) {
      uint32_t from = lin_numbers_find(&numbers, LLVMGetOperand(at, i));
      if (from != LIN_NONE && start < ready[from])
        start = ready[from];
    }
    ready[count] = start + (LLVMIsAPHINode(at) ? 0 : lin_ir_latency(latency, at));
    now = start + lin_ir_cost(at);
    end = end < ready[count] ? ready[count] : end;
    lin_numbers_add(arena, &numbers, at, count);
  }
  return end < UINT32_MAX ? (uint32_t)end : UINT32_MAX;
}

uint32_t *lin_ir_cycles(lin_arena *arena, const lin_ir_function *f) {
  uint32_t *cycles = LIN_ARRAY(arena, uint32_t, f->graph->num_blocks);
  const lin_latency *latency = lin_ir_target(f->function)->latency;
  lin_arena own = {0};
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    cycles[b] = cycles_of(&own, latency, f->block[b]);
    lin_arena_release(&own);
  }
  return cycles;
}
