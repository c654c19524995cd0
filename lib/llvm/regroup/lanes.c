#include "lanes.h"

#include "carry.h"

#include <stdio.h>
#include <string.h>

enum { WARP = 32 };

static LLVMValueRef shared_memory(const lin_ir_emitter *e, uint32_t bytes) {
  size_t length;
  char name[256];
  snprintf(name, sizeof name, "linearize.reorder.%.200s", LLVMGetValueName2(e->function, &length));
  LLVMTypeRef type = LLVMArrayType2(e->word, (bytes + 3) / 4);
  LLVMValueRef memory =
      LLVMAddGlobalInAddressSpace(e->module, type, name, LIN_IR_SHARED_SPACE);
  LLVMSetInitializer(memory, LLVMGetUndef(type));
  LLVMSetLinkage(memory, LLVMInternalLinkage);
  LLVMSetAlignment(memory, 16);
  return memory;
}

// Whole warps, from 0 to less than all of them, by a hash of the block's number: so that warps that hold
// several keys, which are the same ones in each block, aren't all on the same part of a multiprocessor. A
// product of two numbers of 32 bits has the one times the other over 2^32 in its upper half.
static LLVMValueRef first_rotation(const lin_ir_emitter *e, const lin_ir_lanes *l) {
  LLVMValueRef x = lin_ir_special(e, "ctaid.x"), y = lin_ir_special(e, "ctaid.y"),
               z = lin_ir_special(e, "ctaid.z");
  LLVMValueRef number = lin_ir_add(
      e, x, lin_ir_add(e, lin_ir_multiply(e, y, lin_ir_word(e, 0x85ebca6b)),
                       lin_ir_multiply(e, z, lin_ir_word(e, 0xc2b2ae35))));
  LLVMTypeRef wide = LLVMInt64TypeInContext(e->context);
  LLVMValueRef hash = lin_ir_multiply(e, number, lin_ir_word(e, 0x9e3779b9)),
               product = lin_ir_multiply(e, LLVMBuildZExt(e->builder, hash, wide, ""),
                                         LLVMBuildZExt(e->builder, l->warps, wide, "")),
               upper = LLVMBuildLShr(e->builder, product, LLVMConstInt(wide, 32, false), "");
  return lin_ir_multiply(e, LLVMBuildTrunc(e->builder, upper, e->word, ""), lin_ir_word(e, WARP));
}

static LLVMValueRef behind_slots(LLVMValueRef at) {
  while (LLVMIsAAllocaInst(at) != NULL)
    at = LLVMGetNextInstruction(at);
  return at;
}

lin_ir_lanes lin_ir_find_lanes(const lin_ir_emitter *e, uint32_t most_threads, bool exact,
                               const lin_rounds *rounds) {
  lin_ir_lanes l = {.most_threads = most_threads, .rounds = rounds};
  l.memory = shared_memory(e, rounds->bytes);
  l.parity = lin_ir_new_slot(e, e->word, "linearize.parity");
  l.rotation = lin_ir_new_slot(e, e->word, "linearize.rotation");
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
  LLVMPositionBuilderBefore(e->builder, behind_slots(LLVMGetFirstInstruction(entry)));
  LLVMValueRef x = lin_ir_special(e, "tid.x"), y = lin_ir_special(e, "tid.y"),
               z = lin_ir_special(e, "tid.z"), nx = lin_ir_special(e, "ntid.x"),
               ny = lin_ir_special(e, "ntid.y"), nz = lin_ir_special(e, "ntid.z");
  LLVMValueRef mask = lin_ir_word(e, WARP - 1), zero = lin_ir_word(e, 0),
               all = lin_ir_word(e, UINT32_MAX);
  l.thread = lin_ir_add(
      e, lin_ir_multiply(e, lin_ir_add(e, lin_ir_multiply(e, z, ny), y), nx), x);
  l.threads = exact ? lin_ir_word(e, most_threads)
                    : lin_ir_multiply(e, lin_ir_multiply(e, nx, ny), nz);
  l.lane = lin_ir_and(e, l.thread, mask);
  l.warp = lin_ir_right(e, l.thread, 5);
  l.warps = lin_ir_right(e, lin_ir_add(e, l.threads, mask), 5);
  l.below = lin_ir_special(e, "lanemask.lt");
  l.members = all;
  LLVMValueRef rest = lin_ir_and(e, l.threads, mask), is_whole = lin_ir_is(e, rest, 0);
  if (!exact || most_threads % WARP != 0) {
    LLVMValueRef is_in_last = lin_ir_compare(e, LLVMIntEQ, l.warp, lin_ir_right(e, l.threads, 5)),
                 some = lin_ir_subtract(e, lin_ir_left(e, lin_ir_word(e, 1), rest), lin_ir_word(e, 1));
    l.is_full = lin_ir_not(e, is_in_last);
    l.members = lin_ir_select(e, is_in_last, some, all);
  }
  lin_ir_store(e, zero, l.parity);
  lin_ir_store(e, lin_ir_select(e, is_whole, first_rotation(e, &l), zero), l.rotation);
  return l;
}

LLVMValueRef lin_ir_shared_at(const lin_ir_emitter *e, const lin_ir_lanes *lanes, uint32_t at,
                              LLVMValueRef bytes) {
  return lin_ir_at(e, e->byte, lin_ir_at(e, e->byte, lanes->memory, lin_ir_word(e, at)), bytes);
}

LLVMValueRef lin_ir_next_parity(const lin_ir_emitter *e, const lin_ir_lanes *lanes) {
  LLVMValueRef now = lin_ir_load(e, lanes->parity);
  lin_ir_store(e, LLVMBuildXor(e->builder, now, lin_ir_word(e, 1), ""), lanes->parity);
  return now;
}

// By one warp more each time. In a block with a warp that isn't whole keys would begin within warps by it, but
// there they do anyway.
LLVMValueRef lin_ir_next_rotation(const lin_ir_emitter *e, const lin_ir_lanes *lanes) {
  LLVMValueRef now = lin_ir_load(e, lanes->rotation),
               next = lin_ir_add(e, now, lin_ir_word(e, WARP)),
               is_past = lin_ir_not(e, lin_ir_below(e, next, lanes->threads));
  lin_ir_store(e, lin_ir_select(e, is_past, lin_ir_word(e, 0), next), lanes->rotation);
  return now;
}
