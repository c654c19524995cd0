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
    "  --verify          have ptxas look at what came out: what it refuses is written as it was, "
    "if it\n"
    "                    takes that; so is a kernel that spills more, or of which fewer thread "
    "blocks\n"
    "                    fit, unless more is saved\n"
    "  --mode MODE       needed (default), irreducible, paper, all or none\n"
    "  --level LEVEL     how far guards are optimised: O0 to O4 (default)\n"
    "  --threshold N     in mode needed: how many instructions have to stand behind a join to be\n"
    "                    worth a guard; 7\n"
    "  --max-blocks N    regions of more blocks are left alone; 100000\n"
    "  --max-work N      regions that take more work are, too; 50000000\n"
    "  --merge-loops     then make one loop of nested ones that threads need differently often\n"
    "  --regardless      whatever that gains\n"
    "  --force           although threads that wait for each other may hang below sm_70, and\n"
    "                    functions compiled with -G; merges loops in which threads may exchange\n"
    "                    values\n"
    "  --versions LIST   puts versions of each kernel beside it, for a program that chooses when "
    "it\n"
    "                    launches: --versions plain,needed,merge-loops\n"
    "  --max-versions N  so many beside each kernel at most\n"
    "  --max-kernel N    kernels of more instructions get none; 20000\n"
    "  --tuned FILE      makes of each kernel the version that linearize-tune found to be the "
    "fastest\n"
    "  --regroup, --vote, --meld, --no-meld, --interleave, --warps N, --limit-depth N, --count,\n"
    "  --count-passes, --count-plain, --profile FILE, --only N+N, --no-reorder, --max-inspector "
    "N,\n"
    "  --except NAMES\n"
    "                    as the plugin has them (docs/options.md); linearize-lift does this\n"
    "  --remarks WHICH   what to print on standard error: all; missed, without what isn't worth\n"
    "                    it (default); passed, what was linearized and warnings; summary, a line\n"
    "                    for a file and warnings; warnings, of loops that ptxas may compile\n"
    "                    wrong; none. Names and details are whole for all\n"
    "  --remarks-output FILE\n"
    "                    write all remarks to FILE as YAML, as clang's -fsave-optimization-record\n"
    "                    does\n"
    "  --help            print this\n"
    "  --version         print the version of linearize\n"
    "\n"
    "Exit status:\n"
    "  0                 all went well; with --check: nothing would change\n"
    "  1                 bad input\n"
    "  2                 a wrong command line\n"
    "  3                 with --check: something would change\n";

const char tool_name[] = "linearize-ptx";

void tool_options_parse(int argc, char **argv, tool_options *options) {
  *options = (tool_options){.ptx = tool_ptx_defaults("missed")};
  for (int at = 1; at < argc; at++) {
    tool_answer(argv[at], help);
    const char *value;
    if (strcmp(argv[at], "--check") == 0)
      options->checks = true;
    else if (strcmp(argv[at], "--verify") == 0)
      options->verifies = true;
    else if (strcmp(argv[at], "--diff") == 0)
      options->shows_diff = true;
    else if ((value = tool_value_of("--remarks-output", argc, argv, &at)) != NULL)
      options->remarks = value;
    else if ((value = tool_value_of("-o", argc, argv, &at)) != NULL)
      options->output = value;
    else if (!tool_ptx_option(argc, argv, &at, &options->ptx))
      tool_take_file(argv[at], &options->file);
  }
  tool_require_file(options->file);
  if (options->checks && (options->shows_diff || options->output != NULL))
    tool_die(2, "--check writes nothing: no --diff or -o with it");
}
