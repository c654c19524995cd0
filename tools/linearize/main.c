// linearize: one command for any program. Each verb is the program of that name beside this one;
// without a verb a program is run, with versions of its kernels.
//
//     linearize ./app         LINEARIZE_VERSIONS_MAKE=... linearize-run --versions ... ./app
//     linearize tune ./app    linearize-tune ./app
#define _XOPEN_SOURCE 700 // realpath
#include "common/command_line.h"
#include "common/preload.h"
#include "versions/asked.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char tool_name[] = "linearize";

static const char help[] =
    "Usage: linearize [OPTION]... PROGRAM|VERB [ARGUMENT]...\n"
    "\n"
    "Makes divergent CUDA kernels faster. Nothing is rebuilt: versions of the program's kernels "
    "are\n"
    "made of the PTX that nvcc -arch=sm_90 leaves in it, and the fastest are kept.\n"
    "\n"
    "  what you have                  what to type\n"
    "  a program                      linearize ./app\n"
    "  is divergence my problem?      linearize profile ./app\n"
    "  which versions are faster?     linearize tune ./app; then linearize ./app starts with them\n"
    "  nvcc                           linearize nvcc -O3 app.cu\n"
    "  CMake                          cmake -DCMAKE_CUDA_COMPILER=$(command -v linearize-nvcc) "
    "...\n"
    "  clang                          linearize cc -O3 app.cu\n"
    "  Python: Numba, CuPy            linearize python3 app.py\n"
    "  Triton, PyTorch's compiler     TRITON_PTXAS_PATH=$(which linearize-ptxas)\n"
    "  PTX                            linearize ptx app.ptx -o better.ptx\n"
    "\n"
    "Verbs, each with --help:\n"
    "  run               runs a program, with options of your own\n"
    "  tune              runs it until it is sure which version of each kernel is the fastest\n"
    "  profile           says what divergence costs, where, and what would help\n"
    "  report, graph     show what is done to control flow, and why\n"
    "  nvcc, cc          compile as nvcc does, with linearized control flow\n"
    "  ptx, ptxas        linearize PTX\n"
    "  simt              runs kernels on the CPU, and counts what warps execute\n"
    "  config            prints what is needed to compile with the plugin\n"
    "\n"
    "  --log FILE        before a program: what is made, tried and chosen, line by line; - is "
    "standard\n"
    "                    error\n"
    "  --help            print this\n"
    "  --version         print the version of linearize\n"
    "\n"
    "A program that has the name of a verb is run by its path: linearize ./tune.\n"
    "\n"
    "Exit status: that of PROGRAM or VERB; or\n"
    "  2                 a wrong command line\n"
    "  126               it can't be run\n"
    "  127               it isn't there\n";

static const char *const verbs[] = {"run", "tune", "profile", "report", "graph", "nvcc",
                                    "cc",  "ptx",  "ptxas",   "simt",   "config"};

enum { CANT_RUN = 126, NOT_FOUND = 127 }; // as shells have them

static bool is_verb(const char *word) {
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (strcmp(verbs[i], word) == 0)
      return true;
  return false;
}

// The program linearize-VERB beside this one. It stays as long as the process.
static const char *find_tool(const char *verb) {
  static char path[PATH_MAX + 32];
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (length <= 0)
    tool_die(CANT_RUN, "/proc/self/exe: %s", strerror(errno));
  path[length] = '\0';
  char *slash = strrchr(path, '/');
  char *name = slash == NULL ? path : slash + 1;
  snprintf(name, sizeof path - (size_t)(name - path), "linearize-%s", verb);
  return path;
}

// The words of a verb: the page of `report` is one of linearize-graph's forms.
static int add_verb(const char *verb, const char **arguments) {
  const bool is_report = strcmp(verb, "report") == 0;
  arguments[0] = find_tool(is_report ? "graph" : verb);
  if (!is_report)
    return 1;
  arguments[1] = "-o";
  arguments[2] = "report.html"; // unless a later one says otherwise
  return 3;
}

static _Noreturn void start(const char *const *arguments) {
  // NOLINTNEXTLINE(clang-analyzer-optin.taint.GenericTaint): whoever calls chooses the program
  execv(arguments[0], (char *const *)(uintptr_t)arguments);
  tool_die(errno == ENOENT ? NOT_FOUND : CANT_RUN, "%s: %s", arguments[0], strerror(errno));
}

// What linearize-tune has found of the program is a start, also where PROGRAM is a link or a name
// that is searched for: the library knows only what these lead to.
// Returns the versions that are made: those that it had, or the usual ones.
static const char *hand_on_tuned(const char *program) {
  char name[PATH_MAX], path[PATH_MAX];
  int length = snprintf(name, sizeof name, "%s.linearize", program);
  if (length <= 0 || (size_t)length >= sizeof name || realpath(name, path) == NULL)
    return LIN_VERSIONS_TRIED;
  setenv("LINEARIZE_TUNED", path, 0);
  return LIN_VERSIONS_TUNED;
}

int main(int argc, char **argv) {
  if (argc < 2)
    tool_die(2, "no program given; see --help");
  tool_answer(argv[1], help);
  int first = 1;
  const char *log = tool_value_of("--log", argc, argv, &first);
  first += log != NULL;
  if (log != NULL && setenv("LINEARIZE_VERSIONS_LOG", log, 1) != 0)
    tool_die(1, "out of memory");
  if (first >= argc)
    tool_die(2, "no program given; see --help");
  const char **arguments = calloc((size_t)argc + 5, sizeof *arguments);
  if (arguments == NULL)
    tool_die(1, "out of memory");
  int count = 0;
  const bool has_verb = is_verb(argv[first]);
  if (has_verb) {
    count = add_verb(argv[first++], arguments);
  } else if (argv[first][0] == '-') {
    tool_die(2, "there is no option %s; see --help", argv[first]);
  } else {
    const char *versions = hand_on_tuned(argv[first]);
    // Of what has machine code, they are made while it runs (tools/versions/making.h).
    if (setenv("LINEARIZE_VERSIONS_MAKE", versions, 1) != 0)
      tool_die(1, "out of memory");
    count = add_verb("run", arguments);
    arguments[count++] = "--versions";
    arguments[count++] = versions;
  }
  for (int at = first; at < argc; at++)
    arguments[count++] = argv[at];
  start(arguments);
}
