// Different rows of words, each with a number. Threads do few different things, so that few of
// their counters have to be looked at closely.
//
//     1 0 8 ─▶ 0      1 0 7 ─▶ 1      1 0 8 ─▶ 0      numbers in the order in which rows come
#ifndef LIN_COUNTS_ROWS_H
#define LIN_COUNTS_ROWS_H

#include "threads/memory.h"

#include <stdint.h>

typedef struct lin_rows lin_rows;

// For rows of `length` words. Returns NULL if there is no memory. O(1).
lin_rows *lin_rows_new(lin_memory *memory, uint32_t length);

// Sets the row's number, that of the rows so far if it is none of them. False if there is no
// memory. Expected O(length).
bool lin_rows_find(lin_rows *rows, const uint32_t *row, uint32_t *number);

#endif
