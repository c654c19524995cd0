#include "lanes.h"

#include "carry.h"

#include <string.h>

enum { WARP = 32 };

static LLVMValueRef behind_slots(LLVMValueRef at) {
  while (LLVMIsAAllocaInst(at) != NULL)
    at = LLVMGetNextInstruction(at);
  return at;
}

lin_ir_lanes lin_ir_make_lanes(const lin_ir_emitter *e, uint32_t most_threads, bool exact,
                               bool may_leave, const lin_rounds *rounds) {
  lin_ir_lanes l = {.most_threads = most_threads, .rounds = rounds};
  l.memory = lin_ir_shared_memory(e, "linearize.reorder", rounds->bytes, 16);
  l.round = lin_ir_new_slot(e, e->word, "linearize.round");
  if (may_leave)
    l.left = lin_ir_new_slot(e, e->word, "linearize.left");
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
  LLVMPositionBuilderBefore(e->builder, behind_slots(LLVMGetFirstInstruction(entry)));
  LLVMValueRef x = lin_ir_special(e, LIN_NVPTX_TID, 0), y = lin_ir_special(e, LIN_NVPTX_TID, 1),
               z = lin_ir_special(e, LIN_NVPTX_TID, 2), nx = lin_ir_special(e, LIN_NVPTX_NTID, 0),
               ny = lin_ir_special(e, LIN_NVPTX_NTID, 1), nz = lin_ir_special(e, LIN_NVPTX_NTID, 2);
  l.thread = lin_ir_add(e, lin_ir_multiply(e, lin_ir_add(e, lin_ir_multiply(e, z, ny), y), nx), x);
  l.threads =
      exact ? lin_ir_word(e, most_threads) : lin_ir_multiply(e, lin_ir_multiply(e, nx, ny), nz);
  l.all = l.members = lin_ir_word(e, UINT32_MAX);
  l.is_full = exact && most_threads % WARP == 0 ? NULL : l.all; // found later
  lin_ir_store(e, lin_ir_word(e, 0), l.round);
  if (may_leave)
    lin_ir_store(e, l.threads, l.left);
  return l;
}

LLVMValueRef lin_ir_opaque(const lin_ir_emitter *e, LLVMValueRef value) {
  LLVMTypeRef word = e->word, type = LLVMFunctionType(word, &word, 1, false);
  LLVMValueRef code =
      LLVMGetInlineAsm(type, "", 0, "=r,0", strlen("=r,0"),
                       /*HasSideEffects=*/true, false, LLVMInlineAsmDialectATT, false);
  return LLVMBuildCall2(e->builder, type, code, &value, 1, "");
}

lin_ir_lanes lin_ir_find_lanes(const lin_ir_emitter *e, const lin_ir_lanes *made) {
  lin_ir_lanes l = *made;
  LLVMValueRef mask = lin_ir_word(e, WARP - 1), one = lin_ir_word(e, 1);
  l.thread = lin_ir_opaque(e, made->thread);
  if (made->left != NULL)
    l.threads = lin_ir_load(e, made->left);
  l.warps = lin_ir_right(e, lin_ir_add(e, l.threads, mask), 5);
  l.lane = lin_ir_and(e, l.thread, mask);
  l.warp = lin_ir_right(e, l.thread, 5);
  l.below = lin_ir_subtract(e, lin_ir_left(e, one, l.lane), one);
  if (made->is_full != NULL) {
    LLVMValueRef rest = lin_ir_and(e, l.threads, mask),
                 is_last = lin_ir_compare(e, LLVMIntEQ, l.warp, lin_ir_right(e, l.threads, 5)),
                 some = lin_ir_subtract(e, lin_ir_left(e, one, rest), one);
    l.is_full = lin_ir_not(e, is_last);
    l.is_uneven = lin_ir_compare(e, LLVMIntNE, rest, lin_ir_word(e, 0));
    l.members = lin_ir_select(e, is_last, some, l.all);
  }
  return l;
}

LLVMValueRef lin_ir_shared_at(const lin_ir_emitter *e, const lin_ir_lanes *lanes, uint32_t at,
                              LLVMValueRef bytes) {
  return lin_ir_at(e, e->byte, lin_ir_at(e, e->byte, lanes->memory, lin_ir_word(e, at)), bytes);
}

LLVMValueRef lin_ir_next_parity(const lin_ir_emitter *e, const lin_ir_lanes *lanes) {
  LLVMValueRef now = lin_ir_load(e, lanes->round), one = lin_ir_word(e, 1);
  lin_ir_store(e, lin_ir_add(e, now, one), lanes->round);
  return lin_ir_and(e, now, one);
}

// The upper half of a product of 64 bits is the one times the other over 2^32.
LLVMValueRef lin_ir_rotation(const lin_ir_emitter *e, const lin_ir_lanes *l, LLVMValueRef threads) {
  LLVMValueRef warps = lin_ir_right(e, lin_ir_add(e, threads, lin_ir_word(e, WARP - 1)), 5);
  LLVMTypeRef wide = LLVMInt64TypeInContext(e->context);
  LLVMValueRef x = lin_ir_special(e, LIN_NVPTX_CTAID, 0), y = lin_ir_special(e, LIN_NVPTX_CTAID, 1),
               z = lin_ir_special(e, LIN_NVPTX_CTAID, 2), round = lin_ir_load(e, l->round);
  LLVMValueRef block = lin_ir_add(e, x,
                                  lin_ir_add(e, lin_ir_multiply(e, y, lin_ir_word(e, 0x85ebca6b)),
                                             lin_ir_multiply(e, z, lin_ir_word(e, 0xc2b2ae35))));
  LLVMValueRef number = lin_ir_add(e, block, lin_ir_multiply(e, round, lin_ir_word(e, 0x632be5ab)));
  LLVMValueRef hash = lin_ir_multiply(e, number, lin_ir_word(e, 0x9e3779b9)),
               product = LLVMBuildMul(e->builder, LLVMBuildZExt(e->builder, hash, wide, ""),
                                      LLVMBuildZExt(e->builder, warps, wide, ""), ""),
               upper = LLVMBuildLShr(e->builder, product, LLVMConstInt(wide, 32, false), "");
  LLVMValueRef rotation =
      lin_ir_multiply(e, LLVMBuildTrunc(e->builder, upper, e->word, ""), lin_ir_word(e, WARP));
  if (l->is_full == NULL)
    return rotation;
  // Keys that begin where warps do wouldn't any more, if the last warp isn't whole.
  LLVMValueRef rest = lin_ir_and(e, threads, lin_ir_word(e, WARP - 1));
  return lin_ir_select(e, lin_ir_is(e, rest, 0), rotation, lin_ir_word(e, 0));
}
