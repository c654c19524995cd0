// When what was found is written: to the file of settings.h, LINEARIZE_VERSIONS_WRITE, and to those
// of remembered.h.
#ifndef LIN_TOOLS_VERSIONS_FOUND_H
#define LIN_TOOLS_VERSIONS_FOUND_H

#include "kernels.h"

// Writes them, if they are wanted and seconds have gone by. By who has the lock. O(1) without.
void found_now_and_then(void);

// A kernel is forgotten: what was found of it is kept. By who has the lock.
void found_keep(kernel *k);

// Whether this process found anything. Any thread, also in a signal's handler. O(1).
bool found_is_owner(void);

// The program ends: writes all. Takes the lock, unless another thread has it. O(what was found).
void found_at_end(void);

#endif
