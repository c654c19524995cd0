#include "passes.h"

#include "common/command_line.h"
#include "fields.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTION, BLOCK, ENTRIES, AGAIN, THREADS, DIVERGENT, NUM_COLUMNS, MAX_FIELDS = 256 };

static const char *const columns[NUM_COLUMNS] = {
    "function", "block", "block_entries", "reentries", "thread_entries", "divergent_branches"};

static void find_columns(const profile_passes *passes, char *const *field, size_t count,
                         size_t *column) {
  for (size_t i = 0; i < NUM_COLUMNS; i++) {
    column[i] = 0;
    while (column[i] < count && strcmp(field[column[i]], columns[i]) != 0)
      column[i]++;
    if (column[i] == count)
      tool_die(1, "%s: no column '%s': linearize-simt --csv --blocks prints it", passes->file,
               columns[i]);
  }
}

static double number(const profile_passes *passes, size_t line, const char *text) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end != '\0' || !(value >= 0 && value < 1e18))
    tool_die(1, "%s:%zu: '%s' is no count", passes->file, line, text);
  return value;
}

profile_passes profile_passes_read(lin_memory *memory, const char *file, char *text) {
  profile_passes passes = {.file = file};
  passes.row = LIN_HAVE(memory, profile_row, profile_count_lines(text));
  if (memory->is_out)
    tool_die(1, "%s: %s", file, strerror(ENOMEM));
  char *field[MAX_FIELDS];
  size_t column[NUM_COLUMNS], needed = 0, line = 0;
  for (char *next; text != NULL && *text != '\0'; text = next) {
    next = strchr(text, '\n');
    if (next == NULL)
      tool_die(1, "%s:%zu: the file is cut off in this line", file, line + 1);
    *next++ = '\0';
    line++;
    if (*text == '#' || *text == '\0')
      continue;
    size_t count = profile_fields(text, field, MAX_FIELDS);
    if (needed == 0) {
      find_columns(&passes, field, count, column);
      needed = count;
      continue;
    }
    if (count != needed)
      tool_die(1, "%s:%zu: %zu fields, not %zu", file, line, count, needed);
    if (field[column[BLOCK]][0] == '\0')
      continue;
    double value[NUM_COLUMNS];
    for (size_t i = ENTRIES; i < NUM_COLUMNS; i++)
      value[i] = number(&passes, line, field[column[i]]);
    passes.row[passes.num_rows++] = (profile_row){field[column[FUNCTION]],
                                                  field[column[BLOCK]],
                                                  value[ENTRIES],
                                                  value[AGAIN],
                                                  value[THREADS],
                                                  value[DIVERGENT],
                                                  line};
  }
  if (passes.num_rows == 0)
    tool_die(1, "%s: no rows of blocks: linearize-simt --csv --blocks prints them", file);
  return passes;
}

const profile_row **profile_passes_of(lin_memory *memory, const lin_counts_launch *launch) {
  if (launch->passes == NULL)
    return NULL;
  profile_row *rows = LIN_HAVE(memory, profile_row, launch->num_blocks);
  const profile_row **row = LIN_HAVE(memory, const profile_row *, launch->num_blocks);
  if (memory->is_out)
    tool_die(1, "%s: %s", launch->kernel, strerror(ENOMEM));
  for (uint32_t b = 0; b < launch->num_blocks; b++) {
    double entries = (double)launch->passes[b];
    rows[b] = (profile_row){.function = launch->blocks[b].function,
                            .block = launch->blocks[b].name,
                            .entries = entries,
                            .again = entries - (double)launch->passes_at_most[b],
                            .divergent = NAN};
    row[b] = &rows[b];
  }
  return row;
}

const profile_row **profile_passes_find(lin_memory *memory, const profile_passes *passes,
                                        const lin_counts_launch *launch) {
  uint32_t num_blocks = launch->num_blocks, at = 0;
  const profile_row **row = LIN_HAVE(memory, const profile_row *, num_blocks);
  if (memory->is_out)
    tool_die(1, "%s: %s", passes->file, strerror(ENOMEM));
  bool any = false;
  for (size_t i = 0; i < passes->num_rows; i++) {
    const profile_row *r = &passes->row[i];
    for (uint32_t looked = 0; looked < num_blocks; looked++, at = (at + 1) % num_blocks)
      if (strcmp(launch->blocks[at].name, r->block) == 0 &&
          strcmp(launch->blocks[at].function, r->function) == 0) {
        if (row[at] != NULL)
          tool_die(1, "%s:%zu: function '%s', block '%s' stood in line %zu: one launch at a time",
                   passes->file, r->line, r->function, r->block, row[at]->line);
        row[at] = r;
        any = true;
        break;
      }
  }
  return any ? row : NULL;
}
