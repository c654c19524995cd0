#include "html.h"

#include <string.h>

void tool_print_html(FILE *file, const char *text) {
  static const char special[] = "&<>\"";
  static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
  for (; *text != '\0'; text++) {
    const char *found = strchr(special, *text);
    if (found != NULL)
      fputs(names[found - special], file);
    else
      fputc(*text, file);
  }
}
