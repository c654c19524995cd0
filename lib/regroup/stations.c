// 1. Points of one outermost loop get a station together, in the order of the graph.
// 2. Backwards from the points of each station: which blocks reach it and none before.
// 3. In step? From each branch that parts threads to where they meet again: is one of these places
//    between?
// 4. Edges to blocks that reach fewer stations are exits; edges with the same destination and the
//    same first station share a landing. If all that follows is short, returns are ends instead.
// 5. Barriers in blocks that reach a station, unless all pass them before anybody can wait there.
#include "stations.h"

typedef struct finder {
  lin_arena *arena;
  const lin_graph *graph;
  const lin_loops *loops;
  const lin_tree *dominators;
  const lin_postdominators *postdominators;
  const uint8_t *what;
  const bool *parts, *is_alone;
  lin_stations *stations;
  lin_block *stack;
} finder;

// ---- in step

// Whether threads that part at `block` can come to a point or barrier, or to where nobody comes to
// one any more, before they meet again.
static bool parts_before_place(const finder *f, lin_block block, uint32_t *seen, uint32_t stamp) {
  const lin_graph *graph = f->graph;
  const uint32_t *first = f->stations->first;
  lin_block meet = f->postdominators->tree->parent[block];
  uint32_t count = 0;
  f->stack[count++] = block;
  while (count > 0) {
    lin_block at = f->stack[--count];
    for (LIN_OUT_EDGES(graph, at, edge)) {
      lin_block to = graph->destination[edge];
      if (f->postdominators->doomed[edge] && first[to] == f->stations->num_stations)
        continue; // who goes there never comes back
      if (first[to] != first[at])
        return true;
      if (to == meet || seen[to] == stamp)
        continue;
      seen[to] = stamp;
      if (f->what[to] != LIN_PLAIN)
        return true;
      f->stack[count++] = to;
    }
  }
  return false;
}

// Branches in blocks that reach no station are of no matter.
static bool is_in_step(const finder *f) {
  const lin_graph *graph = f->graph;
  if (f->parts == NULL)
    return false;
  uint32_t *seen = LIN_ARRAY(f->arena, uint32_t, graph->num_blocks), stamp = 0;
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    if (!f->parts[b] || f->stations->first[b] >= f->stations->num_stations)
      continue;
    stamp++;
    if (stamp > LIN_MOST_PARTING || parts_before_place(f, b, seen, stamp))
      return false;
  }
  return true;
}

// ---- stations

static void reach_back(const finder *f, lin_block from, uint32_t station) {
  uint32_t *first = f->stations->first, count = 0;
  if (first[from] != LIN_NONE)
    return;
  first[from] = station;
  f->stack[count++] = from;
  while (count > 0) {
    lin_block at = f->stack[--count];
    for (LIN_IN_EDGES(f->graph, at, i)) {
      lin_block before = f->graph->source[f->graph->in_edge[i]];
      if (first[before] == LIN_NONE) {
        first[before] = station;
        f->stack[count++] = before;
      }
    }
  }
}

// `apart`: each point has its own.
static void find_stations(finder *f, bool apart) {
  const lin_graph *graph = f->graph;
  lin_stations *s = f->stations;
  uint32_t last_loop = 0;
  s->num_stations = 0;
  for (lin_block b = 0; b < graph->num_blocks; b++)
    s->first[b] = s->station_of[b] = LIN_NONE;
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    if (f->what[b] != LIN_POINT)
      continue;
    uint32_t loop = lin_loops_outermost(f->loops, b);
    if (apart || loop == 0 || loop != last_loop)
      s->in_loop[s->num_stations++] = loop != 0;
    last_loop = loop;
    s->station_of[b] = s->num_stations - 1;
    reach_back(f, b, s->num_stations - 1);
  }
  for (lin_block b = 0; b < graph->num_blocks; b++)
    if (s->first[b] == LIN_NONE)
      s->first[b] = s->num_stations;
}

// ---- exits

static uint32_t landing(lin_stations *s, uint32_t *last, lin_block block, uint32_t from,
                        uint32_t to) {
  for (uint32_t i = last[block]; i < s->num_landings && s->landing[i].block == block; i++)
    if (s->landing[i].from == from)
      return i;
  if (last[block] == LIN_NONE)
    last[block] = s->num_landings;
  s->landing[s->num_landings] = (lin_landing){block, from, to};
  return s->num_landings++;
}

// The first station that threads have to come to as they take an edge, if it leads to blocks that
// reach none so early. Behind a point that isn't in a loop its station is done with.
static uint32_t first_behind(const finder *f, lin_edge edge) {
  const lin_stations *s = f->stations;
  lin_block from = f->graph->source[edge];
  bool is_done = f->what[from] == LIN_POINT && !s->in_loop[s->station_of[from]];
  return s->first[from] + (is_done ? 1 : 0);
}

// A thread on its way to a trap alone tells nobody: the kernel ends.
static bool is_lost(const finder *f, lin_block block) {
  return f->postdominators->fate[block] == LIN_TRAPS &&
         f->stations->first[block] == f->stations->num_stations;
}

static void find_exits(const finder *f) {
  const lin_graph *graph = f->graph;
  lin_stations *s = f->stations;
  s->landing = LIN_ARRAY(f->arena, lin_landing, graph->num_edges);
  uint32_t *last = LIN_ARRAY(f->arena, uint32_t, graph->num_blocks);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    last[b] = LIN_NONE;
  for (lin_block to = 0; to < graph->num_blocks; to++)
    for (LIN_IN_EDGES(graph, to, i)) {
      lin_edge edge = graph->in_edge[i];
      uint32_t from = first_behind(f, edge);
      if (s->in_step || from >= s->first[to] || is_lost(f, to))
        s->landing_of[edge] = LIN_NONE;
      else
        s->landing_of[edge] = landing(s, last, to, from, s->first[to]);
    }
}

// ---- ends

// Whether all that follows the station is short: what reaches no station.
static bool ends_are_short(const finder *f) {
  const lin_stations *s = f->stations;
  uint64_t cost = 0;
  if (f->is_alone == NULL || s->in_step || s->num_stations != 1 || !s->in_loop[0])
    return false;
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    if (s->first[b] == 0 || is_lost(f, b))
      continue;
    cost += f->graph->cost[b];
    if (!f->is_alone[b] || f->what[b] != LIN_PLAIN || f->loops->loop_of[b] != 0)
      return false;
  }
  return cost <= LIN_SHORT_END;
}

// Threads wait in front of returns, and nowhere before.
static void find_ends(const finder *f) {
  lin_stations *s = f->stations;
  if (!ends_are_short(f))
    return;
  s->has_ends = true;
  s->num_landings = 0;
  for (lin_edge edge = 0; edge < f->graph->num_edges; edge++)
    s->landing_of[edge] = LIN_NONE;
  for (lin_block b = 0; b < f->graph->num_blocks; b++)
    s->is_end[b] = (f->graph->flags[b] & LIN_RETURN) != 0;
}

// ---- barriers

// Whether all pass the barrier before anybody can come to its station from elsewhere.
static bool passes_first(const finder *f, lin_block barrier) {
  const lin_stations *s = f->stations;
  const uint32_t station = s->first[barrier];
  if (f->loops->loop_of[barrier] != 0)
    return false;
  for (lin_block b = 0; b < f->graph->num_blocks; b++)
    if (s->station_of[b] == station && !lin_tree_contains(f->dominators, barrier, b))
      return false;
  for (lin_block b = 0; b < f->graph->num_blocks; b++)
    if (s->is_end[b] && !lin_tree_contains(f->dominators, barrier, b))
      return false;
  for (lin_edge e = 0; e < f->graph->num_edges; e++) {
    if (s->landing_of[e] == LIN_NONE)
      continue;
    const lin_landing *landing = &s->landing[s->landing_of[e]];
    if (landing->from <= station && station < landing->to &&
        !lin_tree_contains(f->dominators, barrier, f->graph->source[e]))
      return false;
  }
  return true;
}

// In reverse: what passes first of the later ones is told of by the earlier ones, not the other way
// round.
static void find_barriers(const finder *f) {
  lin_stations *s = f->stations;
  for (lin_block b = f->graph->num_blocks; b-- > 0;)
    if (f->what[b] == LIN_BARRIER && !s->in_step && s->first[b] < s->num_stations &&
        !passes_first(f, b))
      s->station_of[b] = s->first[b];
}

// ---- all

// A landing's stations have threads waiting at exits; one with two places has labels.
static void find_together(const finder *f) {
  lin_stations *s = f->stations;
  uint32_t *places = LIN_ARRAY(f->arena, uint32_t, s->num_stations + 1);
  for (lin_block b = 0; b < f->graph->num_blocks; b++)
    if (s->station_of[b] != LIN_NONE)
      places[s->station_of[b]]++;
  for (uint32_t i = 0; i < s->num_landings; i++)
    for (uint32_t station = s->landing[i].from; station < s->landing[i].to; station++)
      places[station]++;
  if (s->has_ends)
    places[0]++;
  for (uint32_t i = 0; i < s->num_stations; i++)
    s->is_together[i] = places[i] == 1;
}

lin_stations *lin_stations_find(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                                const lin_tree *dominators,
                                const lin_postdominators *postdominators, const uint8_t *what,
                                const bool *parts, const bool *is_alone) {
  const uint32_t blocks = graph->num_blocks;
  lin_stations *s = LIN_NEW(arena, lin_stations);
  *s = (lin_stations){.first = LIN_ARRAY(arena, uint32_t, blocks),
                      .station_of = LIN_ARRAY(arena, uint32_t, blocks),
                      .in_loop = LIN_ARRAY(arena, bool, blocks),
                      .is_together = LIN_ARRAY(arena, bool, blocks),
                      .is_end = LIN_ARRAY(arena, bool, blocks),
                      .landing_of = LIN_ARRAY(arena, uint32_t, graph->num_edges)};
  finder f = {.arena = arena,
              .graph = graph,
              .loops = loops,
              .dominators = dominators,
              .postdominators = postdominators,
              .what = what,
              .parts = parts,
              .is_alone = is_alone,
              .stations = s,
              .stack = LIN_ARRAY(arena, lin_block, blocks)};
  find_stations(&f, /*apart=*/false);
  s->in_step = is_in_step(&f);
  if (s->in_step)
    find_stations(&f, /*apart=*/true);
  find_exits(&f);
  find_ends(&f);
  find_barriers(&f);
  find_together(&f);
  return s;
}
