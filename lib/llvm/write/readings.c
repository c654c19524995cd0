// Has every use of a variable read what its web holds there (variables.c, step 3).
#include "variables.h"

#include <assert.h>
#include <stdlib.h>

// A use that reads what a web holds when its block is entered.
typedef struct reading {
  LLVMValueRef user;
  unsigned operand;
} reading;

typedef struct web_uses {
  lin_variables *v;
  uint32_t *seen; // [blocks of the flow] web + 1 that is set at their ends
  uint32_t web;
  lin_ir_variable chosen;
  reading *reading; // by chosen.read
  lin_point *read;
  uint32_t count, capacity, read_capacity;
  bool broken; // some value no longer dominates one of its uses, or there is no value but the web's
} web_uses;

static void find_readings(writer *w, web_uses *u, LLVMValueRef value) {
  lin_block definition = lin_writer_dissolves(w, value)
                             ? LIN_NONE
                             : lin_writer_place(w, LLVMGetInstructionParent(value));
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAPHINode(user) && lin_writer_is_variable(w, user) && lin_writer_dissolves(w, user))
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
  const lin_setting *a = left, *b = right;
  return a->block < b->block ? -1 : a->block > b->block;
}

// Where the web is set: at the ends of blocks that choose, else by the last value defined there.
static void find_sets(writer *w, web_uses *u) {
  lin_variables *v = u->v;
  lin_setting *list = NULL;
  uint32_t count = 0, capacity = 0;
  for (const lin_setting *s = v->settings[u->web]; s != NULL; s = s->next) {
    list = LIN_ROOM(w->arena, list, count, &capacity);
    list[count++] = *s;
    u->seen[s->block] = u->web + 1;
  }
  for (uint32_t i = v->webs->first_member[u->web]; i < v->webs->first_member[u->web + 1]; i++) {
    uint32_t member = v->webs->member[i];
    lin_block place = w->flow->place[v->place[member].definition.block];
    if (lin_writer_dissolves(w, v->value[member]) || u->seen[place] == u->web + 1)
      continue;
    list = LIN_ROOM(w->arena, list, count, &capacity);
    list[count++] = (lin_setting){place, v->value[member], NULL};
  }
  if (count > 1)
    qsort(list, count, sizeof *list, by_block);
  lin_block *set = LIN_ARRAY(w->arena, lin_block, count);
  LLVMValueRef *value = LIN_ARRAY(w->arena, LLVMValueRef, count);
  for (uint32_t i = 0; i < count; i++) {
    const lin_setting *last = u->chosen.num_sets > 0 ? &list[i - 1] : NULL;
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
    if (lin_writer_dissolves(w, v->value[member]))
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

static void rewrite_web(writer *w, uint32_t web, uint32_t *seen) {
  lin_variables *v = w->variables;
  web_uses u = {.v = v, .seen = seen, .web = web};
  uint32_t first = v->webs->first_member[web], last = v->webs->first_member[web + 1];
  for (uint32_t i = first; i < last; i++) {
    LLVMValueRef value = v->value[v->webs->member[i]];
    u.broken |= lin_writer_dissolves(w, value);
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
    if (lin_writer_dissolves(w, v->value[v->webs->member[i]]))
      replace_dissolved(w, &u, v->value[v->webs->member[i]]);
}

void lin_writer_read_variables(writer *w) {
  lin_variables *v = w->variables;
  uint32_t *seen = LIN_ARRAY(w->arena, uint32_t, w->graph->num_blocks);
  for (uint32_t web = 0; web < v->webs->num_webs; web++)
    rewrite_web(w, web, seen);
  for (uint32_t i = 0; i < v->count; i++)
    if (lin_writer_dissolves(w, v->value[i]))
      LLVMInstructionEraseFromParent(v->value[i]);
  for (uint32_t i = 0; i < v->num_placeholders; i++) {
    LLVMReplaceAllUsesWith(v->placeholder[i], LLVMGetOperand(v->placeholder[i], 0));
    LLVMInstructionEraseFromParent(v->placeholder[i]);
  }
}
