// Pictures as SVG, drawn by Graphviz.
#include "common/child.h"
#include "steps.h"

#include <errno.h>
#include <string.h>

static void run_dot(FILE *input, FILE *output) {
  const char *const argument[] = {"dot", "-Tsvg", NULL};
  pid_t child = tool_start(argument, input, output, NULL);
  if (child < 0)
    tool_die(1, "Graphviz's dot doesn't start: %s (Debian's package is graphviz)", strerror(errno));
  int status = tool_wait(child);
  if (status >= 127)
    tool_die(1, "Graphviz's dot doesn't start (Debian's package is graphviz)");
  if (status != 0)
    tool_die(1, "Graphviz's dot failed with status %d", status);
}

char *tool_draw(const char *dot, size_t *length) {
  FILE *input = tool_scratch_file(), *output = tool_scratch_file();
  fwrite(dot, 1, *length, input);
  tool_rewind(input);
  run_dot(input, output);
  fclose(input);
  return tool_take_all(output, length);
}
