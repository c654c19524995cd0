// 1. Of each branch whose threads part, the arms: children in the dominator tree but where all meet.
// 2. Of two arms of which neither leads to the other, how much they could share: sorted kinds of
//    instructions, merged. Pairs that share most are tried first.
// 3. Blocks are aligned, then the instructions of each pair; the estimate decides.
// 4. Inner branches come first; what has been melded waits for the next round.
#include "meld.h"

#include "align.h"
#include "gain.h"
#include "linearize/between.h"
#include "phis.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_ARMS = 64,    // of a branch, that are looked at: bits of a word
  MOST_BLOCKS = 512, // of an arm
  MOST_TRIED = 8,    // pairs of arms of a branch, in a round
};

// What has to be gained: instructions, and a share of what the arms have. Guesses of what ptxas
// makes of code are good to 10% (gpu/costs.h).
static const double LEAST_GAIN = 12, LEAST_SHARE = 0.12;

typedef struct arm {
  lin_block first;
  lin_block *block; // [count] in order
  uint32_t count;
  uint64_t reaches;  // a bit for each arm of the branch that it leads to
  bool refused;      // it is too large, or its blocks are taken, or
  lin_block refuses; // this block may not be melded; else LIN_NONE
} arm;

typedef struct finder {
  lin_arena *arena;
  const lin_meld_code *code;
  const lin_graph *graph;
  const lin_tree *dominators;
  const uint32_t *preorder;
  lin_meld_facts *facts;
  uint32_t *sorted; // [num_ops] the instructions of each block by kind
  bool *taken;      // [num_blocks] by what is melded in this round
  uint64_t work;
  lin_melds *found;
} finder;

// ---- step 1

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// The blocks that `first` dominates, up to where the branch's threads meet.
static arm collect(finder *f, lin_block first, lin_block meeting) {
  arm a = {.first = first, .refuses = LIN_NONE};
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
  qsort(a.block, a.count, sizeof *a.block, by_number);
  return a;
}

static bool contains(const finder *f, const arm *a, lin_block block) {
  return lin_tree_contains(f->dominators, a->first, block);
}

static void find_reached(const finder *f, arm *arms, uint32_t count) {
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

static int by_kind(const void *a, const void *b) {
  const lin_meld_op *const *x = a, *const *y = b;
  return ((*x)->kind > (*y)->kind) - ((*x)->kind < (*y)->kind);
}

static bool may_be_melded(const lin_meld_op *op) { return (op->flags & LIN_MELD_ALONE) == 0; }

static void sort_ops(finder *f) {
  const lin_meld_code *code = f->code;
  const lin_meld_op **op = LIN_ARRAY(f->arena, const lin_meld_op *, code->num_ops);
  f->sorted = LIN_ARRAY(f->arena, uint32_t, code->num_ops);
  for (uint32_t i = 0; i < code->num_ops; i++)
    op[i] = &code->op[i];
  for (lin_block block = 0; block < f->graph->num_blocks; block++) {
    uint32_t first = code->first_op[block], count = code->first_op[block + 1] - first;
    qsort(op + first, count, sizeof *op, by_kind);
  }
  for (uint32_t i = 0; i < code->num_ops; i++)
    f->sorted[i] = (uint32_t)(op[i] - code->op);
}

// What two blocks have in common, whatever its order.
static uint32_t common(const finder *f, lin_block a, lin_block b) {
  const lin_meld_code *code = f->code;
  uint32_t i = code->first_op[a], j = code->first_op[b], sum = 0;
  while (i < code->first_op[a + 1] && j < code->first_op[b + 1]) {
    const lin_meld_op *x = &code->op[f->sorted[i]], *y = &code->op[f->sorted[j]];
    sum += x->kind == y->kind && may_be_melded(x) ? x->cost : 0;
    i += x->kind <= y->kind;
    j += y->kind <= x->kind;
  }
  return sum;
}

// ---- step 3

typedef struct block_context {
  const finder *f;
  const arm *a, *b;
  lin_block end[2]; // by which all threads leave
  uint32_t loop;    // that the branch is in
} block_context;

static uint32_t depth_of(const block_context *c, lin_block block) {
  const lin_loops *loops = c->f->code->analysis->loops;
  return loops->tree->depth[loops->loop_of[block]];
}

static bool is_header(const block_context *c, lin_block block) {
  const lin_loops *loops = c->f->code->analysis->loops;
  return loops->header[loops->loop_of[block]] == block && loops->loop_of[block] != c->loop;
}

// Whether both end with branches that may be one.
static bool branch_alike(const finder *f, lin_block a, lin_block b) {
  const lin_meld_op *x = &f->code->op[f->code->first_op[a + 1] - 1];
  const lin_meld_op *y = &f->code->op[f->code->first_op[b + 1] - 1];
  return lin_out_degree(f->graph, a) > 1 && x->kind == y->kind && may_be_melded(x);
}

// Headers weigh more than any block: where they aren't paired, nothing of their loops is. A branch
// counts, because its threads don't meet again in one of the ways behind it.
static uint32_t score_blocks(const void *context, uint32_t i, uint32_t j) {
  const block_context *c = context;
  lin_block a = c->a->block[i], b = c->b->block[j];
  if (depth_of(c, a) != depth_of(c, b) || is_header(c, a) != is_header(c, b))
    return 0;
  uint32_t shared = common(c->f, a, b);
  uint32_t branches = branch_alike(c->f, a, b) ? 2 : a == c->end[0] && b == c->end[1] ? 1 : 0;
  return shared + branches == 0 ? 0 : 4 * shared + branches + (is_header(c, a) ? 32 : 0);
}

typedef struct op_context {
  const finder *f;
  uint32_t first[2];
} op_context;

static bool is_of_arms(const finder *f, uint32_t value) {
  return value < f->code->num_ops && f->facts->side[f->facts->block_of[value]] != 0;
}

// An operand that surely differs takes back a half of what an instruction gains: without being
// melded its result would differ.
static uint32_t score_ops(const void *context, uint32_t i, uint32_t j) {
  const op_context *c = context;
  const lin_meld_code *code = c->f->code;
  const lin_meld_op *a = &code->op[c->first[0] + i], *b = &code->op[c->first[1] + j];
  if (a->kind != b->kind || !may_be_melded(a))
    return 0;
  uint32_t differ = 0, count = a[1].first_operand - a->first_operand;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t x = code->operand[a->first_operand + k], y = code->operand[b->first_operand + k];
    if (code->base[x] != code->base[y])
      return 0;
    differ += x != y && !is_of_arms(c->f, x) && !is_of_arms(c->f, y);
  }
  uint32_t worth = 4 * a->cost + 1;
  return 2 * differ < worth ? worth - 2 * differ : 1;
}

static bool takes_too_long(finder *f, uint64_t work) {
  f->work += work;
  return f->work > LIN_MELD_MOST_WORK;
}

static void align_ops(finder *f, lin_block a, lin_block b, uint32_t *partner) {
  const lin_meld_code *code = f->code;
  op_context context = {f, {code->first_op[a], code->first_op[b]}};
  uint32_t n = code->first_op[a + 1] - context.first[0];
  uint32_t m = code->first_op[b + 1] - context.first[1];
  if (takes_too_long(f, (uint64_t)n * m))
    return;
  lin_align(&(lin_alignment){{n, m}, score_ops, &context}, partner);
  for (uint32_t i = 0; i < n; i++)
    if (partner[i] != LIN_NONE) {
      f->found->partner[context.first[0] + i] = context.first[1] + partner[i];
      f->found->partner[context.first[1] + partner[i]] = context.first[0] + i;
    }
}

// Loops around both have to be twins, too.
static bool are_loops_twins(const finder *f, const block_context *c, lin_block a, lin_block b) {
  const lin_loops *loops = f->code->analysis->loops;
  uint32_t x = loops->loop_of[a], y = loops->loop_of[b];
  if (is_header(c, a)) {
    x = loops->tree->parent[x];
    y = loops->tree->parent[y];
  }
  return (x == c->loop && y == c->loop) ||
         (x != c->loop && y != c->loop && f->found->twin[loops->header[x]] == loops->header[y]);
}

static void pair_blocks(finder *f, const arm *a, const arm *b, const lin_meld_arms *arms,
                        uint32_t *partner) {
  lin_block to;
  const block_context context = {
      f,
      a,
      b,
      {lin_meld_end(f->code, arms, 0, &to), lin_meld_end(f->code, arms, 1, &to)},
      f->code->analysis->loops->loop_of[arms->branch]};
  if (takes_too_long(f, (uint64_t)a->count * b->count * 16))
    return;
  lin_align(&(lin_alignment){{a->count, b->count}, score_blocks, &context}, partner);
  for (uint32_t i = 0; i < a->count; i++) {
    lin_block x = a->block[i], y = partner[i] == LIN_NONE ? LIN_NONE : b->block[partner[i]];
    if (y == LIN_NONE || !are_loops_twins(f, &context, x, y))
      continue;
    f->found->twin[x] = y;
    f->found->twin[y] = x;
  }
}

static void mark_sides(const finder *f, const arm *a, uint8_t side) {
  for (uint32_t i = 0; i < a->count; i++)
    f->facts->side[a->block[i]] = side;
}

static void forget(const finder *f, const arm *a) {
  for (uint32_t i = 0; i < a->count; i++) {
    lin_block block = a->block[i];
    f->found->twin[block] = LIN_NONE;
    for (uint32_t op = f->code->first_op[block]; op < f->code->first_op[block + 1]; op++)
      f->found->partner[op] = LIN_NONE;
  }
}

bool lin_meld_is_enough(const lin_meld_code *code, double gain, double before) {
  return code->regardless || (gain >= LEAST_GAIN && gain >= LEAST_SHARE * before);
}

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

// Pairs what two arms have. Returns what that gains, by an estimate.
static double pair_arms(finder *f, lin_block branch, const arm *a, const arm *b,
                        lin_meld_arms *arms) {
  lin_block *blocks = LIN_ARRAY(f->arena, lin_block, (size_t)a->count + b->count);
  memcpy(blocks, a->block, a->count * sizeof *blocks);
  memcpy(blocks + a->count, b->block, b->count * sizeof *blocks);
  *arms = (lin_meld_arms){.branch = branch,
                          .arm = {a->first, b->first},
                          .block = blocks,
                          .count = {a->count, b->count}};
  lin_arena scratch = {0};
  mark_sides(f, a, 1);
  mark_sides(f, b, 2);
  pair_blocks(f, a, b, arms, LIN_ARRAY(&scratch, uint32_t, a->count));
  for (uint32_t i = 0; i < a->count; i++) {
    lin_block block = a->block[i], twin = f->found->twin[block];
    if (twin != LIN_NONE)
      align_ops(
          f, block, twin,
          LIN_ARRAY(&scratch, uint32_t, f->code->first_op[block + 1] - f->code->first_op[block]));
  }
  lin_arena_release(&scratch);
  lin_meld_pair_phis(f->facts, f->found, arms);
  lin_meld_estimate(f->facts, f->found, arms);
  mark_sides(f, a, 0);
  mark_sides(f, b, 0);
  const double gain = arms->before - arms->after;
  const bool good =
      f->work <= LIN_MELD_MOST_WORK && gain > 0 && lin_meld_is_enough(f->code, gain, arms->before);
  return good ? gain : 0;
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

// What two arms could share at most, by the kinds of their instructions.
static uint64_t shared_by(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
                          const lin_meld_code *code) {
  uint64_t sum = 0;
  for (uint32_t i = 0, j = 0; i < n && j < m;) {
    const lin_meld_op *x = &code->op[a[i]], *y = &code->op[b[j]];
    sum += x->kind == y->kind ? x->cost : 0;
    i += x->kind <= y->kind;
    j += y->kind <= x->kind;
  }
  return sum;
}

// The instructions of an arm that may be melded, by kind.
static const uint32_t *sort_arm(const finder *f, lin_arena *scratch, const arm *a,
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
      if (may_be_melded(&code->op[k]) && code->op[k].cost > 0)
        op[(*count)++] = &code->op[k];
  qsort(op, *count, sizeof *op, by_kind);
  for (uint32_t i = 0; i < *count; i++)
    sorted[i] = (uint32_t)(op[i] - code->op);
  return sorted;
}

// A bound on what melding gains, that is cheap.
static uint64_t least_shared(const finder *f) {
  return f->code->regardless ? 1 : (uint64_t)LEAST_GAIN / 8; // loops go around
}

static void refuse(finder *f, lin_block branch, const arm *a, const arm *b) {
  lin_melds *found = f->found;
  lin_block at = a->refuses != LIN_NONE ? a->refuses : b->refuses;
  if (found->num_refused == 0 || found->refused[found->num_refused - 1].branch != branch)
    found->refused[found->num_refused++] = (lin_meld_refusal){branch, at};
}

// The nearest block that dominates both.
static lin_block branch_of(const finder *f, const arm *a, const arm *b) {
  lin_block branch = f->dominators->parent[a->first];
  while (!lin_tree_contains(f->dominators, branch, b->first))
    branch = f->dominators->parent[branch];
  return branch;
}

// Of a tree of branches: what two arms share lies in front of where all meet, so that others may go
// around it (gather.h).
static bool may_gather(const finder *f, lin_block branch, const arm *a, const arm *b) {
  const lin_block meeting = f->code->analysis->postdominators->tree->parent[branch];
  const bool straight =
      f->dominators->parent[a->first] == branch && f->dominators->parent[b->first] == branch;
  return straight || (a->reaches == 0 && b->reaches == 0 && meeting < f->graph->num_blocks);
}

static bool is_skipped(const finder *f, lin_block branch) {
  return f->code->skipped != NULL && f->code->skipped[branch];
}

// Pairs of arms that may share enough; returns how many.
static uint32_t list_couples(finder *f, const arm *arms, uint32_t count, couple *couples) {
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
      uint64_t shared = shared_by(sorted[a], length[a], sorted[b], length[b], f->code);
      const lin_block branch = branch_of(f, &arms[a], &arms[b]);
      if (shared < least_shared(f) || is_skipped(f, branch) ||
          !may_gather(f, branch, &arms[a], &arms[b]))
        continue;
      if (arms[a].refuses == LIN_NONE && arms[b].refuses == LIN_NONE)
        couples[num++] = (couple){a, b, branch, shared, length[a] + length[b]};
      else if (shared >= LEAST_GAIN)
        refuse(f, branch, &arms[a], &arms[b]);
    }
  lin_arena_release(&scratch);
  return num;
}

static void take(finder *f, lin_block branch) {
  for (uint32_t i = f->dominators->enter[branch]; i < f->dominators->leave[branch]; i++)
    f->taken[f->preorder[i]] = true;
}

// The first pair that gains, or one that shares nearly as much and gains more.
static void meld_some(finder *f, const arm *arms, uint32_t count) {
  couple *couples = LIN_ARRAY(f->arena, couple, (size_t)count * count);
  const uint32_t num = list_couples(f, arms, count, couples);
  qsort(couples, num, sizeof *couples, by_shared);
  const couple *best = NULL;
  double most = 0;
  lin_meld_arms made;
  for (uint32_t i = 0; i < num && i < MOST_TRIED; i++) {
    const couple *c = &couples[i];
    if (best != NULL && (double)(best->shared - c->shared) >= LEAST_GAIN)
      break;
    const double gain = pair_arms(f, c->branch, &arms[c->a], &arms[c->b], &made);
    forget(f, &arms[c->a]);
    forget(f, &arms[c->b]);
    if (gain > most) {
      best = c;
      most = gain;
    }
  }
  if (best == NULL || pair_arms(f, best->branch, &arms[best->a], &arms[best->b], &made) == 0)
    return;
  f->found->melded[f->found->count++] = made;
  take(f, best->branch);
}

// ---- step 4

static bool may_part(const finder *f, lin_block block) {
  return lin_may_part(f->graph, block, f->code->divergence_known) &&
         (f->graph->flags[block] & (LIN_COHERENT | LIN_AGREED)) == 0;
}

// Whether `block` only decides which of the ways on from its dominator are taken, and isn't an arm
// itself: a compiler makes such a tree of a switch.
static bool decides(const finder *f, lin_block block) {
  const lin_loops *loops = f->code->analysis->loops;
  const lin_tree *post = f->code->analysis->postdominators->tree;
  const lin_block above = f->dominators->parent[block];
  return block != 0 && lin_in_degree(f->graph, block) == 1 && may_part(f, block) &&
         may_part(f, above) && post->parent[block] == post->parent[above] &&
         loops->loop_of[block] == loops->loop_of[above] && f->graph->cost[block] < LEAST_GAIN;
}

// Arms are what no block of the tree of decisions is. One with a single way on may also be a test
// that an arm begins with.
static void look_at(finder *f, lin_block root) {
  if (!may_part(f, root) || decides(f, root))
    return;
  const lin_block meeting = f->code->analysis->postdominators->tree->parent[root];
  const uint32_t end = f->dominators->leave[root];
  arm arms[MOST_ARMS];
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
  finder f = {.arena = arena,
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
  sort_ops(&f);
  for (lin_block block = n; block-- > 0;) // inner branches first
    look_at(&f, block);
  return found;
}
