#include "undefined.h"

#include "graph/graph.h"
#include "llvm/ask/numbers.h"

#include <stdbool.h>

typedef struct phis {
  lin_arena arena;
  LLVMValueRef *phi; // [count]; NULL: it is gone
  uint32_t count, capacity;
  lin_numbers number;
  uint32_t *stack; // [num_stacked] to be looked at
  bool *is_stacked;
  uint32_t num_stacked;
} phis;

static void find_phis(phis *p, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL && LLVMIsAPHINode(at) != NULL;
         at = LLVMGetNextInstruction(at)) {
      lin_numbers_add(&p->arena, &p->number, at, p->count);
      p->phi = LIN_ROOM(&p->arena, p->phi, p->count, &p->capacity);
      p->phi[p->count++] = at;
    }
}

static void push(phis *p, uint32_t phi) {
  if (p->is_stacked[phi])
    return;
  p->is_stacked[phi] = true;
  p->stack[p->num_stacked++] = phi;
}

// What stands for a phi of undefined values alone, which poison is one of to LLVM; else NULL.
static LLVMValueRef stands_for(LLVMValueRef phi) {
  LLVMValueRef found = LLVMGetPoison(LLVMTypeOf(phi));
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (value == phi)
      continue;
    if (!LLVMIsUndef(value))
      return NULL;
    if (!LLVMIsPoison(value)) // some value, if anything
      found = value;
  }
  return found;
}

static void push_users(phis *p, LLVMValueRef phi) {
  for (LLVMUseRef use = LLVMGetFirstUse(phi); use != NULL; use = LLVMGetNextUse(use)) {
    const uint32_t user = lin_numbers_find(&p->number, LLVMGetUser(use));
    if (user != LIN_NONE && p->phi[user] != phi)
      push(p, user);
  }
}

void lin_ir_drop_undefined(LLVMValueRef function) {
  phis p = {.count = 0};
  find_phis(&p, function);
  p.stack = LIN_ARRAY(&p.arena, uint32_t, p.count);
  p.is_stacked = LIN_ARRAY(&p.arena, bool, p.count);
  for (uint32_t i = 0; i < p.count; i++)
    push(&p, i);
  while (p.num_stacked > 0) {
    const uint32_t at = p.stack[--p.num_stacked];
    LLVMValueRef phi = p.phi[at], value = stands_for(phi);
    p.is_stacked[at] = false;
    if (value == NULL)
      continue;
    push_users(&p, phi);
    LLVMReplaceAllUsesWith(phi, value);
    LLVMInstructionEraseFromParent(phi);
    p.phi[at] = NULL;
  }
  lin_arena_release(&p.arena);
}
