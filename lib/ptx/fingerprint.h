// By which a kernel is known again (graph/fingerprint.h), of PTX, and how large it is.
#ifndef LIN_PTX_FINGERPRINT_H
#define LIN_PTX_FINGERPRINT_H

#include "summaries.h"

// What `fingerprint` becomes with a function, and adds the number of its instructions to
// `*instructions`. One that can't be read leaves it as it is. O(length of the function).
uint64_t lin_ptx_fingerprint(uint64_t fingerprint, const lin_ptx_module *module,
                             const lin_ptx_place *place, const lin_ptx_summaries *summaries,
                             uint32_t *instructions);

#endif
