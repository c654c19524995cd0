// Words go in packs of four, so that one store and one load move them; what is left over in packs
// of two and one. The packs of all threads stand one behind the other:
//
//     thread  0    1    2    ...      each pack begins where its size demands: fours come first
//     pack    0123 0123 0123 ...
//     pack    45   45   45   ...
#include "exchange.h"

enum { LARGEST_PACK = 4 };

static uint32_t pack_size(uint32_t left) {
  return left >= LARGEST_PACK ? LARGEST_PACK : left >= 2 ? 2 : 1;
}

static LLVMTypeRef pack_type(const lin_ir_emitter *e, uint32_t size) {
  return size == 1 ? e->word : LLVMVectorType(e->word, size);
}

// Where the pack of the thread at `place` is, behind `words` words of all threads.
static LLVMValueRef pack_at(const lin_ir_search *s, uint32_t words, uint32_t size,
                            LLVMValueRef place) {
  const lin_ir_emitter *e = s->e;
  LLVMValueRef all = lin_ir_multiply(e, s->lanes->threads, lin_ir_word(e, 4 * words)),
               own = lin_ir_multiply(e, place, lin_ir_word(e, 4 * size));
  return lin_ir_shared_at(e, s->lanes, s->lanes->rounds->words_at, lin_ir_add(e, all, own));
}

static void store_pack(const lin_ir_carry *c, const lin_ir_search *s, uint32_t first,
                       uint32_t words, uint32_t size, LLVMValueRef place) {
  const lin_ir_emitter *e = s->e;
  LLVMValueRef pack = lin_ir_load(e, c->word[first]);
  if (size > 1) {
    LLVMValueRef all = LLVMGetUndef(pack_type(e, size));
    for (uint32_t i = 0; i < size; i++)
      all = LLVMBuildInsertElement(e->builder, all, lin_ir_load(e, c->word[first + i]),
                                   lin_ir_word(e, i), "");
    pack = all;
  }
  LLVMSetAlignment(LLVMBuildStore(e->builder, pack, pack_at(s, words, size, place)), 4 * size);
}

static void load_pack(const lin_ir_carry *c, const lin_ir_search *s, uint32_t first, uint32_t words,
                      uint32_t size, LLVMValueRef place) {
  const lin_ir_emitter *e = s->e;
  LLVMValueRef pack =
      LLVMBuildLoad2(e->builder, pack_type(e, size), pack_at(s, words, size, place), "");
  LLVMSetAlignment(pack, 4 * size);
  for (uint32_t i = 0; i < size; i++)
    lin_ir_store(
        e, size == 1 ? pack : LLVMBuildExtractElement(e->builder, pack, lin_ir_word(e, i), ""),
        c->word[first + i]);
}

// Goes on in a block for those with `condition`, if there is one; returns where all go on.
static LLVMBasicBlockRef begin_if(const lin_ir_emitter *e, LLVMValueRef condition) {
  if (condition == NULL)
    return NULL;
  LLVMBasicBlockRef some = lin_ir_new_block(e, "linearize.some"),
                    all = lin_ir_new_block(e, "linearize.all");
  LLVMBuildCondBr(e->builder, condition, some, all);
  lin_ir_go_on(e, some);
  return all;
}

static void end_if(const lin_ir_emitter *e, LLVMBasicBlockRef all) {
  if (all == NULL)
    return;
  LLVMBuildBr(e->builder, all);
  lin_ir_go_on(e, all);
}

// Who has no key has nothing to give, if what it has is of no use; and not all get something then.
static void move(const lin_ir_carry *c, const lin_ir_search *s, uint32_t count, uint32_t at_once) {
  const lin_ir_emitter *e = s->e;
  LLVMValueRef own = s->lanes->thread, to = s->comes_from ? own : s->place,
               from = s->comes_from ? s->place : own, gives = s->drops ? s->has_key : NULL,
               gets = s->drops ? lin_ir_gets_work(s) : NULL;
  for (uint32_t first = 0; first < count; first += at_once) {
    const uint32_t words = count - first < at_once ? count - first : at_once;
    if (first > 0)
      lin_ir_barrier(e);
    LLVMBasicBlockRef all = begin_if(e, gives);
    for (uint32_t done = 0; done < words; done += pack_size(words - done))
      store_pack(c, s, first + done, done, pack_size(words - done), to);
    end_if(e, all);
    lin_ir_barrier(e);
    all = begin_if(e, gets);
    for (uint32_t done = 0; done < words; done += pack_size(words - done))
      load_pack(c, s, first + done, done, pack_size(words - done), from);
    end_if(e, all);
  }
}

void lin_ir_exchange(const lin_ir_carry *carry, const lin_ir_search *search, uint32_t count,
                     uint32_t at_once, uint32_t small, uint32_t at_once_small) {
  const lin_ir_emitter *e = search->e;
  if (small == 0) {
    move(carry, search, count, at_once);
    return;
  }
  LLVMBasicBlockRef few = lin_ir_new_block(e, "linearize.small"),
                    many = lin_ir_new_block(e, "linearize.large"),
                    end = lin_ir_new_block(e, "linearize.exchanged");
  LLVMValueRef is_small = lin_ir_below(e, search->lanes->threads, lin_ir_word(e, small + 1));
  LLVMBuildCondBr(e->builder, is_small, few, many);
  lin_ir_go_on(e, few);
  move(carry, search, count, at_once_small);
  LLVMBuildBr(e->builder, end);
  lin_ir_go_on(e, many);
  move(carry, search, count, at_once);
  LLVMBuildBr(e->builder, end);
  lin_ir_go_on(e, end);
}
