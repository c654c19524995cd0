// linearize-graph: shows what linearize does to control flow, step by step, or as a page.
//
// All output goes to memory first, so that nothing is written unless all went well.
#define _POSIX_C_SOURCE 200809L
#include "common/leftovers.h"
#include "common/module.h"
#include "dot.h"
#include "page/page.h"
#include "pseudo.h"
#include "steps.h"

#include <stdlib.h>
#include <string.h>

static void (*const prints[])(FILE *, const tool_work *) = {
    [STEP_ORDER] = tool_print_order,
    [STEP_LOOPS] = tool_print_loops,
    [STEP_UNSTRUCTURED] = tool_print_unstructured,
    [STEP_REGIONS] = tool_print_regions,
    [STEP_RESULT] = tool_print_result,
    [STEP_STATS] = tool_print_stats,
    [STEP_JOINS] = tool_print_joins,
};

// `linearize`: the options that the result is of.
static void show(FILE *file, const tool_work *work, const tool_options *options,
                 const lin_options *linearize) {
  if (options->form != FORM_TEXT) {
    tool_print_picture(file, work, options->step);
    return;
  }
  if (options->step == STEP_PSEUDO)
    tool_print_pseudo(file, work,
                      options->output == NULL ? tool_terminal_of_output() : (tool_terminal){0});
  else if (options->step == STEP_PASS)
    tool_print_pass(file, work, options->pass, linearize);
  else
    prints[options->step](file, work);
  const tool_function *f = work->function;
  if (f->refused != NULL && options->step >= STEP_REGIONS && options->step <= STEP_RESULT)
    fprintf(file, "# refused: %s%s%s\n",
            f->refused_at == LIN_NONE ? "" : f->graph->name[f->refused_at],
            f->refused_at == LIN_NONE ? "" : ": ", f->refused);
  if (f->ignored != NULL && options->step != STEP_STATS)
    fprintf(file, "# the profile is of other code, and ignored: %s\n", f->ignored);
}

// What the function is asked for; of several modes the last. Returns false if there is none.
static bool find_options(const tool_input *input, const tool_function *function,
                         lin_options *linearize) {
  const lin_asked *asked = &function->asked;
  *linearize = (lin_options){.policy = asked->policy, .level = asked->level};
  linearize->policy.divergence_known = input->divergence_known;
  if (asked->num_modes > 0)
    linearize->policy.mode = asked->mode[asked->num_modes - 1];
  return asked->num_modes > 0;
}

static void work_on(FILE *file, const tool_input *input, const tool_function *function,
                    const tool_options *options) {
  lin_arena arena = {0};
  tool_work work = {.arena = &arena, .function = function};
  lin_options linearize;
  bool is_asked = find_options(input, function, &linearize);
  lin_status status = lin_linearize(&arena, function->graph, &linearize, &work.result);
  if (!lin_ok(status))
    tool_die(1, "%s: function %s, block %s: %s", options->file, function->graph->title,
             function->graph->name[status.block], status.reason);
  if (function->refused != NULL || !is_asked) {
    work.result.num_regions = 0;
    work.result.plan = NULL;
    work.result.flow = NULL;
  }
  show(file, &work, options, &linearize);
  lin_arena_release(&arena);
}

static void write_out(const char *name, const char *bytes, size_t length) {
  FILE *file = tool_create(name);
  fwrite(bytes, 1, length, file);
  tool_close(file, name);
}

static void write_steps(const tool_options *options) {
  lin_arena arena = {0};
  tool_input input;
  tool_input_read(&arena, options, &input);

  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  if (file == NULL)
    abort();
  if (options->step == STEP_STATS)
    tool_print_stats_header(file);
  for (uint32_t i = 0; i < input.num_functions; i++) {
    if (options->step == STEP_PSEUDO && i > 0)
      fputc('\n', file);
    work_on(file, &input, &input.function[i], options);
  }
  fclose(file);
  if (options->form == FORM_SVG) {
    char *dot = text;
    text = tool_dot(dot, &length);
    free(dot);
  }
  write_out(options->output, text, length);
  free(text);
  free(input.function);
  if (input.module != NULL)
    tool_release_module(input.module);
  lin_arena_release(&arena);
}

int main(int argc, char **argv) {
  tool_options options;
  tool_options_parse(argc, argv, &options);
  if (options.form == FORM_PAGE)
    report_write(&options);
  else
    write_steps(&options);
  return 0;
}
