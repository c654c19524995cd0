// What the options of PTX make of a module: a helper process does it (lifting.h), unless the text
// alone tells that there is nothing to be done.
#ifndef LIN_TOOLS_LINEARIZE_PTX_H
#define LIN_TOOLS_LINEARIZE_PTX_H

#include "ptx_options.h"

#include "ptx/module.h"

// Does what `options` ask for to a module that was read from `text`. Tells `hear` of remarks.
// Returns the new text, to be freed, and `*length`, that of `text`, becomes its length. NULL:
// nothing changes, and `*failure` is why the helper failed, or NULL: one clause that stays until
// the thread's next call. `name` is the file's, for remarks. As long as that takes.
char *tool_linearize_ptx(const tool_ptx_options *options, const char *name,
                         const lin_ptx_module *module, const char *text, size_t *length,
                         lin_ptx_hear hear, void *context, const char **failure);

#endif
