// 1. Of each branch whose threads part, the arms: children in the dominator tree, but where all
//    meet; of a tree of branches, all of its leaves.
// 2. Of two arms of which neither leads to the other, how much they could share: sorted kinds of
//    instructions, merged. Pairs that share most are tried first (pairs.h).
// 3. Inner branches come first; what has been melded waits for the next round.
#include "meld.h"

#include "graph/sorted.h"
#include "linearize/between.h"
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_ARMS = 64,    // of a branch, that are looked at: bits of a word
  MOST_BLOCKS = 512, // of an arm
  MOST_TRIED = 8,    // pairs of arms of a branch, in a round
};

// ---- step 1

// The blocks that `first` dominates, up to where the branch's threads meet.
static lin_meld_arm collect(lin_meld_finder *f, lin_block first, lin_block meeting) {
  lin_meld_arm a = {.first = first, .refuses = LIN_NONE};
  const lin_loops *loops = f->code->analysis->loops;
  uint32_t from = f->dominators->enter[first], to = f->dominators->leave[first];
  uint32_t capacity = to - from < MOST_BLOCKS ? to - from : MOST_BLOCKS;
  a.block = LIN_ARRAY(f->arena, lin_block, capacity);
  for (uint32_t i = from; i < to && !a.refused; i++) {
    lin_block block = f->preorder[i];
    if (meeting < f->graph->num_blocks && lin_tree_contains(f->dominators, meeting, block))
      continue;
    a.refused = a.count == capacity || f->taken[block];
    if (!a.refused)
      a.block[a.count++] = block;
    const bool repeats = loops->loop_of[block] != loops->loop_of[f->dominators->parent[first]];
    if (a.refuses == LIN_NONE && lin_meld_why_not(f->graph->flags[block], repeats) != NULL)
      a.refuses = block;
  }
  qsort(a.block, a.count, sizeof *a.block, lin_rising);
  return a;
}

static bool contains(const lin_meld_finder *f, const lin_meld_arm *a, lin_block block) {
  return lin_tree_contains(f->dominators, a->first, block);
}

static void find_reached(const lin_meld_finder *f, lin_meld_arm *arms, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < arms[i].count; k++)
      for (LIN_OUT_EDGES(f->graph, arms[i].block[k], edge)) {
        const lin_block to = f->graph->destination[edge];
        for (uint32_t other = 0; other < count && !contains(f, &arms[i], to); other++)
          arms[i].reaches |= contains(f, &arms[other], to) ? UINT64_C(1) << other : 0;
      }
  for (uint32_t middle = 0; middle < count; middle++) // Warshall
    for (uint32_t i = 0; i < count; i++)
      if ((arms[i].reaches >> middle & 1) != 0)
        arms[i].reaches |= arms[middle].reaches;
}

// ---- step 2

const char *lin_meld_why_not(uint32_t flags, bool repeats) {
  if ((flags & LIN_FOREIGN) != 0) // what else is said of it is a guess
    return "calls code that isn't here";
  if ((flags & LIN_WAITS) != 0)
    return "waits for other threads";
  if ((flags & LIN_CROSS_LANE) != 0)
    return "hangs on which threads run together";
  if ((flags & LIN_MAY_SPIN) != 0 || ((flags & LIN_POLLS) != 0 && repeats))
    return "may wait for what other threads change";
  if ((flags & LIN_AGREED) != 0)
    return "is for threads that have voted to go together";
  return (flags & LIN_REFUSED) != 0 ? "may not be changed" : NULL;
}

typedef struct couple {
  uint32_t a, b;
  lin_block branch;
  uint64_t shared; // at most
  uint32_t size;   // instructions of both
} couple;

static int by_shared(const void *a, const void *b) {
  const couple *x = a, *y = b;
  if (x->shared != y->shared)
    return x->shared > y->shared ? -1 : 1;
  if (x->size != y->size)
    return x->size < y->size ? -1 : 1;
  return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

// The instructions of an arm that may be melded, by kind.
static const uint32_t *sort_arm(const lin_meld_finder *f, lin_arena *scratch, const lin_meld_arm *a,
                                uint32_t *count) {
  const lin_meld_code *code = f->code;
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->count; i++)
    n += code->first_op[a->block[i] + 1] - code->first_op[a->block[i]];
  const lin_meld_op **op = LIN_ARRAY(scratch, const lin_meld_op *, n);
  uint32_t *sorted = LIN_ARRAY(scratch, uint32_t, n);
  *count = 0;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = code->first_op[a->block[i]]; k < code->first_op[a->block[i] + 1]; k++)
      if (lin_meld_may(&code->op[k]) && code->op[k].cost > 0)
        op[(*count)++] = &code->op[k];
  lin_meld_sort(code, op, *count, sorted);
  return sorted;
}

// A bound on what melding gains, that is cheap.
static uint64_t least_shared(const lin_meld_finder *f) {
  return f->code->regardless ? 1 : (uint64_t)LIN_MELD_LEAST_GAIN / 8; // loops go around
}

static void refuse(lin_meld_finder *f, lin_block branch, const lin_meld_arm *a,
                   const lin_meld_arm *b) {
  lin_melds *found = f->found;
  lin_block at = a->refuses != LIN_NONE ? a->refuses : b->refuses;
  if (found->num_refused == 0 || found->refused[found->num_refused - 1].branch != branch)
    found->refused[found->num_refused++] = (lin_meld_refusal){branch, at};
}

// The nearest block that dominates both.
static lin_block branch_of(const lin_meld_finder *f, const lin_meld_arm *a, const lin_meld_arm *b) {
  lin_block branch = f->dominators->parent[a->first];
  while (!lin_tree_contains(f->dominators, branch, b->first))
    branch = f->dominators->parent[branch];
  return branch;
}

// Of a tree of branches: what two arms share lies in front of where all meet, so that others may go
// around it (gather.h).
static bool may_gather(const lin_meld_finder *f, lin_block branch, const lin_meld_arm *a,
                       const lin_meld_arm *b) {
  const lin_block meeting = f->code->analysis->postdominators->tree->parent[branch];
  const bool straight =
      f->dominators->parent[a->first] == branch && f->dominators->parent[b->first] == branch;
  return straight || (a->reaches == 0 && b->reaches == 0 && meeting < f->graph->num_blocks);
}

static bool is_skipped(const lin_meld_finder *f, lin_block branch) {
  return f->code->skipped != NULL && f->code->skipped[branch];
}

// Pairs of arms that may share enough; returns how many.
static uint32_t list_couples(lin_meld_finder *f, const lin_meld_arm *arms, uint32_t count,
                             couple *couples) {
  lin_arena scratch = {0};
  const uint32_t *sorted[MOST_ARMS];
  uint32_t length[MOST_ARMS], num = 0;
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = arms[i].refused ? NULL : sort_arm(f, &scratch, &arms[i], &length[i]);
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t b = a + 1; b < count; b++) {
      bool apart = ((arms[a].reaches >> b | arms[b].reaches >> a) & 1) == 0 &&
                   !contains(f, &arms[a], arms[b].first) && !contains(f, &arms[b], arms[a].first);
      if (!apart || arms[a].refused || arms[b].refused)
        continue;
      uint64_t shared = lin_meld_shared(f->code, sorted[a], length[a], sorted[b], length[b]);
      const lin_block branch = branch_of(f, &arms[a], &arms[b]);
      if (shared < least_shared(f) || is_skipped(f, branch) ||
          !may_gather(f, branch, &arms[a], &arms[b]))
        continue;
      if (arms[a].refuses == LIN_NONE && arms[b].refuses == LIN_NONE)
        couples[num++] = (couple){a, b, branch, shared, length[a] + length[b]};
      else if ((double)shared >= lin_meld_least_gain(f->code))
        refuse(f, branch, &arms[a], &arms[b]);
    }
  lin_arena_release(&scratch);
  return num;
}

static void take(lin_meld_finder *f, lin_block branch) {
  for (uint32_t i = f->dominators->enter[branch]; i < f->dominators->leave[branch]; i++)
    f->taken[f->preorder[i]] = true;
}

// The first pair that gains, or one that shares nearly as much and gains more.
static void meld_some(lin_meld_finder *f, const lin_meld_arm *arms, uint32_t count) {
  couple *couples = LIN_ARRAY(f->arena, couple, (size_t)count * count);
  const uint32_t num = list_couples(f, arms, count, couples);
  qsort(couples, num, sizeof *couples, by_shared);
  const couple *best = NULL;
  double most = 0;
  lin_meld_arms made;
  for (uint32_t i = 0; i < num && i < MOST_TRIED; i++) {
    const couple *c = &couples[i];
    if (best != NULL && (double)(best->shared - c->shared) >= (double)LIN_MELD_LEAST_GAIN)
      break;
    const double gain = lin_meld_pair_arms(f, c->branch, &arms[c->a], &arms[c->b], &made);
    lin_meld_forget(f, &arms[c->a]);
    lin_meld_forget(f, &arms[c->b]);
    if (gain > most) {
      best = c;
      most = gain;
    }
  }
  if (best == NULL ||
      lin_meld_pair_arms(f, best->branch, &arms[best->a], &arms[best->b], &made) == 0)
    return;
  f->found->melded[f->found->count++] = made;
  take(f, best->branch);
}

// ---- step 3

static bool may_part(const lin_meld_finder *f, lin_block block) {
  return lin_may_part(f->graph, block, f->code->divergence_known) &&
         (f->graph->flags[block] & (LIN_COHERENT | LIN_AGREED)) == 0;
}

// Whether `block` only decides which of the ways on from its dominator are taken, and isn't an arm
// itself: a compiler makes such a tree of a switch.
static bool decides(const lin_meld_finder *f, lin_block block) {
  const lin_loops *loops = f->code->analysis->loops;
  const lin_tree *post = f->code->analysis->postdominators->tree;
  const lin_block above = f->dominators->parent[block];
  return block != 0 && lin_in_degree(f->graph, block) == 1 && may_part(f, block) &&
         may_part(f, above) && post->parent[block] == post->parent[above] &&
         loops->loop_of[block] == loops->loop_of[above] &&
         f->graph->cost[block] < LIN_MELD_LEAST_GAIN;
}

// Arms are what no block of the tree of decisions is. One with a single way on may also be a test
// that an arm begins with.
static void look_at(lin_meld_finder *f, lin_block root) {
  if (!may_part(f, root) || decides(f, root))
    return;
  const lin_block meeting = f->code->analysis->postdominators->tree->parent[root];
  const uint32_t end = f->dominators->leave[root];
  lin_meld_arm arms[MOST_ARMS];
  uint32_t count = 0;
  for (uint32_t i = f->dominators->enter[root] + 1; i < end && count < MOST_ARMS; i++) {
    const lin_block block = f->preorder[i];
    const bool is_node = decides(f, block);
    const uint32_t behind = f->dominators->leave[block];
    const bool is_single = i + 1 < end && f->dominators->leave[f->preorder[i + 1]] == behind;
    if (block != meeting && (!is_node || is_single))
      arms[count++] = collect(f, block, meeting);
    i = is_node ? i : behind - 1;
  }
  find_reached(f, arms, count);
  if (count >= 2)
    meld_some(f, arms, count);
}

lin_melds *lin_melds_find(lin_arena *arena, const lin_meld_code *code) {
  const lin_analysis *analysis = code->analysis;
  const uint32_t n = analysis->graph->num_blocks;
  lin_melds *found = LIN_NEW(arena, lin_melds);
  lin_meld_finder f = {.arena = arena,
                       .code = code,
                       .graph = analysis->graph,
                       .dominators = analysis->dominators,
                       .preorder = lin_tree_preorder(arena, analysis->dominators),
                       .taken = LIN_ARRAY(arena, bool, n),
                       .found = found};
  found->melded = LIN_ARRAY(arena, lin_meld_arms, n);
  found->refused = LIN_ARRAY(arena, lin_meld_refusal, n);
  found->twin = LIN_ARRAY(arena, lin_block, n);
  found->partner = LIN_ARRAY(arena, uint32_t, code->num_ops);
  memset(found->twin, 0xff, n * sizeof *found->twin);
  memset(found->partner, 0xff, code->num_ops * sizeof *found->partner);
  f.facts = lin_meld_facts_find(arena, code);
  lin_meld_sort_ops(&f);
  for (lin_block block = n; block-- > 0;) // inner branches first
    look_at(&f, block);
  return found;
}
