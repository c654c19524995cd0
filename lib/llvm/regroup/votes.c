// A counting sort of a block's threads by key, warp by warp.
//
//     lane       0 1 2 3 ...      a ballot for each bit of the key says which lanes have it
//     key        1 0 1 3 ...      lanes with this lane's key: all bits agree; its rank is how many
//                                 of them are below it
//     counts     key 0: 7 9 ..    a byte for each key and warp: lane k counts for key k, in two
//                key 1: 9 8 ..    tables that take turns, so that one barrier is enough
//     ─ barrier ─
//     lane k     adds up row k: how many have key k, and how many of those are in warps before
//     scan       and how many have a lower key
//     place      lower keys + before + rank
//
// Threads without a key are no row: they are what is left of each warp, and come last.
//
// A warp in which one key ends and the next begins has the work of both, and barriers wait for it.
// If there are few such warps among many, they change places with others, so that they come first,
// side by side, each on another part of the multiprocessor:
//
//     keys in order    0 0 1 1 2 2 3 3        several first    0 1 2 0 1 2 3 3
//                        1   2   3                             1 2 3
//
// The last warp may have fewer lanes than there are keys. There, each lane counts for several keys,
// and it is told by warp 0 what the others add up: all other warps are before it. A block that has
// fewer threads than a warp is none that asks for places.
//
// More keys than a warp has lanes are sorted by five bits at a time, the lowest first, as radix
// sorting has it: each pass moves keys and numbers of threads. After the last one each thread knows
// whose work it does.
#include "search.h"

#include "gpu/rounds.h"

#include <stddef.h>

enum { WARP = 32, WORD_BYTES = 4, NUMBER_BITS = 10 /* of a thread */ };

// One pass: threads by `rows` keys.
typedef struct pass {
  const lin_ir_search *s;
  uint32_t rows;
  LLVMValueRef key, has_key; // has_key NULL: all have one
  LLVMValueRef who;          // lanes of this warp with a key
  LLVMValueRef mine;         // those with this lane's key
  LLVMValueRef rank, table, ballot[LIN_BITS_OF_PASS];
  LLVMValueRef told; // what warp 0 tells the last one: sums of rows, and how many keys there are
} pass;

// ---- count

// The lanes of `who` whose keys have the bits of `number`.
static LLVMValueRef lanes_with(const pass *p, LLVMValueRef number, LLVMValueRef who) {
  const lin_ir_emitter *e = p->s->e;
  for (uint32_t bit = 0; bit < lin_bits_for(p->rows); bit++) {
    LLVMValueRef set = lin_ir_and(e, lin_ir_right(e, number, bit), lin_ir_word(e, 1)),
                 flip = lin_ir_subtract(e, set, lin_ir_word(e, 1));
    who = lin_ir_and(e, who, LLVMBuildXor(e->builder, p->ballot[bit], flip, ""));
  }
  return who;
}

static LLVMValueRef row_at(const pass *p, LLVMValueRef row) {
  const lin_ir_emitter *e = p->s->e;
  LLVMValueRef step = lin_ir_word(e, lin_votes_row(p->s->lanes->most_threads));
  return lin_ir_at(e, e->byte, p->table, lin_ir_multiply(e, row, step));
}

// Rows of few words are read as a whole, others as far as there are warps.
enum { MOST_WORDS_READ = 2 };

static uint32_t words_of_row(const pass *p) { return (p->s->lanes->most_threads + 127) / 128; }

// A row is read as words: warps that aren't there have a zero in these.
//
//     for (warp = this one; warp < end; warp += warps, count = 0)
//       row[warp] = count
static void count_row(const pass *p, LLVMValueRef row) {
  const lin_ir_emitter *e = p->s->e;
  const lin_ir_lanes *l = p->s->lanes;
  LLVMValueRef ones = lin_ir_count_ones(e, lanes_with(p, row, p->who)), start = row_at(p, row),
               own = LLVMBuildTrunc(e->builder, ones, e->byte, ""),
               none = LLVMConstInt(e->byte, 0, false), fours = lin_ir_word(e, ~(WORD_BYTES - 1u)),
               end = lin_ir_word(e, WORD_BYTES * words_of_row(p));
  if (words_of_row(p) > MOST_WORDS_READ)
    end = lin_ir_and(e, lin_ir_add(e, l->warps, lin_ir_word(e, WORD_BYTES - 1)), fours);
  lin_ir_uniform_loop loop = lin_ir_begin_loop(e, l->warp, &own, 1);
  LLVMBuildStore(e->builder, loop.was[0], lin_ir_at(e, e->byte, start, loop.index));
  lin_ir_end_loop(e, &loop, l->warps, end, &none);
}

static void count_row_if_any(const pass *p, LLVMValueRef row) {
  const lin_ir_emitter *e = p->s->e;
  LLVMBasicBlockRef some = lin_ir_new_block(e, "linearize.rows"),
                    end = lin_ir_new_block(e, "linearize.counted");
  LLVMBuildCondBr(e->builder, lin_ir_below(e, row, lin_ir_word(e, p->rows)), some, end);
  lin_ir_go_on(e, some);
  count_row(p, row);
  LLVMBuildBr(e->builder, end);
  lin_ir_go_on(e, end);
}

// Each lane has a row, or none; in a warp of fewer lanes each has every so many.
//
//     for (row = lane; row - lane < rows; row += lanes of the warp) if (row < rows) count_row(row)
static void count_rows(const pass *p) {
  const lin_ir_emitter *e = p->s->e;
  const lin_ir_lanes *l = p->s->lanes;
  if (l->is_full == NULL) {
    count_row_if_any(p, l->lane);
    return;
  }
  lin_ir_uniform_loop loop = lin_ir_begin_loop(e, l->lane, NULL, 0);
  LLVMValueRef row = lin_ir_opaque(e, loop.index); // nothing is worth keeping from row to row
  count_row_if_any(p, row);
  LLVMValueRef next = lin_ir_add(e, row, lin_ir_count_ones(e, l->members)),
               first = lin_ir_subtract(e, next, l->lane);
  lin_ir_end_loop_if(e, &loop, next, lin_ir_below(e, first, lin_ir_word(e, p->rows)), NULL);
}

static pass count(const lin_ir_search *s, uint32_t rows, LLVMValueRef key, LLVMValueRef has_key) {
  const lin_ir_emitter *e = s->e;
  const lin_ir_lanes *l = s->lanes;
  pass p = {.s = s, .rows = rows, .key = key, .has_key = has_key};
  LLVMValueRef size = lin_ir_word(e, l->rounds->told_at / 2); // the same at all stations
  p.table = lin_ir_shared_at(e, l, 0, lin_ir_multiply(e, lin_ir_next_parity(e, l), size));
  p.told = lin_ir_shared_at(e, l, l->rounds->told_at, lin_ir_word(e, 0));
  p.who = has_key == NULL ? l->members : lin_ir_ballot(e, l->all, has_key);
  for (uint32_t bit = 0; bit < lin_bits_for(rows); bit++) {
    LLVMValueRef set = lin_ir_and(e, lin_ir_right(e, key, bit), lin_ir_word(e, 1));
    p.ballot[bit] = lin_ir_ballot(e, l->all, lin_ir_is(e, set, 1));
  }
  LLVMValueRef mine = lanes_with(&p, key, p.who);
  if (has_key != NULL) {
    LLVMValueRef others = lin_ir_and(e, l->members, lin_ir_not(e, p.who));
    mine = lin_ir_select(e, has_key, mine, others);
  }
  p.mine = mine;
  p.rank = lin_ir_count_ones(e, lin_ir_and(e, mine, l->below));
  count_rows(&p);
  return p;
}

// ---- place

// A row's sum, and that of the warps before this one.
typedef struct sums {
  LLVMValueRef all, before;
} sums;

// As many bytes as `count` says, of a word.
static LLVMValueRef first_bytes(const lin_ir_emitter *e, LLVMValueRef word, LLVMValueRef count) {
  LLVMValueRef bits = lin_ir_left(e, count, lin_ir_word(e, 3)), one = lin_ir_word(e, 1),
               mask = lin_ir_subtract(e, lin_ir_left(e, one, bits), one),
               is_whole = lin_ir_compare(e, LLVMIntSGE, count, lin_ir_word(e, WORD_BYTES)),
               is_none = lin_ir_compare(e, LLVMIntSLE, count, lin_ir_word(e, 0)), some;
  some = lin_ir_select(e, is_none, lin_ir_word(e, 0), lin_ir_and(e, word, mask));
  return lin_ir_select(e, is_whole, word, some);
}

// Of four bytes of 32 at most.
static LLVMValueRef add_bytes(const lin_ir_emitter *e, LLVMValueRef word) {
  return lin_ir_right(e, lin_ir_multiply(e, word, lin_ir_word(e, 0x01010101)), 24);
}

static sums add_word(const pass *p, LLVMValueRef start, LLVMValueRef first, sums sum) {
  const lin_ir_emitter *e = p->s->e;
  LLVMValueRef word = lin_ir_load(e, lin_ir_at(e, e->byte, start, first)),
               those = first_bytes(e, word, lin_ir_subtract(e, p->s->lanes->warp, first));
  return (sums){lin_ir_add(e, sum.all, add_bytes(e, word)),
                lin_ir_add(e, sum.before, add_bytes(e, those))};
}

//     for (first = 0; first < warps; first += 4) add the word of warps first to first + 3
static sums add_row(const pass *p, LLVMValueRef row) {
  const lin_ir_emitter *e = p->s->e;
  LLVMValueRef zero = lin_ir_word(e, 0), start = row_at(p, row), sum[] = {zero, zero};
  if (words_of_row(p) <= MOST_WORDS_READ) {
    sums all = {zero, zero};
    for (uint32_t word = 0; word < words_of_row(p); word++)
      all = add_word(p, start, lin_ir_word(e, WORD_BYTES * word), all);
    return all;
  }
  lin_ir_uniform_loop loop = lin_ir_begin_loop(e, zero, sum, 2);
  sums all = add_word(p, start, loop.index, (sums){loop.was[0], loop.was[1]});
  lin_ir_end_loop(e, &loop, lin_ir_word(e, WORD_BYTES), p->s->lanes->warps,
                  (LLVMValueRef[]){all.all, all.before});
  return all;
}

// What a thread has to know for its place: threads with lower keys, and with its own in warps
// before it; threads with any key; of these, how many are in warps before; how many keys there are;
// and which warps, full of threads with keys, will hold several, a bit each, if those come first.
enum { LOWER, ALL, IN_FRONT, DISTINCT, MIXED, NUM_FOUND };

typedef struct found {
  LLVMValueRef is[NUM_FOUND];
} found;

static LLVMValueRef told_at(const pass *p, LLVMValueRef number) {
  return lin_ir_at(p->s->e, p->s->e->word, p->told, number);
}

// With two keys one warp holds both, at most. With more, paths of 6,144 instructions regrouped by
// hand ran 1.18 times as fast on an H100 (4 keys, 1,024 threads), 1.33 (8; 1,024), 1.06 (4; 256)
// and 1.00 (8; 256), where nearly all warps hold several (_first beside _votes in
// bench/results/h100-2026-11-25-points.txt; `scripts/bench reorder`).
static bool puts_mixed_first(const lin_ir_search *s) {
  return s->keys > 2 && s->lanes->most_threads >= 2 * WARP * s->keys;
}

// `sum`: of threads with this lane's key, and lower ones, if it has a row. What lies behind the
// last full warp stays.
static LLVMValueRef find_mixed(const pass *p, LLVMValueRef is_row, LLVMValueRef sum,
                               LLVMValueRef all) {
  const lin_ir_emitter *e = p->s->e;
  LLVMValueRef zero = lin_ir_word(e, 0);
  if (!puts_mixed_first(p->s))
    return zero;
  LLVMValueRef full = lin_ir_and(e, all, lin_ir_word(e, ~(WARP - 1u))),
               rest = lin_ir_and(e, sum, lin_ir_word(e, WARP - 1)),
               splits = lin_ir_and(e, is_row, lin_ir_compare(e, LLVMIntNE, rest, zero)),
               is_inside = lin_ir_and(e, splits, lin_ir_below(e, sum, full)),
               bit = lin_ir_left(e, lin_ir_word(e, 1), lin_ir_right(e, sum, 5));
  return lin_ir_any_bits(e, p->s->lanes->all, lin_ir_select(e, is_inside, bit, zero),
                         lin_bits_for(p->rows));
}

// Lane k has row k. `*sum`: of it and those of lower keys.
static found add_by_lanes(const pass *p, LLVMValueRef *sum) {
  const lin_ir_emitter *e = p->s->e;
  const lin_ir_lanes *l = p->s->lanes;
  LLVMValueRef zero = lin_ir_word(e, 0), last = lin_ir_word(e, p->rows - 1);
  LLVMValueRef is_row = lin_ir_below(e, l->lane, lin_ir_word(e, p->rows));
  sums own = add_row(p, lin_ir_select(e, is_row, l->lane, zero));
  own.all = lin_ir_select(e, is_row, own.all, zero);
  LLVMValueRef both = lin_ir_or(e, own.all, lin_ir_left(e, own.before, lin_ir_word(e, 16))),
               scanned = lin_ir_scan(e, l->all, l->lane, both, lin_bits_for(p->rows)),
               half = lin_ir_word(e, 0xffff), total = lin_ir_shuffle(e, l->all, scanned, last);
  *sum = lin_ir_and(e, scanned, half);
  LLVMValueRef first = lin_ir_add(e, lin_ir_subtract(e, *sum, own.all), own.before),
               is_there = lin_ir_compare(e, LLVMIntNE, own.all, zero),
               keys = lin_ir_ballot(e, l->all, is_there), all = lin_ir_and(e, total, half);
  return (found){{lin_ir_shuffle(e, l->all, first, p->key), all, lin_ir_right(e, total, 16),
                  lin_ir_count_ones(e, keys), find_mixed(p, is_row, *sum, all)}};
}

static void store_if(const lin_ir_emitter *e, LLVMValueRef condition, LLVMValueRef value,
                     LLVMValueRef at) {
  LLVMBasicBlockRef stores = lin_ir_new_block(e, "linearize.tells"),
                    end = lin_ir_new_block(e, "linearize.told");
  LLVMBuildCondBr(e->builder, condition, stores, end);
  lin_ir_go_on(e, stores);
  lin_ir_store(e, value, at);
  LLVMBuildBr(e->builder, end);
  lin_ir_go_on(e, end);
}

// Warp 0 of a block of which the last warp isn't whole.
static void tell(const pass *p, LLVMValueRef sum, const found *f) {
  const lin_ir_emitter *e = p->s->e;
  const lin_ir_lanes *l = p->s->lanes;
  LLVMValueRef rows = lin_ir_word(e, p->rows), is_row = lin_ir_below(e, l->thread, rows),
               is_first = lin_ir_is(e, l->thread, 0);
  store_if(e, lin_ir_and(e, is_row, l->is_uneven), sum, told_at(p, l->thread));
  is_first = lin_ir_and(e, is_first, l->is_uneven);
  store_if(e, is_first, f->is[DISTINCT], told_at(p, rows));
  if (puts_mixed_first(p->s))
    store_if(e, is_first, f->is[MIXED], told_at(p, lin_ir_word(e, p->rows + 1)));
}

// The last warp, if it isn't whole: all threads but its own are before it. The key of a thread
// without one may be anything, and no place in memory.
static found hear(const pass *p) {
  const lin_ir_emitter *e = p->s->e;
  LLVMValueRef row = p->has_key == NULL ? p->key
                                        : lin_ir_select(e, p->has_key, p->key, lin_ir_word(e, 0)),
               lower = lin_ir_load(e, told_at(p, row)),
               all = lin_ir_load(e, told_at(p, lin_ir_word(e, p->rows - 1))),
               distinct = lin_ir_load(e, told_at(p, lin_ir_word(e, p->rows))),
               mixed = lin_ir_word(e, 0);
  if (puts_mixed_first(p->s))
    mixed = lin_ir_load(e, told_at(p, lin_ir_word(e, p->rows + 1)));
  return (found){{lin_ir_subtract(e, lower, lin_ir_count_ones(e, p->mine)), all,
                  lin_ir_subtract(e, all, lin_ir_count_ones(e, p->who)), distinct, mixed}};
}

static found join(const lin_ir_emitter *e, const found *a, LLVMBasicBlockRef from_a, const found *b,
                  LLVMBasicBlockRef from_b) {
  found all;
  for (int i = 0; i < NUM_FOUND; i++) {
    LLVMValueRef none = LLVMGetUndef(e->word);
    all.is[i] = LLVMBuildPhi(e->builder, e->word, "");
    LLVMAddIncoming(all.is[i], (LLVMValueRef[]){a->is[i], b == NULL ? none : b->is[i]},
                    (LLVMBasicBlockRef[]){from_a, from_b}, 2);
  }
  return all;
}

//     if (this warp is whole) { add up; if (the last one isn't and this is the first) tell }
//     if (the last one isn't) { barrier; if (this is the last one) hear }
static found add_up(const pass *p) {
  const lin_ir_emitter *e = p->s->e;
  const lin_ir_lanes *l = p->s->lanes;
  LLVMValueRef sum;
  if (l->is_full == NULL)
    return add_by_lanes(p, &sum);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder),
                    full = lin_ir_new_block(e, "linearize.full"),
                    added = lin_ir_new_block(e, "linearize.added"),
                    uneven = lin_ir_new_block(e, "linearize.uneven"),
                    last = lin_ir_new_block(e, "linearize.last"),
                    end = lin_ir_new_block(e, "linearize.found");
  LLVMBuildCondBr(e->builder, l->is_full, full, added);
  lin_ir_go_on(e, full);
  found f = add_by_lanes(p, &sum);
  tell(p, sum, &f);
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->builder);
  LLVMBuildBr(e->builder, added);
  lin_ir_go_on(e, added);
  f = join(e, &f, from, NULL, before);
  LLVMBuildCondBr(e->builder, l->is_uneven, uneven, end);
  lin_ir_go_on(e, uneven);
  lin_ir_barrier(e);
  LLVMBuildCondBr(e->builder, l->is_full, end, last);
  lin_ir_go_on(e, last);
  found heard = hear(p);
  LLVMBuildBr(e->builder, end);
  lin_ir_go_on(e, end);
  found all = join(e, &f, added, &heard, last);
  for (int i = 0; i < NUM_FOUND; i++)
    LLVMAddIncoming(all.is[i], &f.is[i], &uneven, 1);
  return all;
}

// Before places are rotated.
static LLVMValueRef place_of(const pass *p, const found *f) {
  const lin_ir_emitter *e = p->s->e;
  LLVMValueRef place = lin_ir_add(e, f->is[LOWER], p->rank);
  if (p->has_key == NULL)
    return place;
  LLVMValueRef earlier = lin_ir_left(e, p->s->lanes->warp, lin_ir_word(e, 5)),
               waiting = lin_ir_add(e, lin_ir_subtract(e, earlier, f->is[IN_FRONT]), p->rank);
  return lin_ir_select(e, p->has_key, place, lin_ir_add(e, f->is[ALL], waiting));
}

// Where a place comes to be as warps with several keys come first.
static LLVMValueRef move_mixed(const pass *p, const found *f, LLVMValueRef place) {
  const lin_ir_emitter *e = p->s->e;
  if (!puts_mixed_first(p->s))
    return place;
  LLVMValueRef one = lin_ir_word(e, 1), mixed = f->is[MIXED], warp = lin_ir_right(e, place, 5),
               bit = lin_ir_left(e, one, warp),
               lower = lin_ir_and(e, mixed, lin_ir_subtract(e, bit, one)),
               before = lin_ir_count_ones(e, lower), others = lin_ir_subtract(e, warp, before),
               behind = lin_ir_add(e, lin_ir_count_ones(e, mixed), others),
               is_mixed =
                   lin_ir_compare(e, LLVMIntNE, lin_ir_and(e, mixed, bit), lin_ir_word(e, 0)),
               to = lin_ir_select(e, is_mixed, before, behind);
  return lin_ir_or(e, lin_ir_left(e, to, lin_ir_word(e, 5)),
                   lin_ir_and(e, place, lin_ir_word(e, WARP - 1)));
}

// ---- several passes

// What a pass moves: a key, and whose it is; in one word if they fit.
typedef struct item {
  LLVMValueRef key, from;
} item;

static LLVMValueRef item_at(const lin_ir_search *s, LLVMValueRef place, uint32_t word) {
  const lin_ir_emitter *e = s->e;
  LLVMValueRef own = lin_ir_left(e, place, lin_ir_word(e, 2)),
               all = lin_ir_multiply(e, s->lanes->threads, lin_ir_word(e, WORD_BYTES * word));
  return lin_ir_shared_at(e, s->lanes, s->lanes->rounds->words_at, lin_ir_add(e, own, all));
}

// The item that comes to this thread's place; its own goes to `place`.
static item move_item(const lin_ir_search *s, item own, LLVMValueRef place) {
  const lin_ir_emitter *e = s->e;
  LLVMValueRef thread = s->lanes->thread, bits = lin_ir_word(e, NUMBER_BITS),
               mask = lin_ir_word(e, (1u << NUMBER_BITS) - 1);
  if (lin_words_of_pass(s->keys) == 1) {
    lin_ir_store(e, lin_ir_or(e, own.from, lin_ir_left(e, own.key, bits)), item_at(s, place, 0));
    lin_ir_barrier(e);
    LLVMValueRef both = lin_ir_load(e, item_at(s, thread, 0));
    return (item){lin_ir_right(e, both, NUMBER_BITS), lin_ir_and(e, both, mask)};
  }
  lin_ir_store(e, own.key, item_at(s, place, 0));
  lin_ir_store(e, own.from, item_at(s, place, 1));
  lin_ir_barrier(e);
  return (item){lin_ir_load(e, item_at(s, thread, 0)), lin_ir_load(e, item_at(s, thread, 1))};
}

// What is left to be done when items have come is told by a barrier: the same memory is used for
// the work.
static void place_by_passes(lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  const uint32_t bits = lin_bits_for(s->keys);
  item own = {s->key, s->lanes->thread};
  LLVMValueRef has_key = s->has_key;
  for (uint32_t first = 0; first < bits; first += LIN_BITS_OF_PASS) {
    const bool is_last = first + LIN_BITS_OF_PASS >= bits;
    const uint32_t rows = is_last ? ((s->keys - 1) >> first) + 1 : 1u << LIN_BITS_OF_PASS;
    LLVMValueRef digit = lin_ir_and(e, lin_ir_right(e, own.key, first), lin_ir_word(e, WARP - 1));
    pass p = count(s, rows, digit, has_key);
    lin_ir_barrier(e);
    found f = add_up(&p);
    LLVMValueRef place = place_of(&p, &f);
    s->num_keys = f.is[ALL];
    lin_ir_find_rotation(s);
    if (s->drops) // items of threads without a key have places, too
      s->rotation = lin_ir_word(e, 0);
    own = move_item(s, own, is_last && !s->drops ? lin_ir_rotate(s, place) : place);
    if (s->has_key != NULL)
      has_key = lin_ir_below(e, s->lanes->thread, s->num_keys);
  }
  lin_ir_barrier(e);
  s->place = own.from;
  s->comes_from = true;
}

// ---- all

static bool has_one_pass(const lin_ir_search *s) { return lin_words_of_pass(s->keys) == 0; }

void lin_ir_votes_count(lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  if (!has_one_pass(s)) {
    if (s->has_key != NULL)
      s->nobody = lin_ir_is(e, lin_ir_barrier_count(e, s->has_key), 0);
    return;
  }
  pass p = count(s, s->keys, s->key, s->has_key);
  s->who = p.who;
  s->mine = p.mine;
  s->rank = p.rank;
  s->table = p.table;
  s->told = p.told;
  LLVMValueRef is_first = lin_ir_is(e, p.rank, 0);
  if (s->has_key != NULL)
    is_first = lin_ir_and(e, is_first, s->has_key);
  s->runs = lin_ir_barrier_count(e, is_first);
  s->nobody = s->has_key == NULL ? NULL : lin_ir_is(e, s->runs, 0);
}

// Warps run keys `runs` times now, and afterwards as often as there are warps full of threads with
// keys, and once more for each change from one key to the next.
void lin_ir_votes_place(lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  if (!has_one_pass(s)) {
    place_by_passes(s);
    return;
  }
  pass p = {.s = s,
            .rows = s->keys,
            .key = s->key,
            .has_key = s->has_key,
            .who = s->who,
            .mine = s->mine,
            .rank = s->rank,
            .table = s->table,
            .told = s->told};
  found f = add_up(&p);
  LLVMValueRef warps = lin_ir_right(e, lin_ir_add(e, f.is[ALL], lin_ir_word(e, WARP - 1)), 5),
               least = lin_ir_add(e, lin_ir_add(e, warps, f.is[DISTINCT]),
                                  lin_ir_word(e, s->least_gain - 1));
  s->stays = lin_ir_below(e, s->runs, least);
  s->num_keys = f.is[ALL];
  lin_ir_find_rotation(s);
  s->place = lin_ir_rotate(s, move_mixed(&p, &f, place_of(&p, &f)));
}
