#include "shelves.h"

#include <string.h>

bool lin_shelves_new(lin_shelves *shelves, lin_memory *memory, uint32_t num_shelves,
                     uint32_t num_groups) {
  shelves->count = num_shelves;
  shelves->floor = LIN_HAVE(memory, double, num_shelves);
  shelves->first = LIN_HAVE(memory, uint32_t, num_shelves);
  shelves->next = LIN_HAVE(memory, uint32_t, num_groups);
  shelves->before = LIN_HAVE(memory, uint32_t, num_groups);
  shelves->shelf = LIN_HAVE(memory, uint32_t, num_groups);
  uint32_t bits = num_shelves;
  for (unsigned level = 0; level < LIN_SHELF_LEVELS; level++) {
    bits = bits / 64 + (bits % 64 != 0);
    shelves->words[level] = bits;
    shelves->filled[level] = LIN_HAVE(memory, uint64_t, bits);
  }
  if (memory->is_out)
    return false;
  for (uint32_t shelf = 0; shelf < num_shelves; shelf++)
    shelves->first[shelf] = LIN_NO_GROUP;
  return true;
}

uint32_t lin_shelves_for(const lin_shelves *shelves, double least, uint32_t near) {
  uint32_t low = 0, high = shelves->count - 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (shelves->floor[middle] > least)
      low = middle + 1;
    else
      high = middle;
  }
  return shelves->floor[low] == shelves->floor[near] ? near : low;
}

void lin_shelves_put(lin_shelves *shelves, uint32_t group, uint32_t shelf) {
  uint32_t first = shelves->first[shelf];
  shelves->shelf[group] = shelf;
  shelves->next[group] = first;
  shelves->before[group] = LIN_NO_GROUP;
  shelves->first[shelf] = group;
  if (first != LIN_NO_GROUP)
    shelves->before[first] = group;
  for (unsigned level = 0; level < LIN_SHELF_LEVELS; level++, shelf /= 64)
    shelves->filled[level][shelf / 64] |= UINT64_C(1) << shelf % 64;
}

void lin_shelves_remove(lin_shelves *shelves, uint32_t group) {
  uint32_t next = shelves->next[group], before = shelves->before[group];
  uint32_t shelf = shelves->shelf[group];
  if (next != LIN_NO_GROUP)
    shelves->before[next] = before;
  if (before != LIN_NO_GROUP)
    shelves->next[before] = next;
  else
    shelves->first[shelf] = next;
  if (shelves->first[shelf] != LIN_NO_GROUP)
    return;
  for (unsigned level = 0; level < LIN_SHELF_LEVELS; level++, shelf /= 64) {
    shelves->filled[level][shelf / 64] &= ~(UINT64_C(1) << shelf % 64);
    if (shelves->filled[level][shelf / 64] != 0)
      break;
  }
}

static uint32_t lowest_bit(uint64_t bits) { return (uint32_t)__builtin_ctzll(bits); }
static uint32_t highest_bit(uint64_t bits) { return 63 - (uint32_t)__builtin_clzll(bits); }

// A level has a word for 64 of the level below: up to the first with anything, then down again.
uint32_t lin_shelves_down(const lin_shelves *shelves, uint32_t shelf) {
  uint32_t at = shelf + 1;
  for (unsigned level = 0; level < LIN_SHELF_LEVELS; level++) {
    uint32_t word = at / 64;
    if (word >= shelves->words[level])
      break;
    uint64_t bits = shelves->filled[level][word] & UINT64_MAX << at % 64;
    if (bits != 0) {
      at = word * 64 + lowest_bit(bits);
      while (level-- > 0)
        at = at * 64 + lowest_bit(shelves->filled[level][at]);
      return at;
    }
    at = word + 1;
  }
  return LIN_NO_SHELF;
}

uint32_t lin_shelves_up(const lin_shelves *shelves, uint32_t shelf) {
  uint32_t end = shelf; // bits below it
  for (unsigned level = 0; level < LIN_SHELF_LEVELS && end > 0; level++) {
    uint32_t word = (end - 1) / 64;
    uint64_t bits = shelves->filled[level][word] & UINT64_MAX >> (63 - (end - 1) % 64);
    if (bits != 0) {
      uint32_t at = word * 64 + highest_bit(bits);
      while (level-- > 0)
        at = at * 64 + highest_bit(shelves->filled[level][at]);
      return at;
    }
    end = word;
  }
  return LIN_NO_SHELF;
}
