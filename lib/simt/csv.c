#include "csv.h"

#include <string.h>

void simt_csv_field(FILE *file, const char *text) {
  if (strpbrk(text, ",\"\n") == NULL) {
    fputs(text, file);
    return;
  }
  fputc('"', file);
  for (; *text != '\0'; text++) {
    if (*text == '"')
      fputc('"', file);
    fputc(*text, file);
  }
  fputc('"', file);
}
