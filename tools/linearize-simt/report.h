// Metrics as text.
#ifndef LIN_TOOLS_SIMT_REPORT_H
#define LIN_TOOLS_SIMT_REPORT_H

#include "options.h"

#include <stdio.h>

// Prints the metrics of one run, or of two side by side with the ratio of the second to the first
// (`second` is NULL for one). Of PTX nothing is known of guards. O(blocks).
void tool_report(FILE *file, const tool_options *options, const simt_machine *first,
                 const simt_machine *second, bool was_ptx);

#endif
