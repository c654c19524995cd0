// Branches on the thread's index alone: other threads for what depends on them.
#ifndef LIN_LLVM_PERMUTE_PERMUTE_H
#define LIN_LLVM_PERMUTE_PERMUTE_H

#include "linearize/linearize.h"
#include "llvm/read/read.h"

typedef struct lin_ir_permute_job {
  lin_arena *arena;
  LLVMValueRef kernel;
  const linearize_options *options;
  void (*changing)(void *context); // comes before each change
  void *context;
  linearize_report *report;
} lin_ir_permute_job;

// Changes a kernel as permute/permute.h says, until nothing pays any more, and adds a remark for
// each branch. Returns whether anything was changed. O(rounds * instructions), and what
// permute/permute.h says.
bool lin_ir_permute(const lin_ir_permute_job *job);

#endif
