// What moves has to be there in front of the cut: it may live across other cuts for that alone, and
// is needed behind those, too. So the whole is repeated until nothing new has to be there.
#include "state.h"

#include "again.h"
#include "gpu/costs.h"
#include "regroup/moved.h"
#include "llvm/ask/cost.h"
#include "llvm/read/live.h"

#include <assert.h>

typedef struct finder {
  lin_arena *arena;
  const lin_ir_function *f;
  const lin_ir_cuts *cuts;
  lin_order *order;
  lin_tree *dominators;
  lin_numbers block_number; // in order
  LLVMValueRef *value;      // [num_values] instructions, each behind what it is computed from
  lin_block *block;         // [num_values] of f
  uint32_t num_values;
  lin_numbers number; // of these
  bool *is_kept;      // [num_values] not carried, wherever it is needed
  uint32_t *cut_at;   // [blocks of f] the cut in front of which a block is, or LIN_NONE
  lin_block *before;  // [cuts] that block
  bool **is_live;     // [cuts][num_values] behind the cut
  bool **is_wanted;   // [cuts][num_values] in front of it, to move
  uint8_t **what;     // [cuts][num_values] LIN_NOT_THERE ...
} finder;

// ---- values

static bool has_value(LLVMValueRef at) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(at));
  return kind != LLVMVoidTypeKind && kind != LLVMTokenTypeKind && kind != LLVMMetadataTypeKind;
}

static void number_values(finder *w) {
  uint32_t count = 0;
  const uint32_t blocks = w->order->graph->num_blocks;
  for (lin_block b = 0; b < w->f->graph->num_blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(w->f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at))
      count += has_value(at);
  w->value = LIN_ARRAY(w->arena, LLVMValueRef, count);
  w->block = LIN_ARRAY(w->arena, lin_block, count);
  for (lin_block b = 0; b < blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(w->f, w->order, b)); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (has_value(at)) {
        lin_numbers_add(w->arena, &w->number, at, w->num_values);
        w->block[w->num_values] = w->order->origin[b];
        w->value[w->num_values++] = at;
      }
}

// All threads come by the end of `block`, once, before any comes to a station that some come to by
// other ways.
static bool is_before_stations(const finder *w, lin_block block) {
  const lin_stations *s = w->cuts->stations;
  for (uint32_t i = 0; i < w->cuts->count; i++) {
    const lin_ir_station_cut *cut = &w->cuts->cut[i];
    if (!s->is_together[cut->station] &&
        (w->order->loops->loop_of[block] != 0 ||
         !lin_tree_contains(w->dominators, block, lin_numbers_find(&w->block_number, cut->before))))
      return false;
  }
  return true;
}

static void find_kept(finder *w) {
  w->is_kept = LIN_ARRAY(w->arena, bool, w->num_values);
  bool is_before = false;
  lin_block last = LIN_NONE;
  for (uint32_t i = 0; i < w->num_values; i++) {
    if (w->block[i] != last) {
      last = w->block[i];
      is_before = is_before_stations(w, w->order->number[last]);
    }
    w->is_kept[i] =
        is_before && lin_ir_is_same(&w->cuts->same, w->value[i], w->cuts->stations->in_step);
  }
}

// ---- where values are needed

// Behind a cut at which a value was found to move it is needed, whether by the program or to
// compute others.
static void find_live(finder *w) {
  lin_arena own = {0};
  lin_ir_live *live = lin_ir_live_new(&own, w->f);
  lin_block *also = LIN_ARRAY(&own, lin_block, w->cuts->count);
  for (uint32_t i = 0; i < w->num_values; i++) {
    if (w->is_kept[i])
      continue;
    uint32_t num_also = 0;
    for (uint32_t cut = 0; cut < w->cuts->count; cut++)
      if (w->is_wanted[cut][i])
        also[num_also++] = w->before[cut];
    lin_ir_live_find_also(live, w->value[i], w->block[i], also, num_also);
    for (uint32_t j = 0; j < live->count; j++)
      if (w->cut_at[live->behind[j]] != LIN_NONE)
        w->is_live[w->cut_at[live->behind[j]]][i] = true;
  }
  lin_arena_release(&own);
}

// ---- what moves

enum { LIN_MOST_COMPUTED = 4096 }; // values that are looked at for one cut

// Costs are in simple instructions, of which there are so many to one here.
enum { SCALE = 32 };

static bool bits_of(const finder *w, lin_arena *arena, LLVMValueRef value, lin_ir_bits *bits) {
  if (!lin_ir_add_bits(arena, LLVMGetGlobalParent(w->f->function), LLVMTypeOf(value), bits))
    return false;
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind)
    bits->bits[bits->count - 1] = lin_ir_bits_set(value);
  return true;
}

static uint32_t cost_of_moving(const finder *w, lin_arena *arena, LLVMValueRef value) {
  lin_ir_bits bits = {0};
  if (lin_ir_is_of_lane(value) || !bits_of(w, arena, value, &bits))
    return LIN_NEVER;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < bits.count; i++)
    sum += bits.bits[i];
  return sum * LIN_COST_OF_MOVED_WORD * SCALE / LIN_WORD + 1;
}

// The values that might have to be there behind one cut, each with what it is computed from.
typedef struct closure {
  lin_arena arena;
  uint32_t *value; // [count] numbers, those that are needed first
  uint32_t count, capacity, num_needed;
  uint32_t *place; // [num_values] in `value`, LIN_NONE for others
} closure;

static uint32_t place_of(closure *c, uint32_t value) {
  if (c->place[value] == LIN_NONE) {
    c->place[value] = c->count;
    c->value = LIN_ROOM(&c->arena, c->value, c->count, &c->capacity);
    c->value[c->count++] = value;
  }
  return c->place[value];
}

static bool is_computed(const finder *w, const closure *c, uint32_t value) {
  return !w->is_kept[value] && c->count < LIN_MOST_COMPUTED && lin_ir_is_computed(w->value[value]);
}

static lin_expressions express(const finder *w, closure *c, uint32_t cut) {
  uint32_t *operand = NULL, num_operands = 0, room = 0;
  uint32_t *first = NULL, *computing = NULL, rooms[2] = {0};
  for (uint32_t i = 0; i < w->num_values; i++)
    if (w->is_live[cut][i])
      place_of(c, i);
  c->num_needed = c->count;
  for (uint32_t i = 0; i < c->count; i++) {
    LLVMValueRef value = w->value[c->value[i]];
    bool is = is_computed(w, c, c->value[i]);
    first = LIN_ROOM(&c->arena, first, i, &rooms[0]);
    computing = LIN_ROOM(&c->arena, computing, i, &rooms[1]);
    first[i] = num_operands;
    computing[i] = is ? lin_ir_cost(value) * SCALE : LIN_NEVER;
    for (unsigned j = 0; is && j < (unsigned)LLVMGetNumOperands(value); j++) {
      uint32_t number = lin_numbers_find(&w->number, LLVMGetOperand(value, j));
      if (number == LIN_NONE)
        continue;
      operand = LIN_ROOM(&c->arena, operand, num_operands, &room);
      operand[num_operands++] = place_of(c, number);
    }
  }
  first = LIN_ROOM(&c->arena, first, c->count, &rooms[0]);
  first[c->count] = num_operands;
  uint32_t *moving = LIN_ARRAY(&c->arena, uint32_t, c->count);
  bool *is_needed = LIN_ARRAY(&c->arena, bool, c->count);
  for (uint32_t i = 0; i < c->count; i++) {
    moving[i] = w->is_kept[c->value[i]] ? 0 : cost_of_moving(w, &c->arena, w->value[c->value[i]]);
    is_needed[i] = i < c->num_needed;
  }
  return (lin_expressions){c->count, first, operand, moving, computing, is_needed};
}

// Returns whether something new has to be there in front of the cut.
static bool decide(finder *w, uint32_t cut) {
  closure c = {.count = 0};
  c.place = LIN_ARRAY(&c.arena, uint32_t, w->num_values);
  for (uint32_t i = 0; i < w->num_values; i++)
    c.place[i] = LIN_NONE;
  lin_expressions e = express(w, &c, cut);
  const uint8_t *what = lin_moved_find(&c.arena, &e);
  bool is_new = false;
  assert(what != NULL && "tokens are refused, and all else moves");
  for (uint32_t i = 0; i < w->num_values; i++)
    w->what[cut][i] = c.place[i] == LIN_NONE ? LIN_NOT_THERE : what[c.place[i]];
  for (uint32_t i = 0; i < w->num_values; i++)
    if (w->what[cut][i] == LIN_MOVES && !w->is_kept[i] && !w->is_wanted[cut][i])
      w->is_wanted[cut][i] = is_new = true;
  lin_arena_release(&c.arena);
  return is_new;
}

// ---- cargo

static void add_again(finder *w, lin_ir_cargo *cargo, LLVMValueRef value) {
  const unsigned count = (unsigned)LLVMGetNumOperands(value);
  LLVMValueRef *operands = LIN_ARRAY(w->arena, LLVMValueRef, count);
  for (unsigned i = 0; i < count; i++)
    operands[i] = LLVMGetOperand(value, i);
  cargo->operands[cargo->num_again] = operands;
  cargo->again[cargo->num_again++] = value;
}

static void add_parts(finder *w, lin_ir_cargo *cargo, LLVMValueRef variable, uint64_t bytes) {
  uint32_t capacity = cargo->num_parts;
  for (uint32_t offset = 0; offset < bytes;) {
    uint64_t left = bytes - offset;
    uint32_t size = left >= 4 ? 4 : left >= 2 ? 2 : 1;
    cargo->part = LIN_ROOM(w->arena, cargo->part, cargo->num_parts, &capacity);
    cargo->part[cargo->num_parts++] = (lin_ir_part){variable, offset, 8 * size};
    cargo->bits.bits =
        LIN_ROOM(w->arena, cargo->bits.bits, cargo->bits.count, &cargo->bits.capacity);
    cargo->bits.bits[cargo->bits.count++] = 8 * size;
    offset += size;
  }
}

static void load(finder *w, uint32_t cut, const lin_ir_own_memory *memory, uint32_t label_bits,
                 lin_ir_cargo *cargo) {
  uint32_t moved = 0, again = 0;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < w->num_values; i++) {
    moved += w->what[cut][i] == LIN_MOVES && !w->is_kept[i];
    again += w->what[cut][i] == LIN_COMPUTED;
  }
  cargo->value = LIN_ARRAY(w->arena, LLVMValueRef, moved);
  cargo->again = LIN_ARRAY(w->arena, LLVMValueRef, again);
  cargo->operands = LIN_ARRAY(w->arena, LLVMValueRef *, again);
  if (label_bits > 0) {
    cargo->bits.bits = LIN_ROOM(w->arena, cargo->bits.bits, 0, &cargo->bits.capacity);
    cargo->bits.bits[cargo->bits.count++] = label_bits;
  }
  for (uint32_t i = 0; i < w->num_values; i++) {
    if (w->what[cut][i] == LIN_COMPUTED)
      add_again(w, cargo, w->value[i]);
    if (w->what[cut][i] != LIN_MOVES || w->is_kept[i])
      continue;
    cargo->value[cargo->num_values++] = w->value[i];
    bits_of(w, w->arena, w->value[i], &cargo->bits);
  }
  for (uint32_t i = 0; i < memory->count; i++)
    bytes += memory->moves[i][cut] ? memory->bytes[i] : 0;
  assert(bytes <= 4 * LIN_MOST_MEMORY);
  for (uint32_t i = 0; i < memory->count; i++)
    if (memory->moves[i][cut])
      add_parts(w, cargo, memory->variable[i], memory->bytes[i]);
  cargo->layout = lin_layout_find(w->arena, cargo->bits.count, cargo->bits.bits, label_bits > 0);
}

static void find_carried(finder *w, lin_ir_state *state) {
  state->carried = LIN_ARRAY(w->arena, LLVMValueRef, w->num_values);
  for (uint32_t i = 0; i < w->num_values; i++) {
    bool is_live = false;
    for (uint32_t cut = 0; cut < w->cuts->count && !is_live; cut++)
      is_live = w->is_live[cut][i];
    if (!is_live)
      continue;
    lin_numbers_add(w->arena, &state->number, w->value[i], state->num_carried);
    state->carried[state->num_carried++] = w->value[i];
  }
}

// Of a station whose threads come from one point and one exit, places tell which: none moves.
static uint32_t bits_of_label(const lin_ir_cuts *cuts, uint32_t station) {
  const uint32_t first = cuts->first[station], count = cuts->first[station + 1] - first;
  if (count == 2 && cuts->cut[first].kind == LIN_CUT_POINT &&
      cuts->cut[first + 1].kind == LIN_CUT_EXIT)
    return 0;
  return lin_bits_for(count);
}

static lin_ir_state fill(finder *w) {
  const uint32_t stations = w->cuts->stations->num_stations;
  lin_ir_state state = {.cargo = LIN_ARRAY(w->arena, lin_ir_cargo, w->cuts->count),
                        .label_bits = LIN_ARRAY(w->arena, uint32_t, stations),
                        .num_words = LIN_ARRAY(w->arena, uint32_t, stations)};
  const char *refused = NULL;
  lin_ir_own_memory memory = lin_ir_find_memory(w->arena, w->f, w->cuts, &refused);
  assert(refused == NULL);
  for (uint32_t station = 0; station < stations; station++)
    state.label_bits[station] = bits_of_label(w->cuts, station);
  for (uint32_t cut = 0; cut < w->cuts->count; cut++) {
    uint32_t station = w->cuts->cut[cut].station;
    load(w, cut, &memory, state.label_bits[station], &state.cargo[cut]);
    if (state.num_words[station] < state.cargo[cut].layout.num_words)
      state.num_words[station] = state.cargo[cut].layout.num_words;
  }
  find_carried(w, &state);
  return state;
}

// ---- all

lin_ir_state lin_ir_find_state(lin_arena *arena, const lin_ir_function *f,
                               const lin_ir_cuts *cuts) {
  finder w = {.arena = arena, .f = f, .cuts = cuts};
  w.order = lin_order_build(arena, f->graph);
  w.dominators = lin_dominators_build(arena, w.order->graph, 0);
  w.block_number = lin_ir_number_blocks(arena, f, w.order);
  number_values(&w);
  find_kept(&w);
  w.cut_at = LIN_ARRAY(arena, uint32_t, f->graph->num_blocks);
  for (lin_block b = 0; b < f->graph->num_blocks; b++)
    w.cut_at[b] = LIN_NONE;
  w.before = LIN_ARRAY(arena, lin_block, cuts->count);
  w.is_live = LIN_ARRAY(arena, bool *, cuts->count);
  w.is_wanted = LIN_ARRAY(arena, bool *, cuts->count);
  w.what = LIN_ARRAY(arena, uint8_t *, cuts->count);
  for (uint32_t cut = 0; cut < cuts->count; cut++) {
    lin_block before = lin_numbers_find(&w.block_number, cuts->cut[cut].before);
    w.before[cut] = w.order->origin[before];
    w.cut_at[w.before[cut]] = cut;
    w.is_live[cut] = LIN_ARRAY(arena, bool, w.num_values);
    w.is_wanted[cut] = LIN_ARRAY(arena, bool, w.num_values);
    w.what[cut] = LIN_ARRAY(arena, uint8_t, w.num_values);
  }
  for (bool is_new = true; is_new;) {
    is_new = false;
    find_live(&w);
    for (uint32_t cut = 0; cut < cuts->count; cut++)
      is_new = decide(&w, cut) || is_new;
  }
  return fill(&w);
}
