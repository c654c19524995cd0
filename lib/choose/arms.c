#include "arms.h"

#include "linearize/between.h"

// The outermost region of `block` that the one around `region` contains, as it does `region`; the
// one around, if there is none.
static uint32_t beside(const lin_regions *regions, uint32_t region, lin_block block) {
  uint32_t around = regions->parent[region], at = regions->owner[block];
  while (at != around && regions->parent[at] != around)
    at = regions->parent[at];
  return at;
}

// Whether threads come to a block from elsewhere than D.
static bool is_shared(const lin_between *b, lin_block block) {
  const lin_graph *graph = b->analysis->graph;
  bool others = false;
  for (LIN_IN_EDGES(graph, block, in))
    others |= graph->source[graph->in_edge[in]] != b->above;
  return others;
}

// New are arms that D's threads come to straight, not where they meet or come from P, and regions;
// those are numbered after what is nested in them. D has to tell one way more apart, which costs
// what a guard does: several guards are to be saved.
static bool can_take(const lin_between *b, const lin_regions *regions, uint32_t region) {
  uint32_t saved = 0;
  for (uint32_t i = 0; i < b->count; i++) {
    lin_block block = b->block[i];
    uint32_t other = beside(regions, region, block);
    bool is_free = other == regions->parent[region];
    bool is_first = b->analysis->dominators->parent[block] == b->above;
    if (is_free ? is_first && is_shared(b, block) : other > region)
      return false;
    saved += !is_free && is_first && !is_shared(b, block);
  }
  return saved > 1;
}

static void take(const lin_between *b, lin_regions *regions, uint32_t region) {
  uint32_t around = regions->parent[region];
  for (uint32_t i = 0; i < b->count; i++) {
    lin_block block = b->block[i];
    if (lin_region_contains(regions, region, block))
      continue;
    uint32_t other = beside(regions, region, block);
    if (other == around)
      regions->owner[block] = region;
    else
      regions->parent[other] = region;
  }
}

void lin_arms_take(lin_arena *arena, const lin_analysis *analysis, lin_regions *regions,
                   const bool *left, uint32_t most_blocks) {
  uint32_t *last = LIN_ARRAY(arena, uint32_t, analysis->graph->num_blocks); // region of a D, + 1
  lin_between *b = lin_between_new(arena, analysis);
  for (uint32_t region = 0; region < regions->num_regions; region++)
    if (!regions->gone[region] && regions->dominator[region] != LIN_NONE)
      last[regions->dominator[region]] = region + 1;
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    lin_block above = regions->dominator[region];
    bool asks = !regions->gone[region] && above != LIN_NONE && last[above] == region + 1 &&
                (left == NULL || !left[region]);
    if (asks && lin_between_find(b, above, regions->exit[region], LIN_LEFT_OUT, most_blocks) &&
        !b->leads_past && can_take(b, regions, region))
      take(b, regions, region);
  }
}
