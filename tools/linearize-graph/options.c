#include "options.h"

#include "linearize/linearize.h"

#include <stdio.h>
#include <string.h>

// The passes stand between the two.
static const char help_before[] =
    "Usage: linearize-graph [OPTION]... FILE\n"
    "\n"
    "Shows what linearize does to control flow: as text, as a picture, or as a page for the "
    "browser.\n"
    "FILE is a graph (.cfg), LLVM IR (.ll), bitcode (.bc) or PTX, by its name or its content; or "
    "what\n"
    "nvcc makes and holds PTX: a program, a shared library, an object file, a fat binary, a "
    "cubin.\n"
    "- is standard input.\n"
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
    "  --function NAME   only this function, by its name in C++ or in FILE; needed for a picture "
    "if\n"
    "                    FILE has several, and where a program has several modules\n"
    "  -o FILE           write to FILE, and only if all went well. A name that ends with .dot is "
    "a\n"
    "                    Graphviz graph, .svg the same drawn by Graphviz's dot, which must be\n"
    "                    installed: of order, unstructured, regions or result. One that ends with\n"
    "                    .html is the page\n"
    "  --help            print this\n"
    "  --version         print the versions of linearize and LLVM\n"
    "\n"
    "What to linearize:\n"
    "  --mode LIST       what the pass is told, as in linearize<LIST>: needed (default), "
    "irreducible,\n"
    "                    paper or all; options, as in docs/options.md: paper,level=O2. Outside of\n"
    "                    the page merge-loops, interleave and limit-depth=N are shown alone\n"
    "  --profile FILE    how often blocks are run, as linearize-simt --csv --blocks prints it\n"
    "  --edits FILE      edits that are made first, of a graph (.cfg): lines as a pass prints "
    "them\n"
    "\n"
    "The page shows each function of a module before and after the pass: its graphs, each\n"
    "unstructured region with what becomes of it and why, and where that is in the source. It\n"
    "needs nothing but a browser. It has more by:\n"
    "  --launch FILE     colours blocks by what warps execute: a kernel runs before and after in\n"
    "                    linearize-simt, as linearize-simt --launch FILE has it. Beside that, "
    "what\n"
    "                    divergence costs there, as linearize-profile says\n"
    "  --counts FILE     what divergence costs by a file of counts: 'linearize-profile --counts\n"
    "                    FILE ./app' makes one on a GPU\n"
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

static const char *const steps[] = {"order", "unstructured", "regions", "result",
                                    "loops", "stats",        "joins"};

// --step takes those, and the passes.
static void set_step(const char *value, tool_options *options) {
  const char *all[STEP_PSEUDO + LIN_MOST_PASSES + 1];
  memcpy(all, steps, sizeof steps);
  uint32_t count = STEP_PSEUDO;
  for (const lin_pass *pass = lin_passes; pass->name != NULL; pass++)
    all[count++] = pass->name;
  all[count] = NULL;
  unsigned step = tool_choose("--step", value, all);
  options->step = step < STEP_PSEUDO ? (tool_step)step : STEP_PASS;
  options->pass = step < STEP_PSEUDO ? NULL : &lin_passes[step - STEP_PSEUDO];
}

static void set_mode(const char *value, tool_options *options) {
  static linearize_options asked;
  char *message;
  asked = linearize_default_options();
  if (!linearize_parse_options(value, &asked, &message))
    tool_die(2, "--mode: %s", message);
  options->mode = value;
  options->asked = &asked;
}

static bool parse_option(int argc, char **argv, int *at, tool_options *options) {
  const struct {
    const char *name, **value;
  } simple[] = {
      {"--function", &options->function}, {"--profile", &options->profile},
      {"--edits", &options->edits},       {"--launch", &options->launch},
      {"--counts", &options->counts},     {"-o", &options->output},
  };
  const char *value;
  for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
    if ((value = tool_value_of(simple[i].name, argc, argv, at)) != NULL) {
      *simple[i].value = value;
      return true;
    }
  if (strcmp(argv[*at], "--pseudo") == 0)
    options->step = STEP_PSEUDO;
  else if (strcmp(argv[*at], "--source") == 0)
    options->with_source = true;
  else if ((value = tool_value_of("--step", argc, argv, at)) != NULL)
    set_step(value, options);
  else if ((value = tool_value_of("--mode", argc, argv, at)) != NULL)
    set_mode(value, options);
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

static tool_form form_of(const char *output) {
  static const char *const ends[] = {
      [FORM_DOT] = ".dot", [FORM_SVG] = ".svg", [FORM_PAGE] = ".html"};
  for (tool_form form = FORM_DOT; output != NULL && form <= FORM_PAGE; form++)
    if (tool_ends_with(output, ends[form]))
      return form;
  return FORM_TEXT;
}

static void check(const tool_options *options) {
  tool_require_file(options->file);
  if (options->step >= STEP_LOOPS && (options->form == FORM_DOT || options->form == FORM_SVG))
    tool_die(2, "there is no picture of %s",
             options->step == STEP_PSEUDO ? "pseudo-code"
             : options->step == STEP_PASS ? options->pass->name
                                          : steps[options->step]);
  if (options->with_source && options->step != STEP_PSEUDO)
    tool_die(2, "--source is for --pseudo");
  if (options->form == FORM_PAGE && (options->step != STEP_RESULT || options->edits != NULL))
    tool_die(2, "the page has no steps, pseudo-code or edits");
  if (options->form != FORM_PAGE && (options->launch != NULL || options->counts != NULL))
    tool_die(2, "--launch and --counts are for the page: -o NAME.html");
}

void tool_options_parse(int argc, char **argv, tool_options *options) {
  *options = (tool_options){.step = STEP_RESULT};
  set_mode("", options);
  for (int at = 1; at < argc; at++) {
    tool_answer(argv[at], help());
    if (!parse_option(argc, argv, &at, options))
      tool_take_file(argv[at], &options->file);
  }
  options->form = form_of(options->output);
  check(options);
}
