// Between which numbers values lie, as unsigned numbers: by what they are computed of, and by what
// was asked on the way to a phi.
//
//     s = phi(1 from A, u from L)      [1, 1023]: of u only those numbers come back to it
//     u = s << 1                       [2, 2046]
//     L: u < blockDim.x ? loop : out   a block has 1 to 1024 threads
#ifndef LIN_VALUES_RANGES_H
#define LIN_VALUES_RANGES_H

#include "values.h"

// Indices have so many bits, along each axis (CUDA C++ Programming Guide, "Technical Specifications
// per Compute Capability": 1024 threads of a block).
enum { LIN_INDEX_BITS = 10, LIN_INDEX_MASK = (1 << LIN_INDEX_BITS) - 1 };

typedef struct lin_range {
  uint64_t least, most; // least > most: no number, as nothing comes here
} lin_range;

// [values]; of values without a width all 64 bits. O(values and operands), a bounded number of
// times: what then still grows may be anything.
lin_range *lin_ranges_find(lin_arena *arena, const lin_values *values);

#endif
