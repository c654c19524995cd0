// What in a kernel would notice if threads changed places that nobody has asked to: other than at
// points of linearize/reorder.h, whose author knows what holds behind them.
#ifndef LIN_LLVM_REGROUP_NOTICE_H
#define LIN_LLVM_REGROUP_NOTICE_H

#include "llvm/read/read.h"

// What would, and what to do about it, in words for the kernel's author: the first thing, if
// threads are regrouped at a point; NULL: nothing. Blocks are those of `f`, whose effects have been
// read (LIN_WAITS ...); `is_behind` says which may come after the point, and `is_apart` to which
// not all threads of the block come at one time. O(instructions).
const char *lin_ir_find_notice(const lin_ir_function *f, const bool *is_behind,
                               const bool *is_apart);

#endif
