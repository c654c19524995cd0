// Metrics as JSON.
#ifndef LIN_TOOLS_SIMT_JSON_H
#define LIN_TOOLS_SIMT_JSON_H

#include "options.h"

#include <stdio.h>

// Prints {"kernel", "model", "runs": [{"file", metrics, "functions": [{"name", metrics, "blocks":
// [{"name", "size", metrics}]}]}]} in one line; "blocks" only if `options` asks for them. `machine`
// has `count` runs, of the files in `name`. O(blocks).
void tool_print_json(FILE *file, const tool_options *options, const char *const *name,
                     const simt_machine *const *machine, unsigned count);

#endif
