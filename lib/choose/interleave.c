#include "interleave.h"

#include "linearize/between.h"

// Whether `between` is two arms, each entered by one edge of D.
static bool has_two_arms(const lin_between *b, lin_two_sided *found) {
  const lin_graph *graph = b->analysis->graph;
  if (lin_out_degree(graph, b->above) != 2 || b->leads_past)
    return false;
  uint32_t arm = 0;
  for (LIN_OUT_EDGES(graph, b->above, edge)) {
    lin_block to = graph->destination[edge];
    if (lin_in_degree(graph, to) != 1)
      return false;
    found->arm[arm++] = to;
  }
  return true;
}

// No edge leads from one arm to the other.
static bool are_apart(const lin_between *b, const lin_two_sided *found) {
  const lin_tree *dominators = b->analysis->dominators;
  for (uint32_t i = 0; i < b->count; i++)
    if (!lin_tree_contains(dominators, found->arm[0], b->block[i]) &&
        !lin_tree_contains(dominators, found->arm[1], b->block[i]))
      return false;
  return true;
}

// Whether threads of one arm may load what those of the other store while they take turns.
static bool exchange(const lin_between *b, const lin_two_sided *found) {
  const lin_analysis *a = b->analysis;
  lin_sharing arm[2] = {{0}, {0}};
  for (uint32_t i = 0; a->graph->sharing != NULL && i < b->count; i++) {
    bool second = lin_tree_contains(a->dominators, found->arm[1], b->block[i]);
    arm[second] = lin_share(arm[second], a->graph->sharing[b->block[i]]);
  }
  uint32_t first = arm[0].stores | arm[0].atomics, other = arm[1].stores | arm[1].atomics;
  return ((first & arm[1].loads) | (other & arm[0].loads) | (arm[0].stores & other) |
          (arm[1].stores & first)) != 0 &&
         lin_shared_objects(lin_share(arm[0], arm[1])) != 0;
}

uint32_t lin_interleave_find(lin_arena *arena, const lin_analysis *analysis, bool divergence_known,
                             lin_two_sided **branches) {
  const lin_graph *graph = analysis->graph;
  lin_between *between = lin_between_new(arena, analysis);
  uint32_t count = 0;
  *branches = LIN_ARRAY(arena, lin_two_sided, graph->num_blocks);
  for (lin_block block = graph->num_blocks; block-- > 0;) {
    lin_block below = analysis->postdominators->tree->parent[block];
    lin_two_sided found = {.branch = block, .meeting = below};
    if (!lin_may_part(graph, block, divergence_known) || below >= graph->num_blocks ||
        !lin_between_find(between, block, below, LIN_LEFT_OUT, UINT32_MAX) ||
        !has_two_arms(between, &found) || !are_apart(between, &found) || exchange(between, &found))
      continue;
    for (uint32_t i = 0; i < between->count; i++)
      found.cost += graph->cost[between->block[i]];
    (*branches)[count++] = found;
  }
  return count;
}

uint32_t lin_interleave_inside(const lin_analysis *analysis, const lin_block *preorder,
                               lin_block branch, lin_block meeting, lin_block *inside) {
  const lin_tree *dominators = analysis->dominators;
  uint32_t count = 0;
  for (uint32_t i = dominators->enter[branch] + 1; i < dominators->leave[branch]; i++)
    if (preorder[i] == meeting)
      i = dominators->leave[meeting] - 1;
    else
      inside[count++] = preorder[i];
  return count;
}

lin_regions *lin_interleave_regions(lin_arena *arena, const lin_analysis *analysis,
                                    bool divergence_known) {
  uint32_t n = analysis->graph->num_blocks;
  lin_two_sided *branches;
  uint32_t count = lin_interleave_find(arena, analysis, divergence_known, &branches);
  lin_regions *regions = lin_regions_none(arena, n, count);
  lin_between *between = lin_between_new(arena, analysis);
  for (uint32_t i = 0; i < count; i++) {
    if ((analysis->graph->flags[branches[i].branch] & LIN_TWO_SIDED) == 0)
      continue;
    lin_between_find(between, branches[i].branch, branches[i].meeting, LIN_LEFT_OUT, UINT32_MAX);
    lin_regions_add(regions, between);
  }
  return regions;
}

uint32_t *lin_interleave_stages(lin_arena *arena, const lin_analysis *analysis) {
  const lin_graph *graph = analysis->graph;
  const lin_block *preorder = lin_tree_preorder(arena, analysis->dominators);
  uint32_t *stage = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  for (uint32_t i = 1; i < graph->num_blocks; i++) {
    lin_block block = preorder[i];
    bool begins = (graph->flags[block] & LIN_STAGE) != 0;
    stage[block] = stage[analysis->dominators->parent[block]] + begins;
  }
  return stage;
}
