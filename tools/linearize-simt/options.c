#define _POSIX_C_SOURCE 200809L // getline
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: linearize-simt [OPTION]... FILE\n"
    "\n"
    "Runs a GPU kernel in LLVM IR for NVPTX (.ll or .bc), or in PTX, on the CPU, warp by warp,\n"
    "and counts what warps execute. Two runs print the same. FILE may also be what nvcc makes, if\n"
    "it holds PTX: a program, a shared library, an object file, a fat binary or a cubin.\n"
    "\n"
    "The launch:\n"
    "  --kernel NAME        the function to launch, as C++ writes it, with or without its\n"
    "                       parameters, or by its symbol; needed where a module has several\n"
    "                       kernels, or a program several modules. Where it is wrong or missing\n"
    "                       the kernels are listed, of one module with what each needs\n"
    "  --grid X[,Y[,Z]]     thread blocks (1)\n"
    "  --block X[,Y[,Z]]    threads of a block (32)\n"
    "  --shared BYTES       shared memory of a size chosen at launch (0)\n"
    "  --arg ARGUMENT       one for each parameter, in order, as below\n"
    "  --buffer NAME=DATA   a buffer to which arguments, structures and other buffers can point\n"
    "  --global NAME=DATA   what a __constant__ or __device__ variable holds at first; without "
    "it,\n"
    "                       what the module says\n"
    "  --launch FILE        more options, between spaces or lines; # begins a comment, and quotes\n"
    "                       are as in a shell: --kernel 'find(int const*, int)'\n"
    "  --model MODEL        how lanes that part come together again, as below\n"
    "  --races              a fault if two threads access one byte of global or shared memory,\n"
    "                       one to write it, and nothing orders the two. Barriers order the\n"
    "                       threads that come, *_sync operations the lanes that they name; atomic\n"
    "                       operations, and so locks, order nothing. Two accesses that are atomic\n"
    "                       or volatile don't race, nor do lanes of one store that write the same\n"
    "                       value. Takes one core, and 24 bytes for each byte of memory\n"
    "  --jobs N             runs thread blocks on N cores at once (1). All is as on one core,\n"
    "                       unless threads of different blocks race. Where blocks may see in\n"
    "                       which order they run, they do on one: with printf, and with atomic or\n"
    "                       volatile accesses to what is not certainly shared memory\n"
    "  --limit N            instructions of a warp, after which it is taken to make no progress\n"
    "                       (100000000)\n"
    "  --allow-unwritten    memory that nobody wrote may be read, and is 0\n"
    "\n"
    "What is printed:\n"
    "  --compare FILE       runs the same kernel of this module, too; compares all buffers and\n"
    "                       global variables, and prints both metrics with their ratios\n"
    "  --dump N=FILE        writes the buffer of argument N (the first is 0), or the buffer or\n"
    "                       global variable N by its name, to FILE\n"
    "  --print N[:TYPE]     prints its elements\n"
    "  --blocks             metrics of each block, too\n"
    "  --json               metrics as JSON\n"
    "  --csv                metrics as comma-separated values, a row for the kernel and for each\n"
    "                       function (and block)\n"
    "  --annotate           prints the functions with counts at each block\n"
    "  --vectors FILE       writes how often each thread entered each block, as\n"
    "                       thread,function,block,entries\n"
    "  --counts FILE        writes that as a file of counts: a profile, vectors of threads, "
    "passes\n"
    "                       of warps, latencies\n"
    "  --counters FILE      writes the same from the kernel's own counters, if it was compiled "
    "with\n"
    "                       -linearize-count\n"
    "  --warps FILE         the same of warps, as warp,function,block,entries\n"
    "  --inputs FILE        what each thread read at addresses that its index and the arguments "
    "give,\n"
    "                       if it decides how often blocks are entered, as "
    "thread,input,line,value\n"
    "  --lanes FILE         which lanes of a warp entered which block, in the order in which it "
    "did "
    "so,\n"
    "                       as lanes,function,block; lanes in hexadecimal\n"
    "  --warp N             the warp of --lanes, numbered through the grid (0)\n"
    "  --help               print this\n"
    "  --version            print the versions of linearize and LLVM\n"
    "\n"
    "Arguments:\n"
    "  TYPE:VALUE             u8 ... u64, i8 ... i64, f32 or f64\n"
    "  buf:DATA               a pointer to a buffer\n"
    "  ptr:NAME[+BYTES]       a pointer to a buffer of --buffer\n"
    "  shared:BYTES           a pointer to shared memory (OpenCL's local)\n"
    "  value:{FIELD;...}      a structure passed by value, its scalars in order; also value:HEX\n"
    "                         and value:file=PATH, its bytes\n"
    "\n"
    "Data, of buffers and variables:\n"
    "  TYPE:COUNT[:FILL]      COUNT elements, filled with zero (default), index, none (reading it\n"
    "                         is a fault then), values=V,V,... or random[:seed=N][:below=N];\n"
    "                         random floats are from 0 to 1 unless below=N. The type may be ptr,\n"
    "                         with names of buffers for values\n"
    "  TYPE[:COUNT]:file=PATH the bytes of a file, as they lie in memory\n"
    "  {FIELD;...},{...}      structures. A field is TYPE:V,V,..., ptr:NAME or pad:BYTES, aligned\n"
    "                         to its size as in C\n"
    "\n"
    "Models:\n"
    "  ipdom                (default below sm_70) a stack, at the immediate post-dominator\n"
    "  frontier             the first block in reverse post-order first\n"
    "  none                 never\n"
    "  volta                (default from sm_70 on, as the kernel's target-cpu says) as ptxas\n"
    "                       does for newer GPUs; nobody waits for ever\n"
    "\n"
    "Exit status:\n"
    "  0                    all went well\n"
    "  1                    bad input, or a fault in the kernel\n"
    "  2                    a wrong command line\n"
    "  3                    the two modules give different memory\n";

const char tool_name[] = "linearize-simt";
const char *const tool_models[] = {"ipdom", "frontier", "none", "volta", NULL};

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

// ---- options with a value ----------------------------------------------------------------------

static void set_kernel(tool_options *options, const char *value) { options->kernel = value; }

static void set_grid(tool_options *options, const char *value) {
  parse_sizes("--grid", value, options->launch.grid, UINT32_MAX);
}

static void set_block(tool_options *options, const char *value) {
  parse_sizes("--block", value, options->launch.block, 1024);
}

static void set_shared(tool_options *options, const char *value) {
  options->launch.shared_bytes = tool_number("--shared", value, 1 << 20);
}

static void add_argument(tool_options *options, const char *value) {
  if (options->num_arguments == TOOL_MAX_ARGUMENTS)
    tool_die(2, "more than %d arguments", TOOL_MAX_ARGUMENTS);
  options->argument[options->num_arguments++] = value;
}

static void add_buffer(tool_options *options, const char *value) {
  if (options->num_buffers == TOOL_MAX_ARGUMENTS)
    tool_die(2, "more than %d buffers", TOOL_MAX_ARGUMENTS);
  options->buffer[options->num_buffers++] = value;
}

static void add_global(tool_options *options, const char *value) {
  if (options->num_globals == TOOL_MAX_ARGUMENTS)
    tool_die(2, "more than %d global variables", TOOL_MAX_ARGUMENTS);
  options->global[options->num_globals++] = value;
}

static void set_model(tool_options *options, const char *value) {
  options->launch.model = (simt_model)tool_choose("--model", value, tool_models);
  options->has_model = true;
}

static void set_compare(tool_options *options, const char *value) { options->compare = value; }

static void add_dump(tool_options *options, const char *value) {
  const char *equals = strchr(value, '=');
  if (equals == NULL || equals == value || options->num_dumps == TOOL_MAX_ARGUMENTS)
    tool_die(2, "--dump: '%s' is not N=FILE", value);
  const char *what = lin_arena_text(options->arena, value, (size_t)(equals - value));
  options->dump[options->num_dumps++] = (tool_dump){what, equals + 1};
}

static void add_print(tool_options *options, const char *value) {
  if (options->num_prints == TOOL_MAX_ARGUMENTS)
    tool_die(2, "--print: more than %d", TOOL_MAX_ARGUMENTS);
  options->print[options->num_prints++] = value;
}

static void set_vectors(tool_options *options, const char *value) { options->vectors = value; }

static void set_counts(tool_options *options, const char *value) { options->counts = value; }

static void set_counters(tool_options *options, const char *value) { options->counters = value; }

static void set_warps(tool_options *options, const char *value) { options->warps = value; }

static void set_inputs(tool_options *options, const char *value) { options->inputs = value; }

static void set_lanes(tool_options *options, const char *value) { options->lanes = value; }

static void set_warp(tool_options *options, const char *value) {
  options->launch.lanes_of = tool_number("--warp", value, UINT64_MAX);
}

static void set_limit(tool_options *options, const char *value) {
  options->launch.limit = tool_number("--limit", value, UINT64_MAX);
}

static void set_jobs(tool_options *options, const char *value) {
  options->launch.jobs = (uint32_t)tool_number("--jobs", value, 1024);
  if (options->launch.jobs == 0)
    tool_die(2, "--jobs: a number of 0");
}

static const struct {
  const char *name;
  void (*set)(tool_options *options, const char *value);
} with_value[] = {
    {"--kernel", set_kernel},     {"--grid", set_grid},     {"--block", set_block},
    {"--shared", set_shared},     {"--arg", add_argument},  {"--model", set_model},
    {"--compare", set_compare},   {"--dump", add_dump},     {"--print", add_print},
    {"--vectors", set_vectors},   {"--limit", set_limit},   {"--jobs", set_jobs},
    {"--buffer", add_buffer},     {"--global", add_global}, {"--counts", set_counts},
    {"--counters", set_counters}, {"--warps", set_warps},   {"--inputs", set_inputs},
    {"--lanes", set_lanes},       {"--warp", set_warp},
};

static bool parse_value(int argc, char **argv, int *at, tool_options *options) {
  for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++) {
    const char *value = tool_value_of(with_value[i].name, argc, argv, at);
    if (value == NULL)
      continue;
    with_value[i].set(options, value);
    return true;
  }
  return false;
}

static bool parse_flag(const char *argument, tool_options *options) {
  if (strcmp(argument, "--json") == 0)
    options->form = FORM_JSON;
  else if (strcmp(argument, "--csv") == 0)
    options->form = FORM_CSV;
  else if (strcmp(argument, "--blocks") == 0)
    options->blocks = true;
  else if (strcmp(argument, "--annotate") == 0)
    options->annotate = true;
  else if (strcmp(argument, "--allow-unwritten") == 0)
    options->launch.allow_unwritten = true;
  else if (strcmp(argument, "--races") == 0)
    options->launch.races = true;
  else
    return false;
  return true;
}

// ---- launch files ------------------------------------------------------------------------------

typedef struct words {
  lin_arena *arena;
  char **word;
  uint32_t count, capacity;
} words;

static void add_word(words *w, const char *text, size_t length) {
  w->word = LIN_ROOM(w->arena, w->word, w->count, &w->capacity);
  w->word[w->count++] = lin_arena_text(w->arena, text, length);
}

// Takes the next word off `*rest`, in place and without its quotes; NULL if there is none. As in a
// shell, '...' and "..." keep blanks, and so does \ before a character outside of '...'.
static char *next_word(char **rest, const char *name, unsigned line) {
  char *from = *rest;
  while (*from != '\0' && strchr(" \t\r\n", *from) != NULL)
    from++;
  char *word = from, *to = from;
  if (*from == '\0' || *from == '#')
    return NULL;
  char quote = '\0';
  for (; *from != '\0' && (quote != '\0' || strchr(" \t\r\n#", *from) == NULL); from++) {
    if (*from == quote)
      quote = '\0';
    else if (quote == '\0' && (*from == '\'' || *from == '"'))
      quote = *from;
    else if (*from == '\\' && quote != '\'' && from[1] != '\0' && from[1] != '\n')
      *to++ = *++from;
    else
      *to++ = *from;
  }
  if (quote != '\0')
    tool_die(2, "--launch: %s:%u: a quote %c that doesn't end", name, line, quote);
  *rest = *from == '\0' || *from == '#' ? from + strlen(from) : from + 1;
  *to = '\0';
  return word;
}

static void add_words_of(words *w, const char *name) {
  FILE *file = fopen(name, "r");
  if (file == NULL)
    tool_die(2, "--launch: %s: %s", name, strerror(errno));
  char *text = NULL;
  size_t capacity = 0;
  for (unsigned line = 1; getline(&text, &capacity, file) >= 0; line++) {
    char *rest = text;
    for (char *word; (word = next_word(&rest, name, line)) != NULL;)
      add_word(w, word, strlen(word));
  }
  bool failed = ferror(file) != 0;
  free(text);
  fclose(file);
  if (failed)
    tool_die(2, "--launch: %s can't be read", name);
}

// The words of launch files stand where the files are named, so that what comes later wins.
static words expand(lin_arena *arena, int argc, char **argv) {
  words w = {.arena = arena};
  for (int at = 0; at < argc; at++) {
    const char *name = at > 0 ? tool_value_of("--launch", argc, argv, &at) : NULL;
    if (name != NULL)
      add_words_of(&w, name);
    else
      add_word(&w, argv[at], strlen(argv[at]));
  }
  return w;
}

// ---- all of it ---------------------------------------------------------------------------------

static void check_options(const tool_options *options) {
  if (options->file == NULL)
    tool_die(2, "no file; --help says how to use it");
  const uint32_t *block = options->launch.block;
  if ((uint64_t)block[0] * block[1] * block[2] > 1024)
    tool_die(2, "--block: more than 1024 threads");
}

void tool_options_parse(lin_arena *arena, int argc, char **argv, tool_options *options) {
  *options = (tool_options){.arena = arena,
                            .launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .limit = 100000000}};
  words w = expand(arena, argc, argv);
  for (int at = 1; at < (int)w.count; at++) {
    const char *word = w.word[at];
    tool_answer(word, help);
    if (parse_flag(word, options) || parse_value((int)w.count, w.word, &at, options))
      continue;
    if (word[0] == '-' && word[1] != '\0')
      tool_die(2, "unknown option '%s'; --help lists them", word);
    if (options->file != NULL)
      tool_die(2, "two files: '%s' and '%s'; --help says how to compare", options->file, word);
    options->file = word;
  }
  check_options(options);
}
