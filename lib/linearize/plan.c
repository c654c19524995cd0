#include "plan.h"

uint32_t lin_plan_leaf(const lin_plan *plan, uint32_t region, lin_block block) {
  uint32_t leaf = plan->leaf_of[block];
  uint32_t inner = plan->regions->owner[block];
  for (; inner != region && inner != LIN_NONE; inner = plan->regions->parent[inner])
    leaf = plan->outer_leaf[inner];
  return inner == region ? leaf : LIN_NONE;
}

uint32_t lin_plan_inner(const lin_plan *plan, uint32_t region, lin_block block) {
  uint32_t result = LIN_NONE;
  uint32_t inner = plan->regions->owner[block];
  for (; inner != region; inner = plan->regions->parent[inner])
    result = inner;
  return result;
}

uint32_t lin_plan_add_node(lin_plan *plan, uint32_t parent, lin_node node) {
  uint32_t index = plan->num_nodes++;
  node.parent = parent;
  node.child = node.next = LIN_NONE;
  plan->node[index] = node;
  plan->last_child[index] = LIN_NONE;
  if (parent == LIN_NONE)
    return index;
  uint32_t previous = plan->last_child[parent];
  if (previous == LIN_NONE)
    plan->node[parent].child = index;
  else
    plan->node[previous].next = index;
  plan->last_child[parent] = index;
  return index;
}

uint32_t lin_plan_add_sequence(lin_plan *plan, uint32_t parent, uint32_t region, uint32_t first,
                               uint32_t last) {
  return lin_plan_add_node(
      plan, parent,
      (lin_node){
          .kind = LIN_SEQ, .region = region, .first = first, .last = last, .guard = LIN_NONE});
}
