// Whether arms of a branch may do the same work (meld/meld.h), by what can be told of text alone.
//
// A pair that is melded is of two children of the branch in the dominator tree. So nothing gains
// that doesn't gain if all that both children have is the same, kind by kind of instruction.
#ifndef LIN_PTX_ALIKE_H
#define LIN_PTX_ALIKE_H

#include "read.h"

// `least` is what has to be gained, in instructions (meld/gain.h). Wants LIN_UNIFORM where threads
// don't part (divergence.h). O(instructions + edges log blocks).
bool lin_ptx_may_be_alike(const lin_ptx_function *f, double least);

#endif
