#include "carried.h"

#include "traffic.h"

#include <string.h>

// `graph` without weights of its own.
static lin_graph *without_weights(lin_arena *arena, const lin_graph *graph) {
  lin_graph *result = LIN_NEW(arena, lin_graph);
  *result = *graph;
  result->weight = LIN_ARRAY(arena, uint32_t, graph->num_edges);
  return result;
}

static bool is_left(const lin_graph *counts, lin_block block) {
  for (LIN_OUT_EDGES(counts, block, edge))
    if (counts->weight[edge] > 0)
      return true;
  return false;
}

// What a block of one graph knows goes to a block of another one that ends as it does.
static void give(const lin_graph *from, lin_block known, lin_graph *to, lin_block block) {
  uint32_t degree = lin_out_degree(from, known);
  if (degree == lin_out_degree(to, block) && degree > 0)
    memcpy(&to->weight[to->first_edge[block]], &from->weight[from->first_edge[known]],
           degree * sizeof *to->weight);
}

static void set_weights(const lin_graph *counts, lin_graph *graph) {
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if (is_left(counts, block))
      give(counts, block, graph, block);
}

static bool is_same(const lin_graph *a, const lin_graph *b) {
  return a->num_blocks == b->num_blocks && a->num_edges == b->num_edges &&
         memcmp(a->first_edge, b->first_edge, (a->num_blocks + 1) * sizeof *a->first_edge) == 0 &&
         memcmp(a->destination, b->destination, a->num_edges * sizeof *a->destination) == 0;
}

// To a graph that the function of the counts is read as once more.
static void give_again(lin_carried_counts *counts, lin_graph *graph) {
  if (counts->graph == NULL)
    return;
  if (!is_same(counts->graph, graph)) {
    lin_counts_forget(counts);
    return;
  }
  set_weights(counts->graph, graph);
  graph->visits = counts->graph->visits;
}

const char *lin_counts_look_up(lin_arena *arena, lin_carried_counts *counts,
                               const lin_profile *profile, lin_graph *graph) {
  const char *reason = NULL;
  if (profile == NULL)
    return NULL;
  if (counts->was_looked_up) {
    give_again(counts, graph);
    return NULL;
  }
  counts->was_looked_up = true;
  lin_graph *known = without_weights(arena, graph);
  if (lin_profile_apply(arena, profile, known, &reason) == LIN_PROFILE_FITS) {
    counts->graph = known;
    set_weights(known, graph);
    lin_traffic_read_visits(arena, profile, graph);
    known->visits = graph->visits;
  }
  return reason;
}

void lin_counts_move(lin_arena *arena, lin_carried_counts *counts, const lin_edits *edits,
                     lin_graph *after, const lin_block *was) {
  if (counts->graph == NULL)
    return;
  const lin_graph *moved = lin_edit_apply(arena, counts->graph, edits);
  if (moved->visits != NULL)
    after->visits = LIN_ARRAY(arena, lin_visits, after->num_blocks);
  lin_graph *known = without_weights(arena, after);
  for (lin_block block = 0; block < after->num_blocks; block++) {
    if (was[block] == LIN_NONE)
      continue;
    give(moved, was[block], known, block);
    if (moved->visits != NULL)
      after->visits[block] = moved->visits[was[block]];
  }
  set_weights(known, after);
  counts->graph = known;
  known->visits = after->visits;
}
