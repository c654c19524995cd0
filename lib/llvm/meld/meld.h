// Arms of branches that do the same work: melded where that gains (meld/meld.h).
#ifndef LIN_LLVM_MELD_MELD_H
#define LIN_LLVM_MELD_MELD_H

#include "linearize/linearize.h"
#include "llvm/read/read.h"

typedef struct lin_ir_meld_job {
  lin_arena *arena;
  LLVMValueRef function;
  const linearize_options *options;
  lin_ir_summaries *summaries;
  bool sure;      // nobody asked for it: what gains beyond doubt alone (meld/gain.h)
  bool lock_step; // threads of a warp run in lock step
  void (*changing)(void *context); // comes before each change
  void *context;
  linearize_report *report;
} lin_ir_meld_job;

// Melds arms of the function's branches, until nothing gains any more, and adds a remark for each.
// Returns whether anything was changed. O(rounds * instructions), and what lin_melds_find takes.
bool lin_ir_meld(const lin_ir_meld_job *job);

#endif
