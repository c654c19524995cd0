#include "votes.h"

#include "estimate.h"
#include "gpu/costs.h"
#include "gpu/target.h"
#include "gpu/whole.h"
#include "linearize/between.h"

typedef struct finder {
  lin_arena *arena;
  const lin_front *front;
  const lin_voting *v;
  const lin_order *order;
  const lin_analysis *a;
  const lin_graph *graph;
  const lin_ways *ways;
  const lin_estimate *estimate; // [num_regions]
  lin_between *between;         // D and P
  bool *taken;                  // [num_blocks] that vote, or are copied
  const bool **whole;           // [num_loops] lin_whole_find, NULL: not yet
} finder;

enum { KEPT_OUT = LIN_WAITS | LIN_CROSS_LANE | LIN_REFUSED | LIN_AGREED };

// The block that votes: D or, where that has one way into the region, the first block behind it
// that has several, if all come there by one way; the same from the entry on, where the region
// begins with that. LIN_NONE: there is none.
static lin_block find_voter(const finder *f, uint32_t region) {
  lin_block above = f->v->regions->dominator[region];
  lin_block at = above == LIN_NONE ? 0 : above;
  while (lin_out_degree(f->graph, at) == 1) {
    at = f->graph->destination[f->graph->first_edge[at]];
    if (lin_in_degree(f->graph, at) != 1 || !lin_region_contains(f->v->regions, region, at))
      return LIN_NONE;
  }
  return (f->graph->flags[at] & LIN_AGREED) == 0 && lin_may_diverge(f->graph, at) ? at : LIN_NONE;
}

// All that lies between the two is copied: the region, and other arms of the branch.
static bool is_copied(const finder *f, lin_block block) {
  return block != f->between->above && f->between->seen[block] == f->between->walk;
}

// Whether P is entered from what is copied alone, and from D.
static bool is_only_way(const finder *f) {
  for (LIN_IN_EDGES(f->graph, f->between->below, i)) {
    lin_block from = f->graph->source[f->graph->in_edge[i]];
    if (from != f->between->above && !is_copied(f, from))
      return false;
  }
  return true;
}

// What the block computes is used in what is copied, or from P on where all of it comes from there.
static bool stays_inside(const finder *f, lin_block block) {
  const lin_order *order = f->order;
  uint32_t count;
  const lin_block *uses = f->front->uses(f->front->context, f->arena, order->origin[block], &count);
  for (uint32_t i = 0; i < count; i++) {
    lin_block at = uses[i] == LIN_NONE ? LIN_NONE : order->number[uses[i]];
    if (at == LIN_NONE)
      return false;
    if (!is_copied(f, at) &&
        !(is_only_way(f) && lin_tree_contains(f->a->dominators, f->between->below, at)))
      return false;
  }
  return true;
}

// Sets from[] of the edit to what is copied, and its cost to what that would run. False if it may
// not be copied, or some of it is copied already.
static bool copy(finder *f, lin_block voter, lin_block below, lin_edit *edit) {
  const lin_loops *loops = f->a->loops;
  if (!lin_between_find(f->between, voter, below, KEPT_OUT, f->graph->num_blocks))
    return false;
  lin_block *copied = LIN_ARRAY(f->arena, lin_block, f->between->count);
  for (lin_block block = 0; block < f->graph->num_blocks; block++) {
    if (!is_copied(f, block))
      continue;
    lin_block origin = f->order->origin[block];
    bool irreducible = loops->irreducible[loops->loop_of[block]] &&
                       !lin_loop_contains(loops, loops->loop_of[block], voter);
    if (origin >= f->front->num_blocks || irreducible || f->taken[block])
      return false;
    uint32_t cost = f->front->cost_of_copy(f->front->context, origin, LIN_MOST_TWICE);
    if (cost > LIN_MOST_TWICE || edit->cost + cost > LIN_MOST_TWICE || !stays_inside(f, block))
      return false;
    edit->cost += cost;
    copied[edit->count++] = origin;
  }
  edit->from = copied;
  below = f->order->origin[below];
  edit->exit = below < f->front->num_blocks ? below : LIN_NONE;
  return true;
}

// No other vote may be among them.
static void take(finder *f, lin_block voter, lin_block who) {
  f->taken[voter] = true;
  if (who != LIN_NONE)
    f->taken[who] = true;
  for (uint32_t i = 0; i < f->between->count; i++)
    f->taken[f->between->block[i]] = true;
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

// In front of the loop, where all that come to the voter later ask who they are; if nothing there
// is to be copied or linearized: LIN_NONE else, or if others may come.
static lin_block find_who(const finder *f, lin_block voter) {
  const lin_loops *loops = f->a->loops;
  uint32_t loop = loops->loop_of[voter];
  lin_block entry = loop == 0 ? LIN_NONE : lin_whole_entry(f->graph, loops, loop);
  if (entry == LIN_NONE || f->taken[entry] || f->v->regions->owner[entry] != LIN_NONE ||
      f->order->origin[entry] >= f->front->num_blocks)
    return LIN_NONE;
  if (f->whole[loop] == NULL)
    f->whole[loop] = lin_whole_find(f->arena, f->graph, loops, f->a->postdominators, loop);
  return f->whole[loop][voter] ? entry : LIN_NONE;
}

// What guards add to the region, but where a switch chooses among them, the operand of which says
// as much (shared_tails: 3 instructions of 18 that are estimated).
static double guards_of(const finder *f, uint32_t region) {
  double guards = f->estimate[region].guards;
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    if (lin_out_degree(f->graph, block) > 2 && lin_region_contains(f->v->regions, region, block))
      for (LIN_OUT_EDGES(f->graph, block, edge))
        guards -= f->a->kinds[edge] != 0 ? LIN_COST_OF_SET : 0;
  return guards;
}

static bool pays(const finder *f, lin_block voter, lin_block who, uint32_t region) {
  const lin_estimate *estimate = &f->estimate[region];
  uint32_t vote =
      f->front->cost_of_vote(f->front->context, f->order->origin[voter], who != LIN_NONE);
  if (vote == UINT32_MAX || f->v->regardless)
    return vote != UINT32_MAX;
  return vote <= LIN_MOST_OF_GAIN * (estimate->saved - estimate->guards) &&
         vote <= LIN_MOST_OF_GUARDS * guards_of(f, region) &&
         chance_to_agree(f, voter) <= LIN_MOST_BY_CHANCE;
}

lin_edits *lin_votes_find(lin_arena *arena, const lin_front *front, const lin_voting *voting) {
  const lin_regions *regions = voting->regions;
  const lin_order *order = voting->shape->order;
  const lin_analysis *a = voting->shape->analysis;
  lin_edits *found = LIN_NEW(arena, lin_edits);
  // Shares are those of the graph itself, where ptxas has the same loops.
  if (!voting->divergence_known || front->cost_of_vote == NULL || voting->joins->compiled != a)
    return found;
  finder f = {.arena = arena,
              .front = front,
              .v = voting,
              .order = order,
              .a = a,
              .graph = a->graph,
              .ways = lin_ways_find(arena, a, voting->joins),
              .between = lin_between_new(arena, a),
              .taken = LIN_ARRAY(arena, bool, a->graph->num_blocks),
              .whole = LIN_ARRAY(arena, const bool *, a->loops->num_loops)};
  f.estimate = lin_estimate_regions(arena, a, voting->joins, f.ways, regions, voting->seed);
  uint32_t room = 0;
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    lin_block voter = regions->gone[region] || regions->parent[region] != LIN_NONE
                          ? LIN_NONE
                          : find_voter(&f, region);
    if (voter == LIN_NONE || f.taken[voter])
      continue;
    lin_block who = find_who(&f, voter);
    if (!pays(&f, voter, who, region))
      continue;
    lin_edit edit = {.kind = LIN_EDIT_VOTE,
                     .block = order->origin[voter],
                     .to = LIN_NONE,
                     .rest = LIN_NONE,
                     .place = LIN_NONE,
                     .who = who == LIN_NONE ? LIN_NONE : order->origin[who]};
    if (!copy(&f, voter, regions->exit[region], &edit))
      continue;
    take(&f, voter, who);
    found->edit = LIN_ROOM(arena, found->edit, found->count, &room);
    found->edit[found->count++] = edit;
  }
  return found;
}
