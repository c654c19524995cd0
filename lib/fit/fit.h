// Equation (1) of the paper (include/linearize/threads.h): how often thread t enters block b, as a
// linear function of its inputs I and its number,
//
//     entries = c0 + c1 * I[1] + ... + cp * I[p] + c(p+1) * t
//
// by least squares over some threads, as a rule those of one thread block, to be told of the
// others.
//
//     threads   0 ........ 127 | 128 ............................ 2047
//               `-- learned --'   `-- told, and compared: error[b] --'
//
// Inputs are what a thread reads at addresses that depend only on its number and the kernel's
// arguments. What isn't linear in them (a table, a random number, a loop until something converges)
// is told badly, and needs an inspector: a kernel that goes ahead and counts.
//
// The solver is LAPACK's dgelsd, of the singular value decomposition: inputs may depend on each
// other, and there may be more of them than threads.
#ifndef LIN_FIT_FIT_H
#define LIN_FIT_FIT_H

#include "threads/memory.h"

#include <stdint.h>

// From this error on a block is taken to need an inspector: that is a twentieth of what its threads
// do.
#define LIN_FIT_INSPECT 0.05

typedef struct lin_fit_data {
  const uint32_t *entries; // [num_threads * num_blocks]
  const double *input;     // [num_threads * num_inputs], finite
  size_t num_threads, num_blocks, num_inputs;
} lin_fit_data;

// [num_blocks * (num_inputs + 2)]: of 1, the inputs, the thread's number.
typedef double *lin_fit;

// Learns from `count` threads, 1 to 2^20, from the `first` on. NULL if there is no memory
// (memory->is_out), or no solution was found. What is returned is in `memory`.
// O(count * inputs * (inputs + blocks)), inputs no more than count.
lin_fit lin_fit_learn(lin_memory *memory, const lin_fit_data *data, size_t first, size_t count);

// What the fit tells of a thread and block. O(num_inputs).
double lin_fit_tell(lin_fit fit, const lin_fit_data *data, size_t thread, size_t block);

// For each block, over all threads but those `count` from `first` on: the root of the mean squared
// error, by the mean of the entries; 0 for no error, infinite for one where nobody enters. No
// threads: 0. In `error`, [num_blocks]. O(threads * blocks * inputs).
void lin_fit_errors(lin_fit fit, const lin_fit_data *data, size_t first, size_t count,
                    double *error);

#endif
