#include "options.h"

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
    "  --option NAME[=VALUE]\n"
    "                    another option of the pass: --option level=O2, --option merge-loops; as\n"
    "                    often as you like, and docs/options.md lists them\n"
    "  --profile FILE    how often blocks are run, as linearize-simt --csv --blocks prints it\n"
    "  --any-target      take functions for a target other than nvptx, too\n"
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

static void add_parameter(parser *p, const char *parameter) {
  const char *before = p->options->parameters;
  size_t size = strlen(before) + strlen(parameter) + 2;
  char *text = lin_arena_bytes(p->arena, size);
  snprintf(text, size, "%s%s%s", before, *before == '\0' ? "" : ";", parameter);
  p->options->parameters = text;
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
  if ((value = tool_value_of("--mode", argc, argv, at)) != NULL) {
    add_parameter(p, tool_modes[tool_choose("--mode", value, tool_modes)]);
  } else if ((value = tool_value_of("--option", argc, argv, at)) != NULL) {
    add_parameter(p, value);
  } else if ((value = tool_value_of("--simt", argc, argv, at)) != NULL) {
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
    if (strcmp(argv[at], "--any-target") == 0) {
      options->any_target = true;
      add_parameter(&p, "any-target");
    } else if (!parse_value(&p, argc, argv, &at)) {
      tool_take_file(argv[at], &options->file);
    }
  }
  for (at++; at < argc; at++)
    report_add_word(arena, &options->compiler, argv[at]);
  tool_require_file(options->file);
}
