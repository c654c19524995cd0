// Basic-block vectors: how often each thread has entered each block.
#ifndef LIN_SIMT_VECTORS_H
#define LIN_SIMT_VECTORS_H

#include "program.h"

#include <stdio.h>

// Of the threads of one thread block.
typedef struct simt_vectors {
  const simt_program *program;
  uint32_t num_threads, num_blocks; // of a thread block; of all functions
  uint32_t *first;                  // [num_functions] column of a function's block 0
  uint64_t *count;                  // [num_threads * num_blocks]
} simt_vectors;

// All zero. O(threads * blocks).
simt_vectors *simt_vectors_new(lin_arena *arena, const simt_program *program, uint32_t num_threads);

// Lanes of `mask` enter `block` of function `number`; lane 0 is `thread` of its thread block.
// O(lanes).
void simt_vectors_enter(simt_vectors *vectors, uint32_t number, lin_block block, uint32_t thread,
                        uint32_t mask);

// Writes a line `thread,function,block,entries` for each count that isn't 0, by thread, function
// and block, threads numbered from `first_thread`. O(threads * blocks).
void simt_vectors_write(const simt_vectors *vectors, FILE *file, uint64_t first_thread);

// All zero again. O(threads * blocks).
void simt_vectors_clear(simt_vectors *vectors);

#endif
