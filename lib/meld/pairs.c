#include "pairs.h"

#include "align.h"
#include "phis.h"

#include <stdlib.h>
#include <string.h>

static int by_kind(const void *a, const void *b) {
  const lin_meld_op *const *x = a, *const *y = b;
  return ((*x)->kind > (*y)->kind) - ((*x)->kind < (*y)->kind);
}

void lin_meld_sort(const lin_meld_code *code, const lin_meld_op **op, uint32_t count,
                   uint32_t *sorted) {
  qsort(op, count, sizeof *op, by_kind);
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = (uint32_t)(op[i] - code->op);
}

static uint32_t size_of(const lin_meld_finder *f, lin_block block) {
  return f->code->first_op[block + 1] - f->code->first_op[block];
}

void lin_meld_sort_ops(lin_meld_finder *f) {
  const lin_meld_code *code = f->code;
  const lin_meld_op **op = LIN_ARRAY(f->arena, const lin_meld_op *, code->num_ops);
  f->sorted = LIN_ARRAY(f->arena, uint32_t, code->num_ops);
  for (uint32_t i = 0; i < code->num_ops; i++)
    op[i] = &code->op[i];
  for (lin_block block = 0; block < f->graph->num_blocks; block++) {
    const uint32_t first = code->first_op[block];
    lin_meld_sort(code, op + first, size_of(f, block), f->sorted + first);
  }
}

uint64_t lin_meld_shared(const lin_meld_code *code, const uint32_t *a, uint32_t n,
                         const uint32_t *b, uint32_t m) {
  uint64_t sum = 0;
  for (uint32_t i = 0, j = 0; i < n && j < m;) {
    const lin_meld_op *x = &code->op[a[i]], *y = &code->op[b[j]];
    sum += x->kind == y->kind && lin_meld_may(x) ? x->cost : 0;
    i += x->kind <= y->kind;
    j += y->kind <= x->kind;
  }
  return sum;
}

static uint32_t common(const lin_meld_finder *f, lin_block a, lin_block b) {
  const uint32_t *first = f->code->first_op;
  return (uint32_t)lin_meld_shared(f->code, f->sorted + first[a], size_of(f, a),
                                   f->sorted + first[b], size_of(f, b));
}

typedef struct block_context {
  const lin_meld_finder *f;
  const lin_meld_arm *a, *b;
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
static bool branch_alike(const lin_meld_finder *f, lin_block a, lin_block b) {
  const lin_meld_op *x = &f->code->op[f->code->first_op[a + 1] - 1];
  const lin_meld_op *y = &f->code->op[f->code->first_op[b + 1] - 1];
  return lin_out_degree(f->graph, a) > 1 && x->kind == y->kind && lin_meld_may(x);
}

// Headers weigh more than any block: where they aren't paired, nothing of their loops is. A branch
// counts, because its threads don't reconverge in one of the ways behind it.
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
  const lin_meld_finder *f;
  uint32_t first[2];
} op_context;

static bool is_of_arms(const lin_meld_finder *f, uint32_t value) {
  return value < f->code->num_ops && f->facts->side[f->facts->block_of[value]] != 0;
}

// An operand that surely differs takes back a half of what an instruction gains: without being
// melded its result would differ.
static uint32_t score_ops(const void *context, uint32_t i, uint32_t j) {
  const op_context *c = context;
  const lin_meld_code *code = c->f->code;
  const lin_meld_op *a = &code->op[c->first[0] + i], *b = &code->op[c->first[1] + j];
  if (a->kind != b->kind || !lin_meld_may(a))
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

static bool takes_too_long(lin_meld_finder *f, uint64_t work) {
  f->work += work;
  return f->work > LIN_MELD_MOST_WORK;
}

static void align_ops(lin_meld_finder *f, lin_block a, lin_block b, uint32_t *partner) {
  const lin_meld_code *code = f->code;
  op_context context = {f, {code->first_op[a], code->first_op[b]}};
  const uint32_t n = size_of(f, a), m = size_of(f, b);
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
static bool are_loops_twins(const lin_meld_finder *f, const block_context *c, lin_block a,
                            lin_block b) {
  const lin_loops *loops = f->code->analysis->loops;
  uint32_t x = loops->loop_of[a], y = loops->loop_of[b];
  if (is_header(c, a)) {
    x = loops->tree->parent[x];
    y = loops->tree->parent[y];
  }
  return (x == c->loop && y == c->loop) ||
         (x != c->loop && y != c->loop && f->found->twin[loops->header[x]] == loops->header[y]);
}

static void pair_blocks(lin_meld_finder *f, const lin_meld_arm *a, const lin_meld_arm *b,
                        const lin_meld_arms *arms, uint32_t *partner) {
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

static void mark_sides(const lin_meld_finder *f, const lin_meld_arm *a, uint8_t side) {
  for (uint32_t i = 0; i < a->count; i++)
    f->facts->side[a->block[i]] = side;
}

void lin_meld_forget(const lin_meld_finder *f, const lin_meld_arm *a) {
  for (uint32_t i = 0; i < a->count; i++) {
    lin_block block = a->block[i];
    f->found->twin[block] = LIN_NONE;
    for (uint32_t op = f->code->first_op[block]; op < f->code->first_op[block + 1]; op++)
      f->found->partner[op] = LIN_NONE;
  }
}

double lin_meld_pair_arms(lin_meld_finder *f, lin_block branch, const lin_meld_arm *a,
                          const lin_meld_arm *b, lin_meld_arms *arms) {
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
      align_ops(f, block, twin, LIN_ARRAY(&scratch, uint32_t, size_of(f, block)));
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
