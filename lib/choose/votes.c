#include "votes.h"

#include "estimate.h"
#include "gpu/target.h"

typedef struct finder {
  lin_arena *arena;
  const lin_front *front;
  const lin_voting *v;
  const lin_graph *graph;
  const lin_ways *ways;
} finder;

enum { KEPT_OUT = LIN_WAITS | LIN_CROSS_LANE | LIN_REFUSED | LIN_AGREED };

static bool is_in(const finder *f, uint32_t region, lin_block block) {
  return lin_region_contains(f->v->regions, region, block);
}

// The block that votes: D or, where that has one way into the region, the first block behind it
// that has several, if all come there by one way; the same from the entry on, where the region
// begins with that.
// LIN_NONE: there is none whose ways all lead into the region or to P.
static lin_block find_voter(const finder *f, uint32_t region) {
  lin_block above = f->v->regions->dominator[region], below = f->v->regions->exit[region];
  lin_block at = above == LIN_NONE ? 0 : above;
  if (below == LIN_NONE)
    return LIN_NONE;
  while (lin_out_degree(f->graph, at) == 1) {
    at = f->graph->destination[f->graph->first_edge[at]];
    if (lin_in_degree(f->graph, at) != 1 || !is_in(f, region, at))
      return LIN_NONE;
  }
  if ((f->graph->flags[at] & LIN_AGREED) != 0 || !lin_may_diverge(f->graph, at))
    return LIN_NONE;
  for (LIN_OUT_EDGES(f->graph, at, edge))
    if (f->graph->destination[edge] != below && !is_in(f, region, f->graph->destination[edge]))
      return LIN_NONE;
  return at;
}

// Whether P is entered from the region alone, and from D.
static bool is_only_way(const finder *f, uint32_t region, lin_block voter) {
  lin_block below = f->v->regions->exit[region];
  for (LIN_IN_EDGES(f->graph, below, i)) {
    lin_block from = f->graph->source[f->graph->in_edge[i]];
    if (from != voter && (!is_in(f, region, from) || from < voter))
      return false;
  }
  return true;
}

// What the block computes is used in the region, or behind P where all of it comes from there.
static bool stays_inside(const finder *f, uint32_t region, lin_block voter, lin_block block) {
  const lin_order *order = f->v->order;
  uint32_t count;
  const lin_block *uses = f->front->uses(f->front->context, f->arena, order->origin[block], &count);
  for (uint32_t i = 0; i < count; i++) {
    lin_block at = uses[i] == LIN_NONE ? LIN_NONE : order->number[uses[i]];
    if ((at == LIN_NONE || !is_in(f, region, at) || at <= voter) && !is_only_way(f, region, voter))
      return false;
  }
  return true;
}

// Adds what copies of the region's blocks would run; UINT32_MAX if it may not be copied.
static uint32_t count_copied(const finder *f, uint32_t region, lin_block voter, lin_edit *edit) {
  const lin_loops *loops = f->v->analysis->loops;
  uint32_t cost = 0;
  lin_block *copied = LIN_ARRAY(f->arena, lin_block, f->graph->num_blocks);
  for (lin_block block = voter + 1; block < f->graph->num_blocks; block++) {
    if (!is_in(f, region, block))
      continue;
    lin_block origin = f->v->order->origin[block];
    bool irreducible = loops->irreducible[loops->loop_of[block]] &&
                       !lin_loop_contains(loops, loops->loop_of[block], voter);
    uint32_t here =
        origin >= f->front->num_blocks || irreducible || (f->graph->flags[block] & KEPT_OUT) != 0
            ? UINT32_MAX
            : f->front->cost_of_copy(f->front->context, origin, LIN_MOST_TWICE);
    if (here > LIN_MOST_TWICE || cost + here > LIN_MOST_TWICE ||
        !stays_inside(f, region, voter, block))
      return UINT32_MAX;
    cost += here;
    copied[edit->count++] = origin;
  }
  edit->from = copied;
  return cost;
}

// The chance that all threads of a warp are sent the same way; those of a branch that nobody knows
// anything of go each way as often.
static double chance_to_agree(const finder *f, lin_block block) {
  double chance = 0, ways = lin_out_degree(f->graph, block);
  for (LIN_OUT_EDGES(f->graph, block, edge)) {
    double share = f->ways->told[edge] ? f->ways->share[edge] : 1 / ways, all = 1;
    for (unsigned lane = 0; lane < LIN_WARP; lane++)
      all *= share;
    chance += all;
  }
  return chance;
}

static bool pays(const finder *f, lin_block voter, const lin_estimate *estimate) {
  uint32_t vote = f->front->cost_of_vote(f->front->context, f->v->order->origin[voter]);
  if (vote == UINT32_MAX || f->v->regardless)
    return vote != UINT32_MAX;
  return vote <= LIN_MOST_OF_GAIN * (estimate->saved - estimate->guards) &&
         vote <= LIN_MOST_OF_GUARDS * estimate->guards &&
         chance_to_agree(f, voter) <= LIN_MOST_OF_GAIN;
}

lin_edits *lin_votes_find(lin_arena *arena, const lin_front *front, const lin_voting *voting) {
  const lin_regions *regions = voting->regions;
  lin_edits *found = LIN_NEW(arena, lin_edits);
  // Shares are those of the graph itself, where ptxas has the same loops.
  if (!voting->divergence_known || front->cost_of_vote == NULL ||
      voting->joins->compiled != voting->analysis)
    return found;
  finder f = {.arena = arena,
              .front = front,
              .v = voting,
              .graph = voting->analysis->graph,
              .ways = lin_ways_find(arena, voting->analysis, voting->joins)};
  const lin_estimate *estimate =
      lin_estimate_regions(arena, voting->analysis, voting->joins, f.ways, regions, voting->seed);
  uint32_t room = 0;
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    lin_block voter = regions->gone[region] || regions->parent[region] != LIN_NONE
                          ? LIN_NONE
                          : find_voter(&f, region);
    if (voter == LIN_NONE || !pays(&f, voter, &estimate[region]))
      continue;
    lin_edit edit = {.kind = LIN_EDIT_VOTE,
                     .block = voting->order->origin[voter],
                     .to = LIN_NONE,
                     .rest = LIN_NONE,
                     .exit = LIN_NONE,
                     .place = LIN_NONE};
    edit.cost = count_copied(&f, region, voter, &edit);
    if (edit.cost == UINT32_MAX)
      continue;
    found->edit = LIN_ROOM(arena, found->edit, found->count, &room);
    found->edit[found->count++] = edit;
  }
  return found;
}
