// What was found, as a table.
#ifndef LIN_TOOLS_TUNE_TABLE_H
#define LIN_TOOLS_TUNE_TABLE_H

#include "versions/tuned.h"

// A paragraph for each line, those whose plain version takes longest first.
void table_print(FILE *file, const lin_tuned *tuned);

#endif
