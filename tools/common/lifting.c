#define _POSIX_C_SOURCE 200809L
#include "lifting.h"

#include "child.h"
#include "records.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local char clause[320];

// The helper stands where this program does; who runs inside of another program is told where.
static const char *find_helper(void) {
  static _Thread_local char path[PATH_MAX + sizeof "linearize-lift"];
  const char *named = getenv("LINEARIZE_LIFT");
  if (named != NULL)
    return named;
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (length <= 0)
    return "linearize-lift";
  path[length] = '\0';
  char *name = strrchr(path, '/');
  memcpy(name == NULL ? path : name + 1, "linearize-lift", sizeof "linearize-lift");
  return path;
}

// Tells of the remarks. Returns the last line that is none, or NULL: why the helper fails.
static const char *hear_all(char *said, lin_ptx_hear hear, void *context) {
  const char *other = NULL;
  for (char *line = said, *next; line != NULL && *line != '\0'; line = next) {
    next = strchr(line, '\n');
    if (next != NULL)
      *next++ = '\0';
    char *copy = strdup(line);
    lin_ptx_remark remark;
    if (copy != NULL && tool_record_read(copy, &remark))
      hear(context, &remark);
    else
      other = line;
    free(copy);
  }
  return other;
}

// Without who says it: it may be LLVM, or the helper.
static const char *without_names(const char *said) {
  static const char *const names[] = {"LLVM ERROR: ", "linearize-lift: ", "linearize: "};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(said, names[i], strlen(names[i])) == 0)
      said += strlen(names[i]);
  return said;
}

static const char *explain(int status, const char *said) {
  if (status == 128 + SIGALRM)
    snprintf(clause, sizeof clause, "linearize-lift took too long");
  else if (status > 128)
    snprintf(clause, sizeof clause, "linearize-lift ended with signal %d", status - 128);
  else if (said == NULL)
    snprintf(clause, sizeof clause, "linearize-lift failed without a word");
  else
    snprintf(clause, sizeof clause, "%.300s", without_names(said));
  return clause;
}

// What the helper made of the text, or NULL: nothing, or it failed.
static char *take_result(FILE *output, const char *text, size_t *length) {
  size_t made_length;
  tool_rewind(output);
  char *made = tool_read_all(output, &made_length);
  if (made_length == *length && memcmp(made, text, made_length) == 0) {
    free(made);
    return NULL;
  }
  *length = made_length;
  return made;
}

static const char *wait_for(pid_t child, FILE *errors, lin_ptx_hear hear, void *context) {
  int status = tool_wait(child);
  tool_rewind(errors);
  char *said = tool_read_all(errors, NULL);
  const char *other = hear_all(said, hear, context);
  const char *failure = status == 0 ? NULL : explain(status, other);
  free(said);
  return failure;
}

char *tool_lift(const char *name, const char *text, size_t *length, const char *options,
                lin_ptx_hear hear, void *context, const char **failure) {
  FILE *input = tool_scratch_file(), *output = tool_scratch_file(), *errors = tool_scratch_file();
  fwrite(text, 1, *length, input);
  tool_rewind(input);
  const char *helper = find_helper();
  const char *arguments[] = {helper, "--records", "--name", name, "--options", options, "-", NULL};
  pid_t child = tool_start(arguments, input, output, errors);
  if (child < 0) {
    snprintf(clause, sizeof clause, "%.250s: %s", helper, strerror(errno));
    *failure = clause;
  } else {
    *failure = wait_for(child, errors, hear, context);
  }
  char *made = *failure == NULL ? take_result(output, text, length) : NULL;
  fclose(input);
  fclose(output);
  fclose(errors);
  return made;
}
