// 1. The blocks that a block c dominates stand apart if all that leads out of them leads to c's
//    immediate post-dominator P: edges out of them less edges into them, over prefixes of
//    the dominator tree's preorder, are then those into P.
// 2. A join of immediate dominator D is asked with those of the innermost c, from D upwards, that
//    stands apart or is such a join itself; as long as P stays the same. Those of 1. are asked
//    along with the others: threads wait there whatever comes of it.
// 3. Of those of one c, the ones that lead to another one are left out: found backwards from each,
//    and around the loops that are left on the way.
// 4. The longest way to the end, less that from P, which they share.
#include "meetings.h"

#include "breaks.h"
#include "costs.h"
#include "graph/sorted.h"

#include <stdlib.h>

typedef struct finder {
  lin_arena *arena;
  const lin_graph *graph;
  const lin_loops *loops;
  const lin_tree *dominators;
  const lin_postdominators *postdominators;
  const bool *behind_break;
  const bool *left_with_others; // [num_loops]
  const bool *passed;           // [num_loops] see find_passed
  bool *is_candidate;           // [num_blocks] joins that are asked by 2. to 4.
  uint32_t *out, *in;           // [num_blocks + 1] edges, over preorder positions before this one
  uint32_t *from;     // [num_edges] preorder positions that edges come from, rising for each block;
                      // by first_in
  uint32_t *num_from; // [num_blocks]
  uint32_t *num_back; // [num_blocks] edges back to the block, of those that it dominates
  lin_block *place;   // [num_blocks] the c of joins whose immediate dominator is the block
  uint64_t *length;   // [num_blocks] of the longest way from the block to the end
} finder;

static bool is_forward(const finder *f, lin_edge edge) {
  return f->graph->source[edge] < f->graph->destination[edge] && !f->postdominators->doomed[edge];
}

static lin_block below(const finder *f, lin_block block) {
  return f->postdominators->tree->parent[block];
}

// Behind `block`, threads end, and do nothing else.
static bool is_end(const finder *f, lin_block block) {
  const lin_graph *graph = f->graph;
  return block >= graph->num_blocks ||
         ((graph->flags[block] & LIN_RETURN) != 0 && graph->cost[block] == 0);
}

// ---- 1.

static void count_edges(finder *f) {
  const lin_graph *graph = f->graph;
  uint32_t n = graph->num_blocks;
  const lin_block *preorder = lin_tree_preorder(f->arena, f->dominators);
  f->out = LIN_ARRAY(f->arena, uint32_t, (size_t)n + 1);
  f->in = LIN_ARRAY(f->arena, uint32_t, (size_t)n + 1);
  f->from = LIN_ARRAY(f->arena, uint32_t, graph->num_edges);
  f->num_from = LIN_ARRAY(f->arena, uint32_t, n);
  f->num_back = LIN_ARRAY(f->arena, uint32_t, n);
  for (uint32_t i = 0; i < n; i++) {
    f->out[i + 1] += f->out[i];
    for (LIN_OUT_EDGES(graph, preorder[i], edge)) {
      if (f->postdominators->doomed[edge])
        continue;
      lin_block to = graph->destination[edge];
      f->out[i + 1]++;
      f->in[f->dominators->enter[to] + 1]++;
      if (!is_forward(f, edge))
        f->num_back[to] += lin_tree_contains(f->dominators, to, preorder[i]);
      else
        f->from[graph->first_in[to] + f->num_from[to]++] = i;
    }
  }
  for (uint32_t i = 0; i < n; i++)
    f->in[i + 1] += f->in[i];
}

// How many edges into `block` come from preorder positions below `position`.
static uint32_t edges_below(const finder *f, lin_block block, uint32_t position) {
  return lin_count_below(f->from + f->graph->first_in[block], f->num_from[block], position);
}

static bool stands_apart(const finder *f, lin_block block) {
  const lin_graph *graph = f->graph;
  const lin_tree *tree = f->dominators;
  uint32_t first = tree->enter[block], end = tree->leave[block];
  lin_block after = below(f, block);
  uint32_t leaving =
      f->out[end] - f->out[first] - (f->in[end] - f->in[first + 1]) - f->num_back[block];
  if (after >= graph->num_blocks)
    return leaving == 0;
  if (lin_tree_contains(tree, block, after))
    return true;
  return edges_below(f, after, end) - edges_below(f, after, first) == leaving;
}

// ---- 2.

// `chosen`: by 1.
static void find_places(finder *f, const bool *chosen) {
  uint32_t n = f->graph->num_blocks;
  f->place = LIN_ARRAY(f->arena, lin_block, n);
  for (lin_block block = 0; block < n; block++) {
    lin_block above = f->dominators->parent[block];
    bool same = block != 0 && below(f, above) == below(f, block);
    bool asked = f->is_candidate[block] && !chosen[block];
    bool begins = !same || asked || stands_apart(f, block);
    f->place[block] = begins ? block : f->place[above];
  }
}

// ---- 3.

typedef struct candidate {
  lin_block place, join;
} candidate;

static int by_place(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  if (a->place != b->place)
    return a->place < b->place ? -1 : 1;
  return (a->join > b->join) - (a->join < b->join);
}

typedef struct walk {
  const finder *f;
  lin_block *seen;   // [num_blocks] the place that was asked about, + 1
  lin_block *opened; // [num_loops] the same, of loops that are left on the way
  lin_block *work;   // [2 * num_blocks]
  uint32_t num_work;
  lin_block place;
} walk;

static void see(walk *w, lin_block block) {
  if (block == w->place || w->seen[block] == w->place + 1 ||
      !lin_tree_contains(w->f->dominators, w->place, block))
    return;
  w->seen[block] = w->place + 1;
  w->work[w->num_work++] = block;
}

// From where threads go around `loop`, on a way that leaves it.
static void see_around(walk *w, uint32_t loop) {
  lin_block header = w->f->loops->header[loop];
  for (LIN_IN_EDGES(w->f->graph, header, i)) {
    lin_block from = w->f->graph->source[w->f->graph->in_edge[i]];
    if (from >= header)
      see(w, from);
  }
}

static void see_before(walk *w, lin_block block) {
  const lin_loops *loops = w->f->loops;
  for (LIN_IN_EDGES(w->f->graph, block, i)) {
    lin_edge edge = w->f->graph->in_edge[i];
    lin_block from = w->f->graph->source[edge];
    if (!is_forward(w->f, edge))
      continue;
    see(w, from);
    for (uint32_t loop = loops->loop_of[from]; !lin_loop_contains(loops, loop, block);
         loop = loops->tree->parent[loop]) {
      if (w->opened[loop] != w->place + 1)
        see_around(w, loop);
      w->opened[loop] = w->place + 1;
    }
  }
}

static bool is_broken(const finder *f, lin_block join) {
  return f->behind_break[join] && !is_end(f, below(f, f->dominators->parent[join]));
}

// Marks the blocks from which threads come to a candidate, up to their place.
static void mark_before(walk *w, const candidate *candidates, uint32_t count) {
  w->place = candidates[0].place;
  w->num_work = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!is_broken(w->f, candidates[i].join))
      see_before(w, candidates[i].join);
  while (w->num_work > 0)
    see_before(w, w->work[--w->num_work]);
}

// ---- 4.

static void find_lengths(finder *f) {
  const lin_graph *graph = f->graph;
  f->length = LIN_ARRAY(f->arena, uint64_t, graph->num_blocks);
  for (lin_block block = graph->num_blocks; block-- > 0;) {
    for (LIN_OUT_EDGES(graph, block, edge)) {
      uint64_t length = f->length[graph->destination[edge]];
      if (is_forward(f, edge) && length > f->length[block])
        f->length[block] = length;
    }
    bool is_dear =
        (graph->flags[block] & LIN_MEMORY) != 0 && graph->cost[block] < LIN_WORTH_WAITING;
    f->length[block] += is_dear ? LIN_WORTH_WAITING : graph->cost[block];
  }
}

static lin_block find_best(const finder *f, const walk *w, const candidate *candidates,
                           uint32_t count) {
  lin_block best = LIN_NONE;
  for (uint32_t i = 0; i < count; i++) {
    lin_block join = candidates[i].join;
    if (w->seen[join] != candidates[i].place + 1 &&
        (best == LIN_NONE || f->length[join] >= f->length[best]))
      best = join;
  }
  return best;
}

// Code that goes around a loop on its way is long.
static bool is_long(const finder *f, lin_block join) {
  lin_block after = below(f, f->dominators->parent[join]);
  uint32_t loop = f->loops->loop_of[join];
  if (is_end(f, after))
    return loop != 0 || f->length[join] >= LIN_WORTH_WAITING;
  return after <= join || !lin_loop_contains(f->loops, loop, after) ||
         f->length[join] >= f->length[after] + LIN_WORTH_WAITING;
}

bool lin_meetings_is_late(const lin_graph *graph, const lin_loops *loops,
                          const lin_tree *dominators, const lin_postdominators *postdominators,
                          lin_block block) {
  lin_block dominator = dominators->parent[block];
  unsigned forward = 0;
  for (LIN_IN_EDGES(graph, block, i)) {
    lin_edge edge = graph->in_edge[i];
    forward += graph->source[edge] < block && !postdominators->doomed[edge];
  }
  bool leaves = !lin_loop_contains(loops, loops->loop_of[dominator], block);
  return (forward > 1 || (forward == 1 && leaves)) &&
         !lin_tree_contains(postdominators->tree, block, dominator);
}

// All that stay in the iteration of the loop around come there, and where that is left together
// with those around it, all that stay in the outermost of them.
static bool ends_parting(const finder *f, lin_within *within, lin_block block) {
  lin_block dominator = f->dominators->parent[block];
  lin_block start = lin_within_start(f->loops, dominator, block);
  uint32_t around = lin_loops_common(f->loops, dominator, block), outer = around;
  while (f->left_with_others[outer])
    outer = f->loops->tree->parent[outer];
  return around != 0 && lin_within_postdominates(within, around, block, start) &&
         lin_within_postdominates(within, outer, block, start);
}

// True for loops that are left together with the one around, and for the one around by threads that
// leave a loop inside at the same time: later than others leave that one and stay, and behind these
// none leaves.
//
//     h ◀───────┐       in s, c's threads are the first to leave: those behind m don't wait at e
//     └▶ s ◀─┐  │
//        ├─▶ │ c ─▶ m ─▶ out of all
//        d ──┘
//        └─▶ e
static const bool *find_passed(const finder *f) {
  const lin_graph *graph = f->graph;
  const lin_loops *loops = f->loops;
  bool *passed = LIN_ARRAY(f->arena, bool, loops->num_loops);
  bool *kept = LIN_ARRAY(f->arena, bool, loops->num_loops);
  lin_block *first = LIN_ARRAY(f->arena, lin_block, loops->num_loops); // that stay, + 1
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block from = graph->source[edge];
    uint32_t inner = loops->loop_of[from], loop = inner;
    uint32_t around = lin_loops_common(loops, from, graph->destination[edge]);
    if (inner == around || f->postdominators->doomed[edge])
      continue;
    if (first[around] == 0)
      first[around] = from + 1;
    while (loops->tree->parent[loop] != around)
      loop = loops->tree->parent[loop];
    bool is_behind = first[loop] != 0 && first[loop] <= from;
    passed[loop] |= inner != loop && is_behind;
    kept[loop] |= (inner == loop) == is_behind;
  }
  for (uint32_t loop = 0; loop < loops->num_loops; loop++)
    passed[loop] &= f->left_with_others[loop] && !kept[loop];
  return passed;
}

static bool is_passed(const finder *f, lin_block block) {
  lin_block dominator = f->dominators->parent[block];
  uint32_t loop = f->loops->loop_of[lin_within_start(f->loops, dominator, block)];
  return !lin_loop_contains(f->loops, loop, block) && f->passed[loop];
}

bool *lin_meetings_left_with_others(lin_arena *arena, const lin_graph *graph,
                                    const lin_loops *loops,
                                    const lin_postdominators *postdominators) {
  bool *left = LIN_ARRAY(arena, bool, loops->num_loops);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block to = graph->destination[edge];
    uint32_t loop = loops->loop_of[graph->source[edge]];
    if (postdominators->doomed[edge])
      continue;
    for (; loop != 0 && !lin_loop_contains(loops, loops->tree->parent[loop], to);
         loop = loops->tree->parent[loop])
      left[loop] = true;
  }
  return left;
}

// Whether `block` ends an iteration of the loop around it with little code, none of which touches
// memory.
static bool is_short_end(const lin_graph *graph, const lin_loops *loops, lin_block block) {
  uint32_t loop = loops->loop_of[block];
  bool goes_back = false;
  for (LIN_OUT_EDGES(graph, block, edge))
    goes_back |= loop != 0 && graph->destination[edge] == loops->header[loop];
  return goes_back && graph->cost[block] < LIN_WORTH_WAITING &&
         (graph->flags[block] & LIN_MEMORY) == 0;
}

// Little is left of the iteration there, and the loop is left together with the one around.
static bool is_end_of_left_iteration(const finder *f, lin_block block) {
  uint32_t loop = f->loops->loop_of[block];
  return f->left_with_others[loop] && f->loops->loop_of[f->dominators->parent[block]] == loop &&
         is_short_end(f->graph, f->loops, block);
}

bool *lin_meetings_find(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                        const lin_tree *dominators, const lin_postdominators *postdominators,
                        const bool *is_join) {
  uint32_t n = graph->num_blocks, count = 0;
  finder f = {.arena = arena,
              .graph = graph,
              .loops = loops,
              .dominators = dominators,
              .postdominators = postdominators,
              .is_candidate = LIN_ARRAY(arena, bool, n)};
  bool *chosen = LIN_ARRAY(arena, bool, n);
  candidate *candidates = LIN_ARRAY(arena, candidate, n);
  lin_within *within = lin_within_new(arena, graph, loops, postdominators);
  f.left_with_others = lin_meetings_left_with_others(arena, graph, loops, postdominators);
  f.behind_break =
      lin_breaks_find(arena, graph, loops, dominators, postdominators, f.left_with_others, within);
  f.passed = find_passed(&f);
  for (lin_block block = 1; block < n; block++)
    if (is_join[block] && !is_end_of_left_iteration(&f, block)) {
      chosen[block] = !is_passed(&f, block) && ends_parting(&f, within, block);
      f.is_candidate[block] = true;
    }
  count_edges(&f);
  find_places(&f, chosen);
  find_lengths(&f);
  for (lin_block block = 1; block < n; block++)
    if (f.is_candidate[block] && graph->cost[block] > 0)
      candidates[count++] = (candidate){f.place[dominators->parent[block]], block};
  qsort(candidates, count, sizeof *candidates, by_place);
  walk w = {.f = &f,
            .seen = LIN_ARRAY(arena, lin_block, n),
            .opened = LIN_ARRAY(arena, lin_block, loops->num_loops),
            .work = LIN_ARRAY(arena, lin_block, n)};
  for (uint32_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && candidates[end].place == candidates[first].place;)
      end++;
    mark_before(&w, candidates + first, end - first);
    lin_block best = find_best(&f, &w, candidates + first, end - first);
    if (best != LIN_NONE && is_long(&f, best) && !is_broken(&f, best) && !is_passed(&f, best))
      chosen[best] = true;
  }
  return chosen;
}
