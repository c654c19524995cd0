// The library that sorts (sorting/sort.h): liblinearize-sort.so beside this, or $LINEARIZE_SORT.
#ifndef LIN_TOOLS_VERSIONS_SORTER_H
#define LIN_TOOLS_VERSIONS_SORTER_H

#include <stddef.h>
#include <stdint.h>

typedef struct sorter {
  size_t (*scratch)(uint32_t count);
  int (*sort)(uint64_t keys, uint64_t order, uint32_t count, uint64_t scratch, void *stream);
} sorter;

// NULL: there is none, which the log says once. Looked for when it is first asked for, and kept for
// good. By who has the lock (kernels.h).
const sorter *sorter_find(void);

#endif
