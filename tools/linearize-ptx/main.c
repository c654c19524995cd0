// linearize-ptx: PTX in, PTX out.
//
// The result goes to memory first, so that nothing is written unless all went well.
#define _POSIX_C_SOURCE 200809L
#include "common/child.h"
#include "common/command_line.h"
#include "common/leftovers.h"
#include "common/linearize_ptx.h"
#include "options.h"
#include "verify.h"
#include "yaml.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct listener {
  const tool_options *options;
  FILE *remarks; // or NULL
  tool_promises promises;
} listener;

static void hear(void *context, const lin_ptx_remark *remark) {
  listener *l = context;
  tool_promise_hear(&l->promises, remark);
  tool_ptx_print(&l->options->ptx, l->options->file, remark);
  if (l->remarks != NULL)
    tool_yaml_print(l->remarks, l->options->file, remark);
}

// The difference between the input and `text`, as diff prints it.
static void print_diff(FILE *output, const char *name, const char *before, size_t length_before,
                       const char *after, size_t length_after) {
  FILE *file[] = {tool_scratch_file(), tool_scratch_file()};
  fwrite(before, 1, length_before, file[0]);
  fwrite(after, 1, length_after, file[1]);
  char path[2][64];
  for (int i = 0; i < 2; i++) {
    tool_rewind(file[i]);
    snprintf(path[i], sizeof path[i], "/proc/%ld/fd/%d", (long)getpid(), fileno(file[i]));
  }
  char label[2][1024];
  snprintf(label[0], sizeof label[0], "--label=%s", name);
  snprintf(label[1], sizeof label[1], "--label=%s, linearized", name);
  FILE *result = tool_scratch_file();
  const char *arguments[] = {"diff", "-u", label[0], label[1], path[0], path[1], NULL};
  pid_t child = tool_start(arguments, NULL, result, NULL);
  if (child < 0)
    tool_die(1, "diff: %s", strerror(errno));
  int status = tool_wait(child);
  if (status > 1)
    tool_die(1, "diff failed");
  size_t length;
  char *text = tool_take_all(result, &length);
  fwrite(text, 1, length, output);
  free(text);
  fclose(file[0]);
  fclose(file[1]);
}

int main(int argc, char **argv) {
  tool_options options;
  tool_options_parse(argc, argv, &options);
  size_t length;
  char *text = tool_read_input(options.file, &length);
  lin_arena arena = {0};
  lin_ptx_error error;
  const lin_ptx_module *module = lin_ptx_module_read(&arena, text, length, &error);
  if (module == NULL)
    tool_die(1, "%s:%" PRIu32 ": %s", options.file, error.line, error.message);
  listener ear = {.options = &options, .promises.arena = &arena};
  if (options.remarks != NULL)
    ear.remarks = tool_create(options.remarks);
  size_t result_length = length;
  const char *failure;
  char *made = tool_linearize_ptx(&options.ptx, options.file, module, text, &result_length, hear,
                                  &ear, &failure);
  if (failure != NULL)
    tool_die(1, "%s: %s", options.file, failure);
  if (ear.remarks != NULL)
    tool_close(ear.remarks, options.remarks);
  if (options.verifies && made != NULL)
    made = tool_verify(options.file, module, made, &result_length, &ear.promises);
  if (made == NULL)
    result_length = length;
  const char *result = made != NULL ? made : text;
  if (!options.checks) {
    FILE *output = tool_create(options.output);
    if (options.shows_diff)
      print_diff(output, options.file, text, length, result, result_length);
    else
      fwrite(result, 1, result_length, output);
    tool_close(output, options.output);
  }
  bool is_changed = made != NULL && (length != result_length || memcmp(made, text, length) != 0);
  free(made);
  free(text);
  lin_arena_release(&arena);
  return options.checks && is_changed ? 3 : 0;
}
