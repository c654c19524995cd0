// Which copies stay, what they call and are called, and what the module says of them.
#ifndef LIN_LLVM_VERSIONS_SETTLE_H
#define LIN_LLVM_VERSIONS_SETTLE_H

#include "state.h"

// Behind lin_ir_make_builds. O(builds^2 * calls + instructions of copies).
void lin_ir_settle(lin_ir_versions *v);

#endif
