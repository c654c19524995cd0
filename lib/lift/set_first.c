// Which registers are set before they are read, whatever threads do: those that one instruction
// sets, in a block that dominates all that read them. Their stack slots need no value at the
// beginning, so that LLVM finds the one value that they have without a search.
#include "state.h"

#include "graph/dominators.h"

typedef struct setting {
  uint32_t times; // set, or maybe set
  lin_block block;
  uint32_t at; // instruction
} setting;

static void note(setting *s, lin_block block, uint32_t at, uint32_t kind) {
  s->times += kind == LIN_PTX_MAY_SET ? 2 : 1;
  s->block = block;
  s->at = at;
}

static bool is_behind(const lin_tree *dominators, const setting *s, lin_block block, uint32_t at) {
  if (s->block == block)
    return at > s->at;
  return lin_tree_has(dominators, s->block) && lin_tree_has(dominators, block) &&
         lin_tree_contains(dominators, s->block, block);
}

bool *lin_lift_find_set_first(const lin_lifting *l) {
  const lin_ptx_body *body = l->body;
  const lin_ptx_function *f = l->f;
  lin_arena scratch = {0};
  setting *set = LIN_ARRAY(&scratch, setting, body->num_regs + 1);
  bool *is_first = LIN_ARRAY(l->arena, bool, body->num_regs + 1);
  for (lin_block block = 0; block < f->num_written; block++)
    for (uint32_t at = f->block[block].first; at < f->block[block].behind; at++)
      for (LIN_PTX_ACCESSES(body, at, i))
        if (body->access[i].kind != LIN_PTX_READ)
          note(&set[body->access[i].reg], block, at, body->access[i].kind);
  for (uint32_t reg = 0; reg < body->num_regs; reg++)
    is_first[reg] = set[reg].times == 1;
  const lin_tree *dominators = lin_dominators_build(&scratch, f->graph, 0);
  for (lin_block block = 0; block < f->num_written; block++)
    for (uint32_t at = f->block[block].first; at < f->block[block].behind; at++)
      for (LIN_PTX_ACCESSES(body, at, i)) {
        uint32_t reg = body->access[i].reg;
        if (is_first[reg] && body->access[i].kind == LIN_PTX_READ)
          is_first[reg] = is_behind(dominators, &set[reg], block, at);
      }
  lin_arena_release(&scratch);
  return is_first;
}
