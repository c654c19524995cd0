// 1. Where each value is live: backwards from its uses to its definition.
// 2. Pairs of a phi and an operand, those in the innermost loops first, where a copy would cost
//    most: their webs are united if the union is free of interference. In the order of the
//    dominator tree, each value is only compared to the nearest one above it: what is live at a
//    definition is live at all definitions between, too.
#include "webs.h"

#include "graph/sorted.h"

#include <stdlib.h>
#include <string.h>

// Bounds on time and memory (bench/scaling), both linear in them.
enum {
  LARGEST_WEB = 512,  // values: of a web, each union goes through all
  LIVE_PER_VALUE = 32 // blocks that values may live in, on average; those beyond stay as they are
};

typedef struct web {
  uint32_t *member; // [count] in preorder of the dominator tree
  uint32_t count;
} web;

typedef struct finder {
  lin_arena *arena;
  const lin_analysis *analysis;
  const lin_web_input *input;
  lin_webs *webs;
  uint32_t *num_out; // [num_values] blocks out of which the value is live
  lin_block **out;   // [num_values] those blocks, rising
  uint64_t budget;
  uint32_t *is_in, *is_out; // [num_blocks] value + 1 for which the block is in a list
  lin_block *in_list, *out_list;
  uint32_t in_count, out_count;
  uint32_t *up; // [num_values] towards the web's representative
  web *web;     // [num_values] by representative
} finder;

static bool contains(const lin_block *blocks, uint32_t count, lin_block block) {
  return count > 0 && bsearch(&block, blocks, count, sizeof block, lin_rising) != NULL;
}

// ---- 1. where values are live

static void live_into(finder *f, uint32_t value, lin_block block) {
  if (block == f->input->value[value].definition.block || f->is_in[block] == value + 1)
    return;
  f->is_in[block] = value + 1;
  f->in_list[f->in_count++] = block;
}

static void live_out_of(finder *f, uint32_t value, lin_block block) {
  if (f->is_out[block] != value + 1)
    f->out_list[f->out_count++] = block;
  f->is_out[block] = value + 1;
  live_into(f, value, block);
}

static lin_block *keep(finder *f, lin_block *list, uint32_t count) {
  lin_block *kept = LIN_ARRAY(f->arena, lin_block, count);
  qsort(list, count, sizeof *list, lin_rising);
  if (count > 0)
    memcpy(kept, list, count * sizeof *list);
  return kept;
}

static void find_live(finder *f, uint32_t value) {
  const lin_graph *graph = f->analysis->graph;
  const lin_web_value *v = &f->input->value[value];
  f->in_count = f->out_count = 0;
  for (uint32_t i = v->first_use; i < v->first_use + v->num_uses; i++) {
    lin_place use = f->input->use[i];
    if (use.position == LIN_AT_END)
      live_out_of(f, value, use.block);
    else
      live_into(f, value, use.block);
  }
  f->webs->num_live[value] = LIN_NONE;
  for (uint32_t next = 0; next < f->in_count; next++) {
    if (f->in_count + (uint64_t)f->out_count > f->budget)
      return;
    for (LIN_IN_EDGES(graph, f->in_list[next], i))
      live_out_of(f, value, graph->source[graph->in_edge[i]]);
  }
  f->budget -=
      f->in_count + (uint64_t)f->out_count < f->budget ? f->in_count + f->out_count : f->budget;
  f->webs->num_live[value] = f->in_count;
  f->webs->live[value] = keep(f, f->in_list, f->in_count);
  f->num_out[value] = f->out_count;
  f->out[value] = keep(f, f->out_list, f->out_count);
}

// ---- 2. uniting

static bool is_above(const finder *f, uint32_t a, uint32_t b) {
  lin_place above = f->input->value[a].definition, below = f->input->value[b].definition;
  if (above.block == below.block)
    return above.position <= below.position;
  return lin_tree_contains(f->analysis->dominators, above.block, below.block);
}

// True if `value` is still needed where `other`, further down the dominator tree, is defined.
static bool is_live_at(const finder *f, uint32_t value, uint32_t other) {
  const lin_web_value *v = &f->input->value[value];
  lin_place at = f->input->value[other].definition;
  if (at.block == v->definition.block && at.position == v->definition.position)
    return true; // phis of one block: both are set when it is entered
  if (contains(f->out[value], f->num_out[value], at.block))
    return true;
  for (uint32_t i = v->first_use; i < v->first_use + v->num_uses; i++)
    if (f->input->use[i].block == at.block && f->input->use[i].position > at.position)
      return true;
  return false;
}

static bool comes_before(const finder *f, uint32_t a, uint32_t b) {
  lin_place left = f->input->value[a].definition, right = f->input->value[b].definition;
  if (left.block != right.block)
    return f->analysis->dominators->enter[left.block] < f->analysis->dominators->enter[right.block];
  return left.position != right.position ? left.position < right.position : a < b;
}

static uint32_t find(finder *f, uint32_t value) {
  while (f->up[value] != value)
    value = f->up[value] = f->up[f->up[value]];
  return value;
}

// Unites two webs unless their values interfere.
static void unite(finder *f, uint32_t a, uint32_t b) {
  const web *left = &f->web[a], *right = &f->web[b];
  uint32_t count = left->count + right->count, depth = 0, i = 0, j = 0;
  uint32_t merged[LARGEST_WEB], stack[LARGEST_WEB];
  if (count > LARGEST_WEB)
    return;
  for (uint32_t next = 0; next < count; next++) {
    bool from_left = j == right->count ||
                     (i < left->count && comes_before(f, left->member[i], right->member[j]));
    uint32_t value = from_left ? left->member[i++] : right->member[j++];
    while (depth > 0 && !is_above(f, stack[depth - 1], value))
      depth--;
    if (depth > 0 && find(f, stack[depth - 1]) != find(f, value) &&
        is_live_at(f, stack[depth - 1], value))
      return;
    merged[next] = stack[depth++] = value;
  }
  uint32_t *member = LIN_ARRAY(f->arena, uint32_t, count);
  memcpy(member, merged, count * sizeof *member);
  f->up[b] = a;
  f->web[a] = (web){member, count};
}

typedef struct ranked_pair {
  uint32_t depth, index;
} ranked_pair;

static int deepest_first(const void *left, const void *right) {
  const ranked_pair *a = left, *b = right;
  if (a->depth != b->depth)
    return a->depth > b->depth ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

static ranked_pair *rank_pairs(const finder *f) {
  const lin_loops *loops = f->analysis->loops;
  ranked_pair *ranked = LIN_ARRAY(f->arena, ranked_pair, f->input->num_pairs);
  for (uint32_t i = 0; i < f->input->num_pairs; i++) {
    lin_block block = f->input->value[f->input->pair[i].phi].definition.block;
    ranked[i] = (ranked_pair){loops->tree->depth[loops->loop_of[block]], i};
  }
  qsort(ranked, f->input->num_pairs, sizeof *ranked, deepest_first);
  return ranked;
}

static void unite_pairs(finder *f) {
  const ranked_pair *ranked = rank_pairs(f);
  for (uint32_t i = 0; i < f->input->num_pairs; i++) {
    lin_web_pair pair = f->input->pair[ranked[i].index];
    if (f->webs->num_live[pair.phi] == LIN_NONE || f->webs->num_live[pair.operand] == LIN_NONE)
      continue;
    uint32_t a = find(f, pair.phi), b = find(f, pair.operand);
    if (a != b)
      unite(f, a, b);
  }
}

// ---- the result

static void list_members(finder *f) {
  lin_webs *webs = f->webs;
  uint32_t n = f->input->num_values;
  uint32_t *number = LIN_ARRAY(f->arena, uint32_t, n); // of the web of a representative, + 1
  webs->web_of = LIN_ARRAY(f->arena, uint32_t, n);
  for (uint32_t value = 0; value < n; value++) {
    uint32_t top = find(f, value);
    if (number[top] == 0)
      number[top] = ++webs->num_webs;
    webs->web_of[value] = number[top] - 1;
  }
  webs->first_member = LIN_ARRAY(f->arena, uint32_t, (size_t)webs->num_webs + 2);
  webs->member = LIN_ARRAY(f->arena, uint32_t, n);
  for (uint32_t value = 0; value < n; value++)
    webs->first_member[webs->web_of[value] + 2]++;
  for (uint32_t w = 0; w < webs->num_webs; w++)
    webs->first_member[w + 2] += webs->first_member[w + 1];
  for (uint32_t value = 0; value < n; value++)
    webs->member[webs->first_member[webs->web_of[value] + 1]++] = value;
}

// The values of a web, as the dominator tree has them above each other.
static void list_above(finder *f) {
  lin_webs *webs = f->webs;
  webs->descending = LIN_ARRAY(f->arena, uint32_t, f->input->num_values);
  webs->above = LIN_ARRAY(f->arena, uint32_t, f->input->num_values);
  for (uint32_t w = 0; w < webs->num_webs; w++) {
    uint32_t first = webs->first_member[w];
    const web *of = &f->web[find(f, webs->member[first])];
    memcpy(webs->descending + first, of->member, of->count * sizeof *of->member);
    uint32_t nearest = LIN_NONE;
    for (uint32_t i = 0; i < of->count; i++) {
      while (nearest != LIN_NONE && !is_above(f, nearest, of->member[i]))
        nearest = webs->above[nearest];
      webs->above[of->member[i]] = nearest;
      nearest = of->member[i];
    }
  }
}

lin_webs *lin_webs_build(lin_arena *arena, const lin_analysis *analysis, const lin_web_input *input,
                         bool unite_them) {
  uint32_t n = input->num_values, blocks = analysis->graph->num_blocks;
  finder f = {.arena = arena,
              .analysis = analysis,
              .input = input,
              .webs = LIN_NEW(arena, lin_webs),
              .num_out = LIN_ARRAY(arena, uint32_t, n),
              .out = LIN_ARRAY(arena, lin_block *, n),
              .budget = (uint64_t)LIVE_PER_VALUE * ((uint64_t)n + blocks),
              .is_in = LIN_ARRAY(arena, uint32_t, blocks),
              .is_out = LIN_ARRAY(arena, uint32_t, blocks),
              .in_list = LIN_ARRAY(arena, lin_block, blocks),
              .out_list = LIN_ARRAY(arena, lin_block, blocks),
              .up = LIN_ARRAY(arena, uint32_t, n),
              .web = LIN_ARRAY(arena, web, n)};
  f.webs->num_live = LIN_ARRAY(arena, uint32_t, n);
  f.webs->live = LIN_ARRAY(arena, lin_block *, n);
  uint32_t *alone = LIN_ARRAY(arena, uint32_t, n);
  for (uint32_t value = 0; value < n; value++) {
    find_live(&f, value);
    alone[value] = f.up[value] = value;
    f.web[value] = (web){&alone[value], 1};
  }
  if (unite_them)
    unite_pairs(&f);
  list_members(&f);
  list_above(&f);
  return f.webs;
}

bool lin_webs_is_live(const lin_webs *webs, uint32_t value, lin_block block) {
  return webs->num_live[value] == LIN_NONE ||
         contains(webs->live[value], webs->num_live[value], block);
}

// Values of a web don't interfere: none is needed any longer than to the next one below.
uint32_t lin_webs_held(const lin_webs *webs, const lin_analysis *analysis,
                       const lin_web_value *value, uint32_t of, lin_block from) {
  const lin_tree *dominators = analysis->dominators;
  const uint32_t *members = webs->descending;
  uint32_t low = webs->first_member[of], high = webs->first_member[of + 1];
  uint32_t first = low;
  while (low < high) { // the first that the walk over the tree enters behind `from`
    uint32_t middle = low + (high - low) / 2;
    if (dominators->enter[value[members[middle]].definition.block] <= dominators->enter[from])
      low = middle + 1;
    else
      high = middle;
  }
  uint32_t at = low == first ? LIN_NONE : members[low - 1];
  while (at != LIN_NONE && !lin_tree_contains(dominators, value[at].definition.block, from))
    at = webs->above[at];
  return at;
}
