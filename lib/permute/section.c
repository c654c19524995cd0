#include "section.h"

// ---- blocks of a section

// The first instruction of a block behind its phis.
static uint32_t behind_phis(const lin_values *values, lin_block block) {
  uint32_t at = values->first_value[block];
  while (at < values->first_value[block + 1] && values->value[at].op == LIN_OP_PHI)
    at++;
  return at;
}

static bool is_entered_elsewhere(const lin_graph *graph, const lin_section *s, lin_block block) {
  for (LIN_IN_EDGES(graph, block, i))
    if (!s->has[graph->source[graph->in_edge[i]]])
      return true;
  return false;
}

// All that lies between s->start and s->end. False if threads come to it from elsewhere, or to the
// start again.
static bool collect(lin_arena *arena, const lin_values *values, lin_section *s) {
  const lin_graph *graph = values->analysis->graph;
  lin_block *pending = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  uint32_t count = 0;
  lin_block largest = s->start;
  s->has = LIN_ARRAY(arena, bool, graph->num_blocks);
  s->num_blocks = 0;
  s->has[s->start] = true;
  pending[count++] = s->start;
  while (count > 0) {
    lin_block block = pending[--count];
    s->num_blocks++;
    largest = block > largest ? block : largest;
    for (LIN_OUT_EDGES(graph, block, edge)) {
      lin_block to = graph->destination[edge];
      if (to == s->start)
        return false;
      if (to != s->end && !s->has[to])
        pending[count++] = to;
      s->has[to] |= to != s->end;
    }
  }
  bool reaches_into = s->last > values->first_value[s->end];
  s->block = LIN_ARRAY(arena, lin_block, s->num_blocks + 1);
  s->num_blocks = 0;
  for (lin_block block = s->start; block <= largest; block++)
    if (s->has[block])
      s->block[s->num_blocks++] = block;
  for (uint32_t i = 1; i < s->num_blocks; i++)
    if (is_entered_elsewhere(graph, s, s->block[i]))
      return false;
  if (reaches_into && is_entered_elsewhere(graph, s, s->end))
    return false;
  if (reaches_into)
    s->block[s->num_blocks++] = s->end;
  s->has[s->end] = reaches_into;
  return true;
}

bool lin_section_contains(const lin_values *values, const lin_section *s, uint32_t value) {
  lin_block block = values->value[value].block;
  return s->has[block] && value >= values->first_value[block] &&
         (block != s->start || value >= s->first) && (block != s->end || value < s->last);
}

static bool has_barrier(const lin_values *values, const lin_section *s) {
  for (uint32_t i = 0; i < s->num_blocks; i++) {
    lin_block block = s->block[i];
    for (uint32_t at = values->first_value[block]; at < values->first_value[block + 1]; at++)
      if ((values->value[at].does & LIN_MEETS) != 0 && lin_section_contains(values, s, at))
        return true;
  }
  return false;
}

// The section from the end of one block to the begin of another, if it has no barrier.
static bool is_between(lin_arena *arena, const lin_values *values, lin_block from, lin_block to,
                       lin_section *s) {
  *s = (lin_section){.start = from,
                     .end = to,
                     .first = values->first_value[from + 1] - 1,
                     .last = values->first_value[to]};
  return collect(arena, values, s) && !has_barrier(values, s);
}

bool lin_section_of_branch(lin_arena *arena, const lin_values *values, const lin_together *together,
                           lin_block block, lin_section *s) {
  const lin_graph *graph = values->analysis->graph;
  lin_block meeting = values->analysis->postdominators->tree->parent[block];
  if (!together->come[block] || lin_out_degree(graph, block) < 2 || meeting >= graph->num_blocks)
    return false;
  const bool is_section = is_between(arena, values, block, meeting, s);
  s->is_branch = true;
  return is_section;
}

// ---- the widest section

typedef struct search {
  const lin_values *values;
  const lin_together *together;
  const lin_tree *above, *below; // dominators, post-dominators
  uint32_t loop;
} search;

// Whether a section may begin or end in a block.
static bool is_place(const search *s, lin_block block) {
  return block < s->values->analysis->graph->num_blocks && s->together->come[block] &&
         s->values->analysis->loops->loop_of[block] == s->loop;
}

// The next such block up in a tree; LIN_NONE if there is none.
static lin_block next_place(const search *s, const lin_tree *tree, lin_block block) {
  do
    block = tree->parent[block];
  while (block != LIN_NONE && !is_place(s, block));
  return block;
}

// Whether all threads that come to one come to the other, as often.
static bool are_equal(const search *s, lin_block above, lin_block below) {
  return above < below && lin_tree_contains(s->above, above, below) &&
         lin_tree_contains(s->below, below, above);
}

static bool is_free(const search *s, lin_block from, lin_block to) {
  lin_section between;
  lin_arena scratch = {0};
  bool is_section = is_between(&scratch, s->values, from, to, &between);
  lin_arena_release(&scratch);
  return is_section;
}

// The nearest places around a block.
static bool find_places(const search *s, lin_block block, lin_block *from, lin_block *to) {
  *from = is_place(s, block) ? block : next_place(s, s->above, block);
  *to = next_place(s, s->below, block);
  while (*from != LIN_NONE && *to != LIN_NONE && !are_equal(s, *from, *to)) {
    if (*from < *to && lin_tree_contains(s->above, *from, *to))
      *to = next_place(s, s->below, *to);
    else
      *from = next_place(s, s->above, *from);
  }
  return *from != LIN_NONE && *to != LIN_NONE;
}

// The first instruction of a block from which no barrier follows in it.
static uint32_t behind_barriers(const lin_values *values, lin_block block) {
  uint32_t first = behind_phis(values, block), at = values->first_value[block + 1];
  while (at > first && (values->value[at - 1].does & LIN_MEETS) == 0)
    at--;
  return at;
}

// The first barrier of a block, or its end.
static uint32_t before_barriers(const lin_values *values, lin_block block) {
  uint32_t at = values->first_value[block], end = values->first_value[block + 1];
  while (at < end && (values->value[at].does & LIN_MEETS) == 0)
    at++;
  return at;
}

bool lin_section_around(lin_arena *arena, const lin_values *values, const lin_together *together,
                        lin_block block, uint32_t loop, lin_section *section) {
  const lin_analysis *a = values->analysis;
  search s = {values, together, a->dominators, a->postdominators->tree, loop};
  lin_block from, to;
  if (!find_places(&s, block, &from, &to) || !is_free(&s, from, to))
    return false;
  for (lin_block up; behind_barriers(values, from) == behind_phis(values, from); from = up) {
    up = next_place(&s, s.above, from);
    if (up == LIN_NONE || !are_equal(&s, up, from) || !is_free(&s, up, from))
      break;
  }
  for (lin_block down; before_barriers(values, to) == values->first_value[to + 1]; to = down) {
    down = next_place(&s, s.below, to);
    if (down == LIN_NONE || !are_equal(&s, to, down) || !is_free(&s, to, down))
      break;
  }
  uint32_t last = before_barriers(values, to), end = values->first_value[to + 1];
  *section = (lin_section){.start = from,
                           .end = to,
                           .first = behind_barriers(values, from),
                           .last = last == end && last > values->first_value[to] ? end - 1 : last};
  return collect(arena, values, section);
}
