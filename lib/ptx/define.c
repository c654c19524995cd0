// For each register that a region sets and that a block reads before it sets it:
// 1. Where is it needed in the new control flow? If not where the function begins, it is set on
// every
//    way, and all is well.
// 2. Each outermost region that sets it gives it a definition at the end of its D, if what D leaves
//    in it wasn't needed before.
// 3. If it is needed where the function begins even so, and wasn't before, it is defined there.
#include "define.h"

#include "live.h"

#include <string.h>

// Blocks, in all walks together, after which registers are defined where the function begins: about
// a second.
enum { MOST_VISITS = 50000000 };

typedef struct search {
  lin_arena *arena;
  const lin_ptx_function *f;
  const lin_result *result;
  const lin_ptx_uses *uses;
  lin_ptx_defines *defines;
  lin_block *old_block, *new_block; // [blocks of the function] in the plan's graph, in the flow
  uint32_t walk;
  uint32_t *needed[2], *stopped[2], *ended[2]; // [blocks] the last walk in which a block was: where
                                               // the register is needed; that sets it; that has its
                                               // definition at its end. In the old and new graph
  lin_block *stack;
  uint64_t visits;
} search;

enum { OLD, NEW };

static const lin_graph *graph_of(const search *s, int which) {
  return which == OLD ? s->result->order->graph : s->result->flow->graph;
}

static lin_block block_of(const search *s, int which, lin_block block) {
  return which == OLD ? s->old_block[block] : s->new_block[block];
}

static void push(search *s, int which, lin_block block, uint32_t *depth) {
  if (s->needed[which][block] == s->walk)
    return;
  s->needed[which][block] = s->walk;
  s->stack[(*depth)++] = block;
}

// Marks the blocks at whose beginning the register is needed. `end`: D's at whose ends it has its
// definition already. Returns whether that is so where the function begins.
static bool find_needed(search *s, int which, uint32_t reg, const lin_ptx_define *const *end) {
  const lin_graph *graph = graph_of(s, which);
  uint32_t depth = 0;
  s->walk++;
  for (LIN_PTX_USES(s->uses, reg, i)) {
    lin_block block = block_of(s, which, s->uses->use[i].block);
    if (block == LIN_NONE)
      continue;
    if ((s->uses->use[i].what & LIN_PTX_SETS) != 0)
      s->stopped[which][block] = s->walk;
    if ((s->uses->use[i].what & LIN_PTX_READS) != 0)
      push(s, which, block, &depth);
  }
  while (depth > 0) {
    lin_block block = s->stack[--depth];
    s->visits++;
    for (LIN_IN_EDGES(graph, block, i)) {
      lin_block from = graph->source[graph->in_edge[i]];
      bool has_end = end != NULL && s->ended[which][from] == reg + 1;
      if (s->stopped[which][from] != s->walk && !has_end)
        push(s, which, from, &depth);
    }
  }
  return s->needed[which][0] == s->walk;
}

static bool is_needed_behind(const search *s, int which, lin_block block, uint32_t walk) {
  const lin_graph *graph = graph_of(s, which);
  for (LIN_OUT_EDGES(graph, block, edge))
    if (s->needed[which][graph->destination[edge]] == walk)
      return true;
  return false;
}

// Whether the branch of a block reads the register: in front of it stands no new definition.
static bool is_branched_on(const lin_ptx_function *f, lin_block block, uint32_t reg) {
  uint32_t branch = f->block[block].branch;
  if (branch == LIN_NONE)
    return false;
  for (LIN_PTX_ACCESSES(f->body, branch, i))
    if (f->body->access[i].reg == reg)
      return true;
  return false;
}

static uint32_t outermost_region(const lin_regions *regions, lin_block block) {
  uint32_t region = regions->owner[block];
  while (region != LIN_NONE && regions->parent[region] != LIN_NONE)
    region = regions->parent[region];
  return region;
}

static lin_ptx_define *add(lin_arena *arena, uint32_t reg, lin_ptx_define *next) {
  lin_ptx_define *define = LIN_NEW(arena, lin_ptx_define);
  *define = (lin_ptx_define){reg, next};
  return define;
}

// Whether a region sets the register, and a block reads it before it does.
static bool is_candidate(const search *s, uint32_t reg) {
  bool is_read = false, is_set = false;
  const char *zero;
  for (LIN_PTX_USES(s->uses, reg, i)) {
    lin_block block = s->old_block[s->uses->use[i].block];
    is_read |= (s->uses->use[i].what & LIN_PTX_READS) != 0;
    is_set |= (s->uses->use[i].what & (LIN_PTX_SETS | LIN_PTX_CHANGES)) != 0 && block != LIN_NONE &&
              s->result->regions->owner[block] != LIN_NONE;
  }
  const lin_ptx_register *r = &s->f->body->reg[reg];
  return is_read && is_set && !r->is_parameter && r->scope == 0 &&
         lin_ptx_zero(s->f->body, reg, &zero) != NULL;
}

static void define(search *s, uint32_t reg) {
  const lin_regions *regions = s->result->regions;
  if (s->visits > MOST_VISITS) {
    s->defines->at_entry = add(s->arena, reg, s->defines->at_entry);
    return;
  }
  if (!find_needed(s, NEW, reg, NULL))
    return;
  uint32_t new_walk = s->walk;
  bool was_needed = find_needed(s, OLD, reg, NULL);
  uint32_t old_walk = s->walk;
  for (LIN_PTX_USES(s->uses, reg, i)) {
    if ((s->uses->use[i].what & (LIN_PTX_SETS | LIN_PTX_CHANGES)) == 0)
      continue;
    lin_block block = s->old_block[s->uses->use[i].block];
    uint32_t region = block == LIN_NONE ? LIN_NONE : outermost_region(regions, block);
    lin_block above = region == LIN_NONE ? LIN_NONE : regions->dominator[region];
    if (above == LIN_NONE)
      continue;
    lin_block input = s->result->order->origin[above];
    lin_block place = s->result->flow->place[above];
    if (input >= s->f->num_written || s->ended[NEW][place] == reg + 1 ||
        s->stopped[NEW][place] == new_walk || is_branched_on(s->f, input, reg) ||
        is_needed_behind(s, OLD, above, old_walk) || !is_needed_behind(s, NEW, place, new_walk))
      continue;
    s->ended[NEW][place] = reg + 1;
    s->defines->of[input] = add(s->arena, reg, s->defines->of[input]);
  }
  const lin_ptx_define *const *end = (const lin_ptx_define *const *)s->defines->of;
  if (!was_needed && find_needed(s, NEW, reg, end))
    s->defines->at_entry = add(s->arena, reg, s->defines->at_entry);
}

lin_ptx_defines *lin_ptx_defines_build(lin_arena *arena, const lin_ptx_function *f,
                                       const lin_result *result) {
  uint32_t blocks = f->graph->num_blocks, most = result->flow->graph->num_blocks;
  lin_arena scratch = {0};
  search s = {.arena = arena,
              .f = f,
              .result = result,
              .uses = lin_ptx_uses_build(&scratch, f),
              .defines = LIN_NEW(arena, lin_ptx_defines),
              .old_block = LIN_ARRAY(&scratch, lin_block, blocks),
              .new_block = LIN_ARRAY(&scratch, lin_block, blocks),
              .stack = LIN_ARRAY(&scratch, lin_block, most)};
  s.defines->of = LIN_ARRAY(arena, lin_ptx_define *, blocks);
  for (int which = OLD; which <= NEW; which++) {
    s.needed[which] = LIN_ARRAY(&scratch, uint32_t, most);
    s.stopped[which] = LIN_ARRAY(&scratch, uint32_t, most);
    s.ended[which] = LIN_ARRAY(&scratch, uint32_t, most);
  }
  for (lin_block block = 0; block < blocks; block++) {
    s.old_block[block] = result->order->number[block];
    s.new_block[block] =
        s.old_block[block] == LIN_NONE ? LIN_NONE : result->flow->place[s.old_block[block]];
  }
  for (uint32_t reg = f->body->num_regs; reg-- > 0;)
    if (is_candidate(&s, reg))
      define(&s, reg);
  lin_arena_release(&scratch);
  return s.defines;
}

const char *lin_ptx_zero(const lin_ptx_body *body, uint32_t reg, const char **zero) {
  static const struct {
    const char *type, *opcode, *zero;
  } rows[] = {
      {".pred", "mov.pred", "0"},  {".b16", "mov.b16", "0"},
      {".u16", "mov.b16", "0"},    {".s16", "mov.b16", "0"},
      {".f16", "mov.b16", "0"},    {".bf16", "mov.b16", "0"},
      {".b32", "mov.b32", "0"},    {".u32", "mov.b32", "0"},
      {".s32", "mov.b32", "0"},    {".f16x2", "mov.b32", "0"},
      {".bf16x2", "mov.b32", "0"}, {".f32", "mov.f32", "0f00000000"},
      {".b64", "mov.b64", "0"},    {".u64", "mov.b64", "0"},
      {".s64", "mov.b64", "0"},    {".f64", "mov.f64", "0d0000000000000000"},
  };
  const lin_ptx_register *r = &body->reg[reg];
  lin_ptx_token type = {LIN_PTX_WORD, r->type, r->type_end, body->module->text[r->type]};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (lin_ptx_is(body->module->text, type, rows[i].type)) {
      *zero = rows[i].zero;
      return rows[i].opcode;
    }
  return NULL;
}
