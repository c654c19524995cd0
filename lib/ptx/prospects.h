// Which functions of a module anything could be done to: what their text alone can tell. The rest
// needs no LLVM.
#ifndef LIN_PTX_PROSPECTS_H
#define LIN_PTX_PROSPECTS_H

#include "module.h"

#include "choose/modes.h"

typedef struct lin_ptx_wishes {
  bool mode[LIN_NO_MODE]; // what is asked for
  bool parting;           // whatever is done where threads part
  bool melds;             // arms that do the same work are melded, as they were asked to be
  bool no_meld;           // mode needed doesn't, which else does (meld/gain.h)
  bool anything;          // every function that is wanted at all
} lin_ptx_wishes;

// Whether function `number` has what one of the wishes is about: unstructured control flow, a loop
// nest, a branch, arms that may be alike, and threads of a warp that may part. Of a function whose
// text isn't understood there is that to be said. O(length of the function + finding where threads
// part).
bool lin_ptx_has_prospects(const lin_ptx_module *module, uint32_t number,
                           const lin_ptx_wishes *wishes);

#endif
