// The inputs of a launch's threads: what each thread reads, the first time, by the loads that
// decide how often it enters blocks and whose addresses are known before it runs
// (llvm/ask/inputs.h).
#ifndef LIN_SIMT_INPUTS_H
#define LIN_SIMT_INPUTS_H

#include "program.h"

#include <stdio.h>

// Of the threads of one thread block.
typedef struct simt_inputs {
  const simt_function *kernel;
  uint32_t num_threads, count;
  uint32_t *number; // [num_code] of the load's first element; LIN_NONE: it is none of them
  uint64_t *value;  // [num_threads * count] as the register has it
  bool *is_read;    // [num_threads * count]
} simt_inputs;

// O(code + threads * inputs).
simt_inputs *simt_inputs_new(lin_arena *arena, const simt_function *kernel, uint32_t num_threads);

// Lanes of `mask` have executed the load `in` of the kernel; lane 0 is `thread` of its thread
// block. O(lanes * elements).
void simt_inputs_take(simt_inputs *inputs, const simt_instruction *in, const simt_lanes *registers,
                      uint32_t thread, uint32_t mask);

// Writes a line `thread,input,line,value` for each that was read; then none is. O(threads *
// inputs).
void simt_inputs_write(simt_inputs *inputs, FILE *file, uint64_t first_thread);

#endif
