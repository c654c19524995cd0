// Loops that LLVM's unroller leaves alone.
#ifndef LIN_IR_ROLLED_H
#define LIN_IR_ROLLED_H

#include "linearize/pipeline.h"
#include "read.h"

// Marks the loops of the nests that are to be merged, as `#pragma unroll 1` does, unless the
// program says itself how to unroll them: unrolled, an inner loop becomes two, of which one does
// what is left. Returns whether anything was marked. O(edges * nesting of loops).
bool lin_ir_keep_rolled(const lin_ir_function *f, const lin_result *result);

#endif
