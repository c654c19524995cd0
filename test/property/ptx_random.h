// Random PTX modules for ptx_semantics.
#ifndef LIN_TEST_PTX_RANDOM_H
#define LIN_TEST_PTX_RANDOM_H

#include <stdint.h>

// A kernel and functions that it calls. Blocks of any place lead to each other by branches of all
// kinds; each stores its number. What they do: integers of 16 to 64 bits, floats, predicates,
// selects, comparisons joined with predicates, loads and stores of one value or several, atomics,
// barriers, shuffles, calls, and scopes with branches and registers of their own. The caller frees
// it.
char *ptx_random_module(uint64_t seed);

#endif
