// Which kernels get versions, and which functions go with them.
#ifndef LIN_PTX_VERSION_KERNELS_H
#define LIN_PTX_VERSION_KERNELS_H

#include "version_state.h"

// Finds the names that a module has, who calls whom, and the kernels, in the module's order, with
// what is to be built of each; tells why others get no versions. O(length, and kernels * what they
// call).
void lin_ptx_find_kernels(lin_ptx_versions *v);

// The function that instruction `at` of a body calls, if it is one of the module's; else LIN_NONE.
// O(1).
uint32_t lin_ptx_called_by(const lin_ptx_versions *v, const lin_ptx_body *body, uint32_t at);

#endif
