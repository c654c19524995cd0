#include "station.h"

#include "exchange.h"
#include "llvm/edit/split.h"

#include <stdio.h>
#include <string.h>

enum { WARP = 32 };

typedef struct builder {
  lin_arena *arena;
  const lin_ir_emitter *e;
  const lin_ir_cuts *cuts;
  const lin_ir_carry *carry;
  const lin_ir_station *how;
  uint32_t number, first, count; // of the station; of its cuts
  uint32_t num_points, num_barriers;
  bool is_together, in_loop;
  LLVMBasicBlockRef station, dispatch, leave;
  LLVMValueRef turn; // a slot: the label by which a thread goes on from the dispatch
  const lin_ir_lanes *made;
  lin_ir_lanes lanes; // at the station
  lin_ir_search search;
} builder;

// Behind those of cuts: of a thread that begins, and of one that waits.
static uint32_t start_label(const builder *b) { return b->count; }
static uint32_t wait_label(const builder *b) { return b->count + 1; }

static const lin_ir_station_cut *cut_of(const builder *b, uint32_t label) {
  return &b->cuts->cut[b->first + label];
}

// ---- in front

// The first key of a point, behind those of the points before it.
static uint32_t first_key(const builder *b, uint32_t label) {
  const uint32_t dropped = b->how->round->dropped;
  uint32_t first = 0;
  for (uint32_t i = 0; i < label; i++) {
    uint32_t bits = cut_of(b, i)->point.bits;
    first += UINT32_C(1) << (bits > dropped ? bits - dropped : 0);
  }
  return first;
}

static LLVMValueRef key_of(const builder *b, uint32_t label) {
  const lin_ir_emitter *e = b->e;
  const lin_ir_point *point = &cut_of(b, label)->point;
  const uint32_t bits = point->bits, dropped = b->how->round->dropped;
  LLVMValueRef first = lin_ir_word(e, first_key(b, label));
  if (bits <= dropped)
    return first;
  LLVMValueRef key = lin_ir_load(e, b->cuts->key);
  if (bits < LIN_WORD)
    key = lin_ir_and(e, key, lin_ir_word(e, (UINT32_C(1) << bits) - 1));
  return lin_ir_add(e, lin_ir_right(e, key, dropped), first);
}

static void come(const builder *b, uint32_t label) {
  const lin_ir_emitter *e = b->e;
  const lin_ir_station_cut *cut = cut_of(b, label);
  const uint32_t label_bits = b->carry->state->label_bits[b->number],
                 here = b->carry->state->cargo[b->first + label].layout.num_words;
  LLVMBasicBlockRef pack = lin_ir_new_block(e, "linearize.pack");
  LLVMSetSuccessor(LLVMGetBasicBlockTerminator(cut->before), 0, pack);
  lin_ir_go_on(e, pack);
  LLVMValueRef branch = LLVMBuildBr(e->builder, b->station);
  LLVMPositionBuilderBefore(e->builder, branch);
  lin_ir_store(e, cut->kind == LIN_CUT_POINT ? key_of(b, label) : LLVMGetUndef(e->word),
               b->cuts->key);
  if (!b->is_together)
    lin_ir_store(e, lin_ir_word(e, label), b->carry->label);
  lin_ir_pack(b->carry, b->first + label, label, label_bits, branch);
  for (uint32_t i = here; i < b->carry->state->num_words[b->number]; i++)
    lin_ir_store(e, LLVMGetUndef(e->word), b->carry->word[i]);
}

// ---- at the station

static const struct {
  void (*count)(lin_ir_search *), (*place)(lin_ir_search *);
} algorithms[LIN_NUM_ALGORITHMS] = {
    [LIN_VOTES] = {lin_ir_votes_count, lin_ir_votes_place},
    [LIN_HOT] = {lin_ir_hot_count, lin_ir_hot_place},
    [LIN_DGI] = {lin_ir_dgi_count, lin_ir_dgi_place},
};

static void move_work(builder *b) {
  const lin_round *round = b->how->round;
  lin_ir_exchange(b->carry, &b->search, b->carry->state->num_words[b->number], round->at_once,
                  round->small, round->at_once_small);
}

// The label of the work that has come: part of it, or, of two, told by the place. Who gets none
// comes from the last cut, which is that of the ends then.
static void set_label(const builder *b) {
  const lin_ir_emitter *e = b->e;
  const uint32_t bits = b->carry->state->label_bits[b->number];
  if (b->is_together)
    return;
  LLVMValueRef label = lin_ir_word(e, 0), none = lin_ir_word(e, b->count - 1);
  if (bits > 0)
    label =
        lin_ir_and(e, lin_ir_load(e, b->carry->word[0]), lin_ir_word(e, (UINT32_C(1) << bits) - 1));
  if (bits == 0 || b->search.drops)
    label = lin_ir_select(e, lin_ir_gets_work(&b->search), label, none);
  lin_ir_store(e, label, b->carry->label);
}

// Warps without work return: barriers wait for those that are left.
static void leave(const builder *b) {
  const lin_ir_emitter *e = b->e;
  if (!b->search.drops)
    return;
  LLVMBasicBlockRef end = lin_ir_new_block(e, "linearize.ends"),
                    rest = lin_ir_new_block(e, "linearize.stay");
  LLVMValueRef stays = lin_ir_below(e, b->lanes.thread, b->search.places);
  lin_ir_store(e, b->search.places, b->made->left);
  LLVMBuildCondBr(e->builder, stays, rest, end);
  lin_ir_go_on(e, end);
  LLVMBuildRetVoid(e->builder);
  lin_ir_go_on(e, rest);
}

// If nothing is to be moved and nothing tells labels, places are of no matter.
static bool moves_something(const builder *b) {
  return b->carry->state->num_words[b->number] > 0 || !b->is_together;
}

// A block of one warp has nothing to gain.
static void regroup(builder *b) {
  const lin_ir_emitter *e = b->e;
  LLVMBasicBlockRef several = lin_ir_new_block(e, "linearize.several"),
                    move = lin_ir_new_block(e, "linearize.move"),
                    moved = lin_ir_new_block(e, "linearize.moved");
  LLVMValueRef one = lin_ir_below(e, b->lanes.threads, lin_ir_word(e, WARP + 1));
  LLVMBuildCondBr(e->builder, one, moved, several);
  lin_ir_go_on(e, several);
  algorithms[b->how->round->algorithm].place(&b->search);
  if (b->search.stays != NULL)
    LLVMBuildCondBr(e->builder, b->search.stays, moved, move);
  else
    LLVMBuildBr(e->builder, move);
  lin_ir_go_on(e, move);
  if (moves_something(b))
    move_work(b);
  leave(b);
  set_label(b);
  LLVMBuildBr(e->builder, moved);
  lin_ir_go_on(e, moved);
}

static LLVMValueRef is_of_barrier(const builder *b) {
  const lin_ir_emitter *e = b->e;
  LLVMValueRef label = lin_ir_load(e, b->carry->label),
               end = lin_ir_word(e, b->num_points + b->num_barriers),
               is_of_point = lin_ir_below(e, label, lin_ir_word(e, b->num_points));
  return lin_ir_and(e, lin_ir_not(e, is_of_point), lin_ir_below(e, label, end));
}

// LLVM can't see through it: a branch to where it leads would be a second way around, or in.
static LLVMValueRef opaque(const lin_ir_emitter *e, uint32_t value) {
  char text[32];
  snprintf(text, sizeof text, "mov.u32 $0, %u;", value);
  LLVMTypeRef type = LLVMFunctionType(e->word, NULL, 0, false);
  LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), "=r", 2, false, false,
                                       LLVMInlineAsmDialectATT, false);
  return LLVMBuildCall2(e->builder, type, code, NULL, 0, "");
}

// What is carried has moved, as words. Who starts comes to the dispatch with what is there at
// first, and so it would be in registers all the time, if nothing else came to these slots.
static void forget(const builder *b) {
  const lin_ir_emitter *e = b->e;
  for (uint32_t i = 0; i < b->carry->state->num_carried; i++)
    lin_ir_store(e, LLVMConstNull(LLVMTypeOf(b->carry->state->carried[i])), b->carry->slot[i]);
  lin_ir_store(e, lin_ir_word(e, 0), b->cuts->key);
}

// Those with `goes`, or NULL: all, go where their labels say, and the others wait.
static void go_around(const builder *b, LLVMValueRef goes) {
  const lin_ir_emitter *e = b->e;
  LLVMValueRef turn = lin_ir_word(e, 0);
  if (!b->is_together)
    turn = lin_ir_load(e, b->carry->label);
  if (goes != NULL)
    turn = lin_ir_select(e, goes, turn, opaque(e, wait_label(b)));
  lin_ir_store(e, turn, b->turn);
  forget(b);
  LLVMBuildBr(e->builder, b->dispatch);
}

// Those from barriers, if there are any; returns where all go on if there are none.
static LLVMBasicBlockRef let_barriers_go(const builder *b) {
  const lin_ir_emitter *e = b->e;
  LLVMBasicBlockRef some = lin_ir_new_block(e, "linearize.barriers"),
                    none = lin_ir_new_block(e, "linearize.points");
  LLVMValueRef is = is_of_barrier(b), count = lin_ir_barrier_count(e, is);
  LLVMBuildCondBr(e->builder, lin_ir_is(e, count, 0), none, some);
  lin_ir_go_on(e, some);
  go_around(b, is);
  return none;
}

static void nobody_has_key(const builder *b) {
  const lin_ir_emitter *e = b->e;
  if (b->num_barriers > 0 && b->in_loop)
    lin_ir_go_on(e, let_barriers_go(b));
  LLVMBuildBr(e->builder, b->leave);
}

static void stand(builder *b) {
  const lin_ir_emitter *e = b->e;
  lin_ir_go_on(e, b->station);
  lin_ir_sync_warp(e, b->made->all);
  b->lanes = lin_ir_find_lanes(e, b->made);
  b->search.lanes = &b->lanes;
  b->search.drops = b->made->left != NULL;
  if (b->num_barriers > 0 && !b->in_loop)
    lin_ir_go_on(e, let_barriers_go(b));
  b->search.key = lin_ir_load(e, b->cuts->key);
  b->search.has_key = NULL;
  if (b->num_points < b->count)
    b->search.has_key =
        lin_ir_below(e, lin_ir_load(e, b->carry->label), lin_ir_word(e, b->num_points));
  algorithms[b->how->round->algorithm].count(&b->search);
  if (b->search.nobody != NULL) {
    LLVMBasicBlockRef nobody = lin_ir_new_block(e, "linearize.nobody"),
                      places = lin_ir_new_block(e, "linearize.places");
    LLVMBuildCondBr(e->builder, b->search.nobody, nobody, places);
    lin_ir_go_on(e, nobody);
    nobody_has_key(b);
    lin_ir_go_on(e, places);
  }
  regroup(b);
  if (!b->in_loop)
    LLVMBuildBr(e->builder, b->leave);
  else if (b->num_points == b->count)
    go_around(b, NULL);
  else
    go_around(b, lin_ir_below(e, lin_ir_load(e, b->carry->label), lin_ir_word(e, b->num_points)));
}

// ---- behind

static bool goes_around(const builder *b, uint32_t label) {
  lin_cut_kind kind = cut_of(b, label)->kind;
  return b->in_loop ? kind != LIN_CUT_EXIT : kind == LIN_CUT_BARRIER;
}

// From `block`, by the label in `slot`, to what is behind the cuts of those that go around, or of
// the others; by other labels elsewhere, if that isn't NULL. Returns the switch, or NULL.
static LLVMValueRef go_on(const builder *b, LLVMBasicBlockRef block, LLVMBasicBlockRef *behind,
                          bool around, LLVMValueRef slot, LLVMBasicBlockRef elsewhere) {
  const lin_ir_emitter *e = b->e;
  uint32_t count = 0, last = 0;
  if (LLVMGetFirstUse(LLVMBasicBlockAsValue(block)) == NULL) {
    LLVMDeleteBasicBlock(block);
    return NULL;
  }
  lin_ir_go_on(e, block);
  for (uint32_t i = 0; i < b->count; i++)
    if (goes_around(b, i) == around)
      count++, last = i;
  if (elsewhere == NULL)
    elsewhere = behind[last];
  if (count == 1 && elsewhere == behind[last]) {
    LLVMBuildBr(e->builder, elsewhere);
    return NULL;
  }
  LLVMValueRef to = LLVMBuildSwitch(e->builder, lin_ir_load(e, slot), elsewhere, b->count);
  for (uint32_t i = 0; i < b->count; i++)
    if (goes_around(b, i) == around && behind[i] != elsewhere)
      LLVMAddCase(to, lin_ir_word(e, i), behind[i]);
  return to;
}

// Some wait, unless all come from points.
static LLVMValueRef dispatch(const builder *b, LLVMBasicBlockRef *behind) {
  go_on(b, b->leave, behind, /*around=*/false, b->carry->label, NULL);
  return go_on(b, b->dispatch, behind, /*around=*/true, b->turn,
               b->num_points < b->count ? b->station : NULL);
}

// ---- start

typedef struct surroundings {
  const lin_ir_function *f;
  lin_order *order;
  lin_tree *dominators;
  lin_numbers number;
} surroundings;

static bool is_in_loop(const surroundings *s, LLVMBasicBlockRef block) {
  return s->order->loops->loop_of[lin_numbers_find(&s->number, block)] != 0;
}

static surroundings look(lin_arena *arena, LLVMValueRef function) {
  const lin_ir_read_options options = {.force = true};
  surroundings s = {.f = lin_ir_read(arena, function, &options)};
  s.order = lin_order_build(arena, s.f->graph);
  s.dominators = lin_dominators_build(arena, s.order->graph, 0);
  s.number = lin_ir_number_blocks(arena, s.f, s.order);
  return s;
}

// The last block that all come by, once, who come to the station.
static LLVMBasicBlockRef last_of_all(const builder *b, const surroundings *s) {
  lin_block last = LIN_NONE;
  for (uint32_t i = 0; i < b->count; i++) {
    lin_block before = lin_numbers_find(&s->number, cut_of(b, i)->before);
    last = last == LIN_NONE ? before : lin_tree_meet(s->dominators, last, before);
  }
  while (s->order->loops->loop_of[last] != 0)
    last = s->dominators->parent[last];
  return lin_ir_block(s->f, s->order, last);
}

// ptxas copies the head of a loop, one copy for each way in, whatever barriers stand there, and
// threads at different copies would wait for each other for ever. So the dispatch is the head of
// each loop that the station is in, but for those in which all pass the dispatch anyway: threads
// come there first of all, and on from there to where they would have gone.
//
//     last ─▶ dispatch ─▶ start ─▶ what led to the station ─▶ station ─▶ dispatch
static void add_start(builder *b, LLVMValueRef to) {
  const lin_ir_emitter *e = b->e;
  lin_arena own = {0};
  surroundings s = look(&own, e->function);
  if (is_in_loop(&s, b->station)) {
    LLVMBasicBlockRef last = last_of_all(b, &s),
                      rest =
                          lin_ir_split_before(LLVMGetBasicBlockTerminator(last), "linearize.start");
    LLVMAddCase(to, lin_ir_word(e, start_label(b)), rest);
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(last);
    LLVMPositionBuilderBefore(e->builder, branch);
    lin_ir_store(e, opaque(e, start_label(b)), b->turn);
    LLVMSetSuccessor(branch, 0, b->dispatch);
  }
  lin_arena_release(&own);
}

// ---- all

static void count_kinds(builder *b) {
  for (uint32_t i = 0; i < b->count; i++) {
    b->num_points += cut_of(b, i)->kind == LIN_CUT_POINT;
    b->num_barriers += cut_of(b, i)->kind == LIN_CUT_BARRIER;
  }
}

void lin_ir_build_station(lin_arena *arena, const lin_ir_emitter *e, const lin_ir_cuts *cuts,
                          const lin_ir_carry *carry, const lin_ir_lanes *lanes, uint32_t number,
                          const lin_ir_station *station) {
  builder b = {.arena = arena,
               .e = e,
               .cuts = cuts,
               .carry = carry,
               .how = station,
               .number = number,
               .first = cuts->first[number],
               .count = cuts->first[number + 1] - cuts->first[number],
               .made = lanes,
               .is_together = cuts->stations->is_together[number],
               .in_loop = cuts->stations->in_loop[number],
               .station = lin_ir_new_block(e, "linearize.station"),
               .dispatch = lin_ir_new_block(e, "linearize.dispatch"),
               .leave = lin_ir_new_block(e, "linearize.leave"),
               .turn = lin_ir_new_slot(e, e->word, "linearize.turn"),
               .search = {.e = e,
                          .keys = station->round->keys,
                          .neighbours = station->round->neighbours,
                          .least_gain = station->least_gain}};
  count_kinds(&b);
  LLVMBasicBlockRef *behind = LIN_ARRAY(arena, LLVMBasicBlockRef, b.count);
  for (uint32_t i = 0; i < b.count; i++) {
    behind[i] = cut_of(&b, i)->behind;
    lin_ir_unpack(carry, b.first + i, carry->state->label_bits[number], behind[i]);
  }
  for (uint32_t i = 0; i < b.count; i++)
    come(&b, i);
  stand(&b);
  LLVMValueRef to = dispatch(&b, behind);
  if (to != NULL)
    add_start(&b, to);
}
