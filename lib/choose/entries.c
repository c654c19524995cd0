// Of each irreducible loop, find its entries. One may be copied if all its edges inside the loop
// lead to other entries: then the loop has one entry less. The dearest stays, the others are put in
// order, so that each leads to later ones or to the one that stays; if that can't be, guards are
// for the loop. They are copied in that order, for what comes from outside.
#include "entries.h"

#include "linearize/between.h"

// Of a loop: simple instructions that stand twice, a bound on the code's size, with half and twice
// of which every kernel of bench/ comes out the same (`scripts/calibrate MOST_TWICE`, code of
// 2026-11-23); and entries, a bound on work, which grows with their square.
enum { MOST_TWICE = 64, MOST_ENTRIES = 8 };

typedef struct finder {
  lin_arena *arena;
  const lin_front *front;
  const lin_order *order;
  const lin_analysis *a;
  bool *is_entry; // [num_blocks] of the loop that is looked at
} finder;

// ---- what may be copied

// A block behind `entry` that nothing else leads to, or LIN_NONE.
static lin_block own_exit(const finder *s, lin_block entry) {
  const lin_graph *graph = s->a->graph;
  lin_block found = LIN_NONE;
  for (LIN_OUT_EDGES(graph, entry, edge)) {
    lin_block to = graph->destination[edge];
    if (lin_in_degree(graph, to) == 1 && found == LIN_NONE)
      found = to;
  }
  return found;
}

// Whether what `entry` computes is used in it, in a join behind one of its edges, or behind `exit`.
static bool are_uses_reached(const finder *s, lin_block entry, lin_block exit) {
  uint32_t count;
  const lin_block *uses =
      s->front->uses(s->front->context, s->arena, s->order->origin[entry], &count);
  for (uint32_t i = 0; i < count; i++) {
    lin_block place = uses[i] == LIN_NONE ? LIN_NONE : s->order->number[uses[i]];
    if (place != entry && (exit == LIN_NONE || place == LIN_NONE ||
                           !lin_tree_contains(s->a->dominators, exit, place)))
      return false;
  }
  return true;
}

static bool may_be_copied(const finder *s, lin_block entry) {
  if ((s->a->graph->flags[entry] & LIN_LEFT_OUT) != 0 ||
      s->front->cost_of_copy(s->front->context, s->order->origin[entry], UINT32_MAX - 1) ==
          UINT32_MAX)
    return false;
  return are_uses_reached(s, entry, own_exit(s, entry));
}

// Whether all edges of `entry` that stay in the loop lead to other entries.
static bool leads_to_entries(const finder *s, uint32_t loop, lin_block entry) {
  const lin_graph *graph = s->a->graph;
  for (LIN_OUT_EDGES(graph, entry, edge)) {
    lin_block to = graph->destination[edge];
    if (lin_loop_contains(s->a->loops, loop, to) && (!s->is_entry[to] || to == entry))
      return false;
  }
  return true;
}

// The entries of a loop, of which the blocks stand together. Returns how many there are; only
// MOST_ENTRIES of them are in `entry`.
static uint32_t mark_entries(const finder *s, uint32_t loop, lin_block *entry) {
  const lin_graph *graph = s->a->graph;
  uint32_t count = 0;
  for (lin_block block = s->a->loops->header[loop];
       block < graph->num_blocks && lin_loop_contains(s->a->loops, loop, block); block++) {
    s->is_entry[block] = false;
    for (LIN_IN_EDGES(graph, block, i))
      s->is_entry[block] |= !lin_loop_contains(s->a->loops, loop, graph->source[graph->in_edge[i]]);
    if (s->is_entry[block] && count < MOST_ENTRIES)
      entry[count] = block;
    count += s->is_entry[block];
  }
  return count;
}

static bool leads_to(const finder *s, lin_block from, lin_block to) {
  for (LIN_OUT_EDGES(s->a->graph, from, edge))
    if (s->a->graph->destination[edge] == to)
      return true;
  return false;
}

// Puts the entries from `first` on into an order in which none leads to an earlier one. Returns
// false if there is none.
static bool sort_entries(const finder *s, lin_block *entry, uint32_t count, uint32_t first) {
  for (; first < count; first++) {
    uint32_t next = first;
    for (; next < count; next++) {
      bool is_free = true;
      for (uint32_t i = first; i < count && is_free; i++)
        is_free = i == next || !leads_to(s, entry[i], entry[next]);
      if (is_free)
        break;
    }
    if (next == count)
      return false;
    lin_block chosen = entry[next];
    entry[next] = entry[first];
    entry[first] = chosen;
  }
  return true;
}

// ---- edits

// Copies of entries before this one come from outside, too: the edits from `first` on are of the
// same loop.
static lin_edit copy_entry(const finder *s, uint32_t loop, lin_block entry, const lin_edits *found,
                           uint32_t first) {
  const lin_graph *graph = s->a->graph;
  const lin_block *origin = s->order->origin;
  lin_block exit = own_exit(s, entry);
  lin_block *from =
      LIN_ARRAY(s->arena, lin_block, lin_in_degree(graph, entry) + found->count - first);
  lin_edit edit = {.kind = LIN_EDIT_COPY,
                   .block = origin[entry],
                   .from = from,
                   .to = LIN_NONE,
                   .rest = LIN_NONE,
                   .exit = exit == LIN_NONE ? LIN_NONE : origin[exit],
                   .loop = loop,
                   .cost = graph->cost[entry]};
  for (LIN_IN_EDGES(graph, entry, i)) {
    lin_block source = graph->source[graph->in_edge[i]];
    bool is_known = edit.count > 0 && from[edit.count - 1] == origin[source];
    if (!lin_loop_contains(s->a->loops, loop, source) && !is_known)
      from[edit.count++] = origin[source];
  }
  for (uint32_t i = first; i < found->count; i++)
    if (leads_to(s, s->order->number[found->edit[i].block], entry))
      from[edit.count++] = s->front->num_blocks + i;
  return edit;
}

// Chooses the entry that stays: the one that would cost most. Returns false if none can.
static bool choose_entries(const finder *s, uint32_t loop, lin_edits *found) {
  lin_block entry[MOST_ENTRIES];
  uint32_t cost[MOST_ENTRIES], count = mark_entries(s, loop, entry), sum = 0, kept = 0;
  if (count < 2 || count > MOST_ENTRIES)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    cost[i] = s->a->graph->cost[entry[i]];
    if (!leads_to_entries(s, loop, entry[i]) || !may_be_copied(s, entry[i]))
      cost[i] = 2 * MOST_TWICE; // so it must stay
    sum += cost[i];
    kept = cost[i] >= cost[kept] ? i : kept;
  }
  if (sum - cost[kept] > MOST_TWICE)
    return false;
  lin_block stays = entry[kept];
  entry[kept] = entry[0];
  entry[0] = stays;
  if (!sort_entries(s, entry, count, 1))
    return false;
  uint32_t first = found->count;
  for (uint32_t i = 1; i < count; i++) {
    lin_edit edit = copy_entry(s, loop, entry[i], found, first);
    found->edit[found->count++] = edit;
  }
  return true;
}

// Loops in one another are split one at a time: what is known of one is of before.
static bool is_apart(const finder *s, uint32_t loop, const uint32_t *done, uint32_t num_done) {
  for (uint32_t i = 0; i < num_done; i++)
    if (lin_tree_contains(s->a->loops->tree, loop, done[i]) ||
        lin_tree_contains(s->a->loops->tree, done[i], loop))
      return false;
  return true;
}

lin_edits *lin_entries_find(lin_arena *arena, const lin_front *front, const lin_shape *shape,
                            const lin_regions *regions) {
  const lin_analysis *a = shape->analysis;
  uint32_t blocks = a->graph->num_blocks, num_done = 0;
  lin_edits *found = LIN_NEW(arena, lin_edits);
  found->edit = LIN_ARRAY(arena, lin_edit, blocks);
  finder s = {.arena = arena,
              .front = front,
              .order = shape->order,
              .a = a,
              .is_entry = LIN_ARRAY(arena, bool, blocks)};
  uint32_t *done = LIN_ARRAY(arena, uint32_t, a->loops->num_loops);
  for (uint32_t loop = 0; loop < a->loops->num_loops; loop++) {
    if (a->loops->irreducible[loop] && is_apart(&s, loop, done, num_done) &&
        regions->owner[a->loops->header[loop]] != LIN_NONE && choose_entries(&s, loop, found))
      done[num_done++] = loop;
  }
  return found;
}
