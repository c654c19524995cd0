// Writing: gives an LLVM function the control flow of a plan.
#ifndef LIN_LLVM_WRITE_WRITE_H
#define LIN_LLVM_WRITE_WRITE_H

#include "driver/pipeline.h"
#include "llvm/read/read.h"

// Changes `f->function` as `result` says; result->flow is not NULL. The function is valid
// afterwards: every value reaches its uses, poison where it doesn't exist. From level 4 on with few
// phis. O(uses log blocks) and the phis made.
void lin_ir_write(lin_arena *arena, const lin_ir_function *f, const lin_result *result, int level);

#endif
