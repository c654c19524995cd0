// Counts told by inputs (fit/fit.h), which are a file of linearize-simt --inputs:
//
//     thread,input,line,value       input: a number from 0; line: of the source, or 0
//     0,0,7,12
#ifndef LIN_TOOLS_PROFILE_INPUTS_H
#define LIN_TOOLS_PROFILE_INPUTS_H

#include "estimate.h"

// Learns from the first thread block, and prints how well the others are told, block by block.
// `text` is that of `name`. Ends the program if it isn't as above or of other threads, or if a part
// of the threads was counted. O(length + threads * blocks * inputs).
void profile_print_inputs(FILE *file, lin_memory *memory, const char *name, const char *text,
                          const profile_estimate *estimate);

#endif
