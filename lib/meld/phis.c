#include "phis.h"

#include <stdlib.h>

typedef struct vote {
  uint32_t a, b, weight; // phis
} vote;

typedef struct ballot {
  const lin_meld_facts *facts;
  const lin_melds *melds;
  lin_arena scratch;
  vote *votes;
  uint32_t count, capacity;
} ballot;

static bool is_phi(const lin_meld_code *code, uint32_t value) {
  return value < code->num_ops && (code->op[value].flags & LIN_MELD_PHI) != 0;
}

static void vote_for(ballot *v, uint32_t a, uint32_t b, uint32_t weight) {
  const lin_meld_code *code = v->facts->code;
  const uint32_t *block_of = v->facts->block_of;
  if (!is_phi(code, a) || !is_phi(code, b) || code->op[a].kind != code->op[b].kind ||
      v->melds->twin[block_of[a]] != block_of[b])
    return;
  v->votes = LIN_ROOM(&v->scratch, v->votes, v->count, &v->capacity);
  v->votes[v->count++] = (vote){a, b, weight};
}

static void vote_by(ballot *v, uint32_t op) {
  const lin_meld_code *code = v->facts->code;
  const lin_meld_op *a = &code->op[op], *b = &code->op[v->melds->partner[op]];
  const uint32_t *x = &code->operand[a->first_operand], *y = &code->operand[b->first_operand];
  for (uint32_t i = 0; i < a[1].first_operand - a->first_operand; i++)
    vote_for(v, x[i], y[i], 2);
  for (uint32_t i = 0; i < 2 && (a->flags & LIN_MELD_COMMUTES) != 0; i++)
    vote_for(v, x[i], y[1 - i], 1);
}

static int by_pair(const void *a, const void *b) {
  const vote *x = a, *y = b;
  return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

static int by_weight(const void *a, const void *b) {
  const vote *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return by_pair(a, b);
}

// The strongest come first.
static void count_votes(ballot *v) {
  uint32_t kept = 0;
  if (v->count > 0)
    qsort(v->votes, v->count, sizeof *v->votes, by_pair);
  for (uint32_t i = 0; i < v->count; i++)
    if (kept > 0 && by_pair(&v->votes[kept - 1], &v->votes[i]) == 0)
      v->votes[kept - 1].weight += v->votes[i].weight;
    else
      v->votes[kept++] = v->votes[i];
  v->count = kept;
  if (v->count > 0)
    qsort(v->votes, v->count, sizeof *v->votes, by_weight);
}

// What both had before go together.
static void pair(uint32_t *partner, const vote *v) {
  const uint32_t x = partner[v->a], y = partner[v->b];
  if (x == v->b)
    return;
  if (x != LIN_NONE)
    partner[x] = y;
  if (y != LIN_NONE)
    partner[y] = x;
  partner[v->a] = v->b;
  partner[v->b] = v->a;
}

void lin_meld_pair_phis(const lin_meld_facts *facts, lin_melds *melds, const lin_meld_arms *arms) {
  ballot v = {.facts = facts, .melds = melds};
  const lin_meld_code *code = facts->code;
  for (uint32_t i = 0; i < arms->count[0]; i++)
    for (uint32_t op = code->first_op[arms->block[i]]; op < code->first_op[arms->block[i] + 1];
         op++)
      if (melds->partner[op] != LIN_NONE && !is_phi(code, op))
        vote_by(&v, op);
  count_votes(&v);
  bool *settled = LIN_ARRAY(&v.scratch, bool, code->num_ops);
  for (uint32_t i = 0; i < v.count; i++) {
    const vote *is = &v.votes[i];
    if (settled[is->a] || settled[is->b])
      continue;
    pair(melds->partner, is);
    settled[is->a] = settled[is->b] = true;
  }
  lin_arena_release(&v.scratch);
}
