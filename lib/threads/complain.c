#include "complain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool lin_is_checking(void) {
  const char *value = getenv("LINEARIZE_CHECK");
  return value != NULL && value[0] != '\0';
}

bool lin_complain(const char *function, const char *format, ...) {
  char text[256]; // one write, so that lines of several threads stay whole
  va_list arguments;
  if (!lin_is_checking())
    return false;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "linearize: %s: %s\n", function, text);
  return false;
}
