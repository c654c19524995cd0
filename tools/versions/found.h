// The file of what was found (settings.h, LINEARIZE_VERSIONS_WRITE).
#ifndef LIN_TOOLS_VERSIONS_FOUND_H
#define LIN_TOOLS_VERSIONS_FOUND_H

#include "kernels.h"

// Writes it, if it is wanted and a second has gone by. By who has the lock. O(1), but for that.
void found_now_and_then(void);

// A kernel is forgotten: what was found of it is kept, if the file is wanted. By who has the lock.
void found_keep(const kernel *k);

#endif
