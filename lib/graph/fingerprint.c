#include "fingerprint.h"

#include "fnv.h"

_Static_assert(LIN_FINGERPRINT_START == LIN_FNV_START, "a fingerprint is a hash of this kind");

typedef struct walk {
  lin_block *number; // [num_blocks] LIN_NONE of what isn't met yet
  lin_block *met;    // [count] the blocks by their numbers
  uint32_t count;
} walk;

// A block on the way from the entry, and the next of its edges.
typedef struct step {
  lin_block block;
  lin_edge next;
} step;

static step meet(walk *w, const lin_graph *graph, lin_block block) {
  w->number[block] = w->count;
  w->met[w->count++] = block;
  return (step){block, graph->first_edge[block]};
}

static walk number_blocks(lin_arena *arena, const lin_graph *graph) {
  const uint32_t n = graph->num_blocks;
  walk w = {LIN_ARRAY(arena, lin_block, n), LIN_ARRAY(arena, lin_block, n), 0};
  step *path = LIN_ARRAY(arena, step, n);
  uint32_t depth = 0;
  for (lin_block b = 0; b < n; b++)
    w.number[b] = LIN_NONE;
  path[depth++] = meet(&w, graph, 0);
  while (depth > 0) {
    step *top = &path[depth - 1];
    if (top->next == graph->first_edge[top->block + 1]) {
      depth--;
      continue;
    }
    lin_block next = graph->destination[top->next++];
    if (w.number[next] == LIN_NONE)
      path[depth++] = meet(&w, graph, next);
  }
  return w;
}

static uint64_t mix_work(uint64_t hash, const lin_block_work *work) {
  hash = lin_fnv_number(hash, work->loads);
  hash = lin_fnv_number(hash, work->stores);
  hash = lin_fnv_number(hash, work->meetings);
  hash = lin_fnv_number(hash, work->calls);
  return lin_fnv_number(hash, work->others);
}

uint64_t lin_fingerprint(uint64_t fingerprint, const lin_graph *graph, const lin_block_work *work) {
  lin_arena arena = {0};
  const walk w = number_blocks(&arena, graph);
  uint64_t hash = lin_fnv_number(fingerprint, w.count);
  for (uint32_t i = 0; i < w.count; i++) {
    const lin_block block = w.met[i];
    hash = lin_fnv_number(hash, graph->flags[block] & (LIN_RETURN | LIN_TRAP));
    hash = lin_fnv_number(hash, lin_out_degree(graph, block));
    for (LIN_OUT_EDGES(graph, block, edge))
      hash = lin_fnv_number(hash, w.number[graph->destination[edge]]);
    hash = mix_work(hash, &work[block]);
  }
  lin_arena_release(&arena);
  return hash;
}
