// Inner loops first: a thread begins a turn at the header, and what comes to each block is what the
// blocks before it send there. To an inner loop's header it comes as often as that loop turns, and
// all that goes in comes out again.
#include "turns.h"

// Iterations. No thread is expected to need MOST_TURNS, whatever weights say: costs stay finite. Where
// a loop can have more than MANY_TURNS, that is its counter's type, and says nothing.
enum { MOST_TURNS = 1000000, MANY_TURNS = 1000 };

typedef struct counting {
  const lin_analysis *a;
  lin_turns *turns;
  double *left;  // [num_loops] the part of a turn's threads that leaves the loop
  double *times; // [num_blocks] how often a block is run in a turn of the loop at hand
} counting;

static uint64_t sum_weights(const lin_graph *graph, lin_block block) {
  uint64_t sum = 0;
  for (LIN_OUT_EDGES(graph, block, edge))
    sum += graph->weight[edge];
  return sum;
}

// The part of those that leave the inner loops around `from`, up to `loop`, that there should be.
static double scale_of_leaving(const counting *c, uint32_t loop, lin_block from, lin_block to) {
  const lin_loops *loops = c->a->loops;
  double scale = 1;
  for (uint32_t at = loops->loop_of[from]; at != loop && !lin_loop_contains(loops, at, to);
       at = loops->tree->parent[at])
    if (c->left[at] > 0)
      scale /= c->turns->turns[at] * c->left[at];
  return scale;
}

// Sends the threads that run `block` on. Returns false if nobody says how many leave the loop.
static bool send_on(counting *c, uint32_t loop, lin_block block) {
  const lin_graph *graph = c->a->graph;
  uint64_t sum = sum_weights(graph, block);
  bool known = true;
  for (LIN_OUT_EDGES(graph, block, edge)) {
    lin_block to = graph->destination[edge];
    double part =
        sum == 0 ? 1.0 / lin_out_degree(graph, block) : (double)graph->weight[edge] / (double)sum;
    double sent = c->times[block] * part * scale_of_leaving(c, loop, block, to);
    if (!lin_loop_contains(c->a->loops, loop, to)) {
      c->left[loop] += sent;
      known &= sum != 0 || lin_out_degree(graph, block) == 1;
    } else if (to > block) {
      c->times[to] += sent;
    }
  }
  return known;
}

// Of the most turns that a loop can have: most of them where these are few, half of those that are
// counted; an eighth of a limit that others than the usual way out set.
static double guess(const counting *c, uint32_t loop) {
  lin_block header = c->a->loops->header[loop];
  uint32_t most = c->a->graph->most_turns[header];
  bool counted = (c->a->graph->flags[header] & LIN_COUNTED) != 0;
  if (most == 0 || most > MANY_TURNS)
    return LIN_USUAL_TURNS;
  double turns = counted ? most / 2.0 : most <= 2 * LIN_USUAL_TURNS ? 0.75 * most : most / 8.0;
  double least = counted || most <= 2 * LIN_USUAL_TURNS ? 1 : LIN_USUAL_TURNS;
  return turns < least ? least : turns;
}

static void count_loop(counting *c, uint32_t loop) {
  const lin_loops *loops = c->a->loops;
  const lin_graph *graph = c->a->graph;
  lin_block header = loops->header[loop], end = header;
  for (; end < graph->num_blocks && lin_loop_contains(loops, loop, end); end++)
    c->times[end] = 0;
  c->times[header] = 1;
  bool known = true;
  for (lin_block block = header; block < end; block++) {
    uint32_t inner = loops->loop_of[block];
    if (inner != loop && loops->header[inner] == block) {
      if (loops->tree->parent[inner] == loop)
        c->turns->entered[inner] = c->times[block];
      c->times[block] *= c->turns->turns[inner];
    }
    c->turns->cost[loop] += c->times[block] * graph->cost[block];
    known &= send_on(c, loop, block);
  }
  double turns = known && c->left[loop] > 0 ? 1 / c->left[loop] : guess(c, loop), most = MOST_TURNS;
  c->turns->turns[loop] = loop == 0 ? 1 : turns < most ? turns : most;
}

lin_turns *lin_turns_build(lin_arena *arena, const lin_analysis *analysis) {
  const lin_loops *loops = analysis->loops;
  uint32_t n = analysis->graph->num_blocks;
  lin_turns *turns = LIN_NEW(arena, lin_turns);
  turns->turns = LIN_ARRAY(arena, double, loops->num_loops);
  turns->cost = LIN_ARRAY(arena, double, loops->num_loops);
  turns->entered = LIN_ARRAY(arena, double, loops->num_loops);
  counting c = {.a = analysis,
                .turns = turns,
                .left = LIN_ARRAY(arena, double, loops->num_loops),
                .times = LIN_ARRAY(arena, double, n)};
  for (lin_block block = n; block-- > 0;)
    if (loops->header[loops->loop_of[block]] == block)
      count_loop(&c, loops->loop_of[block]);
  return turns;
}
