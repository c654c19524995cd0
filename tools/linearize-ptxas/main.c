// linearize-ptxas: ptxas, of which the inputs are linearized first.
//
// Arguments are handed on as they are, but for those that name, or are, PTX. Then ptxas takes this
// program's place: a process less to start.
#define _POSIX_C_SOURCE 200809L
#include "common/command_line.h"
#include "inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "Usage: linearize-ptxas [PTXAS-OPTION]... FILE...\n"
    "       linearize-ptxas PTXAS [PTXAS-OPTION]... FILE...\n"
    "\n"
    "ptxas, of which the inputs are linearized first: its arguments, its messages, its exit "
    "status.\n"
    "Files, --input-as-string, standard input (-) and what files of options (-optf) name are\n"
    "linearized where they are PTX. What can't be read goes to ptxas as it is, after a warning.\n"
    "\n"
    "  PTXAS             the real one, if the first argument is called that: a path, or ptxas. So "
    "nvcc's\n"
    "                    --ptxas-prefix linearize-ptxas has it\n"
    "  --help            print this; ptxas --help has the other options\n"
    "  --version         print the version of ptxas\n"
    "\n"
    "Environment:\n"
    "  LINEARIZE_PTXAS   the real one, where PTXAS is not given; else it is the first ptxas on "
    "PATH "
    "that\n"
    "                    isn't this program\n"
    "  LINEARIZE_OPTIONS options of linearize-ptx, as NAME=VALUE with semicolons between them:\n"
    "                    mode=paper;remarks=all. Remarks are warnings alone unless it says so\n"
    "\n"
    "Exit status: that of ptxas; or\n"
    "  1                 there is no ptxas, or no room for a file\n"
    "  2                 LINEARIZE_OPTIONS makes no sense\n"
    "\n"
    "Examples:\n"
    "  linearize-ptxas -arch=sm_90 kernel.ptx -o kernel.cubin\n"
    "\n"
    "  TRITON_PTXAS_PATH=$(command -v linearize-ptxas) python3 kernels.py\n";

const char tool_name[] = "linearize-ptxas";

static bool is_this_program(const char *path) {
  struct stat here, there;
  return stat("/proc/self/exe", &here) == 0 && stat(path, &there) == 0 &&
         here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

// `name` itself if it has a slash; else the first program of that name on PATH that isn't this one.
// Ends the program if there is none.
static const char *find_program(const char *name) {
  static char file[4096];
  if (strchr(name, '/') != NULL)
    return name;
  const char *path = getenv("PATH");
  char *folders = strdup(path == NULL ? "" : path), *rest = NULL;
  if (folders == NULL)
    abort();
  bool is_found = false;
  for (char *folder = strtok_r(folders, ":", &rest); folder != NULL && !is_found;
       folder = strtok_r(NULL, ":", &rest)) {
    int length = snprintf(file, sizeof file, "%s/%s", folder, name);
    is_found = length < (int)sizeof file && access(file, X_OK) == 0 && !is_this_program(file);
  }
  free(folders);
  if (!is_found)
    tool_die(1, "no %s on PATH but this one: set LINEARIZE_PTXAS to the real one", name);
  return file;
}

// The real ptxas. Takes it off the arguments if it is the first.
static const char *find_ptxas(int *argc, char ***argv) {
  const char *given = getenv("LINEARIZE_PTXAS");
  if (*argc > 1) {
    const char *first = (*argv)[1], *slash = strrchr(first, '/');
    if (strcmp(slash == NULL ? first : slash + 1, "ptxas") == 0) {
      given = first;
      --*argc;
      ++*argv;
    }
  }
  return find_program(given == NULL || given[0] == '\0' ? "ptxas" : given);
}

typedef enum kind { OTHER, INPUT, STANDARD_INPUT, TEXT, ARGUMENTS, OUTPUT, TARGET } kind;

// What `argument` is, or what its value is if it is an option that has one. `*value` is behind its
// =, or NULL: it has none.
static kind kind_of(const char *argument, const char **value) {
  static const struct {
    const char *name;
    kind kind;
  } options[] = {
      {"--input-as-string", TEXT},   {"-ias", TEXT},
      {"--options-file", ARGUMENTS}, {"-optf", ARGUMENTS},
      {"--output-file", OUTPUT},     {"-o", OUTPUT},
      {"--gpu-name", TARGET},        {"-arch", TARGET},
  };
  *value = NULL;
  if (argument[0] != '-')
    return INPUT;
  if (argument[1] == '\0')
    return STANDARD_INPUT;
  size_t length = strcspn(argument, "=");
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    if (strlen(options[i].name) != length || strncmp(argument, options[i].name, length) != 0)
      continue;
    if (argument[length] == '=')
      *value = argument + length + 1;
    return options[i].kind;
  }
  return OTHER;
}

// The machine that ptxas compiles for, 90 for sm_90a, or 0: the arguments don't say. ptxas takes
// code of older ones, whose `.target` then decides nothing.
static uint32_t find_target(int argc, char **argv) {
  uint32_t target = 0;
  for (int at = 1; at < argc; at++) {
    const char *value;
    kind what = kind_of(argv[at], &value);
    if (what >= TEXT && value == NULL && at + 1 < argc)
      value = argv[++at];
    uint32_t named = value == NULL       ? 0
                     : what == TARGET    ? inputs_target(value)
                     : what == ARGUMENTS ? inputs_target_of_arguments(value)
                                         : 0;
    target = named != 0 ? named : target;
  }
  return target;
}

// ptxas' arguments, linearized; the caller frees them.
static const char **make_arguments(const char *ptxas, int argc, char **argv, input_list *list) {
  const char **result = calloc((size_t)argc + 2, sizeof *result);
  if (result == NULL)
    abort();
  int count = 0;
  result[count++] = ptxas;
  for (int at = 1; at < argc; at++) {
    const char *made = NULL, *value;
    int first = at;
    kind what = kind_of(argv[at], &value);
    if (what >= TEXT && value == NULL) {
      if (at + 1 == argc) // which ptxas says
        what = OTHER;
      else
        value = argv[++at];
    }
    if (what == INPUT)
      made = inputs_of_file(list, argv[at]);
    else if (what == STANDARD_INPUT)
      made = inputs_of_standard_input(list);
    else if (what == TEXT)
      made = inputs_of_string(list, value);
    else if (what == ARGUMENTS)
      made = inputs_of_arguments(list, value);
    if (made != NULL && what == ARGUMENTS)
      result[count++] = "-optf";
    if (made != NULL)
      result[count++] = made;
    for (; made == NULL && first <= at; first++)
      result[count++] = argv[first];
  }
  return result;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0)
    tool_answer(argv[1], help);
  tool_ptx_options options = tool_ptx_defaults("warnings");
  tool_ptx_environment(&options);
  const char *ptxas = find_ptxas(&argc, &argv);
  options.sm = find_target(argc, argv);
  input_list list = {.options = &options};
  const char **arguments = make_arguments(ptxas, argc, argv, &list);
  // NOLINTNEXTLINE(clang-analyzer-optin.taint.GenericTaint): whoever calls chooses the program
  execv(ptxas, (char *const *)(uintptr_t)arguments);
  fprintf(stderr, "%s: %s: %s\n", tool_name, ptxas, strerror(errno));
  inputs_forget(&list);
  free(arguments);
  return 1;
}
