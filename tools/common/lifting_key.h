// What the answer of linearize-lift depends on, so that it can be kept (cache.h).
#ifndef LIN_TOOLS_LIFTING_KEY_H
#define LIN_TOOLS_LIFTING_KEY_H

#include "cache.h"

#include <stdint.h>

// All but the text and its name: the helper's file `program` and when that was written, its LLVM,
// the options, what the files hold that they name, and sm_N. To be freed. NULL: the answer can't be
// kept. O(what those files hold).
char *tool_lifting_key(const char *program, const char *options, uint32_t sm);

// Whether the answer depends on the text's name. O(answer).
bool tool_lifting_is_named(const char *name, const tool_cache_value *answer);

#endif
