#define _POSIX_C_SOURCE 200809L // setenv

#include "options.h"

#include "common/command_line.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: linearize-profile [OPTION]... PROGRAM [ARGUMENT]...\n"
    "       linearize-profile --counts FILE [OPTION]...\n"
    "\n"
    "Runs PROGRAM, and prints what divergence costs, in which kernel, of which kind and where, "
    "what "
    "there\n"
    "is to gain by what, and what to type next. Kernels are those whose PTX the program has, as "
    "nvcc\n"
    "leaves it there, and those that linearize cc --option count-passes compiled: how often each "
    "thread\n"
    "and each warp enters each block is counted, and launches wait for each other. Places are "
    "lines "
    "of the\n"
    "source with nvcc -lineinfo, else of PTX, which is written where FILE is, or here. The second "
    "form\n"
    "prints it of what was counted before, or in the simulator (linearize-simt --counts).\n"
    "\n"
    "What divergence costs is what warps take longer than if each of them took as long as its "
    "threads\n"
    "take on average.\n"
    "\n"
    "  --counts FILE     the counts; with PROGRAM, where to leave its counts\n"
    "  --sample N        with PROGRAM: counts one of N thread blocks. Without it as many are "
    "as\n"
    "                    a quarter of what is left of 2 MB has room for, of each shape\n"
    "  --seconds N       with PROGRAM: how long to wait for a kernel (60). Of one that takes "
    "longer the\n"
    "                    threads are counted that have ended by then\n"
    "  --passes FILE     how often warps entered blocks, too, as linearize-simt --csv --blocks "
    "prints\n"
    "                    it of the same launch. Without it a warp is taken to enter a block as "
    "often\n"
    "                    as that of its threads which does so most: a bound, and nothing is known "
    "of\n"
    "                    what linearizing gains\n"
    "  --inputs FILE     what threads read, as linearize-simt --inputs writes it: prints how well "
    "the\n"
    "                    counts follow from that, for each block of the one launch that is chosen\n"
    "  --lanes FILE      which lanes of a warp entered which block, as linearize-simt --lanes "
    "writes it:\n"
    "                    the page has a picture of it, of the one launch that is chosen\n"
    "  --kernel NAME     only this kernel, as C++ writes it or by its symbol\n"
    "  --rows N          blocks to print of each launch (10)\n"
    "  --html FILE       writes a page, too: bars, and the source with what each line costs\n"
    "  --title TEXT      of the page: the program, or the file of counts\n"
    "  --help            print this\n"
    "  --version         print the version of linearize\n"
    "\n"
    "Exit status: that of PROGRAM, if it isn't 0; or\n"
    "  0                 all went well\n"
    "  1                 bad input\n"
    "  2                 a wrong command line\n"
    "\n"
    "Examples:\n"
    "  linearize-profile --html app.html ./app\n"
    "\n"
    "  linearize-simt --launch app.launch --counts app.counts --csv --blocks app.ll >app.csv\n"
    "  linearize-profile --counts app.counts --passes app.csv --html app.html\n";

const char tool_name[] = "linearize-profile";

// The library that counts reads it there.
static void set_for_program(const char *option, const char *value, const char *variable) {
  if (tool_number(option, value, 1 << 30) == 0)
    tool_die(2, "%s: it is at least 1", option);
  if (setenv(variable, value, 1) != 0)
    tool_die(1, "out of memory");
}

void tool_options_parse(int argc, char **argv, tool_options *options) {
  *options = (tool_options){.rows = 10};
  for (int at = 1; at < argc; at++) {
    if (argv[at][0] != '-' || strcmp(argv[at], "--") == 0) {
      options->program = argv + at + (argv[at][0] == '-');
      break;
    }
    tool_answer(argv[at], help);
    const char *value;
    if ((value = tool_value_of("--counts", argc, argv, &at)) != NULL)
      options->counts = options->given = value;
    else if ((value = tool_value_of("--passes", argc, argv, &at)) != NULL)
      options->passes = value;
    else if ((value = tool_value_of("--inputs", argc, argv, &at)) != NULL)
      options->inputs = value;
    else if ((value = tool_value_of("--lanes", argc, argv, &at)) != NULL)
      options->lanes = value;
    else if ((value = tool_value_of("--kernel", argc, argv, &at)) != NULL)
      options->kernel = value;
    else if ((value = tool_value_of("--html", argc, argv, &at)) != NULL)
      options->html = value;
    else if ((value = tool_value_of("--title", argc, argv, &at)) != NULL)
      options->title = value;
    else if ((value = tool_value_of("--sample", argc, argv, &at)) != NULL)
      set_for_program("--sample", value, "LINEARIZE_COUNT_SAMPLE");
    else if ((value = tool_value_of("--seconds", argc, argv, &at)) != NULL)
      set_for_program("--seconds", value, "LINEARIZE_COUNT_SECONDS");
    else if ((value = tool_value_of("--rows", argc, argv, &at)) != NULL)
      options->rows = (uint32_t)tool_number("--rows", value, UINT32_MAX);
    else
      tool_die(2, "there is no option %s; see --help", argv[at]);
  }
  if (options->program != NULL && options->program[0] == NULL)
    options->program = NULL;
  if (options->lanes != NULL && options->html == NULL)
    tool_die(2, "--lanes is for the page of --html FILE");
  if (options->counts == NULL && options->program == NULL)
    tool_die(2, "neither a program nor --counts FILE given; see --help");
}
