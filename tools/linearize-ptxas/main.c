// linearize-ptxas: ptxas, of which the inputs are linearized first.
//
// Arguments are handed on as they are, but for those that name, or are, PTX. Where nothing changes,
// or ptxas refuses what was made, it takes this program's place with the input as it was.
#define _POSIX_C_SOURCE 200809L
#include "common/child.h"
#include "common/command_line.h"
#include "common/ptxas.h"
#include "inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: linearize-ptxas [PTXAS-OPTION]... FILE...\n"
    "       linearize-ptxas PTXAS [PTXAS-OPTION]... FILE...\n"
    "\n"
    "ptxas, of which the inputs are linearized first: its arguments, its messages, its exit "
    "status.\n"
    "Files, --input-as-string, standard input (-) and what files of options (-optf) name are\n"
    "linearized where they are PTX. What can't be read goes to ptxas as it is, after a warning, "
    "and so\n"
    "do all inputs if ptxas refuses what was made of them.\n"
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
    "  LINEARIZE_OPTIONS options of linearize-ptx, as NAME=VALUE with , or ; between them:\n"
    "                    mode=paper;remarks=all. Remarks are warnings alone unless it says so;\n"
    "                    with summary they are one line for a file that changes, too\n"
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

// The real ptxas. Takes it off the arguments if it is the first.
static const char *find_ptxas(int *argc, char ***argv) {
  const char *given = NULL;
  if (*argc > 1) {
    const char *first = (*argv)[1], *slash = strrchr(first, '/');
    if (strcmp(slash == NULL ? first : slash + 1, "ptxas") == 0) {
      given = first;
      --*argc;
      ++*argv;
    }
  }
  return tool_find_ptxas(given);
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
// code of older ones, whose `.target` then decides nothing. `*only_checks`: for a virtual machine,
// as nvcc -ptx has it, ptxas only looks at its input, and makes nothing of it.
static uint32_t find_target(int argc, char **argv, bool *only_checks) {
  static const char virtual[] = "compute_";
  uint32_t target = 0;
  *only_checks = false;
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
    *only_checks |=
        what == TARGET && value != NULL && strncmp(value, virtual, strlen(virtual)) == 0;
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
      made = inputs_of_standard_input(list, &argv[at]);
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

// Runs ptxas and says what it says. Returns false, and says nothing but why, if it fails.
static bool try_ptxas(const char *const *arguments) {
  FILE *output = tool_scratch_file(), *errors = tool_scratch_file();
  const pid_t child = tool_start(arguments, NULL, output, errors);
  if (child < 0)
    tool_die(1, "%s: %s", arguments[0], strerror(errno));
  const bool is_good = tool_wait(child) == 0;
  tool_rewind(output);
  tool_rewind(errors);
  size_t length;
  char *put = tool_read_all(output, &length), *said = tool_read_all(errors, NULL);
  if (is_good) {
    fwrite(put, 1, length, stdout);
    fputs(said, stderr);
  } else {
    fprintf(stderr, "%s: warning: ptxas refuses what was made: %s; it gets its input as it was\n",
            tool_name, tool_ptxas_error(said));
  }
  free(put);
  free(said);
  fclose(output);
  fclose(errors);
  return is_good;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0)
    tool_answer(argv[1], help);
  tool_ptx_options options = tool_ptx_defaults("warnings");
  tool_ptx_environment(&options);
  const char *ptxas = find_ptxas(&argc, &argv);
  bool only_checks;
  options.sm = find_target(argc, argv, &only_checks);
  input_list list = {.options = &options};
  const char **arguments = only_checks ? NULL : make_arguments(ptxas, argc, argv, &list);
  const bool is_done = list.is_changed && try_ptxas(arguments);
  if (list.summary != NULL && is_done == list.is_changed)
    fputs(list.summary, stderr);
  if (!is_done) {
    argv[0] = (char *)(uintptr_t)ptxas;
    // NOLINTNEXTLINE(clang-analyzer-optin.taint.GenericTaint): whoever calls chooses the program
    execv(ptxas, argv);
    fprintf(stderr, "%s: %s: %s\n", tool_name, ptxas, strerror(errno));
  }
  inputs_forget(&list);
  free(arguments);
  return is_done ? 0 : 1;
}
