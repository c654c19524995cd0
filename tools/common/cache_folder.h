// The folder of answers that are kept (cache.h): which it is, whether it is safe, and its bounds.
#ifndef LIN_TOOLS_CACHE_FOLDER_H
#define LIN_TOOLS_CACHE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define TOOL_CACHE_END ".kept"
#define TOOL_CACHE_END_NEW ".new" // of files that are being written

typedef struct tool_cache {
  char folder[PATH_MAX];
  uint64_t most_bytes; // of all files; one may have a quarter
  uint32_t most_files;
} tool_cache;

// The folder that the environment names, with the bounds that programs have: $LINEARIZE_CACHE,
// which is none if it is no absolute path; else linearize in $XDG_CACHE_HOME, or in $HOME/.cache.
// Makes it and the folder around it. Returns false if there is none, or this program runs with
// another user's rights. O(1).
bool tool_cache_default(tool_cache *cache);

// A descriptor of the folder, or -1 if it isn't there, is a link or another user's, or others may
// write to it. The caller closes it. O(1).
int tool_cache_open(const tool_cache *cache);

// Removes the files used longest ago until one of `size` bytes fits, and what was being written an
// hour ago. Files by other names are none of its business. O(n log n) of at most twice as many
// files as there may be.
void tool_cache_make_room(const tool_cache *cache, int folder, uint64_t size);

#endif
