#define _POSIX_C_SOURCE 200809L

#include "ptx_options.h"

#include "command_line.h"
#include "ptx/version_names.h"
#include "versions/winners.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const remarks[] = {"none", "warnings", "passed", "missed", "all", NULL};
static const unsigned said[] = {
    0, 1u << LIN_PTX_WARNING, 1u << LIN_PTX_PASSED | 1u << LIN_PTX_WARNING,
    1u << LIN_PTX_PASSED | 1u << LIN_PTX_WARNING | 1u << LIN_PTX_MISSED, ~0u};

tool_ptx_options tool_ptx_defaults(const char *which) {
  return (tool_ptx_options){
      .said = said[tool_choose("--remarks", which, remarks)],
      .most_seconds = 120,
      .linearize = {.core = {.policy = {.mode = LIN_MODE_NEEDED}, .level = 4}},
  };
}

// Whether a word of the names is of what only LLVM IR is given to.
static bool names_ir(const char *list) {
  static const char *const words[] = {"interleave", "limit-depth", "redirected", "warps"};
  for (const char *at = list; *at != '\0'; at += strspn(at, ".,")) {
    size_t length = strcspn(at, ".,");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (strlen(words[i]) == length && memcmp(words[i], at, length) == 0)
        return true;
    at += length;
  }
  return false;
}

// The list that it keeps. What isn't made of text may be made of LLVM IR: then the helper says what
// is wrong.
static const char *take_versions(const char *list, tool_ptx_options *options) {
  lin_arena arena = {0};
  const char *wrong = lin_ptx_wrong_versions(&arena, list);
  if (wrong != NULL && !names_ir(list))
    tool_die(2, "--versions: %s", wrong);
  options->lifts |= wrong != NULL;
  lin_arena_release(&arena);
  const char *kept = strdup(list);
  if (kept == NULL)
    tool_die(1, "out of memory");
  return kept;
}

// It stays as long as the process.
static const lin_winners_file *read_tuned(const char *path) {
  char message[320];
  const lin_winners_file *file = lin_winners_read(path, message);
  if (file == NULL)
    tool_die(1, "%s", message);
  return file;
}

static void check_together(const tool_ptx_options *options) {
  if (options->linearize.versions != NULL && (options->has_mode || options->linearize.merges_loops))
    tool_die(2,
             "--versions: kernels stay plain beside their versions; --mode and --merge-loops are "
             "words of versions' names, like needed.merge-loops");
}

static bool take_option(int argc, char **argv, int *at, tool_ptx_options *options) {
  lin_policy *policy = &options->linearize.core.policy;
  const char *value;
  if (strcmp(argv[*at], "--jit") == 0) {
    options->jit = true;
  } else if (strcmp(argv[*at], "--force") == 0) {
    options->linearize.force = true;
  } else if (strcmp(argv[*at], "--merge-loops") == 0) {
    options->linearize.merges_loops = true;
  } else if (strcmp(argv[*at], "--regardless") == 0) {
    policy->regardless = true;
  } else if ((value = tool_value_of("--mode", argc, argv, at)) != NULL) {
    unsigned mode = tool_choose("--mode", value, tool_modes);
    options->linearize.is_off = mode == TOOL_MODE_NONE;
    policy->mode = mode == TOOL_MODE_NONE ? LIN_MODE_NEEDED : (lin_mode)mode;
    options->has_mode = true;
  } else if ((value = tool_value_of("--level", argc, argv, at)) != NULL) {
    options->linearize.core.level = (int)tool_choose("--level", value, tool_levels);
  } else if ((value = tool_value_of("--threshold", argc, argv, at)) != NULL) {
    policy->least_cost = (uint32_t)tool_number("--threshold", value, UINT32_MAX);
  } else if ((value = tool_value_of("--max-blocks", argc, argv, at)) != NULL) {
    policy->most_blocks = (uint32_t)tool_number("--max-blocks", value, UINT32_MAX);
  } else if ((value = tool_value_of("--max-work", argc, argv, at)) != NULL) {
    policy->most_work = (uint32_t)tool_number("--max-work", value, UINT32_MAX);
  } else if ((value = tool_value_of("--versions", argc, argv, at)) != NULL) {
    options->linearize.versions = take_versions(value, options);
  } else if ((value = tool_value_of("--tuned", argc, argv, at)) != NULL) {
    options->linearize.tuned = read_tuned(value);
  } else if ((value = tool_value_of("--max-versions", argc, argv, at)) != NULL) {
    options->linearize.max_versions = (uint32_t)tool_number("--max-versions", value, UINT32_MAX);
  } else if ((value = tool_value_of("--max-kernel", argc, argv, at)) != NULL) {
    options->linearize.max_kernel = (uint32_t)tool_number("--max-kernel", value, UINT32_MAX);
  } else if ((value = tool_value_of("--remarks", argc, argv, at)) != NULL) {
    options->said = said[tool_choose("--remarks", value, remarks)];
  } else {
    return false;
  }
  return true;
}

// What only LLVM IR is given to, by the plugin's names (lib/llvm/run/option_table.c).
static const struct {
  const char *name;
  bool is_word;
} of_ir[] = {{"--vote", true},       {"--interleave", true},    {"--warps", false},
             {"--regroup", true},    {"--limit-depth", false},  {"--count", true},
             {"--profile", false},   {"--count-passes", true},  {"--only", false},
             {"--no-reorder", true}, {"--max-inspector", false}};

static bool take_option_of_ir(int argc, char **argv, int *at, tool_ptx_options *options) {
  for (size_t i = 0; i < sizeof of_ir / sizeof *of_ir; i++)
    if (of_ir[i].is_word ? strcmp(argv[*at], of_ir[i].name) == 0
                         : tool_value_of(of_ir[i].name, argc, argv, at) != NULL) {
      options->counts |= strncmp(of_ir[i].name, "--count", 7) == 0;
      return options->lifts = true;
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
  options->given = given;
}

bool tool_ptx_option(int argc, char **argv, int *at, tool_ptx_options *options) {
  const int first = *at;
  const bool is_taken =
      take_option(argc, argv, at, options) || take_option_of_ir(argc, argv, at, options);
  if (is_taken && strncmp(argv[first], "--remarks", 9) != 0 && strcmp(argv[first], "--jit") != 0)
    keep(options, argv[first], *at > first && *at < argc ? argv[*at] : NULL);
  check_together(options);
  return is_taken;
}

void tool_ptx_environment(tool_ptx_options *options) {
  const char *given = getenv("LINEARIZE_OPTIONS");
  char *copy = strdup(given == NULL ? "" : given), *rest = NULL;
  if (copy == NULL)
    tool_die(1, "out of memory");
  for (char *word = strtok_r(copy, "; ", &rest); word != NULL; word = strtok_r(NULL, "; ", &rest)) {
    char option[1024];
    char *arguments[] = {option};
    int at = 0;
    int length = snprintf(option, sizeof option, "--%s", word);
    if (length >= (int)sizeof option || !tool_ptx_option(1, arguments, &at, options))
      tool_die(2, "LINEARIZE_OPTIONS: there is no option '%s' for PTX", word);
  }
  free(copy);
}

void tool_ptx_print(const tool_ptx_options *options, const char *file,
                    const lin_ptx_remark *remark) {
  static const char *const kinds[] = {"remark", "remark", "warning", "remark"};
  if ((options->said >> remark->kind & 1) == 0)
    return;
  fprintf(stderr, "%s:%" PRIu32 ": %s: function '%s'", file, remark->line, kinds[remark->kind],
          remark->function);
  if (remark->block != NULL)
    fprintf(stderr, ", block '%s'", remark->block);
  fprintf(stderr, ": %s", remark->message);
  if (remark->source != NULL)
    fprintf(stderr, " (%s:%" PRIu32 ")", remark->source, remark->source_line);
  fputc('\n', stderr);
}
