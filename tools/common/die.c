#include "command_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void (*before_dying)(void);

void tool_before_dying(void (*function)(void)) { before_dying = function; }

_Noreturn void tool_die(int status, const char *format, ...) {
  fflush(stdout);
  if (before_dying != NULL)
    before_dying();
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", tool_name);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(status);
}
