// What was found, as a table.
#ifndef LIN_TOOLS_TUNE_TABLE_H
#define LIN_TOOLS_TUNE_TABLE_H

#include "versions/tuned.h"

// A row for each line that a version other than the plain one wins, those whose plain version takes
// longest first, and one line for all other kernels. O(n log n + length).
void table_print(FILE *file, const lin_tuned *tuned);

// A paragraph for each line, in the same order.
void table_print_all(FILE *file, const lin_tuned *tuned);

// What comes of it, in one line that isn't ended. Returns how many kernels have a faster version.
// O(length).
uint32_t table_print_verdict(FILE *file, const lin_tuned *tuned);

#endif
