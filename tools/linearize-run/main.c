// linearize-run: a program with liblinearize-run.so in front of the driver.
#define _XOPEN_SOURCE 700 // realpath

#include "common/command_line.h"
#include "common/preload.h"
#include "common/ptx_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: linearize-run [OPTION]... PROGRAM [ARGUMENT]...\n"
    "\n"
    "Runs PROGRAM, and whatever that starts, with a library in front of the CUDA driver and NVRTC\n"
    "that linearizes the PTX that they compile while it runs, as Numba has them do. Of what nvcc\n"
    "built, that is the PTX in fat binaries, where they hold no code for the GPU or\n"
    "CUDA_FORCE_PTX_JIT=1 is set. What can't be linearized goes to the driver as it is, after a\n"
    "warning.\n"
    "\n"
    "  --mode MODE       needed (default), irreducible, paper, all or none\n"
    "  --level LEVEL     how far guards are optimised: O0 to O4 (default)\n"
    "  --threshold N, --max-blocks N, --max-work N, --merge-loops, --regardless, --force,\n"
    "  --versions LIST, --max-versions N, --max-kernel N, --tuned FILE, --regroup, --vote,\n"
    "  --meld, --no-meld, --interleave, --warps N, --limit-depth N, --count, --count-passes,\n"
    "  --count-plain, --profile FILE, --only N+N, --no-reorder, --max-inspector N,\n"
    "  --except NAMES\n"
    "                    as linearize-ptx --help has them\n"
    "  --jit             has the driver compile the PTX of what is changed, although the program "
    "has\n"
    "                    machine code for this GPU\n"
    "  --remarks WHICH   what to print on standard error: none, warnings (default), summary,\n"
    "                    passed, missed, all\n"
    "  --help            print this\n"
    "  --version         print the version of linearize\n"
    "\n"
    "Environment:\n"
    "  LINEARIZE_OPTIONS the same options, as NAME=VALUE with , or ; between them:\n"
    "                    mode=paper;remarks=all. Those of the command line come after them\n"
    "\n"
    "Exit status: that of PROGRAM; or\n"
    "  1                 the library isn't there\n"
    "  2                 a wrong command line, or LINEARIZE_OPTIONS makes no sense\n"
    "  126               PROGRAM can't be run\n"
    "  127               there is no PROGRAM\n"
    "\n"
    "Examples:\n"
    "  linearize-run --remarks passed python3 kernels.py\n"
    "\n"
    "  CUDA_FORCE_PTX_JIT=1 linearize-run ./app\n";

const char tool_name[] = "linearize-run";

enum { CANT_RUN = 126, NOT_FOUND = 127 }; // as shells have them

// Takes the options off the arguments: the index of the program.
static int take_options(int argc, char **argv, tool_ptx_options *options) {
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; at++) {
    tool_answer(argv[at], help);
    if (strcmp(argv[at], "--") == 0)
      return at + 1;
    if (!tool_ptx_option(argc, argv, &at, options))
      tool_die(2, "there is no option %s; see --help", argv[at]);
  }
  return at;
}

// The path of a file, from wherever the program may go. It stays as long as the process.
static const char *find_file(const char *path) {
  const char *found = realpath(path, NULL);
  if (found == NULL)
    tool_die(1, "%s: %s", path, strerror(errno));
  if (strpbrk(found, ",; ") != NULL)
    tool_die(1, "%s: LINEARIZE_OPTIONS takes no path with a comma, a semicolon or a blank", found);
  return found;
}

// $LINEARIZE_OPTIONS with those of the command line, `argv` from 1 to `end`, behind it.
static void hand_on_options(char **argv, int end) {
  for (int at = 1; at < end && strcmp(argv[at], "--") != 0; at++) {
    const char *tuned = tool_value_of("--tuned", end, argv, &at);
    const char *file = tuned != NULL ? tuned : tool_value_of("--profile", end, argv, &at);
    if (file != NULL) {
      tool_append_environment("LINEARIZE_OPTIONS", ";", tuned != NULL ? "tuned=" : "profile=");
      tool_append_environment("LINEARIZE_OPTIONS", "", find_file(file));
      continue;
    }
    bool is_value = argv[at][0] != '-';
    tool_append_environment("LINEARIZE_OPTIONS", is_value ? "=" : ";",
                            argv[at] + (is_value ? 0 : 2));
  }
}

int main(int argc, char **argv) {
  tool_ptx_options options = tool_ptx_defaults("warnings");
  tool_ptx_environment(&options);
  int program = take_options(argc, argv, &options);
  if (program >= argc)
    tool_die(2, "no program given; see --help");
  hand_on_options(argv, program);
  tool_name_helper();
  // What isn't compiled before it runs has its versions made while it does.
  const char *later = getenv("LINEARIZE_VERSIONS_MAKE");
  if (later == NULL || later[0] == '\0')
    tool_preload("liblinearize-run.so");
  if (options.chooses)
    tool_preload("liblinearize-versions.so"); // which chooses
  execvp(argv[program], argv + program);
  tool_die(errno == ENOENT ? NOT_FOUND : CANT_RUN, "%s: %s", argv[program], strerror(errno));
}
