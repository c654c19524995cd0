#include "reconverge.h"

#include "gpu/iterations.h"
#include "gpu/meetings.h"

#include <stdlib.h>

typedef struct placed {
  lin_block before; // the block that sets it up
  simt_meeting meeting;
} placed;

typedef struct builder {
  lin_arena *arena;
  const lin_graph *graph;
  const lin_loops *loops;
  const lin_tree *dominators;
  const lin_postdominators *postdominators;
  const lin_block *inner; // [num_blocks] lin_iterations
  placed *list;
  uint32_t count, capacity;
} builder;

static bool is_in_irreducible(const lin_loops *loops, lin_block block) {
  for (uint32_t loop = loops->loop_of[block]; loop != 0; loop = loops->tree->parent[loop])
    if (loops->irreducible[loop])
      return true;
  return false;
}

static lin_block find_postdominator(const builder *b, lin_block block) {
  const lin_tree *tree = b->postdominators->tree;
  lin_block at = lin_tree_has(tree, block) ? tree->parent[block] : LIN_NONE;
  while (at < b->graph->num_blocks && is_in_irreducible(b->loops, at))
    at = tree->parent[at];
  return at < b->graph->num_blocks ? at : LIN_NONE;
}

// The dominator of `branch` that stands before all loops that `at` is behind.
static lin_block before_loops(const builder *b, lin_block branch, lin_block at) {
  lin_block before = branch;
  while (before != 0 && !lin_loop_contains(b->loops, b->loops->loop_of[before], at))
    before = b->dominators->parent[before];
  return before;
}

static bool goes_back(const builder *b, lin_edge edge) {
  return b->graph->source[edge] >= b->graph->destination[edge];
}

// Blocks from which lanes come to `at` without passing `before` again.
static const uint32_t *find_inside(const builder *b, lin_block before, lin_block at) {
  uint32_t *inside = LIN_ARRAY(b->arena, uint32_t, b->graph->num_blocks / 32 + 1);
  lin_block *work = LIN_ARRAY(b->arena, lin_block, b->graph->num_blocks + 1);
  uint32_t count = 0;
  inside[at / 32] |= UINT32_C(1) << at % 32;
  for (lin_block block = at;; block = work[--count]) {
    for (LIN_IN_EDGES(b->graph, block, i)) {
      lin_edge edge = b->graph->in_edge[i];
      lin_block from = b->graph->source[edge];
      if (from == before || inside[from / 32] >> from % 32 & 1 ||
          (block == at && goes_back(b, edge)))
        continue;
      inside[from / 32] |= UINT32_C(1) << from % 32;
      work[count++] = from;
    }
    if (count == 0)
      break;
  }
  for (lin_block block = 0; block < b->graph->num_blocks; block++) { // nothing is left of an H
    lin_block inner = b->inner[block];
    if (inner != LIN_NONE && (inside[inner / 32] >> inner % 32 & 1) != 0)
      inside[block / 32] |= UINT32_C(1) << block % 32;
  }
  return inside;
}

static void place(builder *b, lin_block before, simt_meeting meeting) {
  b->list = LIN_ROOM(b->arena, b->list, b->count, &b->capacity);
  b->list[b->count++] = (placed){before, meeting};
}

// Where one dominator of a branch has set up the branch's post-dominator, lanes of both wait.
static void place_postdominators(builder *b, const simt_reconvergence *r) {
  lin_block *set_up = LIN_ARRAY(b->arena, lin_block, b->graph->num_blocks); // at + 1, 0 for nowhere
  for (lin_block block = 0; block < b->graph->num_blocks; block++) {
    lin_block at = r->postdominator[block];
    if (lin_out_degree(b->graph, block) < 2 || at == LIN_NONE)
      continue;
    lin_block before = before_loops(b, block, at);
    if (!lin_tree_contains(b->dominators, before, at) ||
        (set_up[at] != 0 && lin_tree_contains(b->dominators, set_up[at] - 1, before)))
      continue;
    set_up[at] = before + 1;
    // Before a loop there may be ways around it.
    bool everywhere = lin_tree_contains(b->postdominators->tree, at, before);
    place(b, before, (simt_meeting){at, everywhere ? NULL : find_inside(b, before, at)});
  }
}

// How many edges go back to the header of `loop`. One from an inner loop counts twice: lanes leave
// that in different iterations.
static uint32_t count_back(const builder *b, uint32_t loop) {
  lin_block header = b->loops->header[loop];
  uint32_t back = 0;
  for (LIN_IN_EDGES(b->graph, header, i)) {
    lin_edge edge = b->graph->in_edge[i];
    if (goes_back(b, edge))
      back += b->loops->loop_of[b->graph->source[edge]] == loop ? 1 : 2;
  }
  return back;
}

// Lanes that go back to a header by different edges, or in different iterations of an inner loop,
// wait there for each other; where the header post-dominates what it leads to, they do already.
static void place_headers(builder *b) {
  const lin_loops *loops = b->loops;
  bool *is_placed = LIN_ARRAY(b->arena, bool, b->graph->num_blocks);
  for (uint32_t i = 0; i < b->count; i++)
    is_placed[b->list[i].before] |= b->list[i].before == b->list[i].meeting.at;
  const bool *left = lin_meetings_left_with_others(b->arena, b->graph, loops, b->postdominators);
  for (uint32_t loop = 1; loop < loops->num_loops; loop++) {
    lin_block header = loops->header[loop];
    if (count_back(b, loop) < 2 || left[loop] || is_placed[header] ||
        is_in_irreducible(loops, header))
      continue;
    uint32_t *inside = LIN_ARRAY(b->arena, uint32_t, b->graph->num_blocks / 32 + 1);
    for (lin_block block = 0; block < b->graph->num_blocks; block++) {
      lin_block at = b->inner[block] == LIN_NONE ? block : b->inner[block];
      if (lin_loop_contains(loops, loop, at))
        inside[block / 32] |= UINT32_C(1) << block % 32;
    }
    place(b, header, (simt_meeting){header, inside});
  }
}

static void place_joins(builder *b) {
  uint32_t n = b->graph->num_blocks;
  bool *candidate = LIN_ARRAY(b->arena, bool, n);
  for (lin_block block = 1; block < n; block++) {
    lin_block dominator = b->dominators->parent[block];
    candidate[block] =
        lin_meetings_is_late(b->graph, b->loops, b->dominators, b->postdominators, block) &&
        !is_in_irreducible(b->loops, block) &&
        b->postdominators->fate[block] == b->postdominators->fate[dominator];
  }
  const bool *met =
      lin_meetings_find(b->arena, b->graph, b->loops, b->dominators, b->postdominators, candidate);
  for (lin_block block = 0; block < n; block++)
    if (met[block]) {
      lin_block before = before_loops(b, b->dominators->parent[block], block);
      place(b, before, (simt_meeting){block, find_inside(b, before, block)});
    }
}

static int by_block_outermost_first(const void *left, const void *right) {
  const placed *a = left, *b = right;
  if (a->before != b->before)
    return a->before < b->before ? -1 : 1;
  return a->meeting.at > b->meeting.at ? -1 : a->meeting.at < b->meeting.at;
}

simt_reconvergence *simt_reconvergence_build(lin_arena *arena, const lin_order *order) {
  uint32_t n = order->graph->num_blocks;
  lin_iterations iterations = lin_iterations_find(arena, order->graph, order->loops,
                                                  lin_postdominators_build(arena, order->graph));
  builder b = {.arena = arena,
               .graph = iterations.graph,
               .loops = iterations.loops,
               .dominators = lin_dominators_build(arena, iterations.graph, 0),
               .postdominators = lin_postdominators_build(arena, iterations.graph),
               .inner = iterations.inner};
  simt_reconvergence *r = LIN_NEW(arena, simt_reconvergence);
  r->postdominator = LIN_ARRAY(arena, lin_block, n);
  for (lin_block block = 0; block < n; block++)
    r->postdominator[block] = find_postdominator(&b, block);
  place_postdominators(&b, r);
  place_joins(&b);
  place_headers(&b);
  if (b.count > 0)
    qsort(b.list, b.count, sizeof *b.list, by_block_outermost_first);
  r->first_meeting = LIN_ARRAY(arena, uint32_t, n + 1);
  r->meeting = LIN_ARRAY(arena, simt_meeting, b.count + 1);
  for (uint32_t i = 0; i < b.count; i++) {
    r->first_meeting[b.list[i].before + 1] = i + 1;
    r->meeting[i] = b.list[i].meeting;
  }
  for (lin_block block = 0; block < n; block++)
    if (r->first_meeting[block + 1] < r->first_meeting[block])
      r->first_meeting[block + 1] = r->first_meeting[block];
  return r;
}
