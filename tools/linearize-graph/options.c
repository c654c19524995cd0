#include "options.h"

#include <stdio.h>
#include <string.h>

// The passes stand between the two.
static const char help_before[] =
    "Usage: linearize-graph [OPTION]... FILE\n"
    "\n"
    "Shows what linearize does to control flow. FILE is a graph (.cfg), LLVM IR (.ll), bitcode\n"
    "(.bc) or PTX, by its name or its content; or what nvcc makes and holds PTX: a program, a "
    "shared\n"
    "library, an object file, a fat binary, a cubin. - is standard input.\n"
    "\n"
    "What to show:\n"
    "  --pseudo          each function as pseudo-code, before and after: one above the other, or\n"
    "                    side by side where the terminal is wide enough. A block is one line;\n"
    "                    'if B' asks for the branch of block B, and 'next' is the block that a\n"
    "                    thread goes to next; 'next in B3..B9': one of these, as --step regions\n"
    "                    lists them. What is unstructured is marked\n"
    "  --source          with the source lines of each block, as debug info has them\n"
    "  --step STEP       one step: order, unstructured, regions, result, loops, stats, joins, or\n"
    "                    a pass; result, unless given\n"
    "  --dot             as a Graphviz graph; for order, unstructured, regions and result\n"
    "  --svg             the same drawn by Graphviz's dot, which must be installed\n"
    "  --function NAME   only this function; needed for a picture if FILE has several, and where "
    "a\n"
    "                    program has several modules\n"
    "  -o FILE           write to FILE, and only if all went well\n"
    "  --help            print this\n"
    "  --version         print the versions of linearize and LLVM\n"
    "\n"
    "What to linearize:\n"
    "  --mode MODE       needed (default), irreducible, paper, all, merge-loops, interleave or\n"
    "                    limit-depth\n"
    "  --regardless      of what it gains, in mode merge-loops\n"
    "  --nested N        how many branches may nest, in mode limit-depth: 1\n"
    "  --level LEVEL     how far guards are optimised: O0 to O4 (default)\n"
    "  --profile FILE    how often blocks are run, as linearize-simt --csv --blocks prints it\n"
    "  --edits FILE      edits that are made first, of a graph (.cfg): lines as a pass prints "
    "them\n"
    "  --lock-step       for a target below sm_70, where threads that wait for each other may "
    "hang\n"
    "  --force           although they may, and functions marked optnone\n"
    "\n"
    "Steps:\n"
    "  order             the graph in loop-contiguous reverse post-order, as .cfg\n"
    "  unstructured      unstructured edges and their kinds\n"
    "  regions           minimal regions, and those that are refused\n"
    "  result            the linearized graph, as .cfg; what the guards test and the edges set\n"
    "                    stands in comments behind it\n"
    "  loops             the loop forest\n"
    "  stats             one line of numbers a function, separated by tabs\n"
    "  joins             where threads could come together before all of them do, and whether\n"
    "                    they wait for each other there: ptxas, from sm_70 on\n"
    "\n"
    "Passes, which change the function, each in its mode: the edits that one proposes, if any\n";

static const char help_behind[] = "\n"
                                  "Exit status:\n"
                                  "  0                 all went well\n"
                                  "  1                 bad input\n"
                                  "  2                 a wrong command line\n";

const char tool_name[] = "linearize-graph";

static const char *const steps[] = {"order", "unstructured", "regions", "result", "loops",
                                    "stats", "joins",        "pseudo",  NULL};
// The index of a step, or, behind these, of a pass.
static unsigned choose_step(const char *value) {
  enum { STEPS = sizeof steps / sizeof steps[0] - 1 };
  const char *all[STEPS + LIN_MOST_PASSES + 1];
  memcpy(all, steps, sizeof steps);
  uint32_t count = STEPS;
  for (const lin_pass *pass = lin_passes; pass->name != NULL; pass++)
    all[count++] = pass->name;
  all[count] = NULL;
  return tool_choose("--step", value, all);
}

static void set_step(const char *value, tool_options *options) {
  unsigned step = choose_step(value);
  options->step = step < STEP_PASS ? (tool_step)step : STEP_PASS;
  options->pass = step < STEP_PASS ? NULL : &lin_passes[step - STEP_PASS];
}

static const char *const modes[] = {"needed",      "irreducible", "paper",       "all",
                                    "merge-loops", "interleave",  "limit-depth", NULL};

static bool parse_flag(const char *argument, tool_options *options) {
  if (strcmp(argument, "--dot") == 0)
    options->form = FORM_DOT;
  else if (strcmp(argument, "--svg") == 0)
    options->form = FORM_SVG;
  else if (strcmp(argument, "--pseudo") == 0)
    options->step = STEP_PSEUDO;
  else if (strcmp(argument, "--source") == 0)
    options->with_source = true;
  else if (strcmp(argument, "--lock-step") == 0)
    options->linearize.policy.lock_step = true;
  else if (strcmp(argument, "--regardless") == 0)
    options->linearize.policy.regardless = true;
  else if (strcmp(argument, "--force") == 0)
    options->linearize.policy.force = true;
  else
    return false;
  return true;
}

static bool parse_value(int argc, char **argv, int *at, tool_options *options) {
  const char *value;
  if ((value = tool_value_of("--step", argc, argv, at)) != NULL)
    set_step(value, options);
  else if ((value = tool_value_of("--mode", argc, argv, at)) != NULL)
    options->linearize.policy.mode = (lin_mode)tool_choose("--mode", value, modes);
  else if ((value = tool_value_of("--level", argc, argv, at)) != NULL)
    options->linearize.level = (int)tool_choose("--level", value, tool_levels);
  else if ((value = tool_value_of("--nested", argc, argv, at)) != NULL)
    options->linearize.policy.most_nested = (uint32_t)tool_number("--nested", value, UINT32_MAX);
  else if ((value = tool_value_of("--function", argc, argv, at)) != NULL)
    options->function = value;
  else if ((value = tool_value_of("--profile", argc, argv, at)) != NULL)
    options->profile = value;
  else if ((value = tool_value_of("--edits", argc, argv, at)) != NULL)
    options->edits = value;
  else if ((value = tool_value_of("-o", argc, argv, at)) != NULL)
    options->output = value;
  else
    return false;
  return true;
}

// --help, with a line for each pass.
static const char *help(void) {
  enum { LINE = 160 };
  static char text[sizeof help_before + sizeof help_behind + LIN_MOST_PASSES * (size_t)LINE];
  char *end = text + sprintf(text, "%s", help_before);
  for (const lin_pass *pass = lin_passes; pass->name != NULL; pass++)
    end += sprintf(end, "  %-17.40s %.100s\n", pass->name, pass->does);
  strcpy(end, help_behind);
  return text;
}

static void check(const tool_options *options) {
  tool_require_file(options->file);
  if (options->step >= STEP_LOOPS && options->form != FORM_TEXT)
    tool_die(2, "there is no picture of %s",
             options->step == STEP_PSEUDO ? "pseudo-code"
             : options->step == STEP_PASS ? options->pass->name
                                          : steps[options->step]);
  if (options->with_source && options->step != STEP_PSEUDO)
    tool_die(2, "--source is for --pseudo");
}

void tool_options_parse(int argc, char **argv, tool_options *options) {
  *options = (tool_options){
      .step = STEP_RESULT,
      .linearize = {.policy = {.mode = LIN_MODE_NEEDED, .most_nested = 1}, .level = 4},
  };
  for (int at = 1; at < argc; at++) {
    tool_answer(argv[at], help());
    if (parse_flag(argv[at], options) || parse_value(argc, argv, &at, options))
      continue;
    tool_take_file(argv[at], &options->file);
  }
  check(options);
}
