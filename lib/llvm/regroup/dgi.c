// Data Group Indexing: Algorithm 2 of Lin, Wang and others, "On-GPU Thread-Data Remapping for
// Branch Divergence Reduction" (ACM TACO 15(3), 2018), with its line numbers. Threads count for a
// neighbourhood of N; then each looks, by these counts and in one neighbourhood, whose work it does
// next.
//
//     counter    group 0: N0 N1 N2 ...     groups are keys, and behind them threads without
//                group 1: N0 N1 N2 ...     one, if any
//     group      of each thread, a byte: what line 26 asks for
#include "search.h"

#include <stddef.h>

typedef struct index {
  const lin_ir_search *s;
  uint32_t groups;
  LLVMValueRef neighbourhoods; // how many there are
} index;

static LLVMValueRef neighbourhoods(const lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  return LLVMBuildUDiv(e->builder,
                       lin_ir_add(e, s->lanes->threads, lin_ir_word(e, s->neighbours - 1)),
                       lin_ir_word(e, s->neighbours), "");
}

static index find_index(const lin_ir_search *s) {
  return (index){s, s->keys + (s->has_key != NULL), neighbourhoods(s)};
}

static LLVMValueRef counter_at(const index *i, LLVMValueRef group, LLVMValueRef neighbourhood) {
  const lin_ir_emitter *e = i->s->e;
  LLVMValueRef number = lin_ir_add(e, lin_ir_multiply(e, group, i->neighbourhoods), neighbourhood);
  return lin_ir_shared_at(e, i->s->lanes, i->s->lanes->rounds->dgi_at,
                          lin_ir_left(e, number, lin_ir_word(e, 2)));
}

static LLVMValueRef group_at(const index *i, LLVMValueRef thread) {
  const lin_ir_emitter *e = i->s->e;
  LLVMValueRef counters = lin_ir_multiply(e, lin_ir_word(e, 4 * i->groups), i->neighbourhoods);
  return lin_ir_shared_at(e, i->s->lanes, i->s->lanes->rounds->dgi_at,
                          lin_ir_add(e, counters, thread));
}

// Line 1.
//
//     for (first = 0; first < count; first += threads) if (first + thread < count) reset it
static void reset(const index *i) {
  const lin_ir_emitter *e = i->s->e;
  const lin_ir_lanes *l = i->s->lanes;
  LLVMValueRef zero = lin_ir_word(e, 0),
               count = lin_ir_multiply(e, lin_ir_word(e, i->groups), i->neighbourhoods);
  lin_ir_uniform_loop loop = lin_ir_begin_loop(e, zero, NULL, 0);
  LLVMBasicBlockRef some = lin_ir_new_block(e, "linearize.reset"),
                    end = lin_ir_new_block(e, "linearize.go");
  LLVMValueRef number = lin_ir_add(e, loop.index, l->thread);
  LLVMBuildCondBr(e->builder, lin_ir_below(e, number, count), some, end);
  lin_ir_go_on(e, some);
  lin_ir_store(e, zero, counter_at(i, zero, number));
  LLVMBuildBr(e->builder, end);
  lin_ir_go_on(e, end);
  lin_ir_end_loop(e, &loop, l->threads, count, NULL);
}

// The first barrier is for those who still search by the counts of the round before.
void lin_ir_dgi_count(lin_ir_search *s) {
  const lin_ir_emitter *e = s->e;
  index i = find_index(s);
  LLVMValueRef thread = s->lanes->thread, group = s->key;
  if (s->has_key != NULL)
    group = lin_ir_select(e, s->has_key, s->key, lin_ir_word(e, s->keys));
  lin_ir_barrier(e);
  reset(&i);
  LLVMBuildStore(e->builder, LLVMBuildTrunc(e->builder, group, e->byte, ""), group_at(&i, thread));
  lin_ir_barrier(e);
  LLVMValueRef own = LLVMBuildUDiv(e->builder, thread, lin_ir_word(e, s->neighbours), "");
  LLVMBuildAtomicRMW(e->builder, LLVMAtomicRMWBinOpAdd, counter_at(&i, group, own),
                     lin_ir_word(e, 1), LLVMAtomicOrderingMonotonic, false); // line 4
  if (s->has_key == NULL) {
    lin_ir_barrier(e);
    return;
  }
  s->num_keys = lin_ir_barrier_count(e, s->has_key);
  s->nobody = lin_ir_is(e, s->num_keys, 0);
}

static LLVMValueRef add_if(const lin_ir_emitter *e, LLVMValueRef a, LLVMValueRef condition) {
  return lin_ir_add(e, a, LLVMBuildZExt(e->builder, condition, e->word, ""));
}

// Lines 6 to 18: the group of the work that this place gets, and which one of it. As long as the
// rank is beyond a group it goes on to the next.
static void find_group(const index *i, LLVMValueRef place, LLVMValueRef *group,
                       LLVMValueRef *rank) {
  const lin_ir_emitter *e = i->s->e;
  LLVMValueRef zero = lin_ir_word(e, 0), one = lin_ir_word(e, 1);
  *group = zero;
  *rank = place;
  if (i->groups == 1)
    return;
  LLVMValueRef state[] = {zero, place};
  lin_ir_uniform_loop outer = lin_ir_begin_loop(e, zero, state, 2);
  LLVMValueRef total = zero;
  lin_ir_uniform_loop inner = lin_ir_begin_loop(e, zero, &total, 1);
  total = lin_ir_add(e, inner.was[0], lin_ir_load(e, counter_at(i, outer.index, inner.index)));
  lin_ir_end_loop(e, &inner, one, i->neighbourhoods, &total);
  LLVMValueRef is_here = lin_ir_compare(e, LLVMIntEQ, outer.was[0], outer.index),
               is_beyond = lin_ir_not(e, lin_ir_below(e, outer.was[1], total)),
               goes_on = lin_ir_and(e, is_here, is_beyond);
  state[0] = add_if(e, outer.was[0], goes_on);
  state[1] = lin_ir_select(e, goes_on, lin_ir_subtract(e, outer.was[1], total), outer.was[1]);
  lin_ir_end_loop(e, &outer, one, lin_ir_word(e, i->groups - 1), state);
  *group = state[0];
  *rank = state[1];
}

// Ends a loop as soon as no lane of the warp goes on.
static void end_search(const index *i, lin_ir_uniform_loop *loop, LLVMValueRef at,
                       LLVMValueRef goes_on, LLVMValueRef *next) {
  const lin_ir_emitter *e = i->s->e;
  LLVMValueRef who = lin_ir_ballot(e, i->s->lanes->all, goes_on);
  lin_ir_end_loop_if(e, loop, at, lin_ir_not(e, lin_ir_is(e, who, 0)), next);
}

// Lines 19 to 24: *mark, and the last thread of the neighbourhood that has the work. A lane goes on
// until the mark is beyond the rank.
static LLVMValueRef find_neighbourhood(const index *i, LLVMValueRef group, LLVMValueRef rank,
                                       LLVMValueRef *mark) {
  const lin_ir_emitter *e = i->s->e;
  LLVMValueRef zero = lin_ir_word(e, 0), one = lin_ir_word(e, 1);
  *mark = zero;
  lin_ir_uniform_loop loop = lin_ir_begin_loop(e, zero, mark, 1);
  LLVMValueRef goes = lin_ir_not(e, lin_ir_below(e, rank, loop.was[0])),
               at = lin_ir_select(e, goes, loop.index, zero),
               count = lin_ir_load(e, counter_at(i, group, at)),
               behind = add_if(e, loop.index, goes);
  *mark = lin_ir_add(e, loop.was[0], lin_ir_select(e, goes, count, zero));
  end_search(i, &loop, behind, lin_ir_not(e, lin_ir_below(e, rank, *mark)), mark);
  LLVMValueRef last = lin_ir_subtract(
                   e, lin_ir_multiply(e, behind, lin_ir_word(e, i->s->neighbours)), one),
               most = lin_ir_subtract(e, i->s->lanes->threads, one);
  return lin_ir_select(e, lin_ir_below(e, most, last), most, last);
}

// Lines 25 to 32. The mark is beyond the rank at first; a lane goes on until it isn't.
static LLVMValueRef find_thread(const index *i, LLVMValueRef group, LLVMValueRef rank,
                                LLVMValueRef mark, LLVMValueRef last) {
  const lin_ir_emitter *e = i->s->e;
  lin_ir_uniform_loop loop = lin_ir_begin_loop(e, last, &mark, 1);
  LLVMValueRef byte = LLVMBuildLoad2(e->builder, e->byte, group_at(i, loop.index), ""),
               other = LLVMBuildZExt(e->builder, byte, e->word, ""),
               is_equal = lin_ir_compare(e, LLVMIntEQ, other, group),
               goes = lin_ir_compare(e, LLVMIntNE, loop.was[0], rank);
  LLVMValueRef step = LLVMBuildZExt(e->builder, lin_ir_and(e, goes, is_equal), e->word, ""),
               now = lin_ir_subtract(e, loop.was[0], step),
               goes_on = lin_ir_compare(e, LLVMIntNE, now, rank),
               next =
                   lin_ir_subtract(e, loop.index, LLVMBuildZExt(e->builder, goes_on, e->word, ""));
  end_search(i, &loop, next, goes_on, &now);
  return next;
}

void lin_ir_dgi_place(lin_ir_search *s) {
  index i = find_index(s);
  lin_ir_find_rotation(s);
  LLVMValueRef group, rank, mark;
  find_group(&i, lin_ir_unrotated(s), &group, &rank);
  LLVMValueRef last = find_neighbourhood(&i, group, rank, &mark);
  s->place = find_thread(&i, group, rank, mark, last);
  s->comes_from = true;
}
