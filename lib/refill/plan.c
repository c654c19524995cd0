#include "plan.h"

#include "apart.h"
#include "predict.h"

// An inner loop counts as if it went around ten times.
enum { USUAL_TRIPS = 10, MOST_DEPTH = 6 };

// A look is worth so many instructions of a warp, within limits. Chosen on lookup, tree, active,
// mandelbrot and absorb of bench/refill, for which others are up to 1.4 times as slow
// (bench/results/h200-2026-11-28-refill.txt).
enum { COST_OF_LOOK = 240, LEAST_STEPS = 4, MOST_STEPS = 8 };

// As many lanes wait as cost least. For `idle` of them a fetch, with init and finish, costs `fetch`
// instructions of a warp, and on average half of them miss steps. An item takes the warp
//
//     trips * step / (32 - idle / 2) + fetch / idle
//
// which is least near idle^2 = 2048 * fetch / (trips * step). Where one item of ONE_IN has steps at
// all, fetches cost it so many times as much. The limits, on the same five: with 4 to 8 four of
// them are within 6% of their best; mandelbrot gains 1.39 with 8, 1.31 with 12, 1.17 with 16; but
// active, of which most items return at once, 2.06 with 8, 2.34 with 12, 2.51 with 16.
enum { LEAST_IDLE = 4, MOST_IDLE = 8, MOST_IDLE_OF_FEW = 16, ONE_IN = 4 };

// ---- which loop --------------------------------------------------------------------------------

static uint64_t trips_of(uint32_t depth) {
  uint64_t trips = 1;
  for (uint32_t i = 0; i < depth && i < MOST_DEPTH; i++)
    trips *= USUAL_TRIPS;
  return trips;
}

// What one step of each outermost loop costs.
static uint64_t *find_work(lin_arena *arena, const lin_graph *graph, const lin_loops *loops) {
  uint64_t *work = LIN_ARRAY(arena, uint64_t, loops->num_loops);
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    const uint32_t loop = loops->loop_of[b];
    if (loop != 0)
      work[lin_loops_outermost(loops, b)] +=
          graph->cost[b] * trips_of(loops->tree->depth[loop] - 1);
  }
  return work;
}

static uint32_t find_loop(const lin_loops *loops, const uint64_t *work) {
  uint32_t best = 0;
  for (uint32_t loop = 1; loop < loops->num_loops; loop++)
    if (loops->tree->parent[loop] == 0 && (best == 0 || work[loop] > work[best]))
      best = loop;
  return best;
}

// ---- what is around it -------------------------------------------------------------------------

static bool is_inside(const lin_loops *loops, const lin_refill_plan *p, lin_block block) {
  return lin_loop_contains(loops, p->loop, block);
}

static void find_exits(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                       lin_refill_plan *p) {
  p->exit = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  for (lin_edge e = 0; e < graph->num_edges; e++) {
    const lin_block to = graph->destination[e];
    if (!is_inside(loops, p, graph->source[e]) || is_inside(loops, p, to) ||
        p->number[to] != LIN_NONE)
      continue;
    p->number[to] = p->num_exits;
    p->exit[p->num_exits++] = to;
  }
}

// What those that `reached` has come to outside of the loop.
static void reach(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                  const lin_refill_plan *p, const lin_block *from, uint32_t count, bool *reached) {
  lin_block *list = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  uint32_t length = 0;
  for (uint32_t i = 0; i < count; i++) {
    reached[from[i]] = true;
    list[length++] = from[i];
  }
  while (length > 0) {
    const lin_block block = list[--length];
    for (LIN_OUT_EDGES(graph, block, e)) {
      const lin_block to = graph->destination[e];
      if (reached[to] || is_inside(loops, p, to))
        continue;
      reached[to] = true;
      list[length++] = to;
    }
  }
}

// ---- all of it ---------------------------------------------------------------------------------

static uint32_t choose_steps(uint64_t work) {
  const uint64_t steps = work == 0 ? MOST_STEPS : (COST_OF_LOOK + work - 1) / work;
  return steps < LEAST_STEPS ? LEAST_STEPS : steps > MOST_STEPS ? MOST_STEPS : (uint32_t)steps;
}

// What a fetch takes, with init and finish.
static uint64_t cost_of_fetch(const lin_graph *graph, const lin_loops *loops,
                              const lin_refill_plan *p) {
  uint64_t cost = LIN_REFILL_FETCH;
  for (lin_block b = 0; b < graph->num_blocks; b++)
    if (p->is_init[b] || p->is_finish[b])
      cost += graph->cost[b] * trips_of(loops->tree->depth[loops->loop_of[b]]);
  return cost;
}

static uint32_t choose_idle(uint64_t fetch, uint64_t work, bool is_of_few) {
  enum { LANES = 32 };
  const uint64_t square = 2 * (uint64_t)LANES * LANES * fetch * (is_of_few ? ONE_IN : 1);
  const uint32_t most = is_of_few ? MOST_IDLE_OF_FEW : MOST_IDLE;
  uint32_t idle = LEAST_IDLE;
  while (idle < most && (idle + 1) * (idle + 1) * USUAL_TRIPS * work <= square)
    idle++;
  return idle;
}

lin_refill_plan lin_refill_find(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                                bool regardless) {
  lin_refill_plan p = {.number = LIN_ARRAY(arena, uint32_t, graph->num_blocks),
                       .is_init = LIN_ARRAY(arena, bool, graph->num_blocks),
                       .is_finish = LIN_ARRAY(arena, bool, graph->num_blocks)};
  const uint64_t *work = find_work(arena, graph, loops);
  const lin_block entry = 0;
  p.loop = find_loop(loops, work);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    p.number[b] = LIN_NONE;
  if (p.loop == 0) {
    p.why = "it has no loop";
    return p;
  }
  if (loops->irreducible[p.loop]) {
    p.why = "its loop is irreducible";
    return p;
  }
  find_exits(arena, graph, loops, &p);
  if (p.num_exits == 0) {
    p.why = "its loop has no end";
    return p;
  }
  reach(arena, graph, loops, &p, &entry, 1, p.is_init);
  reach(arena, graph, loops, &p, p.exit, p.num_exits, p.is_finish);
  const bool is_passed = lin_refill_is_passed(arena, graph, loops, p.loop, p.is_init);
  const bool is_left = lin_refill_is_left(arena, graph, loops, p.loop);
  if (!regardless && !is_passed && !is_left) {
    p.why = "its items go around the loop equally often";
    return p;
  }
  p.steps = choose_steps(work[p.loop]);
  p.idle_lanes = choose_idle(cost_of_fetch(graph, loops, &p), work[p.loop], is_passed && !is_left);
  return p;
}
