// Basic-block vectors: how often each thread, or each warp, has entered each block.
#ifndef LIN_SIMT_VECTORS_H
#define LIN_SIMT_VECTORS_H

#include "program.h"

#include <stdio.h>

// Of the threads of one thread block, or of its warps.
typedef struct simt_vectors {
  const simt_program *program;
  uint32_t num_rows, num_blocks; // threads or warps; of all functions
  uint32_t *first;               // [num_functions] column of a function's block 0
  uint64_t *count;               // [num_rows * num_blocks]
} simt_vectors;

// All zero. O(rows * blocks).
simt_vectors *simt_vectors_new(lin_arena *arena, const simt_program *program, uint32_t num_rows);

// Lanes of `mask` enter `block` of function `number`; lane 0 is `thread` of its thread block.
// O(lanes).
void simt_vectors_enter(simt_vectors *vectors, uint32_t number, lin_block block, uint32_t thread,
                        uint32_t mask);

// The warp enters `block` of function `number`. O(1).
void simt_vectors_enter_warp(simt_vectors *vectors, uint32_t number, lin_block block,
                             uint32_t warp);

// Writes a line `row,function,block,entries` for each count that isn't 0, by row, function and
// block, rows numbered from `first_row`. O(rows * blocks).
void simt_vectors_write(const simt_vectors *vectors, FILE *file, uint64_t first_row);

// All zero again. O(rows * blocks).
void simt_vectors_clear(simt_vectors *vectors);

#endif
