#include "yaml.h"

#include <inttypes.h>

// Between single quotes a quote is two, and nothing else means anything.
static void print_quoted(FILE *file, const char *text) {
  fputc('\'', file);
  for (; *text != '\0'; text++) {
    if (*text == '\'')
      fputc('\'', file);
    fputc(*text, file);
  }
  fputc('\'', file);
}

static void print_field(FILE *file, const char *name, const char *value) {
  fprintf(file, "%s", name);
  print_quoted(file, value);
  fputc('\n', file);
}

void tool_yaml_print(FILE *file, const char *ptx, const lin_ptx_remark *remark) {
  static const char *const kinds[] = {"Passed", "Missed", "Failure", "Analysis"};
  bool has_source = remark->source != NULL;
  fprintf(file, "--- !%s\nPass:            linearize\nName:            %s\n", kinds[remark->kind],
          remark->name);
  fputs("DebugLoc:        { File: ", file);
  print_quoted(file, has_source ? remark->source : ptx);
  fprintf(file, ", Line: %" PRIu32 ", Column: 0 }\n",
          has_source ? remark->source_line : remark->line);
  print_field(file, "Function:        ", remark->function);
  fputs("Args:\n", file);
  if (remark->block != NULL) {
    print_field(file, "  - String:          ", "block '");
    print_field(file, "  - Block:           ", remark->block);
    print_field(file, "  - String:          ", "': ");
  }
  print_field(file, "  - String:          ", remark->message);
  if (remark->executed > 0)
    fprintf(file, "  - Gain:            '%.0f'\n  - Executed:        '%.0f'\n", remark->gain,
            remark->executed);
  fputs("...\n", file);
}
