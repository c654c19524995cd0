#include "traffic.h"

#include "gpu/target.h"

#include <math.h>
#include <string.h>

lin_traffic lin_traffic_new(lin_arena *arena, uint32_t count) {
  return (lin_traffic){LIN_ARRAY(arena, double, count),
                       LIN_ARRAY(arena, double, count),
                       LIN_ARRAY(arena, double, count),
                       LIN_ARRAY(arena, double, count),
                       LIN_ARRAY(arena, double, count),
                       LIN_ARRAY(arena, double, count),
                       false};
}

static lin_block find_block(const lin_graph *graph, const char *name, lin_block from) {
  for (lin_block i = 0; i < graph->num_blocks; i++) {
    const lin_block b = (from + i) % graph->num_blocks;
    if (strcmp(graph->name[b], name) == 0)
      return b;
  }
  return LIN_NONE;
}

// Of each block of the launch its number in the graph; NULL if they are of different code. Mostly
// the next one is near.
static lin_block *match(lin_arena *arena, const lin_graph *graph, const lin_counts_launch *launch) {
  lin_block *number = LIN_ARRAY(arena, lin_block, launch->num_blocks), last = 0;
  for (uint32_t i = 0; i < launch->num_blocks; i++) {
    number[i] = LIN_NONE;
    if (strcmp(launch->blocks[i].function, lin_counted_name(graph)) != 0)
      continue; // of a function that the kernel calls
    number[i] = last = find_block(graph, launch->blocks[i].name, last);
    if (last == LIN_NONE)
      return NULL;
  }
  return number;
}

// The vectors of a thread block's threads, one after the other, and what they do at most.
typedef struct block_sum {
  const lin_counts_launch *launch;
  const lin_block *number;
  lin_traffic *flow;
  double *most, *most_of_warp; // [blocks of the launch]
  uint64_t size, warps, left;
} block_sum;

static void add_threads(block_sum *s, const uint64_t *vector, uint64_t count) {
  for (uint32_t i = 0; i < s->launch->num_blocks; i++) {
    const double entries = (double)vector[i];
    if (s->number[i] == LIN_NONE)
      continue;
    s->flow->threads[s->number[i]] += entries * (double)count;
    s->flow->some[s->number[i]] += entries > 0 ? (double)count : 0;
    s->most[i] = fmax(s->most[i], entries);
    s->most_of_warp[i] = fmax(s->most_of_warp[i], entries);
  }
}

// `warps` that did the same.
static void end_warps(block_sum *s, uint64_t warps) {
  for (uint32_t i = 0; i < s->launch->num_blocks; i++) {
    if (s->number[i] != LIN_NONE)
      s->flow->slowest[s->number[i]] += s->most_of_warp[i] * (double)warps;
    s->most_of_warp[i] = 0;
  }
}

// As many of `left` threads that did the same as are in one warp, or in warps that are all theirs.
static uint64_t part_of(const block_sum *s, uint64_t left) {
  const uint64_t in_warp = (s->size - s->left) % LIN_WARP,
                 in_block = left < s->left ? left : s->left;
  const uint64_t rest = LIN_WARP - in_warp;
  if (in_warp == 0 && in_block >= LIN_WARP)
    return in_block / LIN_WARP * LIN_WARP;
  return in_block < rest ? in_block : rest;
}

static void end_block(block_sum *s) {
  for (uint32_t i = 0; i < s->launch->num_blocks; i++) {
    if (s->number[i] != LIN_NONE) {
      s->flow->rounds[s->number[i]] += s->most[i];
      s->flow->turns[s->number[i]] += s->most[i] * (double)s->warps;
    }
    s->most[i] = 0;
  }
  s->left = s->size;
}

static uint32_t known_threads(const lin_counts_run *run) {
  return run->vector == LIN_COUNTS_UNKNOWN ? 0 : run->num_threads;
}

static void add_launch(lin_arena *arena, const lin_counts_launch *launch, const lin_block *number,
                       lin_traffic *flow) {
  const uint64_t size = lin_counts_block_threads(launch);
  block_sum s = {launch,
                 number,
                 flow,
                 LIN_ARRAY(arena, double, launch->num_blocks),
                 LIN_ARRAY(arena, double, launch->num_blocks),
                 size,
                 (size + LIN_WARP - 1) / LIN_WARP,
                 size};
  for (uint32_t run = 0; run < launch->num_runs; run++)
    for (uint64_t left = known_threads(&launch->run[run]); left > 0;) {
      const uint64_t part = part_of(&s, left), warps = part / LIN_WARP;
      add_threads(&s, launch->vector + (size_t)launch->run[run].vector * launch->num_blocks, part);
      left -= part;
      s.left -= part;
      if (s.left == 0 || (s.size - s.left) % LIN_WARP == 0)
        end_warps(&s, warps == 0 ? 1 : warps);
      if (s.left == 0)
        end_block(&s);
    }
  for (uint32_t i = 0; i < launch->num_blocks; i++)
    if (number[i] != LIN_NONE)
      flow->passes[number[i]] += (double)launch->passes[i];
}

// Whether of each thread block all is known, or nothing: it wasn't counted.
static bool has_whole_blocks(const lin_counts_launch *launch) {
  const uint64_t size = lin_counts_block_threads(launch);
  uint64_t start = 0, known = 0;
  for (uint32_t run = 0; run < launch->num_runs; run++) {
    const lin_counts_run *r = &launch->run[run];
    if (r->vector == LIN_COUNTS_UNKNOWN && (start % size != 0 || r->num_threads % size != 0))
      return false;
    start += r->num_threads;
    known += known_threads(r);
  }
  return known > 0;
}

lin_traffic_launches lin_traffic_find_launches(lin_arena *arena, const lin_graph *graph,
                                               const lin_counts *counts) {
  lin_traffic_launches found = {LIN_ARRAY(arena, const lin_counts_launch *, counts->num_launches),
                                LIN_ARRAY(arena, const lin_block *, counts->num_launches), 0};
  for (uint32_t i = 0; i < counts->num_launches; i++)
    if (strcmp(counts->launch[i].kernel, lin_counted_name(graph)) == 0) {
      found.launch[found.count] = &counts->launch[i];
      found.number[found.count++] = match(arena, graph, &counts->launch[i]);
    }
  return found;
}

bool lin_traffic_count(lin_arena *arena, const lin_graph *graph, const lin_counts *counts,
                       lin_traffic *flow, const char **reason) {
  const lin_traffic_launches of_kernel = lin_traffic_find_launches(arena, graph, counts);
  bool found = false;
  *flow = lin_traffic_new(arena, graph->num_blocks);
  *reason = "it doesn't know the kernel";
  for (uint32_t i = 0; i < of_kernel.count; i++) {
    const lin_counts_launch *launch = of_kernel.launch[i];
    if (of_kernel.number[i] == NULL)
      *reason = "it is of other code";
    else if (launch->passes == NULL)
      *reason = "it doesn't say how often warps enter blocks: count with -linearize-count-passes";
    else if (!has_whole_blocks(launch))
      *reason = "of some threads of a block it knows nothing";
    else {
      add_launch(arena, launch, of_kernel.number[i], flow);
      found = true;
    }
  }
  return found;
}

lin_visits *lin_traffic_visits(lin_arena *arena, const lin_traffic *flow, uint32_t num_blocks) {
  lin_visits *visits = LIN_ARRAY(arena, lin_visits, num_blocks);
  for (lin_block b = 0; b < num_blocks; b++)
    visits[b] = (lin_visits){flow->threads[b], flow->passes[b], flow->slowest[b], flow->some[b]};
  return visits;
}

void lin_traffic_read_visits(lin_arena *arena, const lin_profile *profile, lin_graph *graph) {
  const lin_counts *launches = lin_profile_launches(profile);
  lin_traffic flow;
  const char *reason;
  if (launches != NULL && lin_traffic_count(arena, graph, launches, &flow, &reason))
    graph->visits = lin_traffic_visits(arena, &flow, graph->num_blocks);
}

// What each thread has of a block: at most, and whether all have a multiple of so much.
typedef struct range {
  uint64_t most;
  bool is_multiple;
} range;

static range find_range(const lin_counts_launch *launch, const lin_block *number, lin_block block,
                        uint32_t of) {
  range r = {0, of > 0};
  for (uint32_t i = 0; i < launch->num_blocks; i++)
    for (uint32_t v = 0; v < launch->num_vectors && number[i] == block; v++) {
      const uint64_t entries = launch->vector[(size_t)v * launch->num_blocks + i];
      r.most = entries > r.most ? entries : r.most;
      r.is_multiple = r.is_multiple && entries % of == 0;
    }
  return r;
}

bool lin_traffic_knows_entries(const lin_traffic_launches *launches, const lin_graph *graph,
                               lin_block from, lin_block header) {
  const uint32_t trips = graph->most_trips[header];
  bool once = true, is_multiple = true;
  for (uint32_t i = 0; i < launches->count; i++) {
    const lin_counts_launch *launch = launches->launch[i];
    const lin_block *number = launches->number[i];
    if (number == NULL)
      return false;
    once = once && find_range(launch, number, from, 1).most <= 1;
    is_multiple = is_multiple && find_range(launch, number, header, trips).is_multiple;
  }
  return once || is_multiple;
}

void lin_traffic_count_front(const lin_graph *graph, lin_block front, lin_traffic *flow) {
  const lin_block header = graph->destination[graph->first_edge[front]],
                  from = graph->source[graph->in_edge[graph->first_in[front]]];
  if (flow->threads[from] == 0)
    return;
  if (flow->threads[from] > flow->some[from]) { // some have been there twice
    const double trips = graph->most_trips[header];
    flow->threads[front] = flow->threads[header] / trips;
    flow->passes[front] = flow->passes[header] / trips;
    flow->rounds[front] = flow->rounds[header] / trips;
    flow->turns[front] = flow->turns[header] / trips;
    return;
  }
  double share = flow->some[header] / flow->threads[from];
  share = share < 1 ? share : 1; // of other code with these names it may be anything
  flow->threads[front] = flow->some[header];
  flow->passes[front] =
      flow->passes[from] * (1 - pow(1 - share, flow->threads[from] / flow->passes[from]));
  flow->rounds[front] = flow->rounds[from];
  flow->turns[front] = flow->turns[from];
}
