#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: linearize-simt [options] FILE\n"
    "\n"
    "Runs a GPU kernel in LLVM IR for NVPTX (.ll or .bc) on the CPU, warp by warp, and counts "
    "what\n"
    "warps execute. Two runs print the same.\n"
    "\n"
    "  --kernel NAME        the function to launch\n"
    "  --grid X[,Y[,Z]]     thread blocks (1)\n"
    "  --block X[,Y[,Z]]    threads of a block (32)\n"
    "  --shared BYTES       shared memory of a size chosen at launch (0)\n"
    "  --arg ARGUMENT       one for each parameter, in order:\n"
    "                         TYPE:VALUE             u8 ... u64, i8 ... i64, f32 or f64\n"
    "                         buf:TYPE:COUNT[:FILL]  a pointer to a buffer of COUNT elements, "
    "filled\n"
    "                                                with zero (default), index, none (reading it "
    "is\n"
    "                                                a fault then) or random[:seed=N][:below=N];\n"
    "                                                random floats are from 0 to 1 unless below=N\n"
    "                         shared:BYTES           a pointer to shared memory (OpenCL's local)\n"
    "                         value:HEX              bytes of a structure passed by value\n"
    "  --model MODEL        how lanes that part come together again:\n"
    "                         ipdom     (default) a stack, at the immediate post-dominator\n"
    "                         frontier  the first block in reverse post-order first\n"
    "                         none      never\n"
    "                         volta     as ptxas does for newer GPUs; nobody waits for ever\n"
    "  --compare FILE       runs the same kernel of this module, too; compares all buffers and "
    "global\n"
    "                       variables, and prints both metrics with their ratios\n"
    "  --dump N=FILE        writes the buffer of argument N (the first is 0) to FILE\n"
    "  --print N            prints the elements of the buffer of argument N\n"
    "  --blocks             metrics of each block, too\n"
    "  --json               metrics as JSON\n"
    "  --limit N            instructions of a warp, after which it is taken to make no progress\n"
    "                       (100000000)\n"
    "  --allow-unwritten    memory that nobody wrote may be read, and is 0\n"
    "  --help               print this\n"
    "\n"
    "Exit status: 0; 1 for bad input or a fault in the kernel; 2 for a wrong command line; 3 if "
    "the\n"
    "two modules give different memory.\n";

const char tool_name[] = "linearize-simt";

uint64_t tool_number(const char *option, const char *text, uint64_t limit) {
  char *end;
  errno = 0;
  uint64_t value = strtoull(text, &end, 0);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > limit)
    tool_die(2, "%s: '%s' is no number from 0 to %llu", option, text, (unsigned long long)limit);
  return value;
}

static void parse_sizes(const char *option, const char *value, uint32_t *size, uint64_t limit) {
  char text[128];
  size[0] = size[1] = size[2] = 1;
  if (strlen(value) >= sizeof text)
    tool_die(2, "%s: '%s' is too long", option, value);
  strcpy(text, value);
  char *at = text;
  for (unsigned i = 0; at != NULL; i++) {
    char *comma = strchr(at, ',');
    if (comma != NULL)
      *comma++ = '\0';
    if (i == 3)
      tool_die(2, "%s: '%s' has more than three sizes", option, value);
    size[i] = (uint32_t)tool_number(option, at, limit);
    if (size[i] == 0)
      tool_die(2, "%s: a size of 0", option);
    at = comma;
  }
}

static const char *const models[] = {"ipdom", "frontier", "none", "volta", NULL};

static void parse_dump(tool_options *options, const char *value) {
  const char *equals = strchr(value, '=');
  char number[16];
  if (equals == NULL || equals - value >= (ptrdiff_t)sizeof number ||
      options->num_dumps == TOOL_MAX_ARGUMENTS)
    tool_die(2, "--dump: '%s' is not N=FILE", value);
  snprintf(number, sizeof number, "%.*s", (int)(equals - value), value);
  unsigned argument = (unsigned)tool_number("--dump", number, TOOL_MAX_ARGUMENTS - 1);
  options->dump[options->num_dumps++] = (tool_dump){argument, equals + 1};
}

static bool parse_flag(const char *argument, tool_options *options) {
  if (strcmp(argument, "--json") == 0)
    options->form = FORM_JSON;
  else if (strcmp(argument, "--blocks") == 0)
    options->blocks = true;
  else if (strcmp(argument, "--allow-unwritten") == 0)
    options->launch.allow_unwritten = true;
  else
    return false;
  return true;
}

static bool parse_value(int argc, char **argv, int *at, tool_options *options) {
  static const char *const names[] = {"--kernel", "--grid",    "--block", "--shared", "--arg",
                                      "--model",  "--compare", "--dump",  "--limit",  "--print"};
  simt_launch *launch = &options->launch;
  const char *value = NULL;
  unsigned which = 0;
  while (which < sizeof names / sizeof *names &&
         (value = tool_value_of(names[which], argc, argv, at)) == NULL)
    which++;
  switch (which) {
  case 0:
    launch->kernel = value;
    break;
  case 1:
    parse_sizes("--grid", value, launch->grid, UINT32_MAX);
    break;
  case 2:
    parse_sizes("--block", value, launch->block, 1024);
    break;
  case 3:
    launch->shared_bytes = tool_number("--shared", value, 1 << 20);
    break;
  case 4:
    if (options->num_arguments == TOOL_MAX_ARGUMENTS)
      tool_die(2, "more than %d arguments", TOOL_MAX_ARGUMENTS);
    options->argument[options->num_arguments++] = value;
    break;
  case 5:
    launch->model = (simt_model)tool_choose("--model", value, models);
    break;
  case 6:
    options->compare = value;
    break;
  case 7:
    parse_dump(options, value);
    break;
  case 8:
    launch->limit = tool_number("--limit", value, UINT64_MAX);
    break;
  case 9:
    if (options->num_prints == TOOL_MAX_ARGUMENTS)
      tool_die(2, "--print: more than %d", TOOL_MAX_ARGUMENTS);
    options->print[options->num_prints++] =
        (unsigned)tool_number("--print", value, TOOL_MAX_ARGUMENTS - 1);
    break;
  default:
    return false;
  }
  return true;
}

void tool_options_parse(int argc, char **argv, tool_options *options) {
  *options = (tool_options){.launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .limit = 100000000}};
  for (int at = 1; at < argc; at++) {
    if (strcmp(argv[at], "--help") == 0) {
      fputs(usage, stdout);
      exit(0);
    }
    if (parse_flag(argv[at], options) || parse_value(argc, argv, &at, options))
      continue;
    if (argv[at][0] == '-' && argv[at][1] != '\0')
      tool_die(2, "unknown option '%s'; --help lists them", argv[at]);
    if (options->file != NULL)
      tool_die(2, "two files: '%s' and '%s'; --help says how to compare", options->file, argv[at]);
    options->file = argv[at];
  }
  if (options->file == NULL)
    tool_die(2, "no file; --help says how to use it");
  if (options->launch.kernel == NULL)
    tool_die(2, "no --kernel");
  const uint32_t *block = options->launch.block;
  if ((uint64_t)block[0] * block[1] * block[2] > 1024)
    tool_die(2, "--block: more than 1024 threads");
}
