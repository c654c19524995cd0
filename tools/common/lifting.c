#define _GNU_SOURCE // memfd_create
#include "lifting.h"

#include "apart.h"
#include "command_line.h"
#include "helper.h"
#include "lifting_key.h"
#include "records.h"
#include "reply.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static _Thread_local char clause[320];

// Tells of the remarks, a line for each.
static void hear_all(char *said, lin_ptx_hear hear, void *context) {
  for (char *line = said, *next; line != NULL && *line != '\0'; line = next) {
    next = strchr(line, '\n');
    if (next != NULL)
      *next++ = '\0';
    lin_ptx_remark remark;
    if (tool_record_read(line, &remark))
      hear(context, &remark);
  }
}

// The last line of what it said of itself, or NULL: nothing.
static const char *last_line(char *said) {
  if (said == NULL || *said == '\0')
    return NULL;
  char *end = said + strlen(said) - 1;
  if (*end == '\n')
    *end = '\0';
  const char *line = strrchr(said, '\n');
  return line == NULL ? said : line + 1;
}

// Without who says it: it may be LLVM, or the helper.
static const char *without_names(const char *said) {
  static const char *const names[] = {"LLVM ERROR: ", "linearize-lift: ", "linearize: "};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(said, names[i], strlen(names[i])) == 0)
      said += strlen(names[i]);
  return said;
}

enum { NOT_WHOLE = 1 << 10 }; // a status: it ended well, but its answer isn't there

static const char *explain(int status, const char *said) {
  if (status == 128 + SIGALRM)
    snprintf(clause, sizeof clause, "linearize-lift took too long");
  else if (status == NOT_WHOLE)
    snprintf(clause, sizeof clause, "the answer of linearize-lift isn't whole");
  else if (status > 128)
    snprintf(clause, sizeof clause, "linearize-lift ended with signal %d", status - 128);
  else if (said == NULL)
    snprintf(clause, sizeof clause, "linearize-lift failed without a word");
  else
    snprintf(clause, sizeof clause, "%.300s", without_names(said));
  return clause;
}

// A file in memory, which no program that is started meanwhile inherits; or NULL.
static FILE *open_memory(void) {
  int descriptor = memfd_create("linearize", MFD_CLOEXEC);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w+b");
  if (file == NULL && descriptor >= 0)
    close(descriptor);
  return file;
}

// All that the helper has written, with a NUL behind it, to be freed; or NULL.
static char *read_memory(FILE *file, size_t *length) {
  struct stat about;
  const bool is_there = fstat(fileno(file), &about) == 0 && fseek(file, 0, SEEK_SET) == 0;
  *length = is_there ? (size_t)about.st_size : 0;
  char *bytes = is_there ? calloc(*length + 1, 1) : NULL;
  if (bytes == NULL || fread(bytes, 1, *length, file) == *length)
    return bytes;
  free(bytes);
  return NULL;
}

// Takes the answer, without a text if that is the one it was asked about.
static bool take_answer(FILE *output, const char *text, size_t length, tool_cache_value *answer) {
  size_t size;
  char *reply = read_memory(output, &size);
  const bool is_whole = reply != NULL && tool_reply_read(reply, size, answer);
  free(reply);
  if (is_whole && answer->made_length == length && memcmp(answer->made, text, length) == 0) {
    free(answer->made);
    answer->made = NULL;
  }
  return is_whole;
}

// How long the helper may take.
static unsigned limit_of(unsigned most_seconds) {
  const char *given = getenv("LINEARIZE_LIFT_SECONDS");
  const unsigned long seconds = given == NULL ? 0 : strtoul(given, NULL, 10);
  return seconds > 0 && seconds <= 3600 ? (unsigned)seconds : most_seconds;
}

// The helper's status, its answer, and what else it said, to be freed; or -1, and errno says why:
// it can't be started. Where there is no room for the files tool_die is the end, which may be a
// jump: descriptors are closed before.
static int run(const char *const *arguments, const char *text, size_t length, unsigned most_seconds,
               tool_cache_value *answer, char **said) {
  FILE *file[3] = {NULL};
  int count = 0, status = -1;
  while (count < 3 && (file[count] = open_memory()) != NULL)
    count++;
  const bool has_room = count == 3 && fwrite(text, 1, length, file[0]) == length &&
                        fflush(file[0]) == 0 && fseek(file[0], 0, SEEK_SET) == 0;
  if (has_room)
    status = tool_run_apart(arguments, file[0], file[1], file[2], most_seconds);
  const int error = errno;
  size_t said_length;
  if (status >= 0)
    *said = read_memory(file[2], &said_length);
  if (status == 0 && !take_answer(file[1], text, length, answer))
    status = NOT_WHOLE;
  for (int i = 0; i < count; i++)
    fclose(file[i]);
  if (!has_room)
    tool_die(1, "no %s: %s", count < 3 ? "file in memory" : "room for a temporary file",
             strerror(error));
  errno = error;
  return status;
}

// Asks the helper, and keeps what it answers for `key`, unless that is NULL.
static int ask(const char *const *arguments, const tool_cache *cache, const tool_cache_key *key,
               unsigned most_seconds, tool_cache_value *answer, char **said) {
  const int status = run(arguments, key->text, key->length, most_seconds, answer, said);
  if (status == 0 && key->asked != NULL) {
    answer->is_named = tool_lifting_is_named(key->name, answer);
    tool_cache_keep(cache, key, answer);
  }
  return status;
}

char *tool_lift(const char *name, const char *text, size_t *length, const char *options,
                uint32_t sm, unsigned most_seconds, lin_ptx_hear hear, void *context,
                const char **failed) {
  const char *program = tool_find_helper("LINEARIZE_LIFT", "linearize-lift");
  char seconds[16], target[16];
  most_seconds = limit_of(most_seconds);
  snprintf(seconds, sizeof seconds, "%u", most_seconds);
  snprintf(target, sizeof target, "%u", (unsigned)sm);
  const char *arguments[] = {program, "--records", seconds, "--arch", target, "--name",
                             name,    "--options", options, "-",      NULL};
  tool_cache cache;
  char *asked = tool_cache_default(&cache) ? tool_lifting_key(program, options, sm) : NULL;
  const tool_cache_key key = {asked, name, text, *length};
  tool_cache_value answer = {0};
  const bool is_kept = asked != NULL && tool_cache_find(&cache, &key, &answer);
  char *said = NULL;
  const int status = is_kept ? 0 : ask(arguments, &cache, &key, most_seconds, &answer, &said);
  const int error = errno;
  free(asked);
  if (status < 0) {
    snprintf(clause, sizeof clause, "%.250s: %s", program, strerror(error));
    *failed = clause;
    return NULL;
  }
  hear_all(answer.said, hear, context);
  *failed = status == 0 ? NULL : explain(status, last_line(said));
  free(said);
  free(answer.said);
  if (answer.made != NULL)
    *length = answer.made_length;
  return answer.made;
}
