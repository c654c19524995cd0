#include "read.h"

#include "gpu/nvptx.h"

#include <stdio.h>
#include <string.h>

typedef struct reading {
  lin_arena *arena;
  lin_ptx_function *f;
  const lin_ptx_body *body;
  bool *is_leader;     // [count + 1] a block begins at this instruction
  uint32_t *label_at;  // [count + 1] a label that branches name, in front of it; or LIN_NONE
  lin_block *block_at; // [count + 1] of an instruction that is a leader
} reading;

// Whether control may go elsewhere behind an instruction, as far as blocks are concerned.
static bool is_end(const lin_ptx_body *body, uint32_t at) {
  lin_ptx_flow flow = lin_ptx_meaning(body, at)->flow;
  const lin_ptx_instruction *i = &body->instruction[at];
  if (i->is_closed || flow == LIN_PTX_ON || flow == LIN_PTX_CALL)
    return false;
  return flow != LIN_PTX_TRAP || i->predicate == LIN_NONE; // the other traps are like assertions
}

static bool may_go_on(const lin_ptx_body *body, uint32_t at) {
  return !is_end(body, at) || body->instruction[at].predicate != LIN_NONE;
}

// Whether `at + 1` is the other half of the branch `at`.
static bool is_pair(const reading *r, uint32_t at) {
  const lin_ptx_body *body = r->body;
  if (at + 1 >= body->count || r->label_at[at + 1] != LIN_NONE)
    return false;
  const lin_ptx_instruction *first = &body->instruction[at], *second = &body->instruction[at + 1];
  return lin_ptx_meaning(body, at)->flow == LIN_PTX_BRA && first->predicate != LIN_NONE &&
         lin_ptx_meaning(body, at + 1)->flow == LIN_PTX_BRA && second->predicate == LIN_NONE &&
         first->scope == second->scope && !first->is_closed;
}

static void find_leaders(reading *r) {
  const lin_ptx_body *body = r->body;
  for (uint32_t at = 0; at <= body->count; at++)
    r->label_at[at] = LIN_NONE;
  for (uint32_t label = 0; label < body->num_labels; label++)
    if (body->label[label].is_target && r->label_at[body->label[label].before] == LIN_NONE)
      r->label_at[body->label[label].before] = label;
  for (uint32_t at = 0; at <= body->count; at++)
    r->is_leader[at] = r->label_at[at] != LIN_NONE;
  for (uint32_t at = 0; at < body->count; at++) {
    if (!is_end(body, at))
      continue;
    if (is_pair(r, at))
      at++;
    if (at + 1 < body->count || may_go_on(body, at))
      r->is_leader[at + 1] = true;
  }
  if (body->count == 0)
    r->is_leader[0] = true;
}

// The first block has no label that is branched to; where the text begins with one it is empty.
static void make_blocks(reading *r) {
  const lin_ptx_body *body = r->body;
  lin_ptx_function *f = r->f;
  uint32_t blocks = r->label_at[0] != LIN_NONE || !r->is_leader[0], returns = 0;
  for (uint32_t at = 0; at <= body->count; at++) {
    blocks += r->is_leader[at];
    lin_ptx_flow flow = at < body->count ? lin_ptx_meaning(body, at)->flow : LIN_PTX_ON;
    returns += (flow == LIN_PTX_RETURN || flow == LIN_PTX_EXIT) && may_go_on(body, at);
  }
  f->num_written = blocks;
  f->block = LIN_ARRAY(r->arena, lin_ptx_block, (size_t)blocks + returns);
  lin_block block = 0, next_return = blocks;
  f->block[0] = (lin_ptx_block){.label = LIN_NONE, .start = body->place->body};
  for (uint32_t at = 0; at <= body->count; at++) {
    if (r->is_leader[at]) {
      if (at > 0 || r->label_at[at] != LIN_NONE) {
        f->block[block].behind = at;
        f->block[++block] = (lin_ptx_block){.first = at, .label = r->label_at[at]};
      }
      r->block_at[at] = block;
    }
    f->block[block].behind = at;
  }
  for (block = 0; block < blocks; block++) {
    lin_ptx_block *b = &f->block[block];
    b->branch = b->second = b->returns = LIN_NONE;
    if (b->behind == b->first)
      continue;
    uint32_t last = b->behind - 1;
    if (last > b->first && is_pair(r, last - 1)) {
      b->branch = last - 1;
      b->second = last;
    } else if (is_end(body, last)) {
      b->branch = last;
    }
    lin_ptx_flow flow = b->branch == LIN_NONE ? LIN_PTX_ON : lin_ptx_meaning(body, last)->flow;
    if ((flow == LIN_PTX_RETURN || flow == LIN_PTX_EXIT) && may_go_on(body, last)) {
      b->returns = next_return;
      f->block[next_return++] = (lin_ptx_block){.first = last,
                                                .behind = last,
                                                .label = LIN_NONE,
                                                .branch = LIN_NONE,
                                                .second = LIN_NONE,
                                                .returns = LIN_NONE};
    }
  }
}

static void find_places(reading *r) {
  const lin_ptx_body *body = r->body;
  uint32_t line = body->place->line;
  uint32_t counted = body->place->signature;
  const char *text = body->module->text;
  for (lin_block block = 0; block < r->f->num_written; block++) {
    lin_ptx_block *b = &r->f->block[block];
    if (block > 0)
      b->start =
          b->label != LIN_NONE ? body->label[b->label].start : body->instruction[b->first - 1].end;
    // The first block is empty where the text begins with a label: its instruction is another's.
    bool is_there = b->label != LIN_NONE || b->first == b->behind;
    uint32_t place = is_there ? b->start : body->instruction[b->first].start;
    line += lin_ptx_line(text + counted, place - counted) - 1;
    counted = place;
    b->line = line;
    if (b->returns != LIN_NONE)
      r->f->block[b->returns].line = line;
  }
}

// ---- edges

static lin_block target_block(const reading *r, uint32_t target) {
  const lin_ptx_body *body = r->body;
  return r->block_at[body->label[body->target[target].label].before];
}

// The destinations of a block, in order; returns their number. `to` NULL: counts only.
static uint32_t list_edges(const reading *r, lin_block block, lin_block *to) {
  const lin_ptx_body *body = r->body;
  const lin_ptx_block *b = &r->f->block[block];
  uint32_t count = 0, first = 0;
  lin_ptx_flow flow = b->branch == LIN_NONE ? LIN_PTX_ON : lin_ptx_meaning(body, b->branch)->flow;
  bool goes_on = b->branch == LIN_NONE || may_go_on(body, b->branch);
  switch (flow) {
  case LIN_PTX_BRA:
    if (to != NULL)
      to[count] = target_block(r, body->leads_to[b->branch]);
    count++;
    break;
  case LIN_PTX_BRX:
    first = body->table[body->leads_to[b->branch]].first;
    for (; count < body->table[body->leads_to[b->branch]].count; count++)
      if (to != NULL)
        to[count] = target_block(r, first + count);
    break;
  default:
    if (b->returns != LIN_NONE) {
      if (to != NULL)
        to[count] = b->returns;
      count++;
    }
  }
  if (b->second != LIN_NONE) {
    if (to != NULL)
      to[count] = target_block(r, body->leads_to[b->second]);
    return count + 1;
  }
  if (goes_on && block + 1 < r->f->num_written) {
    if (to != NULL)
      to[count] = block + 1;
    return count + 1;
  }
  return count;
}

static void read_block(const reading *r, lin_block block) {
  const lin_ptx_body *body = r->body;
  const lin_ptx_block *b = &r->f->block[block];
  lin_graph *graph = r->f->graph;
  uint64_t cost = 0;
  bool copies = true;
  for (uint32_t at = b->first; at < b->behind; at++) {
    const lin_ptx_opcode *opcode = lin_ptx_meaning(body, at);
    cost += opcode->cost;
    copies &= at == b->branch || at == b->second;
  }
  graph->cost[block] = cost < UINT32_MAX / 2 ? (uint32_t)cost : UINT32_MAX / 2;
  uint32_t degree = lin_out_degree(graph, block);
  lin_ptx_flow flow = b->branch == LIN_NONE ? LIN_PTX_ON : lin_ptx_meaning(body, b->branch)->flow;
  // To leave a function that isn't a kernel by `exit` is never to come back.
  bool is_over = flow == LIN_PTX_TRAP || (flow == LIN_PTX_EXIT && !body->place->is_kernel);
  if (degree == 0)
    graph->flags[block] |= is_over ? LIN_TRAP : LIN_RETURN;
  if (b->returns != LIN_NONE)
    graph->flags[b->returns] |= is_over ? LIN_TRAP : LIN_RETURN;
  if (degree == 1 && copies)
    graph->flags[block] |= LIN_VANISHES;
  if (flow == LIN_PTX_BRA && degree > 1) {
    const lin_ptx_instruction *i = &body->instruction[b->branch];
    const char *text = body->module->text;
    if (lin_nvptx_has_part(text + i->name, i->operands - i->name, ".uni"))
      graph->flags[block] |= LIN_UNIFORM;
  }
}

static void name_blocks(const reading *r) {
  const lin_ptx_function *f = r->f;
  for (lin_block block = 0; block < f->graph->num_blocks; block++) {
    const lin_ptx_block *b = &f->block[block];
    if (b->label != LIN_NONE) {
      const lin_ptx_label *label = &r->body->label[b->label];
      f->graph->name[block] =
          lin_arena_text(r->arena, r->body->module->text + label->start, label->end - label->start);
      continue;
    }
    char name[32];
    int length = snprintf(name, sizeof name, "%s %u",
                          block < f->num_written ? "line" : "return on line", b->line);
    f->graph->name[block] = lin_arena_text(r->arena, name, (size_t)length);
  }
}

lin_ptx_function *lin_ptx_read(lin_arena *arena, const lin_ptx_body *body) {
  lin_ptx_function *f = LIN_NEW(arena, lin_ptx_function);
  f->body = body;
  lin_arena scratch = {0};
  size_t n = (size_t)body->count + 1;
  reading r = {.arena = arena,
               .f = f,
               .body = body,
               .is_leader = LIN_ARRAY(&scratch, bool, n),
               .label_at = LIN_ARRAY(&scratch, uint32_t, n),
               .block_at = LIN_ARRAY(&scratch, lin_block, n)};
  find_leaders(&r);
  make_blocks(&r);
  find_places(&r);
  uint32_t blocks = f->num_written, edges = 0;
  for (lin_block block = 0; block < f->num_written; block++) {
    blocks += f->block[block].returns != LIN_NONE;
    edges += list_edges(&r, block, NULL);
  }
  lin_graph *graph = f->graph = lin_graph_new(arena, blocks, edges);
  graph->title = body->place->name;
  lin_edge next = 0;
  for (lin_block block = 0; block < blocks; block++) {
    graph->first_edge[block] = next;
    if (block < f->num_written)
      next += list_edges(&r, block, &graph->destination[next]);
  }
  graph->first_edge[blocks] = next;
  lin_graph_finish(arena, graph);
  for (lin_block block = 0; block < f->num_written; block++)
    read_block(&r, block);
  for (lin_block block = f->num_written; block < blocks; block++)
    graph->cost[block] = 0;
  name_blocks(&r);
  lin_arena_release(&scratch);
  return f;
}
