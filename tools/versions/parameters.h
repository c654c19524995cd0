// The parameters of a kernel, and where a launch has what it gives for them: one by one, or in a
// buffer with all of them.
#ifndef LIN_TOOLS_VERSIONS_PARAMETERS_H
#define LIN_TOOLS_VERSIONS_PARAMETERS_H

#include "preload/gpu.h"
#include "preload/launch.h"

enum { PARAMETERS_MOST = 64 };

typedef struct parameters {
  bool is_known; // not by drivers before CUDA 12.4, or if there are too many
  uint32_t count;
  uint32_t offset[PARAMETERS_MOST], size[PARAMETERS_MOST]; // bytes, as they lie in a buffer
} parameters;

// Of a function, in the current context.
parameters parameters_of(const gpu *g, void *function);

// Whether `more` are those and, behind them, one that is an address.
bool parameters_are_with_address(const parameters *p, const parameters *more);

// A hash of words goes on with one more (FNV-1a, of words for bytes).
#define PARAMETERS_HASH_START UINT64_C(0xcbf29ce484222325)
static inline uint64_t parameters_mix(uint64_t hash, uint64_t word) {
  return (hash ^ word) * UINT64_C(0x100000001b3);
}

// at[i] points to what parameter i gets. False: nobody knows, or it isn't given.
bool parameters_find(const parameters *p, const launch *l, void *at[PARAMETERS_MOST]);

#endif
