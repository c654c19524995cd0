#include "options.h"

#include "linearize/linearize.h"
#include "llvm/run/option_table.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: linearize-report [OPTION]... FILE [-- OPTION OF CLANG...]\n"
    "\n"
    "Writes a page that shows what linearize does to each function of FILE: its control flow\n"
    "before and after, drawn by Graphviz, each unstructured region with what becomes of it and\n"
    "why, and where that is in the source. FILE is CUDA (.cu), which clang compiles for the\n"
    "device, LLVM IR (.ll), bitcode (.bc), PTX, or what nvcc makes and holds PTX: a program, a\n"
    "library, an object file, a fat binary, a cubin. - is such a file, but for CUDA, from "
    "standard\n"
    "input. The page needs nothing but a browser.\n"
    "\n"
    "What to show:\n"
    "  -o FILE           write the page to FILE and not to report.html; - is standard output\n"
    "  --function NAME   only this function, by its name in C++ or in the module; needed where a\n"
    "                    program has several modules\n"
    "  --gpu-arch ARCH   compile for this GPU: sm_75 (default), sm_90, ...\n"
    "  --simt LAUNCH     run a kernel before and after in linearize-simt, and colour blocks by\n"
    "                    what warps execute: '--kernel f --grid 4 --block 128 --arg u32:7', and\n"
    "                    what else linearize-simt --help lists. Beside it, what divergence costs\n"
    "                    there, as linearize-profile says\n"
    "  --launch FILE     the same, from a file\n"
    "  --counts FILE     what divergence costs by a file of counts: 'linearize-profile --counts\n"
    "                    FILE ./app' makes one on a GPU\n"
    "  --max-drawn N     don't draw functions of more blocks than this: 3000\n"
    "  --max-functions N show no more functions than this: 1000; those of which the pass says\n"
    "                    something come first\n"
    "  --help            print this\n"
    "  --version         print the versions of linearize and LLVM\n"
    "\n"
    "What the pass is told:\n"
    "  --mode MODE       needed (default), irreducible, paper, all or none\n"
    "  --level LEVEL     how far guards are optimised: O0 to O4 (default)\n"
    "  --threshold N     how many instructions have to stand behind a join, or an exit of a\n"
    "                    loop, to be worth a guard\n"
    "  --only N+N+...    only these regions, by their numbers in the remarks\n"
    "  --profile FILE    how often blocks are run, as linearize-simt --csv --blocks prints it\n"
    "  --merge-loops     merge the loops of nests\n"
    "  --interleave      interleave the arms of branches\n"
    "  --limit-depth N   at most N branches nest\n"
    "  --regardless      of what they gain, for these three\n"
    "  --warps N         how many warps a multiprocessor will have, for --interleave\n"
    "  --max-blocks N    leave larger regions alone\n"
    "  --max-work N      and regions that take more work\n"
    "  --force           linearize what may hang, and functions marked optnone\n"
    "  --any-target      and functions for a target other than nvptx\n"
    "\n"
    "What it runs:\n"
    "  --clang PATH      the compiler; that of the LLVM that the plugin is for, unless given\n"
    "  --opt PATH        LLVM's opt, which runs the plugin; the same\n"
    "  --plugin PATH     the plugin; the one that comes with this program, unless given\n"
    "\n"
    "Without a CUDA toolkit, add what clang needs to do without one:\n"
    "  linearize-report k.cu -- -nocudainc -nocudalib --cuda-path=/nonexistent "
    "--cuda-feature=+ptx64\n"
    "\n"
    "Exit status:\n"
    "  0                 all went well\n"
    "  1                 bad input\n"
    "  2                 a wrong command line\n";

const char tool_name[] = "linearize-report";

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
  const char *value;
  if ((value = tool_value_of("--mode", argc, argv, at)) != NULL) {
    add_parameter(p, "", tool_modes[tool_choose("--mode", value, tool_modes)]);
    return true;
  }
  if ((value = tool_value_of("--level", argc, argv, at)) != NULL) {
    add_parameter(p, "", tool_levels[tool_choose("--level", value, tool_levels)]);
    return true;
  }
  for (int i = 0; i < LIN_NUM_OPTIONS; i++) {
    const lin_option *row = &lin_option_table[i];
    char option[32];
    snprintf(option, sizeof option, "--%s", row->name);
    if ((row->kind != LIN_OPTION_NUMBER && row->kind != LIN_OPTION_NUMBERS) ||
        (value = tool_value_of(option, argc, argv, at)) == NULL)
      continue;
    if (row->kind == LIN_OPTION_NUMBERS)
      check_list(option, value);
    else
      tool_number(option, value, UINT32_MAX);
    add_parameter(p, row->name, value);
    return true;
  }
  return false;
}

static bool parse_pass_flag(parser *p, const char *argument) {
  for (int i = 0; i < LIN_NUM_OPTIONS; i++) {
    const lin_option *row = &lin_option_table[i];
    if (row->kind != LIN_OPTION_WORD || strncmp(argument, "--", 2) != 0 ||
        strcmp(argument + 2, row->name) != 0)
      continue;
    add_parameter(p, row->name, "");
    p->options->any_target |= row->field == offsetof(linearize_options, any_target);
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
      {"-o", &options->output},         {"--function", &options->function},
      {"--profile", &options->profile}, {"--clang", &options->clang},
      {"--counts", &options->counts},   {"--opt", &options->opt},
      {"--plugin", &options->plugin},   {"--gpu-arch", &options->gpu_arch},
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
  } else if ((value = tool_value_of("--max-functions", argc, argv, at)) != NULL) {
    options->most_functions = (uint32_t)tool_number("--max-functions", value, UINT32_MAX);
  } else {
    return false;
  }
  return true;
}

void report_options_parse(lin_arena *arena, int argc, char **argv, report_options *options) {
  *options = (report_options){.output = "report.html",
                              .parameters = "",
                              .gpu_arch = "sm_75",
                              .most_blocks = 3000,
                              .most_functions = 1000};
  parser p = {arena, options};
  int at = 1;
  for (; at < argc && strcmp(argv[at], "--") != 0; at++) {
    tool_answer(argv[at], help);
    if (parse_pass_flag(&p, argv[at]) || parse_pass_value(&p, argc, argv, &at) ||
        parse_value(&p, argc, argv, &at))
      continue;
    tool_take_file(argv[at], &options->file);
  }
  for (at++; at < argc; at++)
    report_add_word(arena, &options->compiler, argv[at]);
  tool_require_file(options->file);
}
