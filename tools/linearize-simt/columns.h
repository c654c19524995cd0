// The metrics by name.
#ifndef LIN_TOOLS_SIMT_COLUMNS_H
#define LIN_TOOLS_SIMT_COLUMNS_H

#include "simt/metrics.h"

#include <stddef.h>

typedef struct tool_column {
  const char *name; // for people
  const char *key;  // in JSON and CSV
  size_t offset;    // of a uint64_t in simt_counts; TOOL_THREADS_ACTIVE
} tool_column;

// Thread instructions over warp instructions.
#define TOOL_THREADS_ACTIVE SIZE_MAX

extern const tool_column tool_columns[];
extern const unsigned tool_num_columns;

double tool_column_value(const tool_column *column, const simt_counts *counts);

// How printf prints its values.
static inline int tool_column_digits(const tool_column *column) {
  return column->offset == TOOL_THREADS_ACTIVE ? 2 : 0;
}

#endif
