#include "arms.h"

enum {
  KEPT_OUT = LIN_REFUSED | LIN_CROSS_LANE | LIN_WAITS | LIN_POLLS | LIN_MAY_SPIN,
};

// The blocks between D and P.
typedef struct between {
  const lin_analysis *a;
  lin_block above, below; // D and P
  lin_block *block;       // [count]
  uint32_t count, most;
  uint32_t *seen; // [num_blocks] the region that was asked about, + 1
  uint32_t stamp;
} between;

static bool is_between(const between *b, lin_block block) {
  const lin_tree *dominators = b->a->dominators;
  const uint8_t *fate = b->a->postdominators->fate;
  return block != b->above && lin_tree_contains(dominators, b->above, block) &&
         fate[block] == fate[b->above] && (b->a->graph->flags[block] & KEPT_OUT) == 0;
}

// Adds where the edges of `block` lead. Returns false if that can't be in the region.
static bool add_next(between *b, lin_block block) {
  const lin_graph *graph = b->a->graph;
  for (LIN_OUT_EDGES(graph, block, edge)) {
    lin_block next = graph->destination[edge];
    if (b->a->postdominators->doomed[edge] || b->seen[next] == b->stamp ||
        (next == b->below && block != b->above))
      continue;
    if (next == b->below || b->count == b->most || !is_between(b, next))
      return false;
    b->seen[next] = b->stamp;
    b->block[b->count++] = next;
  }
  return true;
}

// Finds what lies between D and P. Returns false if that can't be the region.
static bool find_between(between *b, const lin_regions *regions, uint32_t region) {
  b->above = regions->dominator[region];
  b->below = regions->exit[region];
  b->count = 0;
  b->stamp = region + 1;
  if (b->above == LIN_NONE || b->below == LIN_NONE || b->above == b->below ||
      !lin_tree_contains(b->a->postdominators->tree, b->below, b->above))
    return false;
  bool all = add_next(b, b->above);
  for (uint32_t i = 0; all && i < b->count; i++)
    all = add_next(b, b->block[i]);
  return all;
}

// The outermost region of `block` that the one around `region` contains, as it does `region`; the
// one around, if there is none.
static uint32_t beside(const lin_regions *regions, uint32_t region, lin_block block) {
  uint32_t around = regions->parent[region], at = regions->owner[block];
  while (at != around && regions->parent[at] != around)
    at = regions->parent[at];
  return at;
}

// Whether threads come to a block from elsewhere than D.
static bool is_shared(const between *b, lin_block block) {
  const lin_graph *graph = b->a->graph;
  bool others = false;
  for (LIN_IN_EDGES(graph, block, in))
    others |= graph->source[graph->in_edge[in]] != b->above;
  return others;
}

// New are arms that D's threads come to straight, not where they meet or come from P, and regions;
// those are numbered after what is nested in them. D has to tell one way more apart, which costs
// what a guard does: several guards are to be saved.
static bool can_take(const between *b, const lin_regions *regions, uint32_t region) {
  uint32_t saved = 0;
  for (uint32_t i = 0; i < b->count; i++) {
    lin_block block = b->block[i];
    uint32_t other = beside(regions, region, block);
    bool is_free = other == regions->parent[region];
    bool is_first = b->a->dominators->parent[block] == b->above;
    if (is_free ? is_first && is_shared(b, block) : other > region)
      return false;
    saved += !is_free && is_first && !is_shared(b, block);
  }
  return saved > 1;
}

static void take(const between *b, lin_regions *regions, uint32_t region) {
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
  uint32_t n = analysis->graph->num_blocks;
  uint32_t *last = LIN_ARRAY(arena, uint32_t, n); // region of a D, + 1
  between b = {.a = analysis,
               .block = LIN_ARRAY(arena, lin_block, n),
               .most = most_blocks < n ? most_blocks : n,
               .seen = LIN_ARRAY(arena, uint32_t, n)};
  for (uint32_t region = 0; region < regions->num_regions; region++)
    if (!regions->gone[region] && regions->dominator[region] != LIN_NONE)
      last[regions->dominator[region]] = region + 1;
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    lin_block above = regions->dominator[region];
    bool asks = !regions->gone[region] && above != LIN_NONE && last[above] == region + 1 &&
                (left == NULL || !left[region]);
    if (asks && find_between(&b, regions, region) && can_take(&b, regions, region))
      take(&b, regions, region);
  }
}
