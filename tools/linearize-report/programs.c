#define _POSIX_C_SOURCE 200809L

#include "programs.h"

#include "common/child.h"
#include "common/leftovers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    folder = tool_make_folder("linearize-report");
    atexit(tool_remove_leftovers);
    tool_leftover(folder);
  }
  const char *path = join(arena, folder, "/", name);
  tool_leftover(path);
  return path;
}

// ---- where programs are ------------------------------------------------------------------------

// What lies beside this program: "linearize-simt", "../lib/liblinearize.so".
static const char *beside(lin_arena *arena, const char *name) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length < 0 ? 0 : length] = '\0';
  char *slash = strrchr(path, '/');
  if (slash == NULL)
    return name;
  *slash = '\0';
  return join(arena, path, "/", name);
}

static const char *plugin_of(lin_arena *arena, const report_options *options) {
  const char *path =
      options->plugin != NULL ? options->plugin : beside(arena, "../lib/liblinearize.so");
  if (access(path, R_OK) != 0)
    tool_die(1, "%s: %s; --plugin says where the plugin is", path, strerror(errno));
  return path;
}

// ---- running -----------------------------------------------------------------------------------

static bool has(const char *line, const char *sign) {
  const char *found = strstr(line, sign);
  return found != NULL && found < line + strcspn(line, "\n");
}

// The line of a program's messages that says what is wrong, without what only says that.
static const char *telling_line(lin_arena *arena, const char *text) {
  static const char *const signs[] = {"this plugin is for", "LLVM ERROR: ", "error: ", ""};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n")) {
      line += *line == '\n';
      if (*line == '\n' || *line == '\0' || !has(line, signs[i]))
        continue;
      bool is_head = i == 1 || i == 2; // says nothing but that
      if (is_head && strncmp(line, signs[i], strlen(signs[i])) == 0)
        line += strlen(signs[i]);
      return lin_arena_text(arena, line, strcspn(line, "\n"));
    }
  return "it didn't say why";
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

// Runs a program to its end. If it fails, that ends this one, with its line.
static void run(lin_arena *arena, const report_words *words, const char *name, const char *advice,
                FILE *output) {
  FILE *errors = tool_scratch_file();
  pid_t child = tool_start(words->word, NULL, output, errors);
  int error = errno, status = child < 0 ? 127 : tool_wait(child);
  char *text = tool_take_all(errors, NULL);
  if (status == 127)
    tool_die(1, "%s doesn't start%s%s; %s", words->word[0], child < 0 ? ": " : "",
             child < 0 ? strerror(error) : "", advice);
  if (status >= 128)
    tool_die(1, "%s ended with signal %d: %s", words->word[0], status - 128,
             telling_line(arena, text));
  if (status != 0)
    tool_die(1, "%s", with_name(arena, telling_line(arena, text), name));
  free(text);
}

static void add_all(lin_arena *arena, report_words *words, const char *const *more) {
  for (; *more != NULL; more++)
    report_add_word(arena, words, *more);
}

// Ends the words, as children need them.
static void end(lin_arena *arena, report_words *words) {
  words->word = LIN_ROOM(arena, words->word, words->count, &words->capacity);
  words->word[words->count] = NULL;
}

const char *report_compile(lin_arena *arena, const report_options *options) {
  const char *result = report_scratch(arena, "device.bc");
  const char *clang = options->clang != NULL ? options->clang : LINEARIZE_LLVM_BIN "/clang++";
  if (access(options->file, R_OK) != 0)
    tool_die(1, "%s: %s", options->file, strerror(errno));
  report_words words = {0};
  const char *const first[] = {
      clang, "-x", "cuda", "--cuda-device-only", "-O3", "-gline-tables-only", NULL};
  add_all(arena, &words, first);
  report_add_word(arena, &words, join(arena, "--cuda-gpu-arch=", options->gpu_arch, ""));
  for (uint32_t i = 0; i < options->compiler.count; i++)
    report_add_word(arena, &words, options->compiler.word[i]);
  const char *file = options->file[0] == '-' ? join(arena, "./", options->file, "") : options->file;
  const char *const last[] = {"-emit-llvm", "-c", file, "-o", result, NULL};
  add_all(arena, &words, last);
  end(arena, &words);
  pid_t child = tool_start(words.word, NULL, NULL, NULL);
  if (child < 0)
    tool_die(1, "%s doesn't start: %s; --clang says where clang is", clang, strerror(errno));
  if (tool_wait(child) != 0)
    tool_die(1, "%s: clang failed; options for it come after --", options->file);
  return result;
}

static void run_opt(lin_arena *arena, const report_options *options, const char *passes,
                    const char *before, const char *after, const char *remarks) {
  const char *opt = options->opt != NULL ? options->opt : LINEARIZE_LLVM_BIN "/opt";
  report_words words = {0};
  report_add_word(arena, &words, opt);
  report_add_word(arena, &words, join(arena, "-load-pass-plugin=", plugin_of(arena, options), ""));
  if (options->profile != NULL)
    report_add_word(arena, &words, join(arena, "-linearize-profile=", options->profile, ""));
  report_add_word(arena, &words, join(arena, "-passes=", passes, ""));
  report_add_word(arena, &words, join(arena, "-pass-remarks-output=", remarks, ""));
  const char *const last[] = {"-pass-remarks-filter=linearize", before, "-o", after, NULL};
  add_all(arena, &words, last);
  end(arena, &words);
  run(arena, &words, options->file, "--opt says where LLVM's opt is", NULL);
}

void report_run_pass(lin_arena *arena, const report_options *options, const char *before,
                     const char *after, const char *remarks) {
  const char *passes = *options->parameters == '\0'
                           ? "mark<uniform>,linearize"
                           : join(arena, "mark<uniform>,linearize<", options->parameters, ">");
  run_opt(arena, options, passes, before, after, remarks);
}

void report_run_refilling(lin_arena *arena, const report_options *options, const char *before,
                          const char *remarks) {
  unsetenv("LINEARIZE_OPTIONS"); // a mode there is for the kernel, and none of its version
  run_opt(arena, options, "linearize-versions<refilled>", before, "/dev/null", remarks);
}

// linearize-simt, with the launch.
static report_words simulator(lin_arena *arena, const report_options *options) {
  report_words words = {0};
  report_add_word(arena, &words, beside(arena, "linearize-simt"));
  for (uint32_t i = 0; i < options->launch.count; i++)
    report_add_word(arena, &words, options->launch.word[i]);
  return words;
}

static const char lost[] = "it should be where this program is";

char *report_simulate(lin_arena *arena, const report_options *options, const char *before,
                      const char *after) {
  report_words words = simulator(arena, options);
  const char *const last[] = {before, "--compare", after, "--json", "--blocks", NULL};
  add_all(arena, &words, last);
  end(arena, &words);
  FILE *output = tool_scratch_file();
  run(arena, &words, options->file, lost, output);
  return tool_take_all(output, NULL);
}

// What linearize-profile is told of the launch, which is counted.
static void count(lin_arena *arena, const report_options *options, const char *before,
                  report_words *profile) {
  const char *counts = report_scratch(arena, "counts"),
             *passes = report_scratch(arena, "passes.csv"),
             *lanes = report_scratch(arena, "lanes.csv");
  report_words words = simulator(arena, options);
  const char *const last[] = {before, "--counts", counts,     "--lanes",
                              lanes,  "--csv",    "--blocks", NULL};
  add_all(arena, &words, last);
  end(arena, &words);
  FILE *output = fopen(passes, "wb");
  if (output == NULL)
    tool_die(1, "%s: %s", passes, strerror(errno));
  run(arena, &words, options->file, lost, output);
  fclose(output);
  const char *const files[] = {"--counts", counts, "--passes", passes, "--lanes", lanes, NULL};
  add_all(arena, profile, files);
}

char *report_costs(lin_arena *arena, const report_options *options, const char *before) {
  report_words words = {0};
  report_add_word(arena, &words, beside(arena, "linearize-profile"));
  if (options->counts != NULL) {
    const char *const file[] = {"--counts", options->counts, NULL};
    add_all(arena, &words, file);
  } else {
    count(arena, options, before, &words);
  }
  const char *page = report_scratch(arena, "costs.html");
  const char *title = options->counts != NULL ? options->counts : options->file;
  const char *const last[] = {"--title", title, "--html", page, NULL};
  add_all(arena, &words, last);
  end(arena, &words);
  FILE *ignored = tool_scratch_file();
  run(arena, &words, options->file, lost, ignored);
  fclose(ignored);
  return tool_read_file(page, NULL);
}
