#include "columns.h"

#include <string.h>

#define COUNT(name, key, field) {name, key, offsetof(simt_counts, field)}
#define TRAFFIC(space, key, number)                                                                \
  COUNT(space " loads", key "_loads", load[number].instructions),                                  \
      COUNT("  sectors", key "_load_sectors", load[number].sectors),                               \
      COUNT(space " stores", key "_stores", store[number].instructions),                           \
      COUNT("  sectors", key "_store_sectors", store[number].sectors)

const tool_column tool_columns[] = {
    COUNT("warp instructions", "warp_instructions", warp_instructions),
    COUNT("thread instructions", "thread_instructions", thread_instructions),
    {"threads active", "threads_active", TOOL_THREADS_ACTIVE},
    COUNT("guard instructions", "guard_instructions", guard_instructions),
    COUNT("block entries", "block_entries", entries),
    COUNT("  entered again", "reentries", reentries),
    COUNT("  by threads", "thread_entries", threads),
    COUNT("branches", "branches", branches),
    COUNT("divergent branches", "divergent_branches", divergent),
    TRAFFIC("global", "global", SIMT_GENERIC),
    TRAFFIC("shared", "shared", SIMT_SHARED),
    TRAFFIC("local", "local", SIMT_LOCAL),
    COUNT("deepest stack", "deepest_stack", deepest),
    COUNT("nested branches", "nested_branches", nested),
};

const unsigned tool_num_columns = sizeof tool_columns / sizeof *tool_columns;

double tool_column_value(const tool_column *column, const simt_counts *counts) {
  if (column->offset == TOOL_THREADS_ACTIVE)
    return counts->warp_instructions == 0
               ? 0
               : (double)counts->thread_instructions / (double)counts->warp_instructions;
  uint64_t value;
  memcpy(&value, (const char *)counts + column->offset, sizeof value);
  return (double)value;
}
