#define _POSIX_C_SOURCE 200809L

#include "ptx_options.h"

#include "command_line.h"
#include "versions/asked.h"
#include "versions/excepted.h"
#include "versions/format.h"
#include "versions/variable.h"
#include "versions/winners.h"

#include "graph/arena.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const remarks[] = {"none",   "warnings", "summary", "passed",
                                      "missed", "all",      NULL};
static const unsigned said[] = {0,
                                1u << LIN_PTX_WARNING,
                                1u << LIN_PTX_WARNING | TOOL_PTX_SUMMARY,
                                1u << LIN_PTX_PASSED | 1u << LIN_PTX_WARNING | TOOL_PTX_SUMMARY,
                                1u << LIN_PTX_PASSED | 1u << LIN_PTX_WARNING | TOOL_PTX_SUMMARY |
                                    1u << LIN_PTX_MISSED,
                                ~0u};

tool_ptx_options tool_ptx_defaults(const char *which) {
  return (tool_ptx_options){
      .said = said[tool_choose("--remarks", which, remarks)],
      .mode = LIN_MODE_NEEDED,
      .most_seconds = 120,
  };
}

static void check_versions(const char *list) {
  lin_arena arena = {0};
  lin_versions_asked asked;
  char message[400];
  const char *wrong =
      lin_versions_check(lin_arena_text(&arena, list, strlen(list)), &asked, message);
  if (wrong != NULL)
    tool_die(2, "--versions: %s", wrong);
  lin_arena_release(&arena);
}

static void check_tuned(const char *path) {
  char message[320];
  lin_winners_file *file = lin_winners_read(path, message);
  if (file == NULL)
    tool_die(1, "%s", message);
  lin_winners_release(file);
}

static void check_together(const tool_ptx_options *options) {
  if (options->chooses && (options->has_mode || options->merges_loops))
    tool_die(2,
             "--versions: kernels stay plain beside their versions; --mode and --merge-loops are "
             "words of versions' names, like needed.merge-loops");
}

static bool is_word(const char *argument, const char *name) { return strcmp(argument, name) == 0; }

// Those that are about more than what the plugin does.
static bool take_known(int argc, char **argv, int *at, tool_ptx_options *options) {
  const char *value;
  if (is_word(argv[*at], "--jit")) {
    options->jit = true;
  } else if (is_word(argv[*at], "--force")) {
    options->force = true;
  } else if (is_word(argv[*at], "--merge-loops")) {
    options->merges_loops = true;
  } else if ((value = tool_value_of("--mode", argc, argv, at)) != NULL) {
    unsigned mode = tool_choose("--mode", value, tool_modes);
    options->mode = mode == TOOL_MODE_NONE ? LIN_NO_MODE : (lin_mode)mode;
    options->has_mode = true;
  } else if ((value = tool_value_of("--level", argc, argv, at)) != NULL) {
    tool_choose("--level", value, tool_levels);
  } else if ((value = tool_value_of("--versions", argc, argv, at)) != NULL) {
    check_versions(value);
    options->has_versions = options->chooses = true;
  } else if ((value = tool_value_of("--tuned", argc, argv, at)) != NULL) {
    check_tuned(value);
    options->has_versions = true;
  } else if ((value = tool_value_of("--remarks", argc, argv, at)) != NULL) {
    options->said = said[tool_choose("--remarks", value, remarks)];
  } else {
    return false;
  }
  return true;
}

// The others, by the plugin's names (lib/llvm/run/option_table.c).
typedef enum other_kind { WORD, NUMBER, TEXT } other_kind;

static const struct {
  const char *name;
  other_kind kind;
  bool parts; // it is done wherever threads part
} others[] = {{"--regardless", WORD, false},
              {"--threshold", NUMBER, false},
              {"--max-blocks", NUMBER, false},
              {"--max-work", NUMBER, false},
              {"--max-versions", NUMBER, false},
              {"--max-kernel", NUMBER, false},
              {"--max-inspector", NUMBER, true},
              {"--vote", WORD, true},
              {"--meld", WORD, false},
              {"--interleave", WORD, true},
              {"--no-meld", WORD, false},
              {"--warps", NUMBER, true},
              {"--regroup", WORD, true},
              {"--limit-depth", NUMBER, true},
              {"--count", WORD, true},
              {"--count-passes", WORD, true},
              {"--count-plain", WORD, true},
              {"--profile", TEXT, true},
              {"--only", TEXT, true},
              {"--except", TEXT, false},
              {"--no-reorder", WORD, true}};

static bool take_other(int argc, char **argv, int *at, tool_ptx_options *options) {
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const char *value = NULL, *name = others[i].name;
    if (others[i].kind == WORD ? !is_word(argv[*at], name)
                               : (value = tool_value_of(name, argc, argv, at)) == NULL)
      continue;
    if (others[i].kind == NUMBER)
      tool_number(name, value, UINT32_MAX);
    options->counts |= strncmp(name, "--count", 7) == 0;
    options->melds |= strcmp(name, "--meld") == 0;
    options->no_meld |= strcmp(name, "--no-meld") == 0;
    options->regardless |= strcmp(name, "--regardless") == 0;
    options->has_others |= others[i].parts;
    return true;
  }
  return false;
}

// Keeps an option and its value, or NULL, as the plugin has them.
static void keep(tool_ptx_options *options, const char *option, const char *value) {
  const size_t used = options->given == NULL ? 0 : strlen(options->given) + 1;
  const size_t size = used + strlen(option) + (value != NULL ? 1 + strlen(value) : 0) + 1;
  char *given = realloc(options->given, size);
  if (given == NULL)
    tool_die(1, "out of memory");
  if (used > 0)
    given[used - 1] = ';';
  snprintf(given + used, size - used, "%s%s%s", option + 2, value != NULL ? "=" : "",
           value != NULL ? value : "");
  if (strncmp(option, "--versions", 10) == 0)
    for (char *c = given + used; *c != '\0'; c++)
      *c = *c == ',' ? ':' : *c;
  lin_excepted_clean(given + used);
  options->given = given;
}

bool tool_ptx_option(int argc, char **argv, int *at, tool_ptx_options *options) {
  const int first = *at;
  const bool is_taken = take_known(argc, argv, at, options) || take_other(argc, argv, at, options);
  if (is_taken && strncmp(argv[first], "--remarks", 9) != 0 && strcmp(argv[first], "--jit") != 0)
    keep(options, argv[first], *at > first && *at < argc ? argv[*at] : NULL);
  check_together(options);
  return is_taken;
}

// A mode or a level may stand there without its name, as for the plugin.
static const char *name_of(const char *word) {
  for (size_t i = 0; tool_modes[i] != NULL; i++)
    if (is_word(word, tool_modes[i]))
      return "mode=";
  for (size_t i = 0; tool_levels[i] != NULL; i++)
    if (is_word(word, tool_levels[i]))
      return "level=";
  return "";
}

void tool_ptx_environment(tool_ptx_options *options) {
  const char *given = getenv("LINEARIZE_OPTIONS");
  char *copy = strdup(given == NULL ? "" : given), *rest = NULL;
  if (copy == NULL)
    tool_die(1, "out of memory");
  lin_variable_normalize(copy);
  for (char *word = strtok_r(copy, ";", &rest); word != NULL; word = strtok_r(NULL, ";", &rest)) {
    char option[1024];
    char *arguments[] = {option};
    int at = 0;
    int length = snprintf(option, sizeof option, "--%s%s", name_of(word), word);
    if (length >= (int)sizeof option || !tool_ptx_option(1, arguments, &at, options))
      tool_die(2,
               "LINEARIZE_OPTIONS or --linearize: there is no option '%s' for PTX: see "
               "linearize-ptx --help",
               word);
  }
  free(copy);
}

// The C++ runtime's, where there is one: linearize-run's library brings none into a program.
extern __attribute__((weak, visibility("default"))) char *
__cxa_demangle(const char *name, char *to, size_t *length, int *status);

// A symbol of `length` bytes, demangled where that is known: to be freed, or NULL without memory.
static char *demangle(const char *symbol, size_t length) {
  int status;
  char *copy = strndup(symbol, length), *title = NULL;
  if (copy != NULL && __cxa_demangle != NULL && strncmp(copy, "_Z", 2) == 0)
    title = __cxa_demangle(copy, NULL, NULL, &status);
  if (title == NULL)
    return copy;
  free(copy);
  return title;
}

enum { MOST_OF_LINE = 159, LEAST_OF_TITLE = 24 };

// What a line has room for of a function's name.
static int room_of(const lin_ptx_remark *remark, const char *version, size_t message) {
  const size_t rest = strlen("remark: function '': , block '', version ''") + strlen(version) +
                      message + (remark->block == NULL ? 0 : strlen(remark->block));
  return rest + LEAST_OF_TITLE < MOST_OF_LINE ? (int)(MOST_OF_LINE - rest) : LEAST_OF_TITLE;
}

// Where the source is known, nvcc's file of PTX, which is gone by then, says nothing more.
void tool_ptx_print(const tool_ptx_options *options, const char *file,
                    const lin_ptx_remark *remark) {
  static const char *const kinds[] = {"remark", "remark", "warning", "remark"};
  if ((options->said >> remark->kind & 1) == 0)
    return;
  const bool has_source = remark->source != NULL;
  const bool is_brief = (options->said & TOOL_PTX_DETAILS) == 0 && remark->brief > 0;
  const size_t length = is_brief ? remark->brief : strlen(remark->message);
  const char *version = strstr(remark->function, LIN_VERSIONS_FUNCTION_INFIX), *end = version;
  version = version == NULL ? "" : version + strlen(LIN_VERSIONS_FUNCTION_INFIX);
  char *title = demangle(remark->function,
                         end == NULL ? strlen(remark->function) : (size_t)(end - remark->function));
  const char *name = title != NULL ? title : remark->function;
  const int room = is_brief ? room_of(remark, version, length) : INT_MAX;
  const bool is_cut = strlen(name) > (size_t)room;
  fprintf(stderr, "%s:%" PRIu32 ": %s: function '%.*s%s'", has_source ? remark->source : file,
          has_source ? remark->source_line : remark->line, kinds[remark->kind],
          is_cut ? room - 3 : room, name, is_cut ? "..." : "");
  free(title);
  if (version[0] != '\0')
    fprintf(stderr, ", version '%s'", version);
  if (remark->block != NULL)
    fprintf(stderr, ", block '%s'", remark->block);
  fprintf(stderr, ": %.*s\n", (int)length, remark->message);
}
