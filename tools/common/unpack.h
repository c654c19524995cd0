// Compressed data, by the libraries that nearly every system has; they are loaded when they are
// needed, so that nothing has to be there for programs whose images aren't compressed.
#ifndef LIN_TOOLS_UNPACK_H
#define LIN_TOOLS_UNPACK_H

#include <stddef.h>

typedef enum unpack_kind { UNPACK_LZ4, UNPACK_ZSTD } unpack_kind;

// As dlsym, for libraries that stand in for dlsym.
typedef void *unpack_find(void *library, const char *name);

// `size` bytes at `data`, which become at most `result_size`, as a text that the caller frees,
// by functions that `find` finds. NULL, and why, if that isn't so or there is no library for it.
// O(result_size).
char *unpack(unpack_kind kind, const void *data, size_t size, size_t result_size, unpack_find *find,
             const char **reason);

#endif
