// Edges are numbered as in counters.c: those of the graph, then the return of each block.
#include "solve.h"

typedef struct step {
  lin_block block;
  uint32_t edge; // its last unknown one
} step;

struct lin_count_solver {
  const lin_graph *graph;
  const lin_counters *counters;
  const lin_block *returning; // [num_returning]
  uint32_t num_returning;
  step *steps; // [num_steps]
  uint32_t num_steps;
  uint32_t *taken; // [num_edges + num_blocks] how often, modulo 2^32
};

static bool counts_blocks(const lin_counters *c) { return c->of_block[0] != LIN_NONE; }

static uint32_t counter_of(const lin_count_solver *s, uint32_t edge) {
  uint32_t edges = s->graph->num_edges;
  return edge < edges ? s->counters->of_edge[edge] : s->counters->of_exit[edge - edges];
}

static lin_block from(const lin_count_solver *s, uint32_t edge) {
  uint32_t edges = s->graph->num_edges;
  return edge < edges ? s->graph->source[edge] : edge - edges;
}

static lin_block to(const lin_count_solver *s, uint32_t edge) {
  return edge < s->graph->num_edges ? s->graph->destination[edge] : 0;
}

// ---- the edges at a block: into it, and out of it

static uint32_t num_in(const lin_count_solver *s, lin_block block) {
  return block == 0 ? s->num_returning : lin_in_degree(s->graph, block);
}

static uint32_t in_edge(const lin_count_solver *s, lin_block block, uint32_t i) {
  return block == 0 ? s->graph->num_edges + s->returning[i]
                    : s->graph->in_edge[s->graph->first_in[block] + i];
}

static uint32_t num_out(const lin_count_solver *s, lin_block block) {
  bool returns = (s->graph->flags[block] & LIN_RETURN) != 0;
  return lin_out_degree(s->graph, block) + returns;
}

static uint32_t out_edge(const lin_count_solver *s, lin_block block, uint32_t i) {
  bool returns = (s->graph->flags[block] & LIN_RETURN) != 0;
  return returns ? s->graph->num_edges + block : s->graph->first_edge[block] + i;
}

// ---- the order

typedef struct peeling {
  uint32_t *unknown; // [num_blocks] edges at it that are not known yet
  bool *known;       // [num_edges + num_blocks]
  lin_block *work;   // blocks with one unknown edge, or that had one
  uint32_t num_work;
} peeling;

static uint32_t last_unknown(const lin_count_solver *s, const peeling *p, lin_block block) {
  for (uint32_t i = 0; i < num_in(s, block); i++)
    if (!p->known[in_edge(s, block, i)])
      return in_edge(s, block, i);
  for (uint32_t i = 0; i < num_out(s, block); i++)
    if (!p->known[out_edge(s, block, i)])
      return out_edge(s, block, i);
  return LIN_NONE;
}

static void become_known(peeling *p, lin_block block) {
  if (--p->unknown[block] == 1)
    p->work[p->num_work++] = block;
}

// The number of edges that stay unknown.
static uint32_t peel(lin_count_solver *s, lin_arena *arena) {
  uint32_t blocks = s->graph->num_blocks, edges = s->graph->num_edges, left = 0;
  peeling p = {.unknown = LIN_ARRAY(arena, uint32_t, blocks),
               .known = LIN_ARRAY(arena, bool, (size_t)edges + blocks),
               .work = LIN_ARRAY(arena, lin_block, blocks)};
  for (uint32_t e = 0; e < edges + blocks; e++) {
    bool is_edge = e < edges || (s->graph->flags[e - edges] & LIN_RETURN) != 0;
    p.known[e] = !is_edge || counter_of(s, e) != LIN_NONE;
    if (p.known[e])
      continue;
    p.unknown[from(s, e)]++;
    p.unknown[to(s, e)]++;
    left++;
  }
  for (lin_block b = 0; b < blocks; b++)
    if (p.unknown[b] == 1)
      p.work[p.num_work++] = b;
  while (p.num_work > 0) {
    lin_block block = p.work[--p.num_work];
    uint32_t edge = last_unknown(s, &p, block);
    if (edge == LIN_NONE) // it was found from its other end
      continue;
    p.known[edge] = true;
    s->steps[s->num_steps++] = (step){block, edge};
    become_known(&p, from(s, edge));
    become_known(&p, to(s, edge));
    left--;
  }
  return left;
}

lin_count_solver *lin_count_solver_new(lin_arena *arena, const lin_graph *graph,
                                       const lin_counters *counters) {
  lin_count_solver *s = LIN_NEW(arena, lin_count_solver);
  uint32_t n = graph->num_blocks;
  s->graph = graph;
  s->counters = counters;
  lin_block *returning = LIN_ARRAY(arena, lin_block, n);
  for (lin_block b = 0; b < n; b++)
    if ((graph->flags[b] & LIN_RETURN) != 0)
      returning[s->num_returning++] = b;
  s->returning = returning;
  s->steps = LIN_ARRAY(arena, step, n);
  s->taken = LIN_ARRAY(arena, uint32_t, (size_t)graph->num_edges + n);
  return counts_blocks(counters) || peel(s, arena) == 0 ? s : NULL;
}

static uint32_t sum_in(const lin_count_solver *s, lin_block block) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < num_in(s, block); i++)
    sum += s->taken[in_edge(s, block, i)];
  return sum;
}

static uint32_t sum_out(const lin_count_solver *s, lin_block block) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < num_out(s, block); i++)
    sum += s->taken[out_edge(s, block, i)];
  return sum;
}

void lin_count_solve(lin_count_solver *s, const uint32_t *counter, uint64_t stride,
                     uint64_t *entries) {
  uint32_t blocks = s->graph->num_blocks, edges = s->graph->num_edges;
  if (counts_blocks(s->counters)) {
    for (lin_block b = 0; b < blocks; b++)
      entries[b] = counter[s->counters->of_block[b] * stride];
    return;
  }
  for (uint32_t e = 0; e < edges + blocks; e++) {
    uint32_t number = counter_of(s, e);
    s->taken[e] = number == LIN_NONE ? 0 : counter[number * stride];
  }
  for (uint32_t i = 0; i < s->num_steps; i++) {
    lin_block block = s->steps[i].block;
    uint32_t edge = s->steps[i].edge, more = sum_in(s, block) - sum_out(s, block);
    s->taken[edge] = to(s, edge) == block ? 0 - more : more;
  }
  for (lin_block b = 0; b < blocks; b++)
    entries[b] = sum_in(s, b);
}
