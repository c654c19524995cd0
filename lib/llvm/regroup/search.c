#include "search.h"

#include <llvm-c/DebugInfo.h>

enum { WARP = 32 };

void lin_ir_find_rotation(lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  s->places = s->lanes->threads;
  if (s->drops) {
    LLVMValueRef up = lin_ir_add(e, s->num_keys, lin_ir_word(e, WARP - 1)),
                 whole = lin_ir_and(e, up, lin_ir_word(e, ~(WARP - 1u))),
                 is_less = lin_ir_below(e, whole, s->places);
    s->places = lin_ir_select(e, is_less, whole, s->places);
  }
  s->rotation = lin_ir_rotation(e, s->lanes, s->places);
}

LLVMValueRef lin_ir_rotate(const lin_ir_search *s, LLVMValueRef place) {
  const lin_ir_emitter *e = s->e;
  LLVMValueRef turned = lin_ir_add(e, place, s->rotation),
               is_past = lin_ir_not(e, lin_ir_below(e, turned, s->places));
  return lin_ir_select(e, is_past, lin_ir_subtract(e, turned, s->places), turned);
}

LLVMValueRef lin_ir_unrotated(const lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  LLVMValueRef thread = s->lanes->thread, before = lin_ir_subtract(e, thread, s->rotation),
               is_past = lin_ir_below(e, thread, s->rotation);
  return lin_ir_select(e, is_past, lin_ir_add(e, before, s->places), before);
}

LLVMValueRef lin_ir_gets_work(const lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  LLVMValueRef is_among = lin_ir_below(e, lin_ir_unrotated(s), s->num_keys);
  return s->drops ? lin_ir_and(e, is_among, lin_ir_below(e, s->lanes->thread, s->places))
                  : is_among;
}

lin_ir_uniform_loop lin_ir_begin_loop(const lin_ir_emitter *e, LLVMValueRef first,
                                      LLVMValueRef *carried, uint32_t count) {
  lin_ir_uniform_loop loop = {.body = lin_ir_new_block(e, "linearize.loop"), .count = count};
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder);
  LLVMBuildBr(e->builder, loop.body);
  lin_ir_go_on(e, loop.body);
  loop.index = LLVMBuildPhi(e->builder, e->word, "");
  LLVMAddIncoming(loop.index, &first, &before, 1);
  for (uint32_t i = 0; i < count; i++) {
    loop.was[i] = LLVMBuildPhi(e->builder, LLVMTypeOf(carried[i]), "");
    LLVMAddIncoming(loop.was[i], &carried[i], &before, 1);
  }
  return loop;
}

void lin_ir_end_loop_if(const lin_ir_emitter *e, lin_ir_uniform_loop *loop, LLVMValueRef index,
                        LLVMValueRef condition, LLVMValueRef *next) {
  LLVMBasicBlockRef last = LLVMGetInsertBlock(e->builder),
                    end = lin_ir_new_block(e, "linearize.end");
  LLVMAddIncoming(loop->index, &index, &last, 1);
  for (uint32_t i = 0; i < loop->count; i++)
    LLVMAddIncoming(loop->was[i], &next[i], &last, 1);
  // Unrolled, loops would take registers, and few go around more than once or twice.
  lin_ir_keep_rolled(e, LLVMBuildCondBr(e->builder, condition, loop->body, end));
  lin_ir_go_on(e, end);
}

void lin_ir_end_loop(const lin_ir_emitter *e, lin_ir_uniform_loop *loop, LLVMValueRef step,
                     LLVMValueRef end, LLVMValueRef *next) {
  LLVMValueRef index = lin_ir_add(e, loop->index, step);
  lin_ir_end_loop_if(e, loop, index, lin_ir_below(e, index, end), next);
}
