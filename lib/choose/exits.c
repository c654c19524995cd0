// 1. Find the blocks in loops that end in a test of what they join, and where the test is known to
//    lead out of the loop for some of the edges to them.
// 2. Have these edges lead to a copy of the block that goes there and tests nothing; and where all
//    that is left leads to one place, have the block itself go there.
// 3. Leave out what would take a wait from the threads that stay (waits.h).
#include "exits.h"

#include "linearize/between.h"
#include "waits.h"

// Instructions that threads run that leave, no longer together: a bound on code that stands twice,
// with half and twice of which every kernel of bench/ comes out the same (`scripts/calibrate
// MOST_COPIED`, code of 2026-11-23). Edges that join a flag: a bound on work, for each is asked
// about (bench/scaling --shapes returns).
enum { MOST_COPIED = 8, MOST_EDGES = 64 };

typedef struct finder {
  lin_arena *arena;
  const lin_front *front;
  const lin_order *order;
  const lin_analysis *a;
  const lin_policy *policy;
  bool *waits; // [num_loops] threads in it may wait for others
} finder;

// A block that tests a flag, and the exit that is looked at; both of the ordered graph.
typedef struct exit_way {
  const finder *l;
  lin_block block, to;
  uint32_t loop;
} exit_way;

// ---- step 1: which blocks

static void find_waiting_loops(finder *l) {
  const lin_loops *loops = l->a->loops;
  for (lin_block block = 0; block < l->a->graph->num_blocks; block++)
    if ((l->a->graph->flags[block] & LIN_LEFT_OUT) != 0)
      l->waits[loops->loop_of[block]] = true;
  for (uint32_t loop = loops->num_loops; loop-- > 1;) // parents come first
    l->waits[loops->tree->parent[loop]] |= l->waits[loop];
}

static bool may_test_flag(const finder *l, lin_block block) {
  const lin_loops *loops = l->a->loops;
  uint32_t loop = loops->loop_of[block];
  return loop != 0 && loops->header[loop] != block && !loops->irreducible[loop] &&
         !l->waits[loop] && lin_in_degree(l->a->graph, block) > 1 &&
         lin_in_degree(l->a->graph, block) <= MOST_EDGES &&
         lin_may_part(l->a->graph, block, l->policy->divergence_known) &&
         !l->front->is_guard(l->front->context, l->order->origin[block]);
}

static bool is_outside(const exit_way *way, lin_block block) {
  return !lin_loop_contains(way->l->a->loops, way->loop, block);
}

// Where `way`'s block leads those who come from `from`, or LIN_NONE.
static lin_block next_from(const exit_way *way, lin_block from) {
  const lin_order *order = way->l->order;
  const lin_front *front = way->l->front;
  lin_block next = front->next_from(front->context, order->origin[way->block], order->origin[from]);
  return next == LIN_NONE ? LIN_NONE : order->number[next];
}

// One edge leads from there to the block, and on to the exit.
static bool leaves(const exit_way *way, lin_block from) {
  uint32_t edges = 0;
  for (LIN_OUT_EDGES(way->l->a->graph, from, edge))
    edges += way->l->a->graph->destination[edge] == way->block;
  return edges == 1 && !is_outside(way, from) && next_from(way, from) == way->to;
}

// Edges to a block.
typedef struct edges {
  uint32_t leaving, staying; // to the exit that is looked at; that don't lead to any for sure
  lin_block stays;           // the source of the last of these
  lin_block rest;            // where all that don't leave by this exit lead, or LIN_NONE
} edges;

static edges count_edges(const exit_way *way) {
  const lin_graph *graph = way->l->a->graph;
  edges count = {.stays = LIN_NONE, .rest = LIN_NONE};
  bool is_first = true;
  for (LIN_IN_EDGES(graph, way->block, i)) {
    lin_block from = graph->source[graph->in_edge[i]];
    if (leaves(way, from)) {
      count.leaving++;
      continue;
    }
    lin_block to = next_from(way, from);
    count.rest = is_first || to == count.rest ? to : LIN_NONE;
    is_first = false;
    if (to != LIN_NONE && is_outside(way, to))
      continue;
    count.staying++;
    count.stays = from;
  }
  return count;
}

// The first exit that is known to be taken by some of those who come to the block, or LIN_NONE.
static lin_block find_exit(const exit_way *way) {
  const lin_graph *graph = way->l->a->graph;
  for (LIN_IN_EDGES(graph, way->block, i)) {
    lin_block to = next_from(way, graph->source[graph->in_edge[i]]);
    if (to != LIN_NONE && is_outside(way, to))
      return to;
  }
  return LIN_NONE;
}

// Whether each use of what the block computes is still reached from the block alone, and not from
// its copy, too: it is in the loop, which the copy leaves; or behind an exit to which only the
// block leads, so that the copy's edge can bring its own value.
static bool are_uses_reached(const exit_way *way) {
  const finder *l = way->l;
  uint32_t count;
  const lin_block *uses =
      l->front->uses(l->front->context, l->arena, l->order->origin[way->block], &count);
  for (uint32_t i = 0; i < count; i++) {
    lin_block place = uses[i] == LIN_NONE ? LIN_NONE : l->order->number[uses[i]];
    if (place == LIN_NONE)
      return false;
    if (is_outside(way, place) && (lin_in_degree(l->a->graph, way->to) != 1 ||
                                   !lin_tree_contains(l->a->dominators, way->to, place)))
      return false;
  }
  return true;
}

// Whether all threads of the loop come to the exit, so that who leaves waits there for the others:
// what stands between the loop and the place where they meet would be run once for each edge that
// leaves.
static bool is_waited_at(const lin_analysis *a, lin_block block, lin_block to) {
  return lin_tree_contains(a->postdominators->tree, to, block);
}

// Whether the threads that stay are together without the block: they all come from one other, and
// either there has been no join on the way there since threads parted, or they wait for each other
// at joins like that (meetings.h), as they do on all GPUs but those that run threads in lock step.
static bool stay_together(const finder *l, lin_block block, lin_block stays) {
  lin_block parted = l->a->dominators->parent[block];
  while (l->policy->lock_step && stays != parted && lin_in_degree(l->a->graph, stays) == 1)
    stays = l->a->graph->source[l->a->graph->in_edge[l->a->graph->first_in[stays]]];
  return !l->policy->lock_step || stays == parted;
}

// ---- step 2

static lin_edit free_exit(const exit_way *way, const edges *count) {
  const finder *l = way->l;
  const lin_graph *graph = l->a->graph;
  const lin_block *origin = l->order->origin;
  lin_block *from = LIN_ARRAY(l->arena, lin_block, count->leaving);
  lin_edit edit = {.kind = LIN_EDIT_COPY,
                   .block = origin[way->block],
                   .from = from,
                   .to = origin[way->to],
                   .rest = count->rest == LIN_NONE ? LIN_NONE : origin[count->rest],
                   .exit = lin_in_degree(graph, way->to) == 1 ? origin[way->to] : LIN_NONE,
                   .loop = way->loop};
  for (LIN_IN_EDGES(graph, way->block, i))
    if (leaves(way, graph->source[graph->in_edge[i]]))
      from[edit.count++] = origin[graph->source[graph->in_edge[i]]];
  return edit;
}

static void add_if_free(const finder *l, lin_block block, lin_edits *found) {
  const lin_front *front = l->front;
  exit_way way = {.l = l, .block = block, .to = LIN_NONE, .loop = l->a->loops->loop_of[block]};
  if (front->cost_of_copy(front->context, l->order->origin[block], MOST_COPIED) > MOST_COPIED)
    return;
  way.to = find_exit(&way);
  if (way.to == LIN_NONE || !are_uses_reached(&way))
    return;
  edges count = count_edges(&way);
  if (count.leaving > 0 && count.staying == 1 && stay_together(l, block, count.stays) &&
      (count.leaving == 1 || is_waited_at(l->a, block, way.to)))
    found->edit[found->count++] = free_exit(&way, &count);
}

// A block to which a copy of another one leads still tests for those who come by that copy.
static void keep_tests(const lin_edits *found, bool *is_led_to) {
  for (uint32_t i = 0; i < found->count; i++)
    is_led_to[found->edit[i].to] = true;
  for (uint32_t i = 0; i < found->count; i++)
    if (is_led_to[found->edit[i].block])
      found->edit[i].rest = LIN_NONE;
}

lin_edits *lin_exits_find(lin_arena *arena, const lin_front *front, const lin_shape *shape,
                          const lin_policy *policy) {
  const lin_analysis *analysis = shape->analysis;
  uint32_t blocks = analysis->graph->num_blocks, loops = analysis->loops->num_loops;
  lin_edits *found = LIN_NEW(arena, lin_edits);
  found->edit = LIN_ARRAY(arena, lin_edit, blocks);
  finder l = {.arena = arena,
              .front = front,
              .order = shape->order,
              .a = analysis,
              .policy = policy,
              .waits = LIN_ARRAY(arena, bool, loops)};
  find_waiting_loops(&l);
  for (lin_block block = 0; block < blocks; block++)
    if (may_test_flag(&l, block))
      add_if_free(&l, block, found);
  keep_tests(found, LIN_ARRAY(arena, bool, front->num_blocks));
  lin_waits_keep(shape, policy, found);
  return found;
}
