// 1. Shares, from block to block, with how often a thread comes to each: exits of loops need it.
// 2. How often loops go around, where weights say so, once all of their blocks are done.
// 3. Crowds.
#include "ways.h"

#include "gpu/target.h"
#include "trip_counts.h"

#include <math.h>

// Of loops that are nested deeper than DEEPEST_LOOP, the iterations are left out: each
// loop's blocks are gone through.
enum { DEEPEST_LOOP = 64 };
static const double lanes = LIN_WARP, usual_trips = LIN_USUAL_TRIPS;

typedef struct finder {
  const lin_analysis *a;
  const lin_joins *joins;
  lin_ways *ways;
  const lin_ways *given;  // shares that are known; NULL: none
  uint32_t *untold_exits; // [num_loops] edges out of it, and of none around it, of which no weights
                          // say how often
  double *behind;         // [num_blocks] instructions of the block and all that it dominates, those
                          // of loops as often as they usually go around
  double *way;            // [num_blocks] scratch: of a block's threads, those that go there
  double *often;          // [num_blocks] a thread comes there, in one iteration of all loops around
  double *unthinned;      // [num_loops] its crowd when it is entered, over that in an iteration
  uint32_t *entries;      // [num_blocks] edges that lead forward to the block
  double *usual;          // [num_loops] iterations of it and all around it
  bool *thin;             // [num_loops] some of a warp's threads have left it, by a guess
} finder;

static double any_told(double share, double threads) {
  double nobody = 1, one = 1 - share;
  unsigned whole = (unsigned)threads;
  double rest = 1 - (threads - whole) * share;
  for (unsigned left = whole; left > 0; left /= 2, one *= one)
    if (left % 2 == 1)
      nobody *= one;
  return 1 - nobody * rest;
}

static double any_untold(double share, uint32_t balls, double threads) {
  double nobody = 1, others = (1 - share) * balls;
  unsigned drawn = 0;
  for (; drawn + 1 <= threads; drawn++)
    nobody *= (others + drawn) / (balls + drawn);
  return 1 - nobody * (1 - (threads - drawn) * (1 - (others + drawn) / (balls + drawn)));
}

// A pass has no more threads than a warp, whatever sums of guesses say.
static double of_warp(double threads) { return threads < lanes ? threads : lanes; }

double lin_ways_any(const lin_analysis *a, const lin_joins *joins, const lin_ways *ways,
                    lin_edge edge, double threads) {
  lin_block from = a->graph->source[edge];
  double share = ways->share[edge];
  threads = of_warp(threads);
  bool together =
      (a->graph->flags[from] & LIN_COHERENT) != 0 || !lin_joins_is_parted(joins, from, from + 1);
  if (share >= 1 || threads <= 1 || together)
    return share < 1 ? share : 1;
  return ways->told[edge] ? any_told(share, threads)
                          : any_untold(share, lin_out_degree(a->graph, from) + 1, threads);
}

double lin_ways_trips(const lin_ways *ways, uint32_t loop, double threads) {
  if (ways->parts[loop] <= 0)
    return ways->trips[loop];
  double sum = 1;
  unsigned number = 2, whole = (unsigned)of_warp(threads);
  for (; number <= whole; number++)
    sum += 1.0 / number;
  if (threads > 1)
    sum += (of_warp(threads) - (number - 1)) / number;
  return 1 + (ways->trips[loop] - 1) * (1 + ways->parts[loop] * (sum - 1));
}

double lin_ways_harmonic(double n) {
  const double euler = 0.5772156649;
  return n < 2 ? 1 + (n - 1) / 2 : log(n) + euler + 1 / (2 * n);
}

lin_block lin_ways_above(const lin_analysis *a, lin_block block) {
  const lin_loops *loops = a->loops;
  lin_block above = a->dominators->parent[block];
  for (uint32_t loop = loops->loop_of[above]; !lin_loop_contains(loops, loop, block);
       loop = loops->tree->parent[loop])
    above = loops->header[loop];
  return above;
}

// ---- 1.

static bool leaves(const lin_analysis *a, uint32_t loop, lin_edge edge) {
  return loop != 0 && !lin_loop_contains(a->loops, loop, a->graph->destination[edge]);
}

static bool is_weighed(const lin_graph *graph, lin_block block) {
  for (LIN_OUT_EDGES(graph, block, edge))
    if (graph->weight[edge] != 0)
      return true;
  return lin_out_degree(graph, block) == 1;
}

static void find_untold_exits(finder *f) {
  const lin_analysis *a = f->a;
  for (lin_block from = 0; from < a->graph->num_blocks; from++) {
    bool told = is_weighed(a->graph, from);
    for (LIN_OUT_EDGES(a->graph, from, edge)) {
      if (a->postdominators->doomed[edge])
        continue;
      uint32_t last = 0;
      for (uint32_t loop = a->loops->loop_of[from]; leaves(a, loop, edge);
           loop = a->loops->tree->parent[loop]) {
        f->ways->guessed[loop] |= !told;
        last = loop;
      }
      f->untold_exits[last] += !told;
    }
  }
}

// In a loop with several entries nobody waits for those that come by others, and in a `continue`
// loop of two (gpu/iterations.h) the iterations may have no common end. Where several edges go back
// in any other loop, threads that are apart in one iteration seldom stay so: as if they did, `mum`
// of clang's PTX is linearized, and warps run 1.27 times as much (scripts/lib/machine.py,
// 2026-11-24). In lock step, threads meet at the branch's immediate post-dominator alone, which may
// lie behind the loop.
static void find_scattering(finder *f) {
  const lin_analysis *a = f->a;
  const lin_loops *loops = a->loops;
  for (uint32_t loop = 0; loop < loops->num_loops; loop++)
    f->ways->scatters[loop] = loops->irreducible[loop];
  for (lin_block block = 0; a == f->joins->compiled && block < a->graph->num_blocks; block++)
    if (f->joins->inner[block] != LIN_NONE) {
      uint32_t loop = loops->loop_of[f->joins->inner[block]];
      f->ways->scatters[loop] |= f->joins->apart[loop];
    }
  for (lin_block block = 0; f->joins->lock_step && block < a->graph->num_blocks; block++) {
    lin_block meet = a->postdominators->tree->parent[block];
    if (!lin_joins_is_parted(f->joins, block, block + 1))
      continue;
    for (uint32_t loop = loops->loop_of[block]; loop != 0; loop = loops->tree->parent[loop]) {
      uint32_t stay = 0;
      for (LIN_OUT_EDGES(a->graph, block, edge))
        stay += !leaves(a, loop, edge);
      if (stay > 1 && (meet >= a->graph->num_blocks || !lin_loop_contains(loops, loop, meet)))
        f->ways->scatters[loop] = true;
    }
  }
}

// What only those run that take `edge`.
static double cost_of_way(const finder *f, lin_edge edge) {
  lin_block to = f->a->graph->destination[edge];
  bool only = f->a->dominators->parent[to] == f->a->graph->source[edge] && f->entries[to] == 1;
  return only ? f->behind[to] : 0;
}

static void sum_costs(finder *f) {
  const lin_graph *graph = f->a->graph;
  const lin_loops *loops = f->a->loops;
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    f->entries[graph->destination[edge]] += graph->source[edge] < graph->destination[edge];
  for (uint32_t loop = 0; loop < loops->num_loops; loop++) // parents come first
    f->usual[loop] = loop == 0 ? 1 : f->usual[loops->tree->parent[loop]] * usual_trips;
  for (lin_block block = graph->num_blocks; block-- > 0;) {
    f->behind[block] += graph->cost[block] * f->usual[loops->loop_of[block]];
    if (block > 0)
      f->behind[f->a->dominators->parent[block]] += f->behind[block];
  }
}

// Of an exit of loops that nobody tells of; at most `even`.
static double share_of_exit(const finder *f, lin_edge edge, double even) {
  const lin_loops *loops = f->a->loops;
  lin_block from = f->a->graph->source[edge];
  if (f->often[from] <= 0)
    return even;
  double share = f->often[loops->header[loops->loop_of[from]]] / f->often[from];
  uint32_t exits = 1;
  for (uint32_t loop = loops->loop_of[from]; leaves(f->a, loop, edge);
       loop = loops->tree->parent[loop]) {
    share /= usual_trips;
    exits = f->untold_exits[loop];
  }
  return share / exits < even ? share / exits : even;
}

static void find_untold_shares(finder *f, lin_block block) {
  const lin_graph *graph = f->a->graph;
  const bool *doomed = f->a->postdominators->doomed;
  uint32_t loop = f->a->loops->loop_of[block], stay = 0;
  double even = 1.0 / lin_out_degree(graph, block), left = 0, cost = 0;
  for (LIN_OUT_EDGES(graph, block, edge)) {
    bool is_exit = !doomed[edge] && leaves(f->a, loop, edge);
    f->ways->share[edge] = is_exit ? share_of_exit(f, edge, even) : 0;
    f->ways->told[edge] = is_exit;
    left += f->ways->share[edge];
    stay += !doomed[edge] && !is_exit;
    cost += doomed[edge] || is_exit ? 0 : cost_of_way(f, edge);
  }
  for (LIN_OUT_EDGES(graph, block, edge)) {
    if (stay > 0 && !doomed[edge] && !leaves(f->a, loop, edge))
      f->ways->share[edge] =
          (1 - left) * (cost > 0 ? (1 + cost_of_way(f, edge) / cost) / (stay + 1) : 1.0 / stay);
    else if (stay == 0)
      f->ways->share[edge] = left > 0 ? f->ways->share[edge] / left : even;
  }
}

static void take_shares(const finder *f, lin_block block) {
  for (LIN_OUT_EDGES(f->a->graph, block, edge)) {
    f->ways->share[edge] = f->given->share[edge];
    f->ways->told[edge] = f->given->told[edge];
  }
}

static void find_shares(finder *f, lin_block block) {
  if (f->given != NULL) {
    take_shares(f, block);
    return;
  }
  const lin_graph *graph = f->a->graph;
  double *share = f->ways->share;
  uint64_t all = 0;
  for (LIN_OUT_EDGES(graph, block, edge))
    all += graph->weight[edge];
  if (all == 0)
    find_untold_shares(f, block);
  for (LIN_OUT_EDGES(graph, block, edge)) {
    f->ways->told[edge] |= all > 0;
    if (all > 0)
      share[edge] = (double)graph->weight[edge] / (double)all;
    f->way[graph->destination[edge]] += share[edge];
  }
  for (LIN_OUT_EDGES(graph, block, edge)) {
    share[edge] = f->way[graph->destination[edge]];
    f->way[graph->destination[edge]] = 0;
  }
}

// ---- 2.

// The threads on an edge, in all iterations of the loops that they leave by it; `end` is one of
// them.
static double often_on(const finder *f, lin_edge edge, uint32_t end) {
  const lin_loops *loops = f->a->loops;
  lin_block from = f->a->graph->source[edge];
  double often = f->often[from] * f->ways->share[edge];
  for (uint32_t loop = loops->loop_of[from]; loop != end && leaves(f->a, loop, edge);
       loop = loops->tree->parent[loop])
    often *= f->ways->trips[loop];
  return often;
}

static void finish_loop(finder *f, uint32_t loop, lin_block end) {
  const lin_graph *graph = f->a->graph;
  lin_block header = f->a->loops->header[loop];
  double enter = 0, leave = 0, part = 0;
  for (lin_block block = header; block < end; block++) {
    for (LIN_IN_EDGES(graph, block, i))
      if (graph->source[graph->in_edge[i]] < header)
        enter += often_on(f, graph->in_edge[i], 0);
    bool parts = lin_joins_is_parted(f->joins, block, block + 1);
    for (LIN_OUT_EDGES(graph, block, edge)) {
      double left = leaves(f->a, loop, edge) ? often_on(f, edge, loop) : 0;
      leave += left;
      part += parts ? left : 0;
    }
  }
  f->ways->trips[loop] = enter > leave && leave > 0 ? enter / leave : 1;
  f->ways->parts[loop] = leave > 0 ? part / leave : 0;
}

// Everything about `block`, once all blocks before it are done. What comes around a loop doesn't
// count.
static void count_threads(finder *f, lin_block block) {
  const lin_graph *graph = f->a->graph;
  const lin_loops *loops = f->a->loops;
  lin_block above = f->a->dominators->parent[block];
  for (uint32_t loop = loops->loop_of[block - 1]; !lin_loop_contains(loops, loop, block);
       loop = loops->tree->parent[loop])
    if (loops->tree->depth[loop] <= DEEPEST_LOOP)
      finish_loop(f, loop, block);
  if (lin_tree_contains(f->a->postdominators->tree, block, above)) {
    f->often[block] = f->often[above];
    return;
  }
  for (LIN_IN_EDGES(graph, block, i))
    if (graph->source[graph->in_edge[i]] < block)
      f->often[block] += often_on(f, graph->in_edge[i], 0);
}

// ---- 3.

static double crowd_on(const finder *f, lin_edge edge) {
  double crowd = f->ways->crowd[f->a->graph->source[edge]];
  if (!f->ways->told[edge])
    return crowd;
  double any = lin_ways_any(f->a, f->joins, f->ways, edge, crowd);
  double left = any > 0 ? crowd * f->ways->share[edge] / any : 0;
  return left > 1 ? left : 1;
}

static double crowd_at(const finder *f, lin_block block) {
  const lin_graph *graph = f->a->graph;
  const lin_loops *loops = f->a->loops;
  lin_block dominator = f->a->dominators->parent[block], above = lin_ways_above(f->a, block);
  if (lin_tree_contains(f->a->postdominators->tree, block, dominator))
    return f->ways->crowd[above] * (above == dominator ? 1 : f->unthinned[loops->loop_of[above]]);
  double most = 1;
  for (LIN_IN_EDGES(graph, block, i)) {
    lin_edge edge = graph->in_edge[i];
    double crowd = graph->source[edge] < block ? crowd_on(f, edge) : 0;
    most = crowd > most ? crowd : most;
  }
  return most;
}

static void count_crowd(finder *f, lin_block block) {
  const lin_loops *loops = f->a->loops;
  lin_ways *ways = f->ways;
  uint32_t loop = loops->loop_of[block];
  ways->crowd[block] = block == 0 ? lanes : crowd_at(f, block);
  if (loop == 0 || loops->header[loop] != block)
    return;
  bool is_thin = f->thin[loops->tree->parent[loop]], guessed = ways->guessed[loop];
  if (guessed && is_thin)
    ways->parts[loop] = 0;
  f->unthinned[loop] = lin_ways_trips(ways, loop, ways->crowd[block]) / ways->trips[loop];
  ways->crowd[block] /= f->unthinned[loop];
  f->thin[loop] = is_thin || (guessed && ways->parts[loop] > 0);
}

static lin_ways *find(lin_arena *arena, const lin_analysis *a, const lin_joins *joins,
                      const lin_ways *given) {
  uint32_t n = a->graph->num_blocks, edges = a->graph->num_edges, loops = a->loops->num_loops;
  lin_ways *ways = LIN_NEW(arena, lin_ways);
  *ways = (lin_ways){.share = LIN_ARRAY(arena, double, edges),
                     .told = LIN_ARRAY(arena, bool, edges),
                     .trips = LIN_ARRAY(arena, double, loops),
                     .parts = LIN_ARRAY(arena, double, loops),
                     .scatters = LIN_ARRAY(arena, bool, loops),
                     .guessed = LIN_ARRAY(arena, bool, loops),
                     .crowd = LIN_ARRAY(arena, double, n)};
  finder f = {.a = a,
              .joins = joins,
              .ways = ways,
              .given = given,
              .untold_exits = LIN_ARRAY(arena, uint32_t, loops),
              .behind = LIN_ARRAY(arena, double, n),
              .entries = LIN_ARRAY(arena, uint32_t, n),
              .usual = LIN_ARRAY(arena, double, loops),
              .way = LIN_ARRAY(arena, double, n),
              .often = LIN_ARRAY(arena, double, n),
              .unthinned = LIN_ARRAY(arena, double, loops),
              .thin = LIN_ARRAY(arena, bool, loops)};
  sum_costs(&f);
  find_untold_exits(&f);
  find_scattering(&f);
  for (uint32_t loop = 0; loop < loops; loop++)
    ways->trips[loop] = 1;
  for (lin_block block = 0; block < n; block++) {
    f.often[block] = block == 0;
    if (block > 0)
      count_threads(&f, block);
    find_shares(&f, block);
  }
  for (lin_block block = 0; block < n; block++)
    count_crowd(&f, block);
  return ways;
}

lin_ways *lin_ways_find(lin_arena *arena, const lin_analysis *a, const lin_joins *joins) {
  return find(arena, a, joins, NULL);
}

lin_ways *lin_ways_apart(lin_arena *arena, const lin_analysis *a, const lin_joins *joins,
                         const lin_ways *compiled) {
  return find(arena, a, joins, compiled);
}
