// How tools end. What isn't a program has its own tool_die.
#include "command_line.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void tool_die(int status, const char *format, ...) {
  fflush(stdout);
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", tool_name);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(status);
}

void tool_answer(const char *argument, const char *help) {
  if (strcmp(argument, "--help") == 0)
    fputs(help, stdout);
  else if (strcmp(argument, "--version") == 0)
    printf("%s (linearize) %s\nLLVM %s\n", tool_name, LINEARIZE_VERSION, LINEARIZE_LLVM_VERSION);
  else
    return;
  if (fflush(stdout) != 0)
    tool_die(1, "<stdout>: %s", strerror(errno));
  exit(0);
}
