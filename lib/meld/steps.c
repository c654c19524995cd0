// How twins become one block, step by step.
#include "meld.h"

#include "gpu/costs.h"

static uint32_t last_of(const lin_meld_code *code, lin_block block) {
  return code->first_op[block + 1] - 1;
}

static uint32_t behind_phis(const lin_meld_code *code, lin_block block) {
  uint32_t op = code->first_op[block];
  while ((code->op[op].flags & LIN_MELD_PHI) != 0)
    op++;
  return op;
}

// What may run for all threads does, if it is less than a guard is worth: ptxas predicates so much.
static bool needs_guard(const lin_meld_code *code, const lin_meld_step *s) {
  uint32_t cost = 0;
  for (uint32_t arm = 0; arm < 2; arm++)
    for (uint32_t i = s->first[arm]; i < s->end[arm]; i++) {
      const lin_meld_op *op = &code->op[i];
      if ((op->flags & LIN_MELD_FREE) == 0)
        return true;
      cost += op->cost;
    }
  return cost > 2 * LIN_PREDICATED;
}

bool lin_meld_next(const lin_meld_code *code, const lin_melds *melds, lin_block block,
                   lin_meld_step *step) {
  if (step->is_last)
    return false;
  const lin_block twin = melds->twin[block];
  const bool begins = step->end[0] == 0 && step->end[1] == 0;
  step->first[0] = begins ? behind_phis(code, block) : step->end[0] + 1;
  step->first[1] = begins ? behind_phis(code, twin) : step->end[1] + 1;
  uint32_t at = step->first[0];
  while (at < last_of(code, block) && melds->partner[at] == LIN_NONE)
    at++;
  step->is_last = at == last_of(code, block);
  step->end[0] = at;
  step->end[1] = step->is_last ? last_of(code, twin) : melds->partner[at];
  step->guarded = needs_guard(code, step);
  return true;
}

bool lin_meld_is_turned(const lin_meld_code *code, const lin_melds *melds, lin_block block) {
  const lin_graph *graph = code->analysis->graph;
  const lin_block twin = melds->twin[block];
  if (lin_out_degree(graph, block) != 2)
    return false;
  const lin_block *a = &graph->destination[graph->first_edge[block]];
  const lin_block *b = &graph->destination[graph->first_edge[twin]];
  bool straight = melds->twin[a[0]] == b[0] || melds->twin[a[1]] == b[1];
  return !straight && (melds->twin[a[0]] == b[1] || melds->twin[a[1]] == b[0]);
}

lin_block lin_meld_end(const lin_meld_code *code, const lin_meld_arms *arms, uint32_t arm,
                       lin_block *to) {
  const lin_graph *graph = code->analysis->graph;
  const lin_tree *dominators = code->analysis->dominators;
  const uint32_t first = arm == 0 ? 0 : arms->count[0];
  lin_block end = LIN_NONE;
  bool one_end = true, one_place = true;
  *to = LIN_NONE;
  for (uint32_t i = first; i < first + arms->count[arm]; i++)
    for (LIN_OUT_EDGES(graph, arms->block[i], edge)) {
      const lin_block next = graph->destination[edge];
      if (lin_tree_contains(dominators, arms->arm[arm], next))
        continue;
      one_end &= end == LIN_NONE || end == arms->block[i];
      one_place &= *to == LIN_NONE || *to == next;
      end = arms->block[i];
      *to = next;
    }
  *to = one_place ? *to : LIN_NONE;
  return one_end ? end : LIN_NONE;
}
