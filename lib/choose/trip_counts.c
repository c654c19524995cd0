// Inner loops first: a thread begins an iteration at the header, and what comes to each block is
// what the blocks before it send there. To an inner loop's header it comes as often as that loop
// goes around, and all that goes in comes out again.
#include "trip_counts.h"

// Iterations. No thread is expected to need MOST_TRIPS, whatever weights say: costs stay finite.
// Where a loop can have more than MANY_TRIPS, that is its counter's type, and says nothing: with
// 256 to 4096 warps run alike, with 16 and 64 1.3% more on the half of the kernels that is looked
// at and 1.0% less on the other (`scripts/calibrate MANY_TRIPS`, 2026-11-24).
enum { MOST_TRIPS = 1000000, MANY_TRIPS = 1000 };

// Of the iterations that a loop can have at most, those that a thread is taken to need in the mean:
// where they are few, up to twice the usual, and where another exit than the usual one bounds them.
// (Of a loop that is counted, half: as if each number of them were as likely.) With 1.0 for few,
// all of them, warps run 0.9% less on the half that is looked at, and the same on the other: not
// changed, for nobody has timed it. Of 0.03 to 1.0 for many, 0.125 is best. (`scripts/calibrate
// PART_OF_FEW PART_OF_MANY`, 2026-11-24.)
#define PART_OF_FEW 0.75
#define PART_OF_MANY 0.125

typedef struct counting {
  const lin_analysis *a;
  lin_trip_counts *trips;
  double *left;  // [num_loops] the part of an iteration's threads that leaves the loop
  double *times; // [num_blocks] how often a block is run in an iteration of the loop at hand
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
      scale /= c->trips->trips[at] * c->left[at];
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

// How often a loop goes around of which no weights say so.
static double guess(const counting *c, uint32_t loop) {
  lin_block header = c->a->loops->header[loop];
  uint32_t most = c->a->graph->most_trips[header];
  bool counted = (c->a->graph->flags[header] & LIN_COUNTED) != 0;
  if (most == 0 || most > MANY_TRIPS)
    return LIN_USUAL_TRIPS;
  double trips = counted                       ? most / 2.0
                 : most <= 2 * LIN_USUAL_TRIPS ? PART_OF_FEW * most
                                               : PART_OF_MANY * most;
  double least = counted || most <= 2 * LIN_USUAL_TRIPS ? 1 : LIN_USUAL_TRIPS;
  return trips < least ? least : trips;
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
        c->trips->entered[inner] = c->times[block];
      c->times[block] *= c->trips->trips[inner];
    }
    c->trips->cost[loop] += c->times[block] * graph->cost[block];
    known &= send_on(c, loop, block);
  }
  double trips = known && c->left[loop] > 0 ? 1 / c->left[loop] : guess(c, loop), most = MOST_TRIPS;
  c->trips->trips[loop] = loop == 0 ? 1 : trips < most ? trips : most;
}

lin_trip_counts *lin_trip_counts_build(lin_arena *arena, const lin_analysis *analysis) {
  const lin_loops *loops = analysis->loops;
  uint32_t n = analysis->graph->num_blocks;
  lin_trip_counts *trips = LIN_NEW(arena, lin_trip_counts);
  trips->trips = LIN_ARRAY(arena, double, loops->num_loops);
  trips->cost = LIN_ARRAY(arena, double, loops->num_loops);
  trips->entered = LIN_ARRAY(arena, double, loops->num_loops);
  counting c = {.a = analysis,
                .trips = trips,
                .left = LIN_ARRAY(arena, double, loops->num_loops),
                .times = LIN_ARRAY(arena, double, n)};
  for (lin_block block = n; block-- > 0;)
    if (loops->header[loops->loop_of[block]] == block)
      count_loop(&c, loops->loop_of[block]);
  return trips;
}
