#include "records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  KIND,
  NAME,
  FUNCTION,
  BLOCK,
  LINE,
  SOURCE,
  SOURCE_LINE,
  BRIEF,
  NUMBERS,
  MESSAGE,
  NUM_FIELDS
};

// What would end a field is a blank.
static void write_field(FILE *file, const char *text, char end) {
  for (; text != NULL && *text != '\0'; text++)
    fputc(*text == '\t' || *text == '\n' ? ' ' : *text, file);
  fputc(end, file);
}

void tool_record_write(FILE *file, const lin_ptx_remark *remark) {
  fprintf(file, "%d\t", (int)remark->kind);
  write_field(file, remark->name, '\t');
  write_field(file, remark->function, '\t');
  write_field(file, remark->block, '\t');
  fprintf(file, "%" PRIu32 "\t", remark->line);
  write_field(file, remark->source, '\t');
  fprintf(file, "%" PRIu32 "\t%" PRIu32 "\t%.0f %.0f %.0f\t", remark->source_line, remark->brief,
          remark->gain, remark->executed, remark->cost);
  write_field(file, remark->message, '\n');
}

static const char *or_null(const char *text) { return text[0] == '\0' ? NULL : text; }

bool tool_record_read(char *line, lin_ptx_remark *remark) {
  char *field[NUM_FIELDS];
  for (int i = 0; i < NUM_FIELDS; i++) {
    field[i] = line;
    char *end = strchr(line, '\t');
    if ((end == NULL) != (i == MESSAGE))
      return false;
    if (end != NULL)
      *end = '\0';
    line = end == NULL ? line : end + 1;
  }
  const char *kind = field[KIND];
  if (kind[0] < '0' || kind[0] > '0' + LIN_PTX_ANALYSIS || kind[1] != '\0')
    return false;
  *remark = (lin_ptx_remark){.kind = (lin_ptx_remark_kind)(kind[0] - '0'),
                             .name = field[NAME],
                             .function = field[FUNCTION],
                             .block = or_null(field[BLOCK]),
                             .line = (uint32_t)strtoul(field[LINE], NULL, 10),
                             .source = or_null(field[SOURCE]),
                             .source_line = (uint32_t)strtoul(field[SOURCE_LINE], NULL, 10),
                             .brief = (uint32_t)strtoul(field[BRIEF], NULL, 10),
                             .message = field[MESSAGE]};
  char *numbers = field[NUMBERS];
  remark->gain = strtod(numbers, &numbers);
  remark->executed = strtod(numbers, &numbers);
  remark->cost = strtod(numbers, NULL);
  return true;
}
