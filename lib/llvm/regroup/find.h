// Points that nobody has written: in front of branches where regrouping pays
// (regroup/fragments.h), marks like those of linearize/reorder.h (points.h).
//
//     br i1 %c, ...                 %key = what the branch will do, and others behind it
//                             ==>   mark(%key)
//     ...  br i1 %d, ...            br i1 %c, ...
#ifndef LIN_LLVM_REGROUP_FIND_H
#define LIN_LLVM_REGROUP_FIND_H

#include "linearize/linearize.h"

#include <llvm-c/Core.h>

// Puts marks into a kernel for sm_70 or newer, and says why and where, or why not where it would
// pay. Returns whether it did. Complexity as regroup/fragments.h says.
bool lin_ir_find_points(LLVMValueRef function, const linearize_options *options,
                        linearize_report *report);

#endif
