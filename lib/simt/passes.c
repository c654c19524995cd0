#include "passes.h"

#include <stdlib.h>
#include <string.h>

// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014): the finaliser.
static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t z = a * 0x9e3779b97f4a7c15 + b + 1;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static unsigned first_lane(uint32_t mask) { return (unsigned)__builtin_ctz(mask); }

void simt_passes_begin(simt_pass *passes, const simt_function *caller, const simt_pass *of_caller,
                       lin_block block, uint32_t pc, uint32_t mask) {
  const uint64_t *outer = caller == NULL ? NULL : of_caller[caller->loops->loop_of[block]];
  for (uint32_t left = mask; left != 0; left &= left - 1)
    passes[0][first_lane(left)] = outer == NULL ? 1 : mix(outer[first_lane(left)], pc);
}

void simt_passes_take(simt_pass *passes, const simt_function *f, lin_edge edge, uint32_t mask) {
  lin_block from = f->graph->source[edge], to = f->graph->destination[edge];
  uint32_t loop = f->loops->loop_of[to];
  if (from < to && loop == f->loops->loop_of[from])
    return;
  const lin_tree *tree = f->loops->tree;
  uint32_t common = lin_loops_common(f->loops, from, to);
  for (uint32_t left = mask; from >= to && left != 0; left &= left - 1)
    passes[common][first_lane(left)] = mix(passes[common][first_lane(left)], 0);
  for (uint32_t depth = tree->depth[common]; depth < tree->depth[loop]; depth++) {
    uint32_t outer = lin_tree_ancestor(tree, loop, depth);
    uint32_t inner = lin_tree_ancestor(tree, loop, depth + 1);
    for (uint32_t left = mask; left != 0; left &= left - 1)
      passes[inner][first_lane(left)] = mix(passes[outer][first_lane(left)], inner);
  }
}

// Where the key is, or an empty place for it.
static uint64_t *find(const simt_seen *seen, uint64_t key) {
  uint32_t at = (uint32_t)key & (seen->capacity - 1);
  while (seen->key[at] != 0 && seen->key[at] != key)
    at = (at + 1) & (seen->capacity - 1);
  return &seen->key[at];
}

static void grow(simt_seen *seen) {
  simt_seen old = *seen;
  seen->capacity = old.capacity == 0 ? 64 : 2 * old.capacity;
  seen->count = 0;
  seen->key = calloc(seen->capacity, sizeof *seen->key);
  if (seen->key == NULL)
    abort();
  for (uint32_t i = 0; i < old.capacity; i++)
    if (old.key[i] != 0)
      *find(seen, old.key[i]) = old.key[i];
  seen->count = old.count;
  free(old.key);
}

static void insert(simt_seen *seen, uint64_t key) {
  if (2 * seen->count >= seen->capacity)
    grow(seen);
  uint64_t *place = find(seen, key);
  seen->count += *place == 0;
  *place = key;
}

void simt_seen_release(simt_seen *seen) {
  free(seen->key);
  *seen = (simt_seen){0};
}

static void clear(simt_seen *seen) {
  if (16 * seen->count < seen->capacity) // it has been larger than it has to be
    simt_seen_release(seen);
  else
    memset(seen->key, 0, seen->capacity * sizeof *seen->key);
  seen->count = 0;
}

bool simt_passes_enter(simt_seen *seen, const simt_pass *passes, const simt_function *function,
                       uint32_t number, lin_block block, uint32_t mask, bool all) {
  if (all) { // nobody is behind who could come with a pass of before
    if (seen->count > 0)
      clear(seen);
    return false;
  }
  const uint64_t *pass = passes[function->loops->loop_of[block]];
  uint64_t key[SIMT_LANES], place = mix(number, block);
  uint32_t count = 0;
  bool again = false;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    uint64_t next = mix(pass[first_lane(left)], place) | 1;
    if (count == 0 || next != key[count - 1]) // most often all lanes have one
      key[count++] = next;
  }
  for (uint32_t i = 0; i < count && seen->count > 0; i++)
    again |= *find(seen, key[i]) != 0;
  for (uint32_t i = 0; i < count; i++)
    insert(seen, key[i]);
  return again;
}
