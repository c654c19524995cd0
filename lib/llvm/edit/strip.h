// Strips of inner loops, made before a nest is merged (nests.h).
//
//     h: ... br c, h, e     ==>    M: br h
//                                  h: k = phi [0, M], [k + 1, h]
//                                     ... br (c and k + 1 < strip), h, X
//                                  X: br c, M, e
#ifndef LIN_LLVM_EDIT_STRIP_H
#define LIN_LLVM_EDIT_STRIP_H

#include "driver/pipeline.h"
#include "llvm/read/read.h"

// Strips the loops of `f` that are merged by `result` and are better stripped first. Sets
// strips[0] ..., which has room for all of the function's blocks, to their headers, and returns how
// many there are. O(edges * nesting of loops).
uint32_t lin_ir_strip(lin_arena *arena, const lin_ir_function *f, const lin_result *result,
                      LLVMBasicBlockRef *strips);

#endif
