// What earlier runs measured of a kernel, and this one leaves for later ones.
//
//     $LINEARIZE_CACHE/0123456789abcdef.kept ──▶ trials of its shapes begin with it
//       ▲  hash of symbol, control flow, GPU     │
//       │  and compiler                          ▼
//       └── what is there by then, and times that this run took since it last wrote
//
// The text is that of versions/tuned.h, a line for each shape. It is there in the mode `auto`,
// where there is a cache folder. All is done by who has the lock. What can't be read or written is
// as if it wasn't there.
#ifndef LIN_TOOLS_VERSIONS_REMEMBERED_H
#define LIN_TOOLS_VERSIONS_REMEMBERED_H

#include "kernels.h"

// Reads the kernel's file. O(length log lines).
void remembered_read(kernel *k);

void remembered_release(kernel *k);

// Begins the shape's trial with what is known: the kernel's file, the file of linearize-tune, and
// what the environment says. O(versions * LIN_FIRST).
void remembered_begin(const kernel *k, shape *s);

// Adds to the kernel's file the times that aren't in it yet, if there are any, and says whether it
// did. While the program goes on, that is once in four seconds, and not while another process does
// so. In the end (`is_last`) it waits for these, 50 ms at most in all; then what it found is lost.
// O(length log lines).
bool remembered_write(kernel *k, bool is_last);

#endif
