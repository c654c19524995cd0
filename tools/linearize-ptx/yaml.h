// Remarks as YAML, in the form of LLVM's.
#ifndef LIN_TOOLS_LINEARIZE_PTX_YAML_H
#define LIN_TOOLS_LINEARIZE_PTX_YAML_H

#include "ptx/remark.h"

#include <stdbool.h>
#include <stdio.h>

// Writes a remark about `ptx`, a file of PTX: its place is the source's, where the PTX has that, or
// else the PTX's own. O(length).
void tool_yaml_print(FILE *file, const char *ptx, const lin_ptx_remark *remark);

#endif
