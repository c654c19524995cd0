// A counting sort of a block's threads by key, warp by warp.
//
//     lane       0 1 2 3 ...      a ballot for each bit of the key says which lanes have it
//     key        1 0 1 3 ...      lanes with this lane's key: all bits agree; its rank is how many of them
//                                 are below it
//     counts     key 0: 7 9 ..    a byte for each key and warp: lane k counts for key k, in two tables that
//                key 1: 9 8 ..    take turns, so that one barrier is enough
//     ─ barrier ─
//     lane k     adds up row k: how many have key k, and how many of those are in warps before this one
//     scan       and how many have a lower key
//     place      lower keys + before + rank
//
// Threads without a key are no row: they are what is left of each warp, and come last.
//
// The last warp may have fewer lanes than there are keys. There, each lane takes several rows to count, and
// each adds up all rows by itself.
#include "search.h"

#include <stddef.h>

enum { WARP = 32, MOST_BYTES = 4 };

// Rows are apart by one word more than they need, so that lanes find theirs in different banks.
static uint32_t row_bytes(uint32_t threads) { return (threads + 127) / 128 * 4 + 4; }

uint32_t lin_votes_bytes(uint32_t keys, uint32_t threads) {
  return 2 * keys * row_bytes(threads);
}

// ---- count

// The lanes of `who` whose keys have the bits of `number`.
static LLVMValueRef lanes_with(const lin_ir_search *s, LLVMValueRef number, LLVMValueRef who) {
  const lin_ir_emitter *e = s->e;
  for (uint32_t bit = 0; bit < lin_bits_for(s->keys); bit++) {
    LLVMValueRef set = lin_ir_and(e, lin_ir_right(e, number, bit), lin_ir_word(e, 1)),
                 flip = lin_ir_subtract(e, set, lin_ir_word(e, 1));
    who = lin_ir_and(e, who, LLVMBuildXor(e->builder, s->ballot[bit], flip, ""));
  }
  return who;
}

static LLVMValueRef row_at(const lin_ir_search *s, LLVMValueRef row) {
  LLVMValueRef step = lin_ir_word(s->e, row_bytes(s->lanes->most_threads));
  return lin_ir_at(s->e, s->e->byte, s->table, lin_ir_multiply(s->e, row, step));
}

// A row is read as words: warps that aren't there have a zero.
//
//     for (warp = this one; warp < warps, rounded up to fours; warp += warps, count = 0)
//       row[warp] = count
static void count_row(const lin_ir_search *s, LLVMValueRef row) {
  const lin_ir_emitter *e = s->e;
  const lin_ir_lanes *l = s->lanes;
  LLVMValueRef ones = lin_ir_count_ones(e, lanes_with(s, row, s->who)), start = row_at(s, row),
               own = LLVMBuildTrunc(e->builder, ones, e->byte, ""),
               none = LLVMConstInt(e->byte, 0, false), fours = lin_ir_word(e, ~(MOST_BYTES - 1u)),
               end = lin_ir_and(e, lin_ir_add(e, l->warps, lin_ir_word(e, MOST_BYTES - 1)), fours);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder),
                    body = lin_ir_new_block(e, "linearize.count"),
                    behind = lin_ir_new_block(e, "linearize.behind");
  LLVMBuildBr(e->builder, body);
  lin_ir_go_on(e, body);
  LLVMValueRef warp = LLVMBuildPhi(e->builder, e->word, ""),
               count = LLVMBuildPhi(e->builder, e->byte, "");
  LLVMBuildStore(e->builder, count, lin_ir_at(e, e->byte, start, warp));
  LLVMValueRef next = lin_ir_add(e, warp, l->warps);
  LLVMAddIncoming(warp, (LLVMValueRef[]){l->warp, next}, (LLVMBasicBlockRef[]){before, body}, 2);
  LLVMAddIncoming(count, (LLVMValueRef[]){own, none}, (LLVMBasicBlockRef[]){before, body}, 2);
  LLVMBuildCondBr(e->builder, lin_ir_below(e, next, end), body, behind);
  lin_ir_go_on(e, behind);
}

// Each lane has a row, or none; in a warp of fewer lanes each has every so many.
//
//     for (row = lane; row < keys; row += lanes of the warp) count_row(row)
static void count_rows(const lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder),
                    head = lin_ir_new_block(e, "linearize.rows"),
                    body = lin_ir_new_block(e, "linearize.row"),
                    end = lin_ir_new_block(e, "linearize.counted");
  bool is_loop = s->lanes->is_full != NULL;
  LLVMValueRef step = lin_ir_count_ones(e, s->lanes->members);
  LLVMBuildBr(e->builder, head);
  lin_ir_go_on(e, head);
  LLVMValueRef row = LLVMBuildPhi(e->builder, e->word, "");
  LLVMAddIncoming(row, (LLVMValueRef[]){s->lanes->lane}, &before, 1);
  LLVMBuildCondBr(e->builder, lin_ir_below(e, row, lin_ir_word(e, s->keys)), body, end);
  lin_ir_go_on(e, body);
  count_row(s, row);
  if (is_loop) {
    LLVMValueRef next = lin_ir_add(e, row, step);
    LLVMBasicBlockRef last = LLVMGetInsertBlock(e->builder);
    LLVMAddIncoming(row, &next, &last, 1);
  }
  LLVMBuildBr(e->builder, is_loop ? head : end);
  lin_ir_go_on(e, end);
}

void lin_ir_votes_count(lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  const lin_ir_lanes *l = s->lanes;
  LLVMValueRef parity = lin_ir_next_parity(e, l),
               size = lin_ir_word(e, lin_votes_bytes(s->keys, l->most_threads) / 2);
  s->table = lin_ir_shared_at(e, l, lin_ir_multiply(e, parity, size));
  s->who = s->has_key == NULL ? l->members : lin_ir_ballot(e, l->members, s->has_key);
  for (uint32_t bit = 0; bit < lin_bits_for(s->keys); bit++) {
    LLVMValueRef set = lin_ir_and(e, lin_ir_right(e, s->key, bit), lin_ir_word(e, 1));
    s->ballot[bit] = lin_ir_ballot(e, l->members, lin_ir_is(e, set, 1));
  }
  LLVMValueRef mine = lanes_with(s, s->key, s->who);
  if (s->has_key != NULL) {
    LLVMValueRef others = lin_ir_and(e, l->members, lin_ir_not(e, s->who));
    mine = lin_ir_select(e, s->has_key, mine, others);
  }
  s->rank = lin_ir_count_ones(e, lin_ir_and(e, mine, l->below));
  count_rows(s);
  LLVMValueRef is_first = lin_ir_is(e, s->rank, 0);
  if (s->has_key != NULL)
    is_first = lin_ir_and(e, is_first, s->has_key);
  s->pairs = lin_ir_barrier_count(e, is_first);
  s->nobody = s->has_key == NULL ? NULL : lin_ir_is(e, s->pairs, 0);
}

// ---- place

// A row's sum, and that of the warps before this one in the upper half.
typedef struct sums {
  LLVMValueRef all, before;
} sums;

// As many bytes as `count` says, of a word.
static LLVMValueRef first_bytes(const lin_ir_emitter *e, LLVMValueRef word, LLVMValueRef count) {
  LLVMValueRef bits = lin_ir_left(e, count, lin_ir_word(e, 3)),
               mask = lin_ir_subtract(e, lin_ir_left(e, lin_ir_word(e, 1), bits), lin_ir_word(e, 1)),
               is_whole = lin_ir_compare(e, LLVMIntSGE, count, lin_ir_word(e, MOST_BYTES)),
               is_none = lin_ir_compare(e, LLVMIntSLE, count, lin_ir_word(e, 0)), some;
  some = lin_ir_select(e, is_none, lin_ir_word(e, 0), lin_ir_and(e, word, mask));
  return lin_ir_select(e, is_whole, word, some);
}

// Of four bytes of 32 at most.
static LLVMValueRef add_bytes(const lin_ir_emitter *e, LLVMValueRef word) {
  return lin_ir_right(e, lin_ir_multiply(e, word, lin_ir_word(e, 0x01010101)), 24);
}

//     for (first = 0; first < warps; first += 4) add the word of warps first to first + 3
static sums add_row(const lin_ir_search *s, LLVMValueRef row) {
  const lin_ir_emitter *e = s->e;
  const lin_ir_lanes *l = s->lanes;
  LLVMValueRef zero = lin_ir_word(e, 0), start = row_at(s, row);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder),
                    body = lin_ir_new_block(e, "linearize.add"),
                    end = lin_ir_new_block(e, "linearize.added");
  LLVMBuildBr(e->builder, body);
  lin_ir_go_on(e, body);
  LLVMValueRef first = LLVMBuildPhi(e->builder, e->word, ""),
               all = LLVMBuildPhi(e->builder, e->word, ""),
               lower = LLVMBuildPhi(e->builder, e->word, "");
  LLVMValueRef word = lin_ir_load(e, lin_ir_at(e, e->byte, start, first));
  LLVMValueRef those = first_bytes(e, word, lin_ir_subtract(e, l->warp, first));
  LLVMValueRef next = lin_ir_add(e, first, lin_ir_word(e, MOST_BYTES));
  sums sum = {lin_ir_add(e, all, add_bytes(e, word)), lin_ir_add(e, lower, add_bytes(e, those))};
  LLVMAddIncoming(first, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){before, body}, 2);
  LLVMAddIncoming(all, (LLVMValueRef[]){zero, sum.all}, (LLVMBasicBlockRef[]){before, body}, 2);
  LLVMAddIncoming(lower, (LLVMValueRef[]){zero, sum.before}, (LLVMBasicBlockRef[]){before, body},
                  2);
  LLVMBuildCondBr(e->builder, lin_ir_below(e, next, l->warps), body, end);
  lin_ir_go_on(e, end);
  return sum;
}

// What a thread has to know for its place.
typedef struct found {
  LLVMValueRef lower;    // threads with lower keys, and with its own in warps before it
  LLVMValueRef all;      // threads with any key
  LLVMValueRef in_front; // of these, how many are in warps before
  LLVMValueRef distinct; // how many keys there are
} found;

// Lane k has row k.
static found add_by_lanes(const lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  const lin_ir_lanes *l = s->lanes;
  const uint32_t steps = lin_bits_for(s->keys);
  LLVMValueRef zero = lin_ir_word(e, 0), last = lin_ir_word(e, s->keys - 1);
  LLVMValueRef is_row = lin_ir_below(e, l->lane, lin_ir_word(e, s->keys));
  sums sum = add_row(s, lin_ir_select(e, is_row, l->lane, zero));
  sum.all = lin_ir_select(e, is_row, sum.all, zero);
  LLVMValueRef both = lin_ir_or(e, sum.all, lin_ir_left(e, sum.before, lin_ir_word(e, 16))),
               scanned = lin_ir_scan(e, l->members, l->lane, both, steps),
               half = lin_ir_word(e, 0xffff),
               lower = lin_ir_subtract(e, lin_ir_and(e, scanned, half), sum.all),
               total = lin_ir_shuffle(e, l->members, scanned, last);
  LLVMValueRef own = lin_ir_shuffle(e, l->members, lin_ir_add(e, lower, sum.before), s->key),
               is_there = lin_ir_compare(e, LLVMIntNE, sum.all, zero),
               keys = lin_ir_ballot(e, l->members, is_there);
  return (found){own, lin_ir_and(e, total, half), lin_ir_right(e, total, 16),
                 lin_ir_count_ones(e, keys)};
}

// One row after the other:
//
//     for (row = 0; row < keys; row++) ...
static found add_by_rows(const lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  LLVMValueRef zero = lin_ir_word(e, 0), one = lin_ir_word(e, 1);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder),
                    body = lin_ir_new_block(e, "linearize.each"),
                    end = lin_ir_new_block(e, "linearize.rest");
  LLVMBuildBr(e->builder, body);
  lin_ir_go_on(e, body);
  LLVMValueRef row = LLVMBuildPhi(e->builder, e->word, ""), was[4];
  for (int i = 0; i < 4; i++)
    was[i] = LLVMBuildPhi(e->builder, e->word, "");
  sums sum = add_row(s, row);
  LLVMValueRef is_below = lin_ir_below(e, row, s->key),
               is_own = lin_ir_compare(e, LLVMIntEQ, row, s->key),
               is_there = lin_ir_compare(e, LLVMIntNE, sum.all, zero);
  LLVMValueRef counts = lin_ir_select(
      e, is_below, sum.all, lin_ir_select(e, is_own, sum.before, zero));
  LLVMValueRef now[] = {
      lin_ir_add(e, was[0], counts), lin_ir_add(e, was[1], sum.all),
      lin_ir_add(e, was[2], sum.before),
      lin_ir_add(e, was[3], LLVMBuildZExt(e->builder, is_there, e->word, ""))};
  LLVMValueRef next = lin_ir_add(e, row, one);
  LLVMBasicBlockRef from[] = {before, LLVMGetInsertBlock(e->builder)};
  LLVMAddIncoming(row, (LLVMValueRef[]){zero, next}, from, 2);
  for (int i = 0; i < 4; i++)
    LLVMAddIncoming(was[i], (LLVMValueRef[]){zero, now[i]}, from, 2);
  LLVMBuildCondBr(e->builder, lin_ir_below(e, next, lin_ir_word(e, s->keys)), body, end);
  lin_ir_go_on(e, end);
  return (found){now[0], now[1], now[2], now[3]};
}

static LLVMValueRef join(const lin_ir_emitter *e, LLVMValueRef a, LLVMValueRef b,
                         LLVMBasicBlockRef *from) {
  LLVMValueRef phi = LLVMBuildPhi(e->builder, e->word, "");
  LLVMAddIncoming(phi, (LLVMValueRef[]){a, b}, from, 2);
  return phi;
}

static found add_up(const lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  if (s->lanes->is_full == NULL)
    return add_by_lanes(s);
  LLVMBasicBlockRef full = lin_ir_new_block(e, "linearize.full"),
                    rest = lin_ir_new_block(e, "linearize.partial"),
                    end = lin_ir_new_block(e, "linearize.found"), from[2];
  LLVMBuildCondBr(e->builder, s->lanes->is_full, full, rest);
  lin_ir_go_on(e, full);
  found a = add_by_lanes(s);
  from[0] = LLVMGetInsertBlock(e->builder);
  LLVMBuildBr(e->builder, end);
  lin_ir_go_on(e, rest);
  found b = add_by_rows(s);
  from[1] = LLVMGetInsertBlock(e->builder);
  LLVMBuildBr(e->builder, end);
  lin_ir_go_on(e, end);
  return (found){join(e, a.lower, b.lower, from), join(e, a.all, b.all, from),
                 join(e, a.in_front, b.in_front, from), join(e, a.distinct, b.distinct, from)};
}

LLVMValueRef lin_ir_rotate(const lin_ir_search *s, LLVMValueRef place) {
  const lin_ir_emitter *e = s->e;
  LLVMValueRef turned = lin_ir_add(e, place, s->rotation),
               is_past = lin_ir_not(e, lin_ir_below(e, turned, s->lanes->threads));
  return lin_ir_select(e, is_past, lin_ir_subtract(e, turned, s->lanes->threads), turned);
}

// Warps run `pairs` different keys now, and as many as full warps need and one more for each change of
// keys afterwards.
void lin_ir_votes_place(lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  const lin_ir_lanes *l = s->lanes;
  found f = add_up(s);
  LLVMValueRef place = lin_ir_add(e, f.lower, s->rank);
  if (s->has_key != NULL) {
    LLVMValueRef earlier = lin_ir_left(e, l->warp, lin_ir_word(e, 5)),
                 waiting = lin_ir_add(e, lin_ir_subtract(e, earlier, f.in_front), s->rank);
    place = lin_ir_select(e, s->has_key, place, lin_ir_add(e, f.all, waiting));
  }
  LLVMValueRef warps = lin_ir_right(e, lin_ir_add(e, f.all, lin_ir_word(e, WARP - 1)), 5),
               least = lin_ir_add(e, lin_ir_add(e, warps, f.distinct),
                                  lin_ir_word(e, s->least_gain - 1));
  s->stays = lin_ir_below(e, s->pairs, least);
  s->num_keys = f.all;
  s->rotation = lin_ir_next_rotation(e, l);
  s->place = lin_ir_rotate(s, place);
}
