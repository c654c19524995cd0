// What differs spreads from results to their readers, by a list of registers that are to be looked
// at. While no branch parts threads nothing else makes a register differ. Once one does, a register
// of several values is taken to differ, wherever these are set: LLVM's analysis asks more
// precisely.
#include "divergence.h"

#include "graph/order.h"

typedef struct state {
  lin_arena *arena;
  const lin_ptx_function *f;
  const lin_ptx_body *body;
  uint32_t *first_reader; // [num_regs + 2]
  uint32_t *reader;       // instructions that read a register
  bool *differs;          // [num_regs]
  uint32_t *waiting;      // [num_regs] registers whose readers are to be looked at
  uint32_t num_waiting;
} state;

static void mark(state *s, uint32_t reg) {
  if (s->differs[reg])
    return;
  s->differs[reg] = true;
  s->waiting[s->num_waiting++] = reg;
}

static void mark_results(state *s, uint32_t at) {
  for (LIN_PTX_ACCESSES(s->body, at, i))
    if (s->body->access[i].kind != LIN_PTX_READ)
      mark(s, s->body->access[i].reg);
}

static void follow(state *s) {
  while (s->num_waiting > 0) {
    uint32_t reg = s->waiting[--s->num_waiting];
    for (uint32_t i = s->first_reader[reg]; i < s->first_reader[reg + 1]; i++)
      mark_results(s, s->reader[i]);
  }
}

static bool reads_what_differs(const state *s, uint32_t at) {
  for (LIN_PTX_ACCESSES(s->body, at, i))
    if (s->differs[s->body->access[i].reg])
      return true;
  return false;
}

static bool parts(const state *s, lin_block block) {
  const uint32_t branch = s->f->block[block].branch;
  return lin_may_diverge(s->f->graph, block) && branch != LIN_NONE && reads_what_differs(s, branch);
}

static bool has_parting(const state *s) {
  for (lin_block block = 0; block < s->f->graph->num_blocks; block++)
    if (parts(s, block))
      return true;
  return false;
}

// Registers that are set at two places, or in a loop.
static void mark_several_values(state *s) {
  const lin_order *order = lin_order_build(s->arena, s->f->graph);
  bool *is_set = LIN_ARRAY(s->arena, bool, s->body->num_regs);
  for (lin_block block = 0; block < order->graph->num_blocks; block++) {
    const lin_ptx_block *b = &s->f->block[order->origin[block]];
    for (uint32_t at = b->first; at < b->behind; at++)
      for (LIN_PTX_ACCESSES(s->body, at, i)) {
        const lin_ptx_access access = s->body->access[i];
        if (access.kind == LIN_PTX_READ)
          continue;
        if (is_set[access.reg] || order->loops->loop_of[block] != 0)
          mark(s, access.reg);
        is_set[access.reg] = true;
      }
  }
}

static void find_readers(state *s) {
  const lin_ptx_body *body = s->body;
  for (uint32_t i = 0; i < body->num_accesses; i++)
    if (body->access[i].kind == LIN_PTX_READ)
      s->first_reader[body->access[i].reg + 2]++;
  for (uint32_t reg = 0; reg < body->num_regs; reg++)
    s->first_reader[reg + 2] += s->first_reader[reg + 1];
  for (uint32_t at = 0; at < body->count; at++)
    for (LIN_PTX_ACCESSES(body, at, i))
      if (body->access[i].kind == LIN_PTX_READ)
        s->reader[s->first_reader[body->access[i].reg + 1]++] = at;
}

static void begin(state *s) {
  for (uint32_t reg = 0; reg < s->body->num_regs; reg++)
    if (s->body->reg[reg].is_parameter && !s->body->place->is_kernel)
      mark(s, reg);
  for (uint32_t at = 0; at < s->body->count; at++)
    if (s->body->instruction[at].is_own || s->body->instruction[at].is_closed ||
        lin_ptx_meaning(s->body, at)->flow == LIN_PTX_CALL)
      mark_results(s, at);
}

void lin_ptx_find_uniform(lin_ptx_function *f) {
  lin_arena arena = {0};
  const uint32_t regs = f->body->num_regs;
  state s = {.arena = &arena,
             .f = f,
             .body = f->body,
             .first_reader = LIN_ARRAY(&arena, uint32_t, (size_t)regs + 2),
             .reader = LIN_ARRAY(&arena, uint32_t, f->body->num_accesses),
             .differs = LIN_ARRAY(&arena, bool, regs),
             .waiting = LIN_ARRAY(&arena, uint32_t, regs)};
  find_readers(&s);
  begin(&s);
  follow(&s);
  if (has_parting(&s)) {
    mark_several_values(&s);
    follow(&s);
  }
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    if (lin_out_degree(f->graph, block) > 1 && !parts(&s, block))
      f->graph->flags[block] |= LIN_UNIFORM;
  lin_arena_release(&arena);
}
