// linearize-lift as a helper: a process of its own has LLVM, so that nobody else needs it, and none
// of its ends is ours.
//
//     text ──▶ file in memory ──▶ linearize-lift ──▶ file in memory ──▶ text and remarks (reply.h)
//
// What it answers is kept (cache.h): the same question starts no helper, and is heard the same.
#ifndef LIN_TOOLS_LIFTING_H
#define LIN_TOOLS_LIFTING_H

#include "ptx/remark.h"

#include <stddef.h>

// Has the helper do to PTX what `options` ask for, as the plugin has them: `mode=paper;vote`. It
// will run on GPUs of sm_N, or on those that it names if `sm` is 0. Tells
// `hear` of its remarks, in which the file is `name`. Returns the new text, to be freed, and
// `*length` becomes its length. NULL: it stays as it is, and `*failure` is why the helper failed,
// or NULL: a clause that stays until the thread's next call. The helper ends itself after so
// many seconds, or is killed after those, or as many as $LINEARIZE_LIFT_SECONDS says. This thread
// waits for it; nobody else sees it (apart.h).
char *tool_lift(const char *name, const char *text, size_t *length, const char *options,
                uint32_t sm, unsigned most_seconds, lin_ptx_hear hear, void *context,
                const char **failure);

#endif
