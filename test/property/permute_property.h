// The parts of permute_property: permute_formulas.c, permute_values.c and permute_together.c.
#ifndef LIN_TEST_PERMUTE_PROPERTY_H
#define LIN_TEST_PERMUTE_PROPERTY_H

#include "random_graph.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST_SIZE = 1024 }; // threads of a block

extern uint64_t state; // of all random numbers

static inline uint32_t below(uint32_t limit) { return random_below(&state, limit); }

static inline bool complain(const char *what) {
  printf("%s\n", what);
  return false;
}

// Splits and boards. Returns how many there are, and adds those that are wrong.
uint32_t test_formulas(uint32_t *failed);

extern uint32_t forms[5], narrow_ranges; // found of classes, by form; and of ranges

// A random condition, and random values in a loop.
bool test_condition(void);
bool test_loop(void);

extern uint64_t num_come, num_blocks; // those to which all threads are said to come; of so many

// Threads that take the branches of a random graph at random.
bool test_together(uint64_t seed);

#endif
