// Sizes of a launch's arguments, as far as they tell launches apart: how many bits they need.
#ifndef LIN_TOOLS_VERSIONS_SIZES_H
#define LIN_TOOLS_VERSIONS_SIZES_H

#include "kernels.h"

// A hash of the bits that each argument needs, or if it is an address of the GPU's memory, the size
// of what was allocated there; not 0. 0: the driver doesn't say where arguments are. O(arguments).
uint64_t sizes_of(const kernel *k, const launch *l);

#endif
