// The variables of the function: phis and what flows into them, webs of which live in one register
// each (linearize/webs.h).
//
//   1. Before anything changes, phis and their operands are numbered and their webs found. A phi
//      dissolves if its block is entered otherwise than before: it becomes what its web holds
//      there.
//   2. At the end of each block that leads to dissolving phis, their webs are set to the operands
//      that are not in the web already:
//
//          p: ...                                   p: ...
//             br c, a, b             ==>               x' = select c, 1, x
//          a: x2 = phi [1, p], ...                     (x is still needed in b)
//
//      An operand that is another variable is read through a placeholder, so that its use stands
//      where it is read until step 3 has found out what it is there.
//   3. Web by web, every use reads what the web holds, through phis where several values meet.
#include "writer.h"

#include "graph/sorted.h"
#include "linearize/webs.h"

#include <assert.h>
#include <stdlib.h>

typedef struct setting {
  lin_block block;
  LLVMValueRef value; // at the end of the block
  struct setting *next;
} setting;

struct lin_variables {
  lin_numbers number;
  uint32_t count, capacity;
  LLVMValueRef *value;
  lin_numbers position; // of all instructions in their blocks
  lin_web_value *place;
  lin_place *use;
  uint32_t num_uses, use_capacity;
  lin_webs *webs;
  setting **settings;         // [num_webs] of blocks that choose, rising
  lin_block *seen;            // [blocks of the flow] web + 1 that listed the header or the setting
  const struct wish **wished; // [ordered blocks] of the web and the block at hand, else NULL
  lin_way *way;               // of the web and the block at hand
  uint32_t num_ways, way_capacity;
  LLVMValueRef *placeholder;
  uint32_t num_placeholders, placeholder_capacity;
};

// ---- 1. numbering

static bool dissolves(const writer *w, LLVMValueRef value) {
  return LLVMIsAPHINode(value) && w->entered[lin_writer_place(w, LLVMGetInstructionParent(value))];
}

static lin_block ordered_block(const writer *w, LLVMBasicBlockRef block) {
  lin_block place = lin_writer_place(w, block);
  return place == LIN_NONE ? LIN_NONE : w->flow->original[place];
}

// Addresses that the back end must keep in sight, an alloca's own too, are no variables.
static void add_value(writer *w, LLVMValueRef value) {
  lin_variables *v = w->variables;
  if (!LLVMIsAInstruction(value) || LLVMIsAAllocaInst(value) || lin_writer_is_made_again(value) ||
      lin_numbers_find(&v->number, value) != LIN_NONE ||
      lin_writer_place(w, LLVMGetInstructionParent(value)) == LIN_NONE)
    return;
  v->value = LIN_ROOM(w->arena, v->value, v->count, &v->capacity);
  lin_numbers_add(w->arena, &v->number, value, v->count);
  v->value[v->count++] = value;
}

static void number_values(writer *w) {
  lin_variables *v = w->variables;
  for (lin_block block = 0; block < w->graph->num_blocks; block++) {
    if (lin_writer_input(w, block) == LIN_NONE)
      continue;
    uint32_t position = 1;
    for (LLVMValueRef at = LLVMGetFirstInstruction(w->block[block]); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      if (LLVMIsAPHINode(at))
        add_value(w, at);
      lin_numbers_add(w->arena, &v->position, at, LLVMIsAPHINode(at) ? 0 : position++);
    }
  }
  for (uint32_t phi = 0, phis = v->count; phi < phis; phi++)
    for (unsigned i = 0; i < LLVMCountIncoming(v->value[phi]); i++)
      add_value(w, LLVMGetIncomingValue(v->value[phi], i));
}

// ---- uses

static void add_use(writer *w, LLVMBasicBlockRef block, uint32_t position) {
  lin_variables *v = w->variables;
  lin_block ordered = ordered_block(w, block);
  if (ordered == LIN_NONE)
    return;
  v->use = LIN_ROOM(w->arena, v->use, v->num_uses, &v->use_capacity);
  v->use[v->num_uses++] = (lin_place){ordered, position};
}

// An address that is made again where it is used needs its operands there.
static void list_uses(writer *w, LLVMValueRef value) {
  const lin_variables *v = w->variables;
  LLVMValueRef *address = NULL;
  uint32_t count = 0, capacity = 0;
  for (LLVMValueRef of = value; of != NULL; of = count > 0 ? address[--count] : NULL)
    for (LLVMUseRef use = LLVMGetFirstUse(of); use != NULL; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (LLVMIsAPHINode(user)) {
        add_use(w, LLVMGetIncomingBlock(user, lin_ir_operand(use)), LIN_AT_END);
        continue;
      }
      add_use(w, LLVMGetInstructionParent(user), lin_numbers_find(&v->position, user));
      if (lin_writer_is_made_again(user)) {
        address = LIN_ROOM(w->arena, address, count, &capacity);
        address[count++] = user;
      }
    }
}

static lin_web_pair *list_pairs(writer *w, uint32_t *num_pairs) {
  const lin_variables *v = w->variables;
  lin_web_pair *pair = NULL;
  uint32_t count = 0, capacity = 0;
  for (uint32_t phi = 0; phi < v->count; phi++) {
    if (!LLVMIsAPHINode(v->value[phi]))
      continue;
    for (unsigned i = 0; i < LLVMCountIncoming(v->value[phi]); i++) {
      uint32_t operand = lin_numbers_find(&v->number, LLVMGetIncomingValue(v->value[phi], i));
      if (operand == LIN_NONE)
        continue;
      pair = LIN_ROOM(w->arena, pair, count, &capacity);
      pair[count++] = (lin_web_pair){phi, operand};
    }
  }
  *num_pairs = count;
  return pair;
}

void lin_writer_find_variables(writer *w, bool unite) {
  lin_variables *v = w->variables = LIN_NEW(w->arena, lin_variables);
  number_values(w);
  v->place = LIN_ARRAY(w->arena, lin_web_value, v->count);
  for (uint32_t i = 0; i < v->count; i++) {
    lin_place definition = {ordered_block(w, LLVMGetInstructionParent(v->value[i])),
                            lin_numbers_find(&v->position, v->value[i])};
    v->place[i] = (lin_web_value){definition, v->num_uses, 0};
    list_uses(w, v->value[i]);
    v->place[i].num_uses = v->num_uses - v->place[i].first_use;
  }
  lin_web_input input = {.num_values = v->count, .value = v->place, .use = v->use};
  input.pair = list_pairs(w, &input.num_pairs);
  v->webs = lin_webs_build(w->arena, w->flow->plan->analysis, &input, unite);
  v->settings = LIN_ARRAY(w->arena, setting *, v->webs->num_webs);
  v->seen = LIN_ARRAY(w->arena, lin_block, w->graph->num_blocks);
  v->wished = LIN_ARRAY(w->arena, const struct wish *, w->flow->plan->analysis->graph->num_blocks);
}

bool lin_writer_is_variable(const writer *w, LLVMValueRef value) {
  return lin_numbers_find(&w->variables->number, value) != LIN_NONE;
}

// ---- 2. choices at the ends of blocks

LLVMValueRef lin_writer_hold(writer *w, lin_block block, LLVMValueRef value) {
  lin_variables *v = w->variables;
  if (!LLVMIsAInstruction(value))
    return value;
  LLVMPositionBuilderBefore(w->builder, LLVMGetBasicBlockTerminator(w->block[block]));
  v->placeholder =
      LIN_ROOM(w->arena, v->placeholder, v->num_placeholders, &v->placeholder_capacity);
  return v->placeholder[v->num_placeholders++] = LLVMBuildFreeze(w->builder, value, "");
}

// What a phi of the ordered block `to` wants of its web at the end of the block `from` of the flow.
typedef struct wish {
  uint32_t web;
  lin_block from, to;
  LLVMValueRef value;
} wish;

static int by_web(const void *left, const void *right) {
  const wish *a = left, *b = right;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  if (a->web != b->web)
    return a->web < b->web ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

// Phi by phi: looking for what one of them has from a block takes a walk over its operands.
static wish *list_wishes(const writer *w, lin_arena *arena, uint32_t *num_wishes) {
  const lin_variables *v = w->variables;
  wish *wishes = NULL;
  uint32_t count = 0, capacity = 0;
  for (uint32_t i = 0; i < v->count; i++) {
    LLVMValueRef phi = v->value[i];
    if (!dissolves(w, phi))
      continue;
    for (unsigned j = 0; j < LLVMCountIncoming(phi); j++) {
      lin_block from = lin_writer_place(w, LLVMGetIncomingBlock(phi, j));
      if (from == LIN_NONE)
        continue;
      wishes = LIN_ROOM(arena, wishes, count, &capacity);
      wishes[count++] = (wish){v->webs->web_of[i], from, v->place[i].definition.block,
                               LLVMGetIncomingValue(phi, j)};
    }
  }
  if (count > 0)
    qsort(wishes, count, sizeof *wishes, by_web);
  *num_wishes = count;
  return wishes;
}

static bool is_in_web(const writer *w, LLVMValueRef value, uint32_t web) {
  uint32_t number = lin_numbers_find(&w->variables->number, value);
  return number != LIN_NONE && w->variables->webs->web_of[number] == web;
}

static int by_successor(const void *left, const void *right) {
  const lin_way *a = left, *b = right;
  return a->successor < b->successor ? -1 : a->successor > b->successor;
}

static void add_way(writer *w, uint32_t successor, LLVMValueRef value) {
  lin_variables *v = w->variables;
  v->way = LIN_ROOM(w->arena, v->way, v->num_ways, &v->way_capacity);
  v->way[v->num_ways++] = (lin_way){successor, value};
}

// The edges to phis alone, of which there may be few in a switch of very many edges.
static void list_wished_ways(writer *w, const wish *wishes, uint32_t count) {
  const lin_graph *ordered = w->flow->plan->analysis->graph;
  lin_block block = w->flow->original[wishes[0].from];
  lin_edge first = ordered->first_edge[block], end = ordered->first_edge[block + 1];
  for (uint32_t i = 0; i < count; i++) {
    lin_block to = wishes[i].to;
    if (i > 0 && wishes[i - 1].to == to)
      continue; // a phi has an operand for each edge
    const lin_edge *in_edge = ordered->in_edge + ordered->first_in[to];
    uint32_t degree = lin_in_degree(ordered, to);
    for (uint32_t in = lin_count_below(in_edge, degree, first); in < degree && in_edge[in] < end;
         in++)
      add_way(w, in_edge[in] - first, wishes[i].value);
  }
  qsort(w->variables->way, w->variables->num_ways, sizeof(lin_way), by_successor);
}

// What the edges of a block say of a web: what they are wished to, else what the web holds there.
static void list_ways(writer *w, const wish *wishes, uint32_t count) {
  lin_variables *v = w->variables;
  const lin_graph *ordered = w->flow->plan->analysis->graph;
  lin_block block = w->flow->original[wishes[0].from];
  uint32_t held = lin_webs_held(v->webs, w->flow->plan->analysis, v->place, wishes[0].web, block);
  v->num_ways = 0;
  if (held == LIN_NONE) {
    list_wished_ways(w, wishes, count);
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    v->wished[wishes[i].to] = &wishes[i];
  for (LIN_OUT_EDGES(ordered, block, edge)) {
    lin_block to = ordered->destination[edge];
    uint32_t successor = edge - ordered->first_edge[block];
    if (v->wished[to] != NULL)
      add_way(w, successor, v->wished[to]->value);
    else if (lin_webs_is_live(v->webs, held, to))
      add_way(w, successor, v->value[held]);
  }
  for (uint32_t i = 0; i < count; i++)
    v->wished[wishes[i].to] = NULL;
}

// Sets one web at the end of a block, unless it holds what all successors want.
static void set_web(writer *w, const wish *wishes, uint32_t count) {
  lin_variables *v = w->variables;
  uint32_t web = wishes[0].web;
  lin_block place = wishes[0].from;
  list_ways(w, wishes, count);
  bool set = false;
  for (uint32_t i = 0; i < v->num_ways; i++)
    set |= !is_in_web(w, v->way[i].value, web);
  if (!set)
    return;
  LLVMValueRef chosen = lin_writer_choose(w, place, v->way, v->num_ways);
  setting *s = LIN_NEW(w->arena, setting);
  *s = (setting){place, lin_writer_hold(w, place, chosen), v->settings[web]};
  v->settings[web] = s;
}

void lin_writer_set_variables(writer *w) {
  uint32_t count;
  lin_arena scratch = {0};
  const wish *wishes = list_wishes(w, &scratch, &count);
  for (uint32_t last = count, first; last > 0; last = first) { // so that each list comes out rising
    for (first = last - 1; first > 0 && wishes[first - 1].from == wishes[last - 1].from;)
      first--;
    for (uint32_t i = first, j; i < last; i = j) {
      for (j = i + 1; j < last && wishes[j].web == wishes[i].web;)
        j++;
      set_web(w, wishes + i, j - i);
    }
  }
  lin_arena_release(&scratch);
}

// ---- 3. reading

// A use that reads what a web holds when its block is entered.
typedef struct reading {
  LLVMValueRef user;
  unsigned operand;
} reading;

typedef struct web_uses {
  lin_variables *v;
  uint32_t web;
  lin_ir_variable chosen;
  reading *reading; // by chosen.read
  lin_point *read;
  uint32_t count, capacity, read_capacity;
  bool broken; // some value no longer dominates one of its uses, or there is no value but the web's
} web_uses;

static void find_readings(writer *w, web_uses *u, LLVMValueRef value) {
  lin_block definition =
      dissolves(w, value) ? LIN_NONE : lin_writer_place(w, LLVMGetInstructionParent(value));
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAPHINode(user) && lin_writer_is_variable(w, user) && dissolves(w, user))
      continue; // became a setting
    unsigned operand = lin_ir_operand(use);
    lin_block block = lin_writer_place(w, LLVMIsAPHINode(user) ? LLVMGetIncomingBlock(user, operand)
                                                               : LLVMGetInstructionParent(user));
    if (block == LIN_NONE || block == definition)
      continue;
    u->broken |=
        definition == LIN_NONE || !lin_tree_contains(w->flow->dominators, definition, block);
    u->reading = LIN_ROOM(w->arena, u->reading, u->count, &u->capacity);
    u->read = LIN_ROOM(w->arena, u->read, u->count, &u->read_capacity);
    u->read[u->count] = (lin_point){block, false};
    u->reading[u->count++] = (reading){user, operand};
  }
}

static int by_block(const void *left, const void *right) {
  const setting *a = left, *b = right;
  return a->block < b->block ? -1 : a->block > b->block;
}

// Where the web is set: at the ends of blocks that choose, else by the last value defined there.
static void find_sets(writer *w, web_uses *u) {
  lin_variables *v = u->v;
  setting *list = NULL;
  uint32_t count = 0, capacity = 0;
  for (const setting *s = v->settings[u->web]; s != NULL; s = s->next) {
    list = LIN_ROOM(w->arena, list, count, &capacity);
    list[count++] = *s;
    v->seen[s->block] = u->web + 1;
  }
  for (uint32_t i = v->webs->first_member[u->web]; i < v->webs->first_member[u->web + 1]; i++) {
    uint32_t member = v->webs->member[i];
    lin_block place = w->flow->place[v->place[member].definition.block];
    if (dissolves(w, v->value[member]) || v->seen[place] == u->web + 1)
      continue;
    list = LIN_ROOM(w->arena, list, count, &capacity);
    list[count++] = (setting){place, v->value[member], NULL};
  }
  if (count > 1)
    qsort(list, count, sizeof *list, by_block);
  lin_block *set = LIN_ARRAY(w->arena, lin_block, count);
  LLVMValueRef *value = LIN_ARRAY(w->arena, LLVMValueRef, count);
  for (uint32_t i = 0; i < count; i++) {
    const setting *last = u->chosen.num_sets > 0 ? &list[i - 1] : NULL;
    if (last != NULL && last->block == list[i].block) { // of two in one block the later one counts
      if (lin_numbers_find(&v->position, list[i].value) <
          lin_numbers_find(&v->position, value[u->chosen.num_sets - 1]))
        continue;
      u->chosen.num_sets--;
    }
    set[u->chosen.num_sets] = list[i].block;
    value[u->chosen.num_sets++] = list[i].value;
  }
  u->chosen.set = set;
  u->chosen.value = value;
}

// ---- loops around which a web is carried: those of the edges that go back where it is live

typedef struct header_list {
  lin_block *block;
  uint32_t count, capacity;
} header_list;

static bool is_set_in_loop(const writer *w, const web_uses *u, lin_block header) {
  const lin_loops *loops = w->flow->loops;
  uint32_t loop = loops->loop_of[header];
  bool known = loop != 0 && loops->header[loop] == header;
  for (uint32_t i = 0; i < u->chosen.num_sets; i++)
    if (!known || lin_loop_contains(loops, loop, u->chosen.set[i]))
      return true;
  return false;
}

static void add_header(writer *w, const web_uses *u, header_list *list, lin_block header) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->block[i] == header)
      return;
  if (!is_set_in_loop(w, u, header))
    return;
  list->block = LIN_ROOM(w->arena, list->block, list->count, &list->capacity);
  list->block[list->count++] = header;
}

// A loop of the plan, or one that stays: its ways around may lead through guards or not.
static void add_headers_of_edges(writer *w, const web_uses *u, header_list *list, lin_block block) {
  const lin_graph *ordered = w->flow->plan->analysis->graph;
  for (LIN_IN_EDGES(ordered, block, i)) {
    lin_edge edge = ordered->in_edge[i];
    lin_block to = w->flow->place[block];
    if (w->carry->around[edge] != LIN_NONE)
      add_header(w, u, list, w->carry->around[edge]);
    else if (w->flow->place[ordered->source[edge]] >= to)
      add_header(w, u, list, to);
  }
}

static void find_carried(writer *w, web_uses *u) {
  const lin_variables *v = u->v;
  header_list list = {0};
  for (uint32_t i = v->webs->first_member[u->web]; i < v->webs->first_member[u->web + 1]; i++) {
    uint32_t member = v->webs->member[i];
    lin_block block = v->place[member].definition.block;
    if (dissolves(w, v->value[member]))
      add_headers_of_edges(w, u, &list, block);
    if (v->webs->num_live[member] == LIN_NONE)
      for (uint32_t j = 0; j < w->carry->value[block].count; j++)
        add_header(w, u, &list, w->carry->value[block].block[j]);
    else
      for (uint32_t j = 0; j < v->webs->num_live[member]; j++)
        add_headers_of_edges(w, u, &list, v->webs->live[member][j]);
  }
  u->chosen.carried = (lin_headers){list.count, list.block};
}

// ---- rewriting

static void replace_dissolved(const writer *w, const web_uses *u, LLVMValueRef phi) {
  lin_point start = {lin_writer_place(w, LLVMGetInstructionParent(phi)), false};
  LLVMValueRef value = lin_writer_value_at(w, &u->chosen, start);
  lin_source source = lin_phis_at(w->values, start);
  if (source.kind == LIN_FROM_PHI && source.block == start.block)
    lin_writer_inherit(w, phi, value);
  LLVMReplaceAllUsesWith(phi, value); // what is left: debug records
}

static void rewrite_web(writer *w, uint32_t web) {
  lin_variables *v = w->variables;
  web_uses u = {.v = v, .web = web};
  uint32_t first = v->webs->first_member[web], last = v->webs->first_member[web + 1];
  for (uint32_t i = first; i < last; i++) {
    LLVMValueRef value = v->value[v->webs->member[i]];
    u.broken |= dissolves(w, value);
    find_readings(w, &u, value);
  }
  if (!u.broken)
    return;
  find_sets(w, &u);
  find_carried(w, &u);
  u.chosen.type = LLVMTypeOf(v->value[v->webs->member[first]]);
  u.chosen.num_reads = u.count;
  u.chosen.read = u.read;
  u.chosen.name = "";
  lin_writer_build(w, &u.chosen);
  for (uint32_t i = 0; i < u.count; i++) {
    assert(lin_phis_at(w->values, u.read[i]).kind != LIN_FROM_NOWHERE);
    LLVMSetOperand(u.reading[i].user, u.reading[i].operand,
                   lin_writer_value_at(w, &u.chosen, u.read[i]));
  }
  for (uint32_t i = first; i < last; i++)
    if (dissolves(w, v->value[v->webs->member[i]]))
      replace_dissolved(w, &u, v->value[v->webs->member[i]]);
}

void lin_writer_read_variables(writer *w) {
  lin_variables *v = w->variables;
  for (uint32_t web = 0; web < v->webs->num_webs; web++)
    rewrite_web(w, web);
  for (uint32_t i = 0; i < v->count; i++)
    if (dissolves(w, v->value[i]))
      LLVMInstructionEraseFromParent(v->value[i]);
  for (uint32_t i = 0; i < v->num_placeholders; i++) {
    LLVMReplaceAllUsesWith(v->placeholder[i], LLVMGetOperand(v->placeholder[i], 0));
    LLVMInstructionEraseFromParent(v->placeholder[i]);
  }
}
