// 1. For each block the joins that it reaches forward without dominating them (its dominance
//    frontier; edges of loops are left to the caller's list of carried headers).
// 2. Joins in rising order, starting from the frontiers of the blocks that set the variable: a join
//    needs a phi if a read behind it could see a value that comes through it: no set dominates that
//    read from behind the join, and the nearest phi above the read dominates the join too. A join
//    with a phi adds its own frontier.
//
//        set ──┐              the frontier of `set` is {join}; `read` is behind it, nothing
//    ┌─────────┤              between them sets the variable: the join gets a phi
//    ▼         ▼
//   other ─▶ join ─▶ read
//
// An irreducible loop that was refused is still there: values meet in it on its retreating edges
// too. If they do anywhere in it, every join in it gets a phi; its first block stands for all.
// Guards don't: a guard is read before an original block runs, so no loop of such blocks keeps it.
#include "phis.h"

#include "graph/sorted.h"

#include <stdlib.h>
#include <string.h>

typedef struct frontier_cell {
  lin_block join;
  bool by_retreat; // reached on a retreating edge
  struct frontier_cell *next;
} frontier_cell;

struct lin_phis {
  const lin_flow *flow;
  const lin_tree *dominators;
  lin_arena *arena;
  frontier_cell **frontier; // [num_blocks] joins in rising order
  lin_block *first_of;      // [num_blocks] of the outermost irreducible loop around it, else itself
  lin_block *last_of;       // [num_blocks] for the first block of such a loop its last one
  uint32_t *queued;         // [num_blocks] the number of the variable that put it into the heap
  uint32_t *forced;         // [num_blocks] ... for which its phi is certain
  uint32_t variable;        // number of the variable at hand
  lin_block *heap;          // [num_blocks] joins to look at
  uint32_t heap_size;
  lin_block *phi; // [num_blocks] blocks with a phi, rising
  uint32_t num_phis;
  const lin_block *set; // the variable's
  uint32_t num_sets;
  lin_point *read; // sorted copy, with the reads of phis at the ends of loops
  uint32_t num_reads, read_capacity;
  lin_block *read_set;   // [num_reads] the nearest set that dominates a read, or LIN_NONE
  struct ranked *ranked; // scratch for sets and reads
  lin_block *stack;
  uint32_t ranked_capacity;
};

// ---- frontiers

static void add_frontiers(lin_phis *values, lin_block join, bool by_retreat, lin_block *mark) {
  const lin_graph *graph = values->flow->graph;
  for (LIN_IN_EDGES(graph, join, i)) {
    lin_block above = graph->source[graph->in_edge[i]];
    if ((above >= join) != by_retreat || lin_tree_contains(values->dominators, join, above))
      continue;
    while (above != values->dominators->parent[join] && mark[above] != join) {
      mark[above] = join;
      frontier_cell *cell = LIN_NEW(values->arena, frontier_cell);
      *cell = (frontier_cell){join, by_retreat, values->frontier[above]};
      values->frontier[above] = cell;
      above = values->dominators->parent[above];
    }
  }
}

static void find_irreducible(lin_phis *values) {
  const lin_loops *loops = values->flow->loops;
  lin_block *first = LIN_ARRAY(values->arena, lin_block, loops->num_loops);
  for (uint32_t loop = 0; loop < loops->num_loops; loop++) { // a loop after the one around it
    uint32_t around = loops->tree->parent[loop];
    first[loop] = around != LIN_NONE && first[around] != LIN_NONE ? first[around]
                  : loops->irreducible[loop]                      ? loops->header[loop]
                                                                  : LIN_NONE;
  }
  for (lin_block block = 0; block < values->flow->graph->num_blocks; block++) {
    lin_block of = first[loops->loop_of[block]];
    values->first_of[block] = of == LIN_NONE ? block : of;
    values->last_of[values->first_of[block]] = block;
  }
}

lin_phis *lin_phis_build(lin_arena *arena, const lin_flow *flow) {
  uint32_t n = flow->graph->num_blocks;
  lin_phis *values = LIN_NEW(arena, lin_phis);
  values->flow = flow;
  values->dominators = flow->dominators;
  values->arena = arena;
  values->frontier = LIN_ARRAY(arena, frontier_cell *, n);
  values->first_of = LIN_ARRAY(arena, lin_block, n);
  values->last_of = LIN_ARRAY(arena, lin_block, n);
  values->queued = LIN_ARRAY(arena, uint32_t, n);
  values->forced = LIN_ARRAY(arena, uint32_t, n);
  values->heap = LIN_ARRAY(arena, lin_block, n);
  values->phi = LIN_ARRAY(arena, lin_block, n);
  lin_block *mark = LIN_ARRAY(arena, lin_block, n);
  memset(mark, 0xff, n * sizeof *mark);
  find_irreducible(values);
  for (lin_block join = n; join-- > 1;) { // so that each list comes out rising
    add_frontiers(values, join, false, mark);
    add_frontiers(values, join, true, mark);
  }
  return values;
}

// ---- the heap of joins, smallest first

static void push(lin_phis *values, lin_block join) {
  if (values->queued[join] == values->variable)
    return;
  values->queued[join] = values->variable;
  uint32_t at = values->heap_size++;
  while (at > 0 && values->heap[(at - 1) / 2] > join) {
    values->heap[at] = values->heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  values->heap[at] = join;
}

static lin_block pop(lin_phis *values) {
  lin_block *heap = values->heap;
  lin_block result = heap[0], last = heap[--values->heap_size];
  uint32_t at = 0;
  for (uint32_t child; (child = 2 * at + 1) < values->heap_size; at = child) {
    if (child + 1 < values->heap_size && heap[child + 1] < heap[child])
      child++;
    if (heap[child] >= last)
      break;
    heap[at] = heap[child];
  }
  heap[at] = last;
  return result;
}

// ---- looking up

// The last of the sorted `blocks` that dominates `block` and is above `floor` (LIN_NONE: no floor).
// With `strictly`, `block` itself doesn't count.
static lin_block last_dominating(const lin_phis *values, const lin_block *blocks, uint32_t count,
                                 lin_block block, bool strictly, lin_block floor) {
  for (uint32_t i = lin_count_below(blocks, count, block + 1); i-- > 0;) {
    if (floor != LIN_NONE && blocks[i] < floor)
      return LIN_NONE;
    if (strictly && blocks[i] == block)
      continue;
    if (lin_tree_contains(values->dominators, blocks[i], block))
      return blocks[i];
  }
  return LIN_NONE;
}

lin_source lin_phis_at(const lin_phis *values, lin_point point) {
  lin_block phi =
      last_dominating(values, values->phi, values->num_phis, point.block, false, LIN_NONE);
  lin_block set =
      last_dominating(values, values->set, values->num_sets, point.block, !point.at_end, phi);
  if (set != LIN_NONE) // in a block with both, the phi comes first
    return (lin_source){LIN_FROM_SET, set};
  if (phi != LIN_NONE)
    return (lin_source){LIN_FROM_PHI, phi};
  return (lin_source){LIN_FROM_NOWHERE, LIN_NONE};
}

// ---- placing

// A set or a read by its place in the preorder of the dominator tree.
typedef struct ranked {
  uint32_t enter;
  uint32_t index;
} ranked;

static int by_enter(const void *left, const void *right) {
  const ranked *a = left, *b = right;
  return a->enter < b->enter ? -1 : a->enter > b->enter;
}

// The nearest set above each read, in one walk over the preorder: the stack holds the sets that
// dominate the place where the walk is.
static void find_read_sets(lin_phis *values) {
  const lin_tree *tree = values->dominators;
  uint32_t num_sets = values->num_sets, num_reads = values->num_reads, depth = 0, next = 0;
  ranked *sets = values->ranked, *reads = sets + num_sets;
  lin_block *stack = values->stack;
  for (uint32_t i = 0; i < num_sets; i++)
    sets[i] = (ranked){tree->enter[values->set[i]], i};
  for (uint32_t i = 0; i < num_reads; i++)
    reads[i] = (ranked){tree->enter[values->read[i].block], i};
  qsort(sets, num_sets, sizeof *sets, by_enter);
  qsort(reads, num_reads, sizeof *reads, by_enter);
  for (uint32_t i = 0; i < num_reads; i++) {
    lin_point read = values->read[reads[i].index];
    for (; next < num_sets && sets[next].enter <= reads[i].enter; next++) {
      lin_block set = values->set[sets[next].index];
      while (depth > 0 && !lin_tree_contains(tree, stack[depth - 1], set))
        depth--;
      stack[depth++] = set;
    }
    while (depth > 0 && !lin_tree_contains(tree, stack[depth - 1], read.block))
      depth--;
    uint32_t above = depth > 0 && stack[depth - 1] == read.block && !read.at_end ? 1 : 0;
    values->read_set[reads[i].index] = depth > above ? stack[depth - 1 - above] : LIN_NONE;
  }
}

static int by_block(const void *left, const void *right) {
  const lin_point *a = left, *b = right;
  return a->block < b->block ? -1 : a->block > b->block;
}

static void take_reads(lin_phis *values, const lin_variable *variable) {
  const lin_graph *graph = values->flow->graph;
  uint32_t count = variable->num_reads;
  for (uint32_t i = 0; i < variable->num_carried; i++)
    count += lin_in_degree(graph, variable->carried[i]);
  if (count > values->read_capacity) {
    values->read_capacity = 2 * count;
    values->read = LIN_ARRAY(values->arena, lin_point, values->read_capacity);
    values->read_set = LIN_ARRAY(values->arena, lin_block, values->read_capacity);
  }
  if (count + values->num_sets > values->ranked_capacity) {
    values->ranked_capacity = 2 * (count + values->num_sets);
    values->ranked = LIN_ARRAY(values->arena, ranked, values->ranked_capacity);
    values->stack = LIN_ARRAY(values->arena, lin_block, values->ranked_capacity);
  }
  memcpy(values->read, variable->read, variable->num_reads * sizeof(lin_point));
  values->num_reads = variable->num_reads;
  for (uint32_t i = 0; i < variable->num_carried; i++)
    for (LIN_IN_EDGES(graph, variable->carried[i], in)) {
      lin_block from = graph->source[graph->in_edge[in]];
      if (from >= variable->carried[i])
        values->read[values->num_reads++] = (lin_point){from, true};
    }
  qsort(values->read, values->num_reads, sizeof(lin_point), by_block);
  find_read_sets(values);
}

static bool is_read_behind(const lin_phis *values, lin_block block) {
  return values->read[values->num_reads - 1].block >= block;
}

static bool is_needed(const lin_phis *values, lin_block join) {
  if (values->forced[join] == values->variable)
    return true;
  uint32_t low = 0, high = values->num_reads; // the first read at or behind the join
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (values->read[middle].block < join)
      low = middle + 1;
    else
      high = middle;
  }
  bool is_end = lin_out_degree(values->flow->graph, join) == 0; // nothing is behind it
  for (uint32_t i = low; i < values->num_reads; i++) {
    lin_block set = values->read_set[i];
    if (is_end && values->read[i].block != join)
      break;
    if (set != LIN_NONE && set >= join)
      continue;
    lin_block phi = last_dominating(values, values->phi, values->num_phis, values->read[i].block,
                                    false, LIN_NONE);
    lin_block nearest = phi == LIN_NONE || (set != LIN_NONE && set >= phi) ? set : phi;
    if (nearest == LIN_NONE || lin_tree_contains(values->dominators, nearest, join))
      return true;
  }
  return false;
}

static void push_frontier(lin_phis *values, lin_block block, bool is_guard) {
  for (const frontier_cell *cell = values->frontier[block]; cell != NULL; cell = cell->next)
    if (!is_guard)
      push(values, values->first_of[cell->join]);
    else if (!cell->by_retreat)
      push(values, cell->join);
}

uint32_t lin_phis_place(lin_phis *values, const lin_variable *variable, const lin_block **phis) {
  values->variable++;
  values->heap_size = 0;
  values->num_phis = 0;
  values->set = variable->set;
  values->num_sets = variable->num_sets;
  *phis = values->phi;
  if (variable->num_reads == 0)
    return 0;
  take_reads(values, variable);
  for (uint32_t i = 0; i < variable->num_carried; i++) {
    values->forced[variable->carried[i]] = values->variable;
    lin_block header = variable->carried[i];
    push(values, variable->is_guard ? header : values->first_of[header]);
  }
  for (uint32_t i = 0; i < variable->num_sets; i++)
    push_frontier(values, variable->set[i], variable->is_guard);
  while (values->heap_size > 0) {
    lin_block join = pop(values), last = variable->is_guard ? join : values->last_of[join];
    if (last > join ? !is_read_behind(values, join) : !is_needed(values, join))
      continue;
    for (lin_block block = join; block <= last; block++) {
      if (last > join && lin_in_degree(values->flow->graph, block) < 2)
        continue;
      values->phi[values->num_phis++] = block;
      push_frontier(values, block, variable->is_guard);
    }
  }
  return values->num_phis;
}
