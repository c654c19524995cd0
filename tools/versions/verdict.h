// What `linearize ./app` says when the program ends, in one line: which kernels run other versions,
// and what that gained. On a terminal alone.
#ifndef LIN_TOOLS_VERSIONS_VERDICT_H
#define LIN_TOOLS_VERSIONS_VERDICT_H

#include "kernels.h"

// A kernel is forgotten. By who has the kernels' lock. O(shapes).
void verdict_keep(const kernel *k);

// By who has the kernels' lock. O(kernels * shapes).
void verdict_say(void);

#endif
