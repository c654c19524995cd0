// Head-or-Tail: Algorithm 1 of Lin, Wang and others, "On-GPU Thread-Data Remapping for Branch
// Divergence Reduction" (ACM TACO 15(3), 2018). Threads of the first sort take places from the
// head, the others from the tail:
//
//     head ─▶ 0 0 0 ...   ... 1 1 1 1 ◀─ tail
//
// The sorts are two keys, or threads with and without one. Where the paper puts a number into a
// pool, from which it is read with the work (line 13 on), the work itself goes there.
#include "search.h"

#include <stddef.h>

static LLVMValueRef shared_word(const lin_ir_search *s, uint32_t number) {
  return lin_ir_shared_at(s->e, s->lanes, s->lanes->rounds->hot_at, lin_ir_word(s->e, 4 * number));
}

static LLVMValueRef is_first_sort(const lin_ir_search *s) {
  return s->keys == 1 && s->has_key != NULL ? s->has_key : lin_ir_is(s->e, s->key, 0);
}

// Lines 1 to 4, by one thread.
static void reset(const lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  LLVMBasicBlockRef one = lin_ir_new_block(e, "linearize.reset"),
                    end = lin_ir_new_block(e, "linearize.go");
  LLVMBuildCondBr(e->builder, lin_ir_is(e, s->lanes->thread, 0), one, end);
  lin_ir_go_on(e, one);
  lin_ir_store(e, lin_ir_word(e, 0), shared_word(s, 0));
  lin_ir_store(e, lin_ir_subtract(e, s->lanes->threads, lin_ir_word(e, 1)), shared_word(s, 1));
  LLVMBuildBr(e->builder, end);
  lin_ir_go_on(e, end);
}

static LLVMValueRef add_to(const lin_ir_emitter *e, LLVMValueRef at, uint32_t value) {
  return LLVMBuildAtomicRMW(e->builder, LLVMAtomicRMWBinOpAdd, at, lin_ir_word(e, value),
                            LLVMAtomicOrderingMonotonic, /*singleThread=*/false);
}

void lin_ir_hot_count(lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  reset(s);
  lin_ir_barrier(e);
  LLVMBasicBlockRef head = lin_ir_new_block(e, "linearize.head"),
                    tail = lin_ir_new_block(e, "linearize.tail"),
                    end = lin_ir_new_block(e, "linearize.taken");
  LLVMBuildCondBr(e->builder, is_first_sort(s), head, tail);
  lin_ir_go_on(e, head);
  LLVMValueRef first = add_to(e, shared_word(s, 0), 1);
  LLVMBuildBr(e->builder, end);
  lin_ir_go_on(e, tail);
  LLVMValueRef last = add_to(e, shared_word(s, 1), UINT32_MAX);
  LLVMBuildBr(e->builder, end);
  lin_ir_go_on(e, end);
  s->rank = LLVMBuildPhi(e->builder, e->word, "");
  LLVMAddIncoming(s->rank, (LLVMValueRef[]){first, last}, (LLVMBasicBlockRef[]){head, tail}, 2);
  if (s->has_key == NULL) {
    lin_ir_barrier(e);
    return;
  }
  s->num_keys = lin_ir_barrier_count(e, s->has_key);
  s->nobody = lin_ir_is(e, s->num_keys, 0);
}

void lin_ir_hot_place(lin_ir_search *s) {
  lin_ir_find_rotation(s);
  s->place = lin_ir_rotate(s, s->rank);
}
