// Everything is the same, and comes together, until there is a reason why not. A value that isn't
// makes those different that use it; a branch that isn't parts threads, and the blocks up to where
// they meet again; and that makes phis different, there and behind.
#include "together.h"

#include "graph/skip.h"

typedef struct work {
  lin_arena *arena;
  const lin_values *values;
  const lin_graph *graph;
  const lin_tree *post; // post-dominators
  lin_together *all;
  uint32_t *first_user, *user;   // of each value
  lin_block *first_asked, *asks; // blocks whose branch asks for each value
  bool *is_parted;               // [blocks] the branch sends some of the threads of a block one way
  uint32_t *next_joined;         // [blocks + 1] lin_skip: up in `post` to who still comes together
  uint32_t *pending;             // values that have turned out different
  uint32_t num_pending;
  lin_block *parted; // blocks whose branches have turned out to part threads
  uint32_t num_parted;
} work;

// ---- who uses what

static void find_users(work *w) {
  const lin_values *v = w->values;
  uint32_t operands = 0;
  w->first_user = LIN_ARRAY(w->arena, uint32_t, v->count + 2);
  for (uint32_t value = 0; value < v->count; value++) {
    operands += v->value[value].count;
    for (uint32_t i = 0; i < v->value[value].count; i++)
      w->first_user[lin_operand(v, value, i) + 2]++;
  }
  for (uint32_t value = 2; value < v->count + 2; value++)
    w->first_user[value] += w->first_user[value - 1];
  w->user = LIN_ARRAY(w->arena, uint32_t, operands);
  for (uint32_t value = 0; value < v->count; value++)
    for (uint32_t i = 0; i < v->value[value].count; i++)
      w->user[w->first_user[lin_operand(v, value, i) + 1]++] = value;
}

static void find_who_asks(work *w) {
  const lin_values *v = w->values;
  w->first_asked = LIN_ARRAY(w->arena, uint32_t, v->count + 2);
  for (lin_block block = 0; block < w->graph->num_blocks; block++)
    if (v->condition[block] != LIN_NONE)
      w->first_asked[v->condition[block] + 2]++;
  for (uint32_t value = 2; value < v->count + 2; value++)
    w->first_asked[value] += w->first_asked[value - 1];
  w->asks = LIN_ARRAY(w->arena, lin_block, w->graph->num_blocks);
  for (lin_block block = 0; block < w->graph->num_blocks; block++)
    if (v->condition[block] != LIN_NONE)
      w->asks[w->first_asked[v->condition[block] + 1]++] = block;
}

// ---- what follows

static void set_different(work *w, uint32_t value) {
  if (w->all->same[value])
    w->pending[w->num_pending++] = value;
  w->all->same[value] = false;
}

static void set_parted(work *w, lin_block block) {
  if (!w->is_parted[block])
    w->parted[w->num_parted++] = block;
  w->is_parted[block] = true;
}

// Threads come to the phis of a block from different places.
static void set_joined(work *w, lin_block block) {
  const lin_values *v = w->values;
  for (uint32_t value = v->first_value[block];
       value < v->first_value[block + 1] && v->value[value].op == LIN_OP_PHI; value++)
    set_different(w, value);
}

// What it loads it loads for some threads, at some time; and whatever its branch asks, it sends on
// those alone that have come.
static void set_apart(work *w, lin_block block) {
  const lin_values *v = w->values;
  w->all->come[block] = false;
  w->next_joined[block] = w->post->parent[block];
  for (uint32_t value = v->first_value[block]; value < v->first_value[block + 1]; value++)
    if (v->value[value].op == LIN_OP_LOAD || v->value[value].op == LIN_OP_PHI)
      set_different(w, value);
  for (LIN_OUT_EDGES(w->graph, block, edge))
    set_joined(w, w->graph->destination[edge]);
  if (lin_out_degree(w->graph, block) > 1)
    set_parted(w, block);
}

// On each way out, the blocks up to where all ways meet; where threads don't come back from, all.
static void part(work *w, lin_block block) {
  const lin_tree *post = w->post;
  for (LIN_OUT_EDGES(w->graph, block, edge)) {
    lin_block to = w->graph->destination[edge];
    bool doomed = w->values->analysis->postdominators->doomed[edge];
    uint32_t meeting = doomed ? post->root : post->parent[block];
    for (uint32_t at = lin_skip(w->next_joined, to);
         at != meeting && lin_tree_contains(post, meeting, at); at = lin_skip(w->next_joined, at))
      set_apart(w, at);
  }
}

static void spread(work *w) {
  while (w->num_pending + w->num_parted > 0) {
    if (w->num_pending == 0) {
      part(w, w->parted[--w->num_parted]);
      continue;
    }
    uint32_t value = w->pending[--w->num_pending];
    for (uint32_t i = w->first_user[value]; i < w->first_user[value + 1]; i++)
      set_different(w, w->user[i]);
    for (uint32_t i = w->first_asked[value]; i < w->first_asked[value + 1]; i++)
      set_parted(w, w->asks[i]);
  }
}

lin_together *lin_together_find(lin_arena *arena, const lin_values *values) {
  const lin_analysis *analysis = values->analysis;
  uint32_t blocks = analysis->graph->num_blocks;
  work w = {.arena = arena,
            .values = values,
            .graph = analysis->graph,
            .post = analysis->postdominators->tree,
            .all = LIN_NEW(arena, lin_together),
            .is_parted = LIN_ARRAY(arena, bool, blocks),
            .next_joined = LIN_ARRAY(arena, uint32_t, blocks + 1),
            .pending = LIN_ARRAY(arena, uint32_t, values->count),
            .parted = LIN_ARRAY(arena, lin_block, blocks)};
  w.all->same = LIN_ARRAY(arena, bool, values->count);
  w.all->come = LIN_ARRAY(arena, bool, blocks);
  find_users(&w);
  find_who_asks(&w);
  for (uint32_t block = 0; block <= blocks; block++)
    w.next_joined[block] = block;
  for (lin_block block = 0; block < blocks; block++)
    w.all->come[block] = true;
  for (uint32_t value = 0; value < values->count; value++)
    w.all->same[value] = true;
  for (uint32_t value = 0; value < values->count; value++)
    if (values->value[value].op == LIN_OP_INDEX || values->value[value].op == LIN_OP_DIFFERENT)
      set_different(&w, value);
  spread(&w);
  return w.all;
}
