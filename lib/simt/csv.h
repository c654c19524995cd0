// Fields of comma-separated values.
#ifndef LIN_SIMT_CSV_H
#define LIN_SIMT_CSV_H

#include <stdio.h>

// Prints `text`, between quotes if it has a comma, a quote or a line's end in it. O(length).
void simt_csv_field(FILE *file, const char *text);

#endif
