#include "decode.h"

#include "graph/order.h"
#include "rows.h"
#include "threads/gather.h"

#include <string.h>

static uint64_t count_thread_blocks(const lin_counts_launch *l) {
  return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
}

uint64_t lin_count_slots(const lin_counts_launch *l) {
  return (count_thread_blocks(l) + l->sample - 1) / l->sample * lin_counts_block_threads(l);
}

// The header of the loop around it, which is the entry where there is no other.
static void find_around(const lin_graph *graph, uint32_t first, lin_counts_block *block) {
  lin_arena arena = {0};
  const lin_order *order = lin_order_build(&arena, graph);
  const lin_loops *loops = order->loops;
  for (lin_block b = 0; b < order->graph->num_blocks; b++) {
    uint32_t loop = loops->loop_of[b];
    if (loops->header[loop] == b)
      loop = loop == 0 ? LIN_NONE : loops->tree->parent[loop];
    if (loop != LIN_NONE)
      block[order->origin[b]].around = first + order->origin[loops->header[loop]];
  }
  lin_arena_release(&arena);
}

lin_counts_block *lin_count_blocks(lin_memory *memory, const lin_count_description *d) {
  lin_counts_block *blocks = LIN_HAVE(memory, lin_counts_block, d->num_blocks);
  uint32_t first = 0;
  for (uint32_t i = 0; blocks != NULL && i < d->num_functions; i++) {
    const lin_counted_function *f = &d->function[i];
    for (lin_block b = 0; b < f->graph->num_blocks; b++)
      blocks[first + b] = (lin_counts_block){f->graph->title, f->graph->name[b], f->latency[b],
                                             f->source[b], UINT32_MAX};
    find_around(f->graph, first, blocks + first);
    first += f->graph->num_blocks;
  }
  return blocks;
}

// ---- passes of warps

static void add_passes(const lin_count_description *d, const uint32_t *row, uint64_t *passes) {
  for (uint32_t i = 0; i < d->num_functions; i++) {
    const lin_counted_function *f = &d->function[i];
    for (lin_block b = 0; b < f->graph->num_blocks; b++)
      *passes++ += row[f->counters->of_pass[b]];
  }
}

// A warp that is together in each iteration enters a block once for each time that it enters the
// header of the loop around it.
static void bound_passes(lin_arena *arena, const lin_graph *graph, const uint64_t *passes,
                         uint64_t *at_most) {
  const lin_order *order = lin_order_build(arena, graph);
  const lin_loops *loops = order->loops;
  for (lin_block b = 0; b < order->graph->num_blocks; b++) {
    lin_block block = order->origin[b], header = order->origin[loops->header[loops->loop_of[b]]];
    at_most[block] = passes[block] < passes[header] ? passes[block] : passes[header];
  }
}

// Room for passes, which begin with those of the launch before. False if there is no memory.
static bool start_passes(lin_memory *memory, const lin_count_description *d,
                         const lin_counts_launch *before, lin_counts_launch *launch) {
  bool are_counted =
      d->function[0].counters->of_pass[0] != LIN_NONE && (before == NULL || before->passes != NULL);
  if (!are_counted)
    return true;
  launch->passes = LIN_HAVE(memory, uint64_t, d->num_blocks);
  launch->passes_at_most = LIN_HAVE(memory, uint64_t, d->num_blocks);
  if (memory->is_out)
    return false;
  for (uint32_t b = 0; before != NULL && b < d->num_blocks; b++)
    launch->passes[b] = before->passes[b];
  return true;
}

static void end_passes(lin_arena *arena, const lin_count_description *d,
                       const lin_counts_launch *launch) {
  uint32_t first = 0;
  for (uint32_t i = 0; launch->passes != NULL && i < d->num_functions; i++) {
    const lin_graph *graph = d->function[i].graph;
    bound_passes(arena, graph, launch->passes + first, launch->passes_at_most + first);
    first += graph->num_blocks;
  }
}

// ---- threads

// Counters of so many threads become rows at a time, so that what is read of a counter is beside
// each other.
enum { TILE = 64 };

typedef struct decoding {
  const lin_count_description *d;
  const uint32_t *counters;
  uint64_t capacity;
  lin_memory *memory;
  lin_count_solver **solver; // [num_functions]
  lin_rows *rows;            // of counters
  uint64_t **vector; // [room] of each row, or NULL: such threads haven't written their counters
  uint32_t num_vectors, room;
  uint32_t *tile; // [TILE * num_counters]
  lin_gather *gather;
  uint64_t *passes; // or NULL
} decoding;

static bool make_room(decoding *w) {
  if (w->num_vectors < w->room)
    return true;
  uint32_t room = w->room == 0 ? TILE : 2 * w->room;
  uint64_t **larger = LIN_HAVE(w->memory, uint64_t *, room);
  if (larger == NULL)
    return false;
  if (w->room > 0)
    memcpy(larger, w->vector, w->room * sizeof *larger);
  w->vector = larger;
  w->room = room;
  return true;
}

// The vector of threads that have these counters. Who has written them has entered the kernel once.
static bool add_vector(decoding *w, const uint32_t *row) {
  uint64_t *vector = LIN_HAVE(w->memory, uint64_t, w->d->num_blocks), *next = vector;
  if (vector == NULL || !make_room(w))
    return false;
  for (uint32_t i = 0; i < w->d->num_functions; i++) {
    lin_count_solve(w->solver[i], row, 1, next);
    next += w->d->function[i].graph->num_blocks;
  }
  w->vector[w->num_vectors++] = vector[0] == 1 ? vector : NULL;
  return true;
}

static bool add_thread(decoding *w, const uint32_t *row) {
  uint32_t number;
  if (!lin_rows_find(w->rows, row, &number))
    return false;
  if (number >= w->num_vectors && !add_vector(w, row))
    return false;
  const uint64_t *vector = w->vector[number];
  if (vector != NULL && w->passes != NULL)
    add_passes(w->d, row, w->passes);
  return vector == NULL ? lin_gather_thread(w->gather, NULL)
                        : lin_gather_class(w->gather, number, vector);
}

// At most TILE threads from `slot` on, which have slots.
static bool add_tile(decoding *w, uint64_t slot, uint32_t threads) {
  const uint32_t n = w->d->num_counters;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t t = 0; t < threads; t++)
      w->tile[t * n + i] = w->counters[i * w->capacity + slot + t];
  for (uint32_t t = 0; t < threads; t++)
    if (!add_thread(w, w->tile + t * n))
      return false;
  return true;
}

static bool add_unknown(decoding *w, uint64_t threads) {
  for (uint64_t i = 0; i < threads; i++)
    if (!lin_gather_thread(w->gather, NULL))
      return false;
  return true;
}

// The threads of a thread block, of which the first has `slot`.
static bool add_thread_block(decoding *w, uint64_t slot, uint64_t threads) {
  uint64_t known = slot >= w->capacity ? 0 : w->capacity - slot;
  known = known < threads ? known : threads;
  for (uint64_t at = 0; at < known; at += TILE)
    if (!add_tile(w, slot + at, (uint32_t)(known - at < TILE ? known - at : TILE)))
      return false;
  return add_unknown(w, threads - known);
}

static bool add_threads(decoding *w, const lin_counts_launch *launch) {
  uint64_t slot = 0, size = lin_counts_block_threads(launch);
  for (uint64_t block = 0; block < count_thread_blocks(launch); block++) {
    bool is_counted = block % launch->sample == 0 && w->counters != NULL;
    if (!(is_counted ? add_thread_block(w, slot, size) : add_unknown(w, size)))
      return false;
    slot += is_counted ? size : 0;
  }
  return true;
}

bool lin_count_decode(lin_arena *arena, lin_memory *memory, const lin_count_description *d,
                      const uint32_t *counters, uint64_t capacity, const lin_counts_launch *before,
                      lin_counts_launch *launch) {
  lin_memory own = {0};
  decoding w = {.d = d,
                .counters = counters,
                .capacity = capacity,
                .memory = &own,
                .solver = LIN_ARRAY(arena, lin_count_solver *, d->num_functions),
                .rows = lin_rows_new(&own, d->num_counters),
                .tile = LIN_ARRAY(arena, uint32_t, (size_t)TILE * d->num_counters),
                .gather = lin_gather_new(memory, d->num_blocks, before)};
  for (uint32_t i = 0; i < d->num_functions; i++)
    w.solver[i] = lin_count_solver_new(arena, d->function[i].graph, d->function[i].counters);
  launch->hash = d->hash;
  launch->blocks = lin_count_blocks(memory, d);
  bool is_done = w.rows != NULL && w.gather != NULL && launch->blocks != NULL &&
                 start_passes(memory, d, before, launch);
  w.passes = launch->passes;
  is_done = is_done && add_threads(&w, launch);
  if (is_done) {
    lin_gather_end(w.gather, launch);
    end_passes(arena, d, launch);
  }
  memory->is_out = memory->is_out || own.is_out;
  lin_memory_release(&own);
  return is_done;
}
