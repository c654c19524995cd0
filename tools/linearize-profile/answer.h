// The answer: what divergence costs all kernels together, which of them and where; and what to type
// next. Kernels weigh as much as the time that they took, or the cycles of their warps where none
// was measured.
#ifndef LIN_TOOLS_PROFILE_ANSWER_H
#define LIN_TOOLS_PROFILE_ANSWER_H

#include "estimate.h"

// One line of verdict, then at most `rows` causes, those that cost most first. Shapes of one kernel
// are taken together. Lines of PTX are of files in the folder of `counts`, or here if that is NULL.
// Ends the program if there is no memory. O(launches * (causes + log
// launches)).
void profile_print_verdict(FILE *file, lin_memory *memory, const profile_estimate *estimate,
                           uint32_t count, const char *counts, uint32_t rows);

// The last line: what to type, or why nothing. `program` ends with NULL, or is NULL: not known.
// O(launches * causes).
void profile_print_next(FILE *file, const profile_estimate *estimate, uint32_t count,
                        char *const *program);

#endif
