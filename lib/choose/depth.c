// 1. Scopes, by a walk down the dominator tree: a block is in the scope of its immediate dominator,
//    in that of its branch unless the branch's threads meet there, and in the loops around it.
// 2. From the inside: how many branches a scope holds as it is, and how many if it were flat.
// 3. From the outside: a scope with more than the limit allows is flattened, unless it is enough to
//    flatten those in it.
#include "depth.h"

#include "linearize/between.h"

#define CANT 0xffffffu // more than any limit

typedef struct scope {
  uint32_t parent;  // LIN_NONE: the function
  lin_block branch; // D; LIN_NONE for a loop
  uint32_t loop;    // for a loop itself, else the one around D
  uint32_t height;  // scopes from this one down
  uint32_t flat;    // the same, if it is linearized flat
  uint32_t needed;  // the most that scopes in it need
  uint32_t loops;   // the deepest loop in it
  uint32_t level;   // scopes from the outermost one down to this one; 0: in a flat one
} scope;

typedef struct finder {
  const lin_analysis *a;
  bool divergence_known;
  bool *parts_loop; // [num_loops] threads leave it one by one
  scope *scope;
  uint32_t count;
  uint32_t *scope_of;  // [num_blocks]
  uint32_t *of_branch; // [num_blocks] the scope that a block's branch begins, LIN_NONE: none
} finder;

static bool is_in_loop(const finder *f, uint32_t loop, lin_block block) {
  return block < f->a->graph->num_blocks && lin_loop_contains(f->a->loops, loop, block);
}

static void find_parting_loops(finder *f) {
  const lin_graph *graph = f->a->graph;
  const lin_loops *loops = f->a->loops;
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    if (!lin_may_part(graph, block, f->divergence_known))
      continue;
    for (LIN_OUT_EDGES(graph, block, edge))
      for (uint32_t loop = loops->loop_of[block];
           !lin_loop_contains(loops, loop, graph->destination[edge]);
           loop = loops->tree->parent[loop])
        f->parts_loop[loop] = true;
  }
}

static uint32_t add_scope(finder *f, scope s) {
  f->scope[f->count] = s;
  return f->count++;
}

// The threads of a branch that leaves its loop meet behind the loop, whose scope it is.
static bool begins_scope(const finder *f, lin_block block) {
  return lin_may_part(f->a->graph, block, f->divergence_known) &&
         is_in_loop(f, f->a->loops->loop_of[block], f->a->postdominators->tree->parent[block]);
}

static bool is_left(const finder *f, uint32_t index, lin_block block) {
  const scope *s = &f->scope[index];
  if (s->branch == LIN_NONE)
    return !is_in_loop(f, s->loop, block);
  lin_block below = f->a->postdominators->tree->parent[s->branch];
  return below < f->a->graph->num_blocks && lin_tree_contains(f->a->dominators, below, block);
}

static void find_scopes(lin_arena *arena, finder *f) {
  const lin_loops *loops = f->a->loops;
  const lin_block *preorder = lin_tree_preorder(arena, f->a->dominators);
  for (uint32_t i = 0; i < f->a->graph->num_blocks; i++) {
    lin_block block = preorder[i], above = f->a->dominators->parent[block];
    uint32_t at = LIN_NONE;
    if (above != LIN_NONE)
      at = f->of_branch[above] != LIN_NONE ? f->of_branch[above] : f->scope_of[above];
    while (at != LIN_NONE && is_left(f, at, block))
      at = f->scope[at].parent;
    uint32_t loop = loops->loop_of[block];
    if (loops->header[loop] == block && f->parts_loop[loop])
      at = add_scope(f, (scope){.parent = at, .branch = LIN_NONE, .loop = loop});
    f->scope_of[block] = at;
    f->of_branch[block] = LIN_NONE;
    if (begins_scope(f, block))
      f->of_branch[block] = add_scope(f, (scope){.parent = at, .branch = block, .loop = loop});
  }
}

// Finds what is in a scope. A loop stays a loop; only what is in it can be flattened.
static bool find_inside(const finder *f, const scope *s, lin_between *between, uint32_t kept_out) {
  return s->branch != LIN_NONE &&
         lin_between_find(between, s->branch, f->a->postdominators->tree->parent[s->branch],
                          kept_out, UINT32_MAX);
}

static void measure(finder *f, lin_between *between, uint32_t kept_out) {
  const lin_tree *loops = f->a->loops->tree;
  for (lin_block block = 0; block < f->a->graph->num_blocks; block++) {
    uint32_t depth = loops->depth[f->a->loops->loop_of[block]];
    if (f->scope_of[block] != LIN_NONE && f->scope[f->scope_of[block]].loops < depth)
      f->scope[f->scope_of[block]].loops = depth;
  }
  for (uint32_t i = f->count; i-- > 0;) {
    scope *s = &f->scope[i];
    s->height++;
    bool can = s->height > 1 && find_inside(f, s, between, kept_out);
    uint32_t around = loops->depth[s->loop];
    s->flat = can ? 1 + (s->loops > around ? s->loops - around : 0) : CANT;
    if (s->parent == LIN_NONE)
      continue;
    scope *parent = &f->scope[s->parent];
    uint32_t least = s->flat <= s->needed ? s->flat : 1 + s->needed;
    parent->height = parent->height > s->height ? parent->height : s->height;
    parent->needed = parent->needed > least ? parent->needed : least;
    parent->loops = parent->loops > s->loops ? parent->loops : s->loops;
  }
}

static void flatten_scopes(finder *f, lin_between *between, uint32_t limit, uint32_t kept_out,
                           lin_depths *result) {
  for (uint32_t i = 0; i < f->count; i++) {
    scope *s = &f->scope[i];
    const scope *parent = s->parent == LIN_NONE ? NULL : &f->scope[s->parent];
    bool is_inside = s->branch != LIN_NONE && result->regions->owner[s->branch] != LIN_NONE;
    if (is_inside || (parent != NULL && parent->level == 0))
      continue;
    s->level = parent == NULL ? 1 : parent->level + 1;
    uint32_t deepest = s->level + s->height - 1;
    result->before = result->before > deepest ? result->before : deepest;
    bool wanted = deepest > limit && s->level + s->needed > limit && s->flat <= s->needed;
    if (wanted && find_inside(f, s, between, kept_out) &&
        lin_regions_add(result->regions, between)) { // in unstructured code scopes need not nest
      deepest = s->level + s->flat - 1;
      s->level = 0;
    } else if (s->height > 1) {
      continue; // those in it say
    }
    result->after = result->after > deepest ? result->after : deepest;
  }
}

lin_depths *lin_depths_find(lin_arena *arena, const lin_analysis *analysis, bool divergence_known,
                            uint32_t limit, uint32_t kept_out) {
  uint32_t n = analysis->graph->num_blocks;
  lin_depths *result = LIN_NEW(arena, lin_depths);
  result->regions = lin_regions_none(arena, n, n);
  finder f = {.a = analysis,
              .divergence_known = divergence_known,
              .parts_loop = LIN_ARRAY(arena, bool, analysis->loops->num_loops),
              .scope = LIN_ARRAY(arena, scope, 2 * (size_t)n),
              .scope_of = LIN_ARRAY(arena, uint32_t, n),
              .of_branch = LIN_ARRAY(arena, uint32_t, n)};
  find_parting_loops(&f);
  find_scopes(arena, &f);
  lin_between *between = lin_between_new(arena, analysis);
  measure(&f, between, kept_out);
  flatten_scopes(&f, between, limit, kept_out, result);
  return result;
}
