// When this library does nothing: it was told to (LINEARIZE_VERSIONS=off), the process was forked
// of one that had used a GPU, or its own sort calls the driver.
#ifndef LIN_TOOLS_VERSIONS_SILENCE_H
#define LIN_TOOLS_VERSIONS_SILENCE_H

#include <stdbool.h>

// Any thread. O(1).
bool silence_is_kept(void);

// From now on, for good: in a child.
void silence_keep(void);

// The same for what this thread calls, until it says otherwise.
void silence_keep_here(bool keep);

#endif
