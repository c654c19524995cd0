// Arms of a branch that take turns (interleave.h): a leaf for each stage of each arm, those of one
// stage side by side behind one flag, which says whether the thread is in the second arm.
//
//     branch D {a1 | b1}
//     if flag 2 {a2} else {b2}
//     if flag 3 {a3} else {b3}
#include "algorithm1_arrange.h"

enum { FIRST_ARM = 0, SECOND_ARM = 1 };

static void add_leaf(const lin_arrangement *a, uint32_t parent, uint32_t leaf) {
  lin_plan *plan = a->plan;
  lin_node node = {
      .kind = LIN_LEAF, .region = a->region, .first = leaf, .last = leaf, .guard = LIN_NONE};
  uint32_t seq = lin_plan_add_sequence(plan, parent, a->region, leaf, leaf);
  plan->node_of[plan->first_leaf[a->region] + leaf] = lin_plan_add_node(plan, seq, node);
}

// Leaves come in pairs, one of each arm: a stage is one leaf, unless it is left for several places.
static bool is_paired(const lin_arrangement *a) {
  const lin_plan *plan = a->plan;
  const lin_block *entry = &plan->entry[plan->first_leaf[a->region]];
  const lin_tree *dominators = plan->analysis->dominators;
  uint32_t count = plan->num_leaves[a->region];
  if (a->num_spans > 0 || count < 2 || count % 2 != 0)
    return false;
  for (uint32_t leaf = 2; leaf < count; leaf += 2)
    if (a->stage[entry[leaf]] != a->stage[entry[leaf + 1]] ||
        a->stage[entry[leaf]] == a->stage[entry[leaf - 1]] ||
        !lin_tree_contains(dominators, entry[0], entry[leaf]) ||
        !lin_tree_contains(dominators, entry[1], entry[leaf + 1]))
      return false;
  return a->stage[entry[0]] == a->stage[entry[1]];
}

uint32_t lin_arrange_stages(const lin_arrangement *a) {
  lin_plan *plan = a->plan;
  uint32_t count = plan->num_leaves[a->region];
  if (!is_paired(a))
    return lin_arrange_flat(a);
  uint32_t root = lin_plan_add_sequence(plan, LIN_NONE, a->region, 0, count - 1);
  for (uint32_t leaf = 0; leaf < count; leaf += 2) {
    lin_node both = {.kind = LIN_BRANCH_NODE,
                     .region = a->region,
                     .first = LIN_NONE, // where the region is entered
                     .last = LIN_NONE,
                     .guard = LIN_NONE};
    if (leaf > 0) {
      both = (lin_node){.kind = LIN_IF,
                        .region = a->region,
                        .first = leaf,
                        .last = leaf,
                        .guard = plan->num_guards,
                        .low = FIRST_ARM,
                        .high = FIRST_ARM};
      plan->guard[plan->num_guards++] = (lin_guard){
          .region = a->region, .is_flag = true, .otherwise = SECOND_ARM, .loop = LIN_NONE};
    }
    uint32_t node = lin_plan_add_node(plan, root, both);
    add_leaf(a, node, leaf);
    add_leaf(a, node, leaf + 1);
  }
  return root;
}
