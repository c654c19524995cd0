#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include "common/command_line.h"

#include <stdio.h>
#include <unistd.h>

static int is_shown;

static void clear(void) {
  if (is_shown)
    fputs("\r\033[K", stderr);
  is_shown = 0;
}

void report_progress(const char *text) {
  if (!isatty(STDERR_FILENO))
    return;
  clear();
  if (text == NULL)
    return;
  tool_before_dying(clear);
  fprintf(stderr, "%s: %s", tool_name, text);
  fflush(stderr);
  is_shown = 1;
}
