#define _GNU_SOURCE // memfd_create, dladdr
#include "lifting.h"

#include "apart.h"
#include "child.h"
#include "command_line.h"
#include "lifting_key.h"
#include "records.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Thread_local char clause[320];

static const char helper[] = "linearize-lift", by_library[] = "../bin/linearize-lift";

// This program's file, or the library's that is preloaded into it.
static bool find_self(char path[PATH_MAX]) {
  Dl_info here;
  if (dladdr(helper, &here) != 0 && strstr(here.dli_fname, ".so") != NULL)
    return realpath(here.dli_fname, path) != NULL;
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = '\0';
  return length > 0;
}

// The helper stands where programs do: in their folder, or in the one called bin by that of
// libraries.
static const char *find_helper(void) {
  static _Thread_local char path[PATH_MAX + sizeof by_library];
  const char *named = getenv("LINEARIZE_LIFT");
  if (named != NULL)
    return named;
  if (!find_self(path))
    return helper;
  char *name = strrchr(path, '/') + 1;
  bool is_library = strstr(name, ".so") != NULL;
  memcpy(name, is_library ? by_library : helper, is_library ? sizeof by_library : sizeof helper);
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

// What the helper made of the text, or NULL: nothing.
static char *take_result(FILE *output, const char *text, size_t length, size_t *made_length) {
  tool_rewind(output);
  char *made = tool_read_all(output, made_length);
  if (*made_length != length || memcmp(made, text, length) != 0)
    return made;
  free(made);
  return NULL;
}

// A file in memory, which no program that is started meanwhile inherits.
static FILE *open_memory(void) {
  int descriptor = memfd_create("linearize", MFD_CLOEXEC);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w+b");
  if (file == NULL)
    tool_die(1, "no file in memory: %s", strerror(errno));
  return file;
}

// The helper's status and its answer, or -1: it can't be started.
static int run(const char *const *arguments, const char *text, size_t length,
               tool_cache_value *answer) {
  FILE *const file[] = {open_memory(), open_memory(), open_memory()};
  fwrite(text, 1, length, file[0]);
  tool_rewind(file[0]);
  const int status = tool_run_apart(arguments, file[0], file[1], file[2]);
  const int error = errno;
  if (status >= 0) {
    tool_rewind(file[2]);
    answer->said = tool_read_all(file[2], &answer->said_length);
  }
  if (status == 0)
    answer->made = take_result(file[1], text, length, &answer->made_length);
  for (int i = 0; i < 3; i++)
    fclose(file[i]);
  errno = error;
  return status;
}

// Asks the helper, and keeps what it answers for `key`, unless that is NULL.
static int ask(const char *const *arguments, const tool_cache *cache, const tool_cache_key *key,
               tool_cache_value *answer) {
  const int status = run(arguments, key->text, key->length, answer);
  if (status == 0 && key->asked != NULL) {
    answer->is_named = tool_lifting_is_named(key->name, answer);
    tool_cache_keep(cache, key, answer);
  }
  return status;
}

char *tool_lift(const char *name, const char *text, size_t *length, const char *options,
                uint32_t sm, unsigned most_seconds, lin_ptx_hear hear, void *context,
                const char **failed) {
  const char *program = find_helper();
  char seconds[16], target[16];
  snprintf(seconds, sizeof seconds, "%u", most_seconds);
  snprintf(target, sizeof target, "%u", (unsigned)sm);
  const char *arguments[] = {program, "--records", seconds, "--arch", target, "--name",
                             name,    "--options", options, "-",      NULL};
  tool_cache cache;
  char *asked = tool_cache_default(&cache) ? tool_lifting_key(program, options, sm) : NULL;
  const tool_cache_key key = {asked, name, text, *length};
  tool_cache_value answer = {0};
  const bool is_kept = asked != NULL && tool_cache_find(&cache, &key, &answer);
  const int status = is_kept ? 0 : ask(arguments, &cache, &key, &answer);
  const int error = errno;
  free(asked);
  if (status < 0) {
    snprintf(clause, sizeof clause, "%.250s: %s", program, strerror(error));
    *failed = clause;
    return NULL;
  }
  const char *other = hear_all(answer.said, hear, context);
  const char *failure = status == 0 ? NULL : explain(status, other);
  free(answer.said);
  *failed = failure;
  if (answer.made != NULL)
    *length = answer.made_length;
  return answer.made;
}
