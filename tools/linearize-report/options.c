#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: linearize-report [options] FILE [-- clang's options]\n"
    "\n"
    "Writes a page that shows what linearize does to each function of FILE: its control flow "
    "before\n"
    "and after, drawn by Graphviz, each unstructured region with what becomes of it and why, and\n"
    "where that is in the source. FILE is CUDA (.cu), which clang compiles for the device, LLVM "
    "IR\n"
    "(.ll) or bitcode (.bc); - is IR from standard input. The page needs nothing but a browser.\n"
    "\n"
    "  -o FILE            write the page to FILE (default: report.html); - is standard output\n"
    "  --function NAME    only this function, by its name in the module\n"
    "  --gpu-arch ARCH    compile for this GPU: sm_75 (default), sm_90, ...\n"
    "  --simt 'LAUNCH'    run a kernel before and after in linearize-simt, and colour blocks by "
    "what\n"
    "                     warps execute: '--kernel f --grid 4 --block 128 --arg u32:7'; see\n"
    "                     linearize-simt --help\n"
    "  --launch FILE      the same, from a file\n"
    "\n"
    "What the pass is told, see its documentation:\n"
    "  --mode MODE        needed (default), irreducible, paper, all or none\n"
    "  --level LEVEL      how far guards are optimised: O0 to O4 (default)\n"
    "  --profile FILE     how often blocks are run, as linearize-simt --csv --blocks prints it\n"
    "  --threshold N, --max-blocks N, --max-work N, --only N+N+..., --warps N, --limit-depth N,\n"
    "  --merge-loops, --interleave, --regardless, --force, --any-target\n"
    "\n"
    "  --max-drawn N      don't draw functions of more blocks than this: 3000\n"
    "  --clang PATH       the compiler; default: that of the LLVM that the plugin is for\n"
    "  --opt PATH         LLVM's opt, which runs the plugin; the same\n"
    "  --plugin PATH      the plugin; default: the one that was built with this program\n"
    "  --help             print this\n"
    "\n"
    "Without a CUDA toolkit, add what clang needs to do without one, as for\n"
    "  linearize-report k.cu -- -nocudainc -nocudalib --cuda-path=/nonexistent "
    "--cuda-feature=+ptx64\n"
    "\n"
    "Exit status: 0; 1 for bad input; 2 for a wrong command line.\n";

const char tool_name[] = "linearize-report";

// Options that become parameters of the pass.
static const char *const pass_values[] = {"threshold", "max-blocks", "max-work",
                                          "only",      "warps",      "limit-depth"};
static const char *const pass_flags[] = {"merge-loops", "interleave", "regardless", "force",
                                         "any-target"};

enum { NUM_VALUES = sizeof pass_values / sizeof *pass_values };
enum { NUM_FLAGS = sizeof pass_flags / sizeof *pass_flags };

typedef struct parser {
  lin_arena *arena;
  report_options *options;
} parser;

void report_add_word(lin_arena *arena, report_words *words, const char *word) {
  words->word = LIN_ROOM(arena, words->word, words->count, &words->capacity);
  words->word[words->count++] = lin_arena_text(arena, word, strlen(word));
}

// NAME=VALUE, or what stands alone.
static void add_parameter(parser *p, const char *name, const char *value) {
  const char *before = p->options->parameters;
  size_t size = strlen(before) + strlen(name) + strlen(value) + 3;
  char *text = lin_arena_bytes(p->arena, size);
  const char *equals = *name != '\0' && *value != '\0' ? "=" : "";
  snprintf(text, size, "%s%s%s%s%s", before, *before == '\0' ? "" : ";", name, equals, value);
  p->options->parameters = text;
}

static void check_list(const char *option, const char *value) {
  if (*value == '\0' || strspn(value, "0123456789+") != strlen(value))
    tool_die(2, "%s: '%s' is no list of numbers, as 0+2", option, value);
}

static bool parse_pass_value(parser *p, int argc, char **argv, int *at) {
  static const char *const modes[] = {"needed", "irreducible", "paper", "all", "none", NULL};
  static const char *const levels[] = {"O0", "O1", "O2", "O3", "O4", NULL};
  const char *value;
  if ((value = tool_value_of("--mode", argc, argv, at)) != NULL) {
    add_parameter(p, "", modes[tool_choose("--mode", value, modes)]);
    return true;
  }
  if ((value = tool_value_of("--level", argc, argv, at)) != NULL) {
    add_parameter(p, "", levels[tool_choose("--level", value, levels)]);
    return true;
  }
  for (int i = 0; i < NUM_VALUES; i++) {
    char option[32];
    snprintf(option, sizeof option, "--%s", pass_values[i]);
    if ((value = tool_value_of(option, argc, argv, at)) == NULL)
      continue;
    if (strcmp(pass_values[i], "only") == 0)
      check_list(option, value);
    else
      tool_number(option, value, UINT32_MAX);
    add_parameter(p, pass_values[i], value);
    return true;
  }
  return false;
}

static bool parse_pass_flag(parser *p, const char *argument) {
  for (int i = 0; i < NUM_FLAGS; i++)
    if (strncmp(argument, "--", 2) == 0 && strcmp(argument + 2, pass_flags[i]) == 0) {
      add_parameter(p, pass_flags[i], "");
      p->options->any_target |= strcmp(pass_flags[i], "any-target") == 0;
      return true;
    }
  return false;
}

// The words of a launch, as linearize-simt reads them.
static void add_launch(parser *p, const char *text) {
  report_words *words = &p->options->launch;
  for (text += strspn(text, " \t\r\n"); *text != '\0'; text += strspn(text, " \t\r\n")) {
    size_t length = strcspn(text, " \t\r\n");
    report_add_word(p->arena, words, lin_arena_text(p->arena, text, length));
    text += length;
  }
  if (words->count == 0)
    tool_die(2, "--simt: no launch; as '--kernel f --grid 4 --block 128 --arg u32:7'");
}

static bool parse_value(parser *p, int argc, char **argv, int *at) {
  report_options *options = p->options;
  struct {
    const char *name, **value;
  } simple[] = {
      {"-o", &options->output},           {"--function", &options->function},
      {"--profile", &options->profile},   {"--clang", &options->clang},
      {"--opt", &options->opt},           {"--plugin", &options->plugin},
      {"--gpu-arch", &options->gpu_arch},
  };
  const char *value;
  for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
    if ((value = tool_value_of(simple[i].name, argc, argv, at)) != NULL) {
      *simple[i].value = value;
      return true;
    }
  if ((value = tool_value_of("--simt", argc, argv, at)) != NULL) {
    add_launch(p, value);
  } else if ((value = tool_value_of("--launch", argc, argv, at)) != NULL) {
    report_add_word(p->arena, &options->launch, "--launch");
    report_add_word(p->arena, &options->launch, value);
  } else if ((value = tool_value_of("--max-drawn", argc, argv, at)) != NULL) {
    options->most_blocks = (uint32_t)tool_number("--max-drawn", value, UINT32_MAX);
  } else {
    return false;
  }
  return true;
}

void report_options_parse(lin_arena *arena, int argc, char **argv, report_options *options) {
  *options = (report_options){
      .output = "report.html", .parameters = "", .gpu_arch = "sm_75", .most_blocks = 3000};
  parser p = {arena, options};
  int at = 1;
  for (; at < argc && strcmp(argv[at], "--") != 0; at++) {
    if (strcmp(argv[at], "--help") == 0) {
      fputs(usage, stdout);
      exit(0);
    }
    if (parse_pass_flag(&p, argv[at]) || parse_pass_value(&p, argc, argv, &at) ||
        parse_value(&p, argc, argv, &at))
      continue;
    if (argv[at][0] == '-' && argv[at][1] != '\0')
      tool_die(2, "there is no option %s; see --help", argv[at]);
    if (options->file != NULL)
      tool_die(2, "one file at a time: %s and %s", options->file, argv[at]);
    options->file = argv[at];
  }
  for (at++; at < argc; at++)
    report_add_word(arena, &options->compiler, argv[at]);
  if (options->file == NULL)
    tool_die(2, "no file given; see --help");
}
