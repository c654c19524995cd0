// What is done to one function, step by step: read, plan, write, report, for each of the modes.
#ifndef LIN_LLVM_RUN_STEPS_H
#define LIN_LLVM_RUN_STEPS_H

#include "linearize/linearize.h"
#include "llvm/ask/summaries.h"

typedef struct lin_ir_job {
  lin_arena *arena;
  LLVMValueRef function;
  const linearize_options *options;
  lin_ir_summaries *summaries; // of other functions of the module, or NULL
  linearize_report *report;
  size_t first_remark; // of the function
} lin_ir_job;

// Does all steps that the options ask for. Returns true if the function was changed.
bool lin_ir_run_steps(const lin_ir_job *job);

// Calls `found` for each loop that another one would be merged with, and returns how many there
// are. Changes nothing.
size_t lin_ir_find_nests(const lin_ir_job *job,
                         void (*found)(LLVMBasicBlockRef header, void *context), void *context);

#endif
