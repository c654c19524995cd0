#include "options.h"

#include "common/command_line.h"
#include "versions/asked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: linearize-tune [OPTION]... PROGRAM [ARGUMENT]...\n"
    "\n"
    "Runs PROGRAM, and finds how long each version of its kernels takes, and which is best: every\n"
    "version has its turn, launch by launch, whatever that costs. Kernels are those that have\n"
    "versions (clang ... -mllvm -linearize-versions=plain,needed), and those whose PTX the "
    "program\n"
    "has, as nvcc leaves it there: versions are made of that. Prints the kernels, and the shapes\n"
    "of their launches, for which another version than the plain one wins, with the medians of\n"
    "their times: it is the fastest, if all have been timed and that isn't chance. Of launches of\n"
    "two kinds, one at least 10 times as long, the long ones count. One launch is under way at a\n"
    "time.\n"
    "\n"
    "It is written to PROGRAM.linearize, together with what stands there of other inputs. When "
    "the\n"
    "program runs with liblinearize-versions.so, it begins with the winners, and tries nothing; "
    "and\n"
    "clang builds them alone with -mllvm -linearize-tuned=PROGRAM.linearize.\n"
    "\n"
    "  --output FILE     another file\n"
    "  --versions LIST   what is made of PTX (" LIN_VERSIONS_TUNED ")\n"
    "  --all             prints the times of each version of each kernel, and their noise\n"
    "  --check           compares what versions write, bit by bit, with what the plain one "
    "writes:\n"
    "                    three launches of each, in all that the program has allocated. A version\n"
    "                    that differs is printed with the first byte that does, and dropped\n"
    "  --new             forgets what the file has\n"
    "  --launches N      times of each version that are enough, at most 16 (16)\n"
    "  --runs N          runs PROGRAM up to 5 times for that, and on until there are 5 times of "
    "each\n"
    "                    version, N times at most (50); what it prints on standard output is "
    "printed\n"
    "                    once\n"
    "  --help            print this\n"
    "  --version         print the version of linearize\n"
    "\n"
    "Environment:\n"
    "  LINEARIZE_VERSIONS_SIZES  if not empty, launches whose arguments are of other sizes have "
    "lines\n"
    "                    of their own; the program has to run with it, too\n"
    "  LINEARIZE_CHECK_MEMORY    MiB of the program's memory that --check compares (1024); the "
    "host\n"
    "                    needs twice as much\n"
    "\n"
    "Exit status: that of PROGRAM, if it ends with another than 0 and nothing was found; or\n"
    "  0                 all went well\n"
    "  1                 bad input, or nothing was found\n"
    "  2                 a wrong command line\n"
    "  3                 --check: a version differs\n"
    "  126               PROGRAM can't be run\n"
    "  127               there is no PROGRAM\n"
    "\n"
    "Examples:\n"
    "  linearize-tune ./app small.txt && linearize-tune ./app large.txt\n"
    "  linearize-run --jit --tuned app.linearize ./app large.txt\n"
    "  LD_PRELOAD=liblinearize-versions.so ./app large.txt\n";

const char tool_name[] = "linearize-tune";

enum { TIMES_KEPT = 16, MOST_RUNS = 1000 };

static uint32_t at_least_one(const char *option, const char *value, uint32_t most) {
  uint32_t number = (uint32_t)tool_number(option, value, most);
  if (number == 0)
    tool_die(2, "%s: a number from 1 to %u is needed", option, most);
  return number;
}

static const char *default_output(const char *program) {
  size_t size = strlen(program) + sizeof ".linearize";
  char *name = malloc(size);
  if (name == NULL)
    tool_die(1, "out of memory");
  snprintf(name, size, "%s.linearize", program);
  return name;
}

void tool_options_parse(int argc, char **argv, tool_options *o) {
  *o = (tool_options){.versions = LIN_VERSIONS_TUNED, .runs = 50, .launches = TIMES_KEPT};
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; at++) {
    const char *value;
    if (strcmp(argv[at], "--") == 0) {
      at++;
      break;
    }
    tool_answer(argv[at], help);
    if ((value = tool_value_of("--output", argc, argv, &at)) != NULL)
      o->output = value;
    else if ((value = tool_value_of("--versions", argc, argv, &at)) != NULL)
      o->versions = value;
    else if ((value = tool_value_of("--runs", argc, argv, &at)) != NULL)
      o->runs = at_least_one("--runs", value, MOST_RUNS);
    else if ((value = tool_value_of("--launches", argc, argv, &at)) != NULL)
      o->launches = at_least_one("--launches", value, TIMES_KEPT);
    else if (strcmp(argv[at], "--new") == 0)
      o->anew = true;
    else if (strcmp(argv[at], "--all") == 0)
      o->all = true;
    else if (strcmp(argv[at], "--check") == 0)
      o->check = true;
    else
      tool_die(2, "there is no option %s; see --help", argv[at]);
  }
  if (at >= argc)
    tool_die(2, "no program given; see --help");
  o->program = argv + at;
  o->is_own_output = o->output != NULL;
  if (o->output == NULL)
    o->output = default_output(argv[at]);
}
