// Points that nobody has written: in front of branches where regrouping pays
// (regroup/fragments.h), marks like those of linearize/reorder.h (points.h).
//
//     br i1 %c, ...                 %key = what the branch will do, and others behind it
//                             ==>   mark(%key)
//     ...  br i1 %d, ...            br i1 %c, ...
#ifndef LIN_LLVM_REGROUP_FIND_H
#define LIN_LLVM_REGROUP_FIND_H

#include "choose/profile.h"
#include "linearize/linearize.h"
#include "threads/counts_file.h"

#include <llvm-c/Core.h>

typedef struct lin_ir_finding {
  const linearize_options *options; // is_uniform, most_trips, with `context`; changing; quiet
  const lin_profile *profile;       // NULL: guesses decide
  const lin_counts *counts;         // the same as counts, or NULL: it says nothing of warps
  linearize_report *report;
} lin_ir_finding;

// Puts marks into a kernel for sm_70 or newer, and says why and where, or why not where it would
// pay. Returns whether it did. Complexity as regroup/fragments.h says.
bool lin_ir_find_points(LLVMValueRef function, const lin_ir_finding *finding);

#endif
