#include "answers.h"

#include "folds.h"
#include "known.h"
#include "moves.h"

#include <string.h>

typedef struct answers {
  lin_front front;
  lin_arena *arena;
  const lin_ptx_function *f;
  const uint32_t *only_sets; // known.h; NULL until somebody asks
  lin_ptx_needs *needs;      // likewise, and these
} answers;

bool lin_ptx_is_open(const lin_ptx_function *f, lin_block block) {
  const lin_graph *graph = f->graph;
  if (block >= f->num_written || (graph->flags[block] & LIN_REFUSED) != 0)
    return false;
  for (LIN_OUT_EDGES(graph, block, edge))
    if ((graph->flags[graph->destination[edge]] & LIN_REFUSED) != 0)
      return false;
  return true;
}

// Whether the edges into a block can be led elsewhere one by one: not in a list of labels.
static bool is_entered_by_name(const lin_ptx_function *f, lin_block block) {
  for (LIN_IN_EDGES(f->graph, block, i)) {
    lin_block from = f->graph->source[f->graph->in_edge[i]];
    uint32_t branch = f->block[from].branch;
    if (!lin_ptx_is_open(f, from) ||
        (branch != LIN_NONE && lin_ptx_meaning(f->body, branch)->flow == LIN_PTX_BRX))
      return false;
  }
  return true;
}

// `bra`, and `@%p ret`, which goes on.
static bool is_branch_or_return(const lin_ptx_body *body, uint32_t at) {
  lin_ptx_flow flow = lin_ptx_meaning(body, at)->flow;
  bool returns = flow == LIN_PTX_RETURN || flow == LIN_PTX_EXIT;
  return flow == LIN_PTX_BRA || (returns && body->instruction[at].predicate != LIN_NONE);
}

static lin_block next_from(void *context, lin_block block, lin_block from) {
  answers *a = context;
  if (a->only_sets == NULL)
    a->only_sets = lin_ptx_only_sets(a->arena, a->f->body);
  return lin_ptx_next_from(a->f, a->only_sets, block, from);
}

static uint32_t cost_of_copy(void *context, lin_block block, uint32_t most) {
  const answers *a = context;
  const lin_ptx_body *body = a->f->body;
  if (!lin_ptx_is_open(a->f, block) || !is_entered_by_name(a->f, block))
    return UINT32_MAX;
  const lin_ptx_block *b = &a->f->block[block];
  if (b->branch != LIN_NONE && !is_branch_or_return(body, b->branch))
    return UINT32_MAX;
  uint32_t cost = 0;
  for (uint32_t at = b->first; at < b->behind && cost <= most; at++) {
    if (at == b->branch || at == b->second)
      continue;
    if (!lin_ptx_may_stand_twice(body, at))
      return UINT32_MAX;
    cost += lin_ptx_meaning(body, at)->cost;
  }
  return cost;
}

static uint32_t cost_of_moving(void *context, lin_block block) {
  const answers *a = context;
  const lin_ptx_block *b = &a->f->block[block];
  if (!lin_ptx_is_open(a->f, block))
    return UINT32_MAX;
  uint32_t cost = 0;
  for (uint32_t at = b->first; at < b->behind; at++) {
    if (at == b->branch || at == b->second)
      continue;
    if (!lin_ptx_is_cheap(a->f->body, at))
      return UINT32_MAX;
    cost += lin_ptx_meaning(a->f->body, at)->cost;
  }
  return cost;
}

static lin_ptx_needs *needs_of(answers *a) {
  if (a->needs == NULL)
    a->needs = lin_ptx_needs_new(a->arena, a->f, lin_ptx_uses_build(a->arena, a->f));
  return a->needs;
}

static uint32_t kept_behind(void *context, const lin_block *block, uint32_t count) {
  answers *a = context;
  const lin_ptx_fold *fold = lin_ptx_fold_plan(a->arena, a->f, needs_of(a), block, count);
  return fold->num_kept - fold->num_counters;
}

// By a predicate of the outermost scope, which code in front may read as well.
static bool is_branch(void *context, lin_block block) {
  const answers *a = context;
  const lin_ptx_body *body = a->f->body;
  if (!lin_ptx_is_open(a->f, block) || lin_out_degree(a->f->graph, block) != 2)
    return false;
  const lin_ptx_instruction *i = &body->instruction[a->f->block[block].branch];
  return is_branch_or_return(body, a->f->block[block].branch) && i->predicate != LIN_NONE &&
         i->scope == 0 && body->reg[i->predicate].scope == 0;
}

// By its predicate's name: %linearize_p1, %linearize7_p1.
static bool is_guard(void *context, lin_block block) {
  const answers *a = context;
  uint32_t branch = block < a->f->num_written ? a->f->block[block].branch : LIN_NONE;
  uint32_t predicate = branch == LIN_NONE ? LIN_NONE : a->f->body->instruction[branch].predicate;
  if (predicate == LIN_NONE)
    return false;
  static const char prefix[] = "%linearize";
  const lin_ptx_register *reg = &a->f->body->reg[predicate];
  const char *name = a->f->body->module->text + reg->start, *end = name + (reg->end - reg->start);
  if (end - name < (ptrdiff_t)sizeof prefix || memcmp(name, prefix, sizeof prefix - 1) != 0)
    return false;
  for (name += sizeof prefix - 1; name < end && *name >= '0' && *name <= '9'; name++)
    continue;
  return end - name >= 2 && name[0] == '_' && name[1] == 'p';
}

// Registers are variables: what a block sets its copy sets, too, wherever it is used.
static const lin_block *uses(void *context, lin_arena *arena, lin_block block, uint32_t *count) {
  (void)context, (void)block;
  *count = 0;
  return LIN_ARRAY(arena, lin_block, 0);
}

const lin_front *lin_ptx_answers(lin_arena *arena, const lin_ptx_function *f) {
  answers *a = LIN_NEW(arena, answers);
  *a = (answers){.arena = arena, .f = f};
  a->front = (lin_front){.context = a,
                         .num_blocks = f->graph->num_blocks,
                         .next_from = next_from,
                         .cost_of_copy = cost_of_copy,
                         .cost_of_moving = cost_of_moving,
                         .kept_behind = kept_behind,
                         .is_branch = is_branch,
                         .is_guard = is_guard,
                         .uses = uses};
  return &a->front;
}
