// Algorithm 1: the leaves in sequence, each behind a test of the region's one guard, which names
// the leaf that is next; a loop around each span, tested at its bottom: when that test is reached,
// every leaf ahead in the loop has had its turn, so only a retreating edge can have named one of
// them.
#include "algorithm1_arrange.h"

// Two leaves need no guard: the one where the function begins, to which no edge leads, and the last
// one of a region that no thread leaves. Who gets there has nowhere else to go.
static void add_leaf(const lin_arrangement *a, uint32_t seq, uint32_t leaf, uint32_t guard,
                     bool in_loop) {
  lin_plan *plan = a->plan;
  uint32_t index = plan->first_leaf[a->region] + leaf;
  lin_node node = {.kind = LIN_IF,
                   .region = a->region,
                   .first = leaf,
                   .last = leaf,
                   .guard = guard,
                   .low = leaf,
                   .high = leaf};
  bool last = !in_loop && leaf + 1 == plan->num_leaves[a->region];
  bool nowhere_else = last && plan->regions->exit[a->region] == LIN_NONE;
  if (plan->entry[index] != 0 && !nowhere_else)
    seq = lin_plan_add_node(plan, seq, node);
  node.kind = LIN_LEAF;
  plan->node_of[index] = lin_plan_add_node(plan, seq, node);
}

uint32_t lin_arrange_flat(const lin_arrangement *a) {
  lin_plan *plan = a->plan;
  uint32_t count = plan->num_leaves[a->region], guard = plan->num_guards++;
  plan->guard[guard] =
      (lin_guard){.region = a->region, .otherwise = count, .loop = LIN_NONE, .everywhere = true};
  uint32_t *open = LIN_ARRAY(a->arena, uint32_t, (size_t)a->num_spans + 1); // sequences
  uint32_t depth = 0, next = 0;
  uint32_t root = open[depth++] = lin_plan_add_sequence(plan, LIN_NONE, a->region, 0, count - 1);
  for (uint32_t leaf = 0; leaf < count; leaf++) {
    while (plan->node[open[depth - 1]].last < leaf)
      depth--;
    if (next < a->num_spans && a->spans[next].first == leaf) {
      lin_node loop = {.kind = LIN_LOOP,
                       .region = a->region,
                       .first = leaf,
                       .last = a->spans[next].last,
                       .guard = guard,
                       .low = leaf,
                       .high = a->spans[next].last};
      uint32_t index = lin_plan_add_node(plan, open[depth - 1], loop);
      open[depth++] = lin_plan_add_sequence(plan, index, a->region, loop.first, loop.last);
      next++;
    }
    add_leaf(a, open[depth - 1], leaf, guard, depth > 1);
  }
  return root;
}
