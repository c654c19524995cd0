// What this run measured of a shape, as a line of what is kept (versions/tuned.h).
#ifndef LIN_TOOLS_VERSIONS_MEASURED_H
#define LIN_TOOLS_VERSIONS_MEASURED_H

#include "kernels.h"
#include "versions/tuned.h"

// By who has the lock. Texts are the kernel's. O(versions).
void measured_fill(lin_tuned_line *line, const kernel *k, const shape *s);

#endif
