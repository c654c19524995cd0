// What a pass of driver/passes.h proposes.
#include "driver/passes.h"
#include "steps.h"

// The options with a mode that the pass is for.
static lin_options options_for(const lin_pass *pass, const lin_options *options) {
  lin_options result = *options;
  result.policy.votes = true;
  if (result.policy.most_nested == 0)
    result.policy.most_nested = 1;
  for (lin_mode mode = LIN_MODE_NEEDED; !pass->is_wanted(&result.policy); mode++)
    result.policy.mode = mode;
  return result;
}

void tool_print_pass(FILE *file, const tool_work *work, const lin_pass *pass,
                     const lin_options *options) {
  const lin_graph *graph = work->function->graph;
  fprintf(file, "# function %s, %s: %s\n", graph->title, pass->name, pass->does);
  if (pass->propose == NULL) {
    fputs("# no edits are proposed for that\n", file);
    return;
  }
  lin_result result;
  lin_options wanted = options_for(pass, options);
  lin_linearize(work->arena, graph, &wanted, &result); // went well with other options
  const lin_edits *edits =
      pass->propose(work->arena, work->function->front, &result, &wanted.policy);
  lin_edit_print(file, graph, edits);
}
