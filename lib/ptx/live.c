#include "live.h"

// Notes what an instruction of a block does with a register: counts, or stores.
static void note(lin_ptx_uses *uses, uint32_t *last, uint32_t *next, lin_block block,
                 lin_ptx_access access) {
  if (last[access.reg] != block) {
    last[access.reg] = block;
    if (uses->use != NULL)
      uses->use[next[access.reg]] = (lin_ptx_use){block, 0};
    next[access.reg]++;
  }
  if (uses->use == NULL)
    return;
  uint32_t *what = &uses->use[next[access.reg] - 1].what;
  if (access.kind == LIN_PTX_READ && (*what & LIN_PTX_SETS) == 0)
    *what |= LIN_PTX_READS;
  else if (access.kind == LIN_PTX_SET)
    *what |= LIN_PTX_SETS;
  else if (access.kind == LIN_PTX_MAY_SET)
    *what |= LIN_PTX_CHANGES;
}

// Visits what blocks do with registers. An instruction reads before it sets: add.s32 %r1, %r1, 1.
static void visit(const lin_ptx_function *f, uint32_t *last, lin_ptx_uses *uses, uint32_t *next) {
  const lin_ptx_body *body = f->body;
  for (uint32_t reg = 0; reg < body->num_regs; reg++)
    last[reg] = LIN_NONE;
  for (lin_block block = 0; block < f->num_written; block++)
    for (uint32_t at = f->block[block].first; at < f->block[block].behind; at++) {
      for (LIN_PTX_ACCESSES(body, at, i))
        if (body->access[i].kind == LIN_PTX_READ)
          note(uses, last, next, block, body->access[i]);
      for (LIN_PTX_ACCESSES(body, at, i))
        if (body->access[i].kind != LIN_PTX_READ)
          note(uses, last, next, block, body->access[i]);
    }
}

lin_ptx_uses *lin_ptx_uses_build(lin_arena *arena, const lin_ptx_function *f) {
  uint32_t n = f->body->num_regs;
  lin_ptx_uses *uses = LIN_NEW(arena, lin_ptx_uses);
  uses->first = LIN_ARRAY(arena, uint32_t, (size_t)n + 1);
  lin_arena scratch = {0};
  uint32_t *last = LIN_ARRAY(&scratch, uint32_t, n), *next = LIN_ARRAY(&scratch, uint32_t, n);
  visit(f, last, uses, next);
  for (uint32_t reg = 0; reg < n; reg++) {
    uses->first[reg + 1] = uses->first[reg] + next[reg];
    next[reg] = uses->first[reg];
  }
  uses->use = LIN_ARRAY(arena, lin_ptx_use, uses->first[n]);
  visit(f, last, uses, next);
  lin_arena_release(&scratch);
  return uses;
}
