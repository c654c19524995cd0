// Open addressing with linear probing, at most half full.
#include "numbers.h"

#include "graph/graph.h"

static size_t place_of(const lin_numbers *numbers, const void *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
  size_t at = (size_t)(hash >> 32) & (numbers->capacity - 1);
  while (numbers->key[at] != NULL && numbers->key[at] != key)
    at = (at + 1) & (numbers->capacity - 1);
  return at;
}

static void grow(lin_arena *arena, lin_numbers *numbers) {
  lin_numbers old = *numbers;
  numbers->capacity = old.capacity == 0 ? 64 : 2 * old.capacity;
  numbers->key = LIN_ARRAY(arena, const void *, numbers->capacity);
  numbers->number = LIN_ARRAY(arena, uint32_t, numbers->capacity);
  for (size_t i = 0; i < old.capacity; i++) {
    if (old.key[i] == NULL)
      continue;
    size_t at = place_of(numbers, old.key[i]);
    numbers->key[at] = old.key[i];
    numbers->number[at] = old.number[i];
  }
}

void lin_numbers_add(lin_arena *arena, lin_numbers *numbers, const void *key, uint32_t number) {
  if (2 * numbers->count >= numbers->capacity)
    grow(arena, numbers);
  size_t at = place_of(numbers, key);
  numbers->key[at] = key;
  numbers->number[at] = number;
  numbers->count++;
}

uint32_t lin_numbers_find(const lin_numbers *numbers, const void *key) {
  if (numbers->capacity == 0)
    return LIN_NONE;
  size_t at = place_of(numbers, key);
  return numbers->key[at] == NULL ? LIN_NONE : numbers->number[at];
}
