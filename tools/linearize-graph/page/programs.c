#include "programs.h"

#include "common/child.h"
#include "common/helper.h"
#include "common/leftovers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct command {
  const char **word;
  uint32_t count, capacity;
} command;

static const char *join(lin_arena *arena, const char *a, const char *b, const char *c) {
  size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
  char *text = lin_arena_bytes(arena, size);
  snprintf(text, size, "%s%s%s", a, b, c);
  return text;
}

// ---- files that go -----------------------------------------------------------------------------

static char *folder;

const char *report_scratch(lin_arena *arena, const char *name) {
  if (folder == NULL) {
    folder = tool_make_folder("linearize-graph");
    atexit(tool_remove_leftovers);
    tool_leftover(folder);
  }
  const char *path = join(arena, folder, "/", name);
  tool_leftover(path);
  return path;
}

// ---- running -----------------------------------------------------------------------------------

static const char *first_line(lin_arena *arena, const char *text) {
  size_t length = strcspn(text, "\n");
  return length == 0 ? "it didn't say why" : lin_arena_text(arena, text, length);
}

// The line with the user's name for the files of this run.
static const char *with_name(lin_arena *arena, const char *line, const char *name) {
  const char *found = folder == NULL ? NULL : strstr(line, folder);
  const char *end = found == NULL ? NULL : strstr(found, ".bc");
  if (end == NULL)
    return line;
  const char *side = strstr(found, "/after.bc") != NULL ? " after linearize" : "";
  const char *head = lin_arena_text(arena, line, (size_t)(found - line));
  return join(arena, head, name, join(arena, side, end + strlen(".bc"), ""));
}

// Adds words, which end with NULL, and a NULL behind them.
static void add(lin_arena *arena, command *words, const char *const *more) {
  for (;; more++) {
    words->word = LIN_ROOM(arena, words->word, words->count, &words->capacity);
    words->word[words->count] = *more;
    if (*more == NULL)
      return;
    words->count++;
  }
}

// The path of a program that is where this one is.
static const char *beside(lin_arena *arena, const char *name) {
  const char *path = tool_find_helper(NULL, name);
  return lin_arena_text(arena, path, strlen(path));
}

// Runs a program to its end. If it fails, that ends this one, with its line.
static void run(lin_arena *arena, const command *words, const char *name, FILE *output) {
  FILE *errors = tool_scratch_file();
  pid_t child = tool_start(words->word, NULL, output, errors);
  int error = errno, status = child < 0 ? 127 : tool_wait(child);
  char *text = tool_take_all(errors, NULL);
  if (status == 127)
    tool_die(1, "%s doesn't start%s%s; it should be where this program is", words->word[0],
             child < 0 ? ": " : "", child < 0 ? strerror(error) : "");
  if (status >= 128)
    tool_die(1, "%s ended with signal %d: %s", words->word[0], status - 128,
             first_line(arena, text));
  if (status != 0)
    tool_die(1, "%s", with_name(arena, first_line(arena, text), name));
  free(text);
}

// linearize-simt, with the launch of `before`, and more words. Its output goes to `output`.
static void simulate(lin_arena *arena, const tool_options *options, const char *before,
                     const char *const *more, FILE *output) {
  command words = {0};
  add(arena, &words,
      (const char *const[]){beside(arena, "linearize-simt"), "--launch", options->launch, before,
                            "--blocks", NULL});
  add(arena, &words, more);
  run(arena, &words, options->file, output);
}

char *report_simulate(lin_arena *arena, const tool_options *options, const char *before,
                      const char *after) {
  FILE *output = tool_scratch_file();
  simulate(arena, options, before, (const char *const[]){"--compare", after, "--json", NULL},
           output);
  return tool_take_all(output, NULL);
}

// What linearize-profile is told of the launch, which is counted.
static void count(lin_arena *arena, const tool_options *options, const char *before,
                  command *profile) {
  const char *counts = report_scratch(arena, "counts"),
             *passes = report_scratch(arena, "passes.csv"),
             *lanes = report_scratch(arena, "lanes.csv");
  FILE *output = tool_create(passes);
  simulate(arena, options, before,
           (const char *const[]){"--counts", counts, "--lanes", lanes, "--csv", NULL}, output);
  tool_close(output, passes);
  add(arena, profile,
      (const char *const[]){"--counts", counts, "--passes", passes, "--lanes", lanes, NULL});
}

char *report_costs(lin_arena *arena, const tool_options *options, const char *before) {
  command words = {0};
  const char *page = report_scratch(arena, "costs.html");
  const char *title = options->counts != NULL ? options->counts : options->file;
  add(arena, &words,
      (const char *const[]){beside(arena, "linearize-profile"), "--title", title, "--html", page,
                            NULL});
  if (options->counts != NULL)
    add(arena, &words, (const char *const[]){"--counts", options->counts, NULL});
  else
    count(arena, options, before, &words);
  FILE *ignored = tool_scratch_file();
  run(arena, &words, options->file, ignored);
  fclose(ignored);
  return tool_read_file(page, NULL);
}
