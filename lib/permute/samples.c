// 1. What of the function decides where threads of the section go, and what they access.
// 2. Walks through the function, as all threads go together.
// 3. In each sample, follows every index through the section.
#include "samples.h"

#include <string.h>

enum {
  MOST_SAMPLES = 64, // of a size of blocks
  MOST_STEPS = 4096, // of a walk, in blocks of code
  NUM_WORLDS = 4,    // walks with other parameters
};

typedef struct taker {
  lin_arena *arena;
  const lin_values *values;
  const lin_together *together;
  const lin_section *section;
  bool *is_needed;  // [values]
  uint32_t *needed; // [num_needed] those, in order
  uint32_t num_needed;
  uint32_t *number_in; // [blocks] in the section
  uint8_t *uses;       // [values] what they are compared for
  lin_samples *samples;
} taker;

// ---- step 1

static void need(taker *t, uint32_t *pending, uint32_t *count, uint32_t value) {
  if (t->is_needed[value])
    return;
  t->is_needed[value] = true;
  pending[(*count)++] = value;
}

static void find_needed(taker *t) {
  const lin_values *v = t->values;
  uint32_t *pending = LIN_ARRAY(t->arena, uint32_t, v->count), count = 0;
  t->is_needed = LIN_ARRAY(t->arena, bool, v->count);
  for (uint32_t i = 0; i < t->section->num_blocks; i++)
    if (v->condition[t->section->block[i]] != LIN_NONE)
      need(t, pending, &count, v->condition[t->section->block[i]]);
  for (uint32_t i = 0; i < t->samples->num_touches; i++)
    need(t, pending, &count, t->samples->touch[i]->address);
  while (count > 0) {
    uint32_t value = pending[--count];
    if (t->together->same[value] && !lin_section_contains(v, t->section, value))
      continue; // it comes from the sample
    for (uint32_t i = 0; i < v->value[value].count; i++)
      need(t, pending, &count, lin_operand(v, value, i));
  }
  t->needed = LIN_ARRAY(t->arena, uint32_t, v->count);
  for (uint32_t value = 0; value < v->count; value++)
    if (t->is_needed[value])
      t->needed[t->num_needed++] = value;
}

static void find_touches(taker *t) {
  const lin_values *v = t->values;
  lin_samples *s = t->samples;
  s->touch = LIN_ARRAY(t->arena, const lin_touch *, v->num_touches);
  s->touch_block = LIN_ARRAY(t->arena, uint32_t, v->num_touches);
  for (uint32_t i = 0; i < v->num_touches; i++) {
    uint32_t value = v->touch[i].value;
    if (!lin_section_contains(v, t->section, value) || v->touch[i].memory == LIN_MEMORY_OWN)
      continue;
    s->touch_block[s->num_touches] = t->number_in[v->value[value].block];
    s->touch[s->num_touches++] = &v->touch[i];
  }
}

// ---- step 2

// What values are for that nobody knows when compiling: a bound that indices are below, a choice
// that is one of a few, or others.
enum { BOUND = 1, CHOICE = 2 };

static void find_uses(taker *t) {
  const lin_values *v = t->values;
  t->uses = LIN_ARRAY(t->arena, uint8_t, v->count);
  for (uint32_t value = v->count; value-- > 0;) {
    uint8_t op = v->value[value].op, uses = 0;
    if (op >= LIN_OP_ULT && op <= LIN_OP_SLE)
      uses = BOUND;
    else if (op == LIN_OP_EQ || op == LIN_OP_NE)
      uses = CHOICE;
    else if (op == LIN_OP_ADD || op == LIN_OP_SUB || op == LIN_OP_ZEXT || op == LIN_OP_SEXT)
      uses = t->uses[value];
    for (uint32_t i = 0; i < v->value[value].count; i++)
      t->uses[lin_operand(v, value, i)] |= uses;
  }
}

// In each walk another number; a pointer is any multiple of 256.
static uint64_t made_up(const taker *t, uint32_t value, uint32_t world) {
  static const uint64_t bounds[NUM_WORLDS] = {1 << 20, 1 << 20, 1 << 16, 64},
                        choices[NUM_WORLDS] = {0, 1, 0, 1}, others[NUM_WORLDS] = {2, 1, 16, 128};
  if (t->values->value[value].width > 32)
    return (uint64_t)(value + 1) << 32;
  if ((t->uses[value] & BOUND) != 0)
    return bounds[world];
  return t->uses[value] == CHOICE ? choices[world] : others[world];
}

static lin_known same_value(const taker *t, uint32_t value, uint32_t world, const uint32_t *size,
                            const lin_known *at) {
  const lin_values *v = t->values;
  const lin_value *this = &v->value[value];
  if (this->width == 0)
    return (lin_known){0, false};
  if (this->op == LIN_OP_SIZE)
    return (lin_known){size[this->number], true};
  lin_known known = lin_value_of(v, value, at);
  if (!known.known)
    known = lin_know(made_up(t, value, world), this->width);
  return known;
}

// What a block of code computes for all threads that come to it from `from`.
static void walk_block(const taker *t, lin_block block, lin_block from, uint32_t world,
                       const uint32_t *size, lin_known *at) {
  const lin_values *v = t->values;
  uint32_t first = v->first_value[block], end = v->first_value[block + 1], phis = first;
  while (phis < end && v->value[phis].op == LIN_OP_PHI)
    phis++;
  lin_arena scratch = {0};
  lin_known *taken = LIN_ARRAY(&scratch, lin_known, phis - first); // all at once
  for (uint32_t phi = first; phi < phis; phi++)
    for (uint32_t i = v->value[phi].first; i < v->value[phi].first + v->value[phi].count; i++)
      if (v->scale[i] == from)
        taken[phi - first] = at[v->operand[i]];
  for (uint32_t phi = first; phi < phis; phi++)
    at[phi] = t->together->same[phi] ? taken[phi - first] : (lin_known){0, false};
  for (uint32_t value = phis; value < end; value++)
    if (t->together->same[value])
      at[value] = same_value(t, value, world, size, at);
  lin_arena_release(&scratch);
}

static lin_block next_block(const taker *t, lin_block block, const lin_known *at) {
  const lin_values *v = t->values;
  const lin_graph *graph = v->analysis->graph;
  lin_edge first = graph->first_edge[block], otherwise = LIN_NONE;
  if (lin_out_degree(graph, block) == 0)
    return LIN_NONE;
  if (lin_out_degree(graph, block) == 1)
    return graph->destination[first];
  uint32_t condition = v->condition[block];
  lin_block meeting = v->analysis->postdominators->tree->parent[block];
  if (condition == LIN_NONE || !t->together->same[condition] || !at[condition].known)
    return meeting < graph->num_blocks ? meeting : LIN_NONE;
  for (LIN_OUT_EDGES(graph, block, edge)) {
    if (v->taken_otherwise[edge])
      otherwise = edge;
    else if (v->taken_for[edge] == at[condition].number)
      return graph->destination[edge];
  }
  return otherwise == LIN_NONE ? LIN_NONE : graph->destination[otherwise];
}

static bool is_like(const taker *t, const lin_sample *a, const lin_known *at) {
  for (uint32_t i = 0; i < t->num_needed; i++) {
    uint32_t value = t->needed[i];
    if (t->together->same[value] &&
        (a->at[value].known != at[value].known || a->at[value].number != at[value].number))
      return false;
  }
  return true;
}

static void keep_sample(const taker *t, lin_sampled_launch *s, const lin_known *at) {
  for (uint32_t i = 0; i < s->count; i++)
    if (is_like(t, &s->sample[i], at))
      return;
  if (s->count == MOST_SAMPLES)
    return;
  lin_known *copy = LIN_ARRAY(t->arena, lin_known, t->values->count);
  memcpy(copy, at, t->values->count * sizeof *copy);
  s->sample[s->count++] = (lin_sample){.at = copy};
}

static void walk(const taker *t, lin_sampled_launch *s, uint32_t world) {
  const lin_values *v = t->values;
  lin_arena scratch = {0};
  lin_known *at = LIN_ARRAY(&scratch, lin_known, v->count);
  for (uint32_t leaf = 0; leaf < v->first_value[0]; leaf++)
    if (t->together->same[leaf])
      at[leaf] = same_value(t, leaf, world, s->size, at);
  lin_block block = 0, from = LIN_NONE;
  for (uint32_t step = 0; step < MOST_STEPS && block != LIN_NONE; step++) {
    walk_block(t, block, from, world, s->size, at);
    if (block == t->section->start)
      keep_sample(t, s, at);
    from = block;
    block = next_block(t, block, at);
  }
  lin_arena_release(&scratch);
}

// ---- step 3

typedef struct follower {
  lin_known *at; // [values]
  bool *comes;   // [section blocks]
  bool *takes;   // [edges]
} follower;

// A phi of the section, of those ways that may have been taken.
static lin_known phi_of(const taker *t, uint32_t phi, const follower *f) {
  const lin_values *v = t->values;
  const lin_graph *graph = v->analysis->graph;
  lin_block block = v->value[phi].block;
  lin_known known = {0, false};
  bool any = false;
  for (LIN_IN_EDGES(graph, block, i)) {
    lin_edge edge = graph->in_edge[i];
    lin_block from = graph->source[edge];
    if (from >= block)
      return (lin_known){0, false}; // of a loop
    if (!f->takes[edge])
      continue;
    for (uint32_t j = v->value[phi].first; j < v->value[phi].first + v->value[phi].count; j++) {
      if (v->scale[j] != from)
        continue;
      lin_known here = f->at[v->operand[j]];
      if (!here.known || (any && here.number != known.number))
        return (lin_known){0, false};
      known = here;
      any = true;
    }
  }
  return known;
}

static void follow_value(const taker *t, const lin_sampled_launch *s, const lin_sample *sample,
                         uint32_t value, const uint32_t *index, follower *f) {
  const lin_value *v = &t->values->value[value];
  bool inside = lin_section_contains(t->values, t->section, value);
  if (v->op == LIN_OP_INDEX)
    f->at[value] = (lin_known){index[v->number], true};
  else if (v->op == LIN_OP_SIZE)
    f->at[value] = (lin_known){s->size[v->number], true};
  else if (t->together->same[value] && !inside)
    f->at[value] = sample->at[value];
  else if (v->op == LIN_OP_PHI)
    f->at[value] = inside ? phi_of(t, value, f) : (lin_known){0, false};
  else
    f->at[value] = lin_value_of(t->values, value, f->at);
}

static void leave_block(const taker *t, lin_block block, follower *f) {
  const lin_values *v = t->values;
  const lin_graph *graph = v->analysis->graph;
  uint32_t condition = v->condition[block];
  bool known = condition != LIN_NONE && f->at[condition].known, taken = false;
  for (LIN_OUT_EDGES(graph, block, edge)) {
    f->takes[edge] =
        !known || (!v->taken_otherwise[edge] && v->taken_for[edge] == f->at[condition].number);
    taken |= f->takes[edge];
  }
  for (LIN_OUT_EDGES(graph, block, edge)) {
    f->takes[edge] |= !taken && v->taken_otherwise[edge];
    uint32_t number = t->number_in[graph->destination[edge]];
    if (f->takes[edge] && number != LIN_NONE && graph->destination[edge] > block)
      f->comes[number] = true;
  }
}

// Blocks in order, and in each what is needed of its values.
static void follow(const taker *t, const lin_sampled_launch *s, lin_sample *sample, uint32_t thread,
                   follower *f) {
  const lin_values *v = t->values;
  const lin_section *section = t->section;
  const uint32_t *size = s->size;
  uint32_t index[3] = {thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1]};
  uint32_t next = 0;
  f->comes = &sample->comes[(size_t)thread * section->num_blocks];
  f->comes[0] = true;
  for (uint32_t i = 0; i < section->num_blocks; i++) {
    lin_block block = section->block[i];
    for (; next < t->num_needed && t->needed[next] < v->first_value[block + 1]; next++)
      follow_value(t, s, sample, t->needed[next], index, f);
    for (LIN_OUT_EDGES(v->analysis->graph, block, edge))
      f->takes[edge] = false;
    if (f->comes[i] && block != section->end)
      leave_block(t, block, f);
  }
  const lin_samples *all = t->samples;
  for (uint32_t i = 0; i < all->num_touches; i++) {
    lin_known address = f->at[all->touch[i]->address];
    sample->address[(size_t)thread * all->num_touches + i] =
        address.known ? address.number : LIN_NOWHERE;
  }
}

static void follow_all(const taker *t, lin_sampled_launch *s) {
  const lin_values *v = t->values;
  lin_arena scratch = {0};
  follower f = {.at = LIN_ARRAY(&scratch, lin_known, v->count),
                .takes = LIN_ARRAY(&scratch, bool, v->analysis->graph->num_edges)};
  for (uint32_t i = 0; i < s->count; i++) {
    s->sample[i].comes = LIN_ARRAY(t->arena, bool, (size_t)s->threads * t->section->num_blocks);
    s->sample[i].address =
        LIN_ARRAY(t->arena, uint64_t, (size_t)s->threads * t->samples->num_touches);
    for (uint32_t thread = 0; thread < s->threads; thread++)
      follow(t, s, &s->sample[i], thread, &f);
  }
  lin_arena_release(&scratch);
}

// ---- sizes of blocks

static bool uses_axis(const lin_values *v, unsigned axis) {
  for (uint32_t value = 0; value < v->count; value++)
    if (v->value[value].op == LIN_OP_INDEX && v->value[value].number == axis)
      return true;
  return false;
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

static void add_size(lin_samples *s, uint32_t x, uint32_t y, uint32_t z) {
  s->launch[s->num_launches++] = (lin_sampled_launch){.size = {x, y, z}, .threads = x * y * z};
}

// Sizes that blocks usually have, where nothing says it.
static void find_sizes(lin_samples *s) {
  const lin_values *v = s->values;
  uint32_t most = v->most_threads;
  if (v->size[0] != 0) {
    add_size(s, v->size[0], v->size[1], v->size[2]);
  } else if (uses_axis(v, 1) && most >= 256) {
    add_size(s, 16, 16, 1);
    add_size(s, 32, 8, 1);
  } else {
    add_size(s, smaller(most, 128), 1, 1);
    if (most > 128)
      add_size(s, smaller(most, 512), 1, 1);
  }
}

lin_samples *lin_samples_take(lin_arena *arena, const lin_values *values,
                              const lin_together *together, const lin_section *section,
                              uint64_t *work) {
  lin_samples *samples = LIN_NEW(arena, lin_samples);
  *samples = (lin_samples){.values = values, .section = section};
  taker t = {.arena = arena,
             .values = values,
             .together = together,
             .section = section,
             .number_in = LIN_ARRAY(arena, uint32_t, values->analysis->graph->num_blocks),
             .samples = samples};
  memset(t.number_in, 0xff, values->analysis->graph->num_blocks * sizeof *t.number_in);
  for (uint32_t i = 0; i < section->num_blocks; i++)
    t.number_in[section->block[i]] = i;
  find_touches(&t);
  find_needed(&t);
  find_uses(&t);
  find_sizes(samples);
  bool any = false;
  for (uint32_t i = 0; i < samples->num_launches; i++) {
    lin_sampled_launch *s = &samples->launch[i];
    s->sample = LIN_ARRAY(arena, lin_sample, MOST_SAMPLES);
    for (uint32_t world = 0; world < NUM_WORLDS; world++)
      walk(&t, s, world);
    uint64_t takes = (uint64_t)s->threads * s->count *
                     (t.num_needed + section->num_blocks + samples->num_touches);
    if (takes > *work)
      return NULL;
    *work -= takes;
    follow_all(&t, s);
    any |= s->count > 0;
  }
  return any ? samples : NULL;
}
