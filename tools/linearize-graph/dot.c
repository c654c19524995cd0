#include "dot.h"

#include "common/child.h"
#include "common/command_line.h"

#include <errno.h>

pid_t tool_dot_start(FILE *input, FILE *output) {
  static const char *const argument[] = {"dot", "-Tsvg", NULL};
  tool_rewind(input);
  FILE *errors = tool_scratch_file(); // warnings are about how pictures look
  pid_t child = tool_start(argument, input, output, errors);
  fclose(errors);
  if (child < 0)
    tool_die(1, "Graphviz's dot doesn't start: %s (Debian's package is graphviz)", strerror(errno));
  return child;
}

bool tool_dot_end(pid_t child) {
  int status = tool_wait(child);
  if (status == 127)
    tool_die(1, "Graphviz's dot doesn't start (Debian's package is graphviz)");
  return status == 0;
}

char *tool_dot(const char *graph, size_t *length) {
  FILE *input = tool_scratch_file(), *output = tool_scratch_file();
  fwrite(graph, 1, *length, input);
  if (!tool_dot_end(tool_dot_start(input, output)))
    tool_die(1, "Graphviz's dot failed");
  fclose(input);
  return tool_take_all(output, length);
}
