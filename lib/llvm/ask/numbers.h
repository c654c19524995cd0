// Numbers for LLVM's objects: a table from addresses, only looked up in, so that nothing depends on
// what the addresses are.
#ifndef LIN_LLVM_ASK_NUMBERS_H
#define LIN_LLVM_ASK_NUMBERS_H

#include "graph/arena.h"

typedef struct lin_numbers {
  const void **key; // [capacity] NULL: free
  uint32_t *number; // [capacity]
  size_t capacity;  // a power of two, 0 while empty
  size_t count;
} lin_numbers;

// Gives `key`, not NULL and new to the table, a number. The table is in `arena`. O(1) on average.
void lin_numbers_add(lin_arena *arena, lin_numbers *numbers, const void *key, uint32_t number);

// The number of `key`, LIN_NONE if it has none. O(1) on average.
uint32_t lin_numbers_find(const lin_numbers *numbers, const void *key);

#endif
