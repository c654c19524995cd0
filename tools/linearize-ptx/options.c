#include "options.h"

#include "common/command_line.h"

#include <string.h>

static const char help[] =
    "Usage: linearize-ptx [OPTION]... FILE\n"
    "\n"
    "Linearizes divergent control flow in PTX, whoever made it: nvcc, Triton, Numba, clang. FILE "
    "is\n"
    "PTX; - is standard input. What isn't changed comes out byte for byte.\n"
    "\n"
    "  -o FILE           write to FILE, and only if all went well; else to standard output\n"
    "  --check           write nothing: the exit status says whether anything would change\n"
    "  --diff            write the difference, as diff -u prints it\n"
    "  --mode MODE       needed (default), irreducible, paper, all or none\n"
    "  --level LEVEL     how far guards are optimised: O0 to O4 (default)\n"
    "  --threshold N     in mode needed: how many instructions have to stand behind a join to be\n"
    "                    worth a guard; 7\n"
    "  --max-blocks N    regions of more blocks are left alone; 100000\n"
    "  --max-work N      regions that take more work are, too; 50000000\n"
    "  --force           although threads that wait for each other may hang below sm_70, and\n"
    "                    functions compiled with -G\n"
    "  --remarks WHICH   what to print on standard error: all; missed, without what isn't worth\n"
    "                    it (default); passed, what was linearized and warnings; none\n"
    "  --help            print this\n"
    "  --version         print the version of linearize\n"
    "\n"
    "Exit status:\n"
    "  0                 all went well; with --check: nothing would change\n"
    "  1                 bad input\n"
    "  2                 a wrong command line\n"
    "  3                 with --check: something would change\n";

const char tool_name[] = "linearize-ptx";

enum { NOTHING = 4 }; // mode none, behind lin_mode's

static const char *const modes[] = {"needed", "irreducible", "paper", "all", "none", NULL};
static const char *const levels[] = {"O0", "O1", "O2", "O3", "O4", NULL};
static const char *const remarks[] = {"none", "passed", "missed", "all", NULL};
static const unsigned said[] = {0, 1u << LIN_PTX_PASSED | 1u << LIN_PTX_WARNING,
                                1u << LIN_PTX_PASSED | 1u << LIN_PTX_WARNING | 1u << LIN_PTX_MISSED,
                                ~0u};

static bool parse_flag(const char *argument, tool_options *options) {
  if (strcmp(argument, "--check") == 0)
    options->checks = true;
  else if (strcmp(argument, "--diff") == 0)
    options->shows_diff = true;
  else if (strcmp(argument, "--force") == 0)
    options->linearize.force = true;
  else
    return false;
  return true;
}

static bool parse_value(int argc, char **argv, int *at, tool_options *options) {
  lin_policy *policy = &options->linearize.core.policy;
  const char *value;
  if ((value = tool_value_of("--mode", argc, argv, at)) != NULL) {
    unsigned mode = tool_choose("--mode", value, modes);
    options->linearize.is_off = mode == NOTHING;
    policy->mode = mode == NOTHING ? LIN_MODE_NEEDED : (lin_mode)mode;
  } else if ((value = tool_value_of("--level", argc, argv, at)) != NULL) {
    options->linearize.core.level = (int)tool_choose("--level", value, levels);
  } else if ((value = tool_value_of("--threshold", argc, argv, at)) != NULL) {
    policy->least_cost = (uint32_t)tool_number("--threshold", value, UINT32_MAX);
  } else if ((value = tool_value_of("--max-blocks", argc, argv, at)) != NULL) {
    policy->most_blocks = (uint32_t)tool_number("--max-blocks", value, UINT32_MAX);
  } else if ((value = tool_value_of("--max-work", argc, argv, at)) != NULL) {
    policy->most_work = (uint32_t)tool_number("--max-work", value, UINT32_MAX);
  } else if ((value = tool_value_of("--remarks", argc, argv, at)) != NULL) {
    options->said = said[tool_choose("--remarks", value, remarks)];
  } else if ((value = tool_value_of("-o", argc, argv, at)) != NULL) {
    options->output = value;
  } else {
    return false;
  }
  return true;
}

void tool_options_parse(int argc, char **argv, tool_options *options) {
  *options = (tool_options){
      .said = said[2],
      .linearize = {.core = {.policy = {.mode = LIN_MODE_NEEDED}, .level = 4}},
  };
  for (int at = 1; at < argc; at++) {
    tool_answer(argv[at], help);
    if (parse_flag(argv[at], options) || parse_value(argc, argv, &at, options))
      continue;
    tool_take_file(argv[at], &options->file);
  }
  tool_require_file(options->file);
  if (options->checks && (options->shows_diff || options->output != NULL))
    tool_die(2, "--check writes nothing: no --diff or -o with it");
}
