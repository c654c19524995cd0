// Gives a section of a kernel to other threads, as the core says (permute/permute.h).
//
//     S: ...                          S: ...
//        br (t % (2 * s) == 0), A, J     u = t * 2 * s             the formula, in front of the
//                                        br u < n, N, J            section
//     A: x[t] += x[t + s]             N: &x[u], u + s              what was computed of t before
//     J:                              A: x[u] += x[u + s]
//                                     J:
#ifndef LIN_LLVM_PERMUTE_REWRITE_H
#define LIN_LLVM_PERMUTE_REWRITE_H

#include "permute/permute.h"
#include "llvm/values/express.h"

// Changes the function that `values` are of; they are good for nothing any more. O(instructions).
void lin_ir_permute_section(lin_arena *arena, lin_ir_values *values,
                            const lin_permutation *permutation);

#endif
