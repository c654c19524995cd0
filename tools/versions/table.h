// The table by which kernels are found (kernels.h), and the list of those that have versions.
//
//     key: a handle, or a handle in a context ──▶ slot ──▶ kernel, table_nothing, table_of_contexts
//
// Looking up takes no lock; all else is done by who has the lock.
#ifndef LIN_TOOLS_VERSIONS_TABLE_H
#define LIN_TOOLS_VERSIONS_TABLE_H

#include "kernels.h"

// What has no versions, and what is a library's kernel, which has others for each context.
extern kernel table_nothing, table_of_contexts;

// NULL: it isn't known. Any thread. O(1).
kernel *table_look_up(const void *key);

// What the key stands for from now on. O(1).
void table_put(void *key, kernel *k);

// Whether a key more may be put, for which those that stand for nothing make room. O(1), as a rule.
bool table_has_room(void);

// To the list of those that have versions, and from it. O(1); O(kernels).
void table_add(kernel *k);
void table_remove(kernel *k);

// Keys of what ends stand for nothing. What had no versions is looked at again, too, for a handle
// may come to stand for something else. O(slots).
void table_empty(bool (*is_over)(const kernel *k, const ending *e), const ending *e);

#endif
