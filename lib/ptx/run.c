#include "run.h"

#include "sharing.h"
#include "steps.h"
#include "versions.h"

// Each in an arena of its own.
static void linearize_function(const lin_ptx_job *given, const lin_ptx_place *place,
                               lin_ptx_patch *patch) {
  lin_arena arena = {0};
  lin_ptx_job job = *given;
  job.arena = &arena;
  const lin_ptx_draft *draft = lin_ptx_draft_cut(&arena, job.teller.module, place);
  const lin_ptx_draft *made = lin_ptx_run_steps(&job, draft);
  if (made != NULL && made != draft) {
    lin_ptx_change_text(patch, place->signature, place->end + 1, made->module.text);
    job.counts->functions_changed++;
  }
  lin_arena_release(&arena);
}

lin_ptx_counts lin_ptx_linearize(const lin_ptx_module *module, const lin_ptx_options *options,
                                 lin_ptx_patch *patch, lin_ptx_hear hear, void *context) {
  lin_ptx_counts counts = {.functions = module->num_functions};
  if (lin_ptx_is_idle(options))
    return counts;
  lin_arena arena = {0};
  lin_ptx_job job = {.options = options,
                     .summaries = lin_ptx_summaries_build(&arena, module),
                     .has_shared = options->merges_loops && lin_ptx_names_shared(module),
                     .teller = {module, hear, context},
                     .counts = &counts};
  if ((options->versions != NULL || options->tuned != NULL) &&
      (!module->is_debug || options->force)) {
    job.arena = &arena;
    job.has_shared = lin_ptx_names_shared(module);
    counts.functions_changed += lin_ptx_make_versions(&job, patch);
    lin_arena_release(&arena);
    return counts;
  }
  for (uint32_t i = 0; i < module->num_functions; i++) {
    const lin_ptx_place *place = &module->function[i];
    if (module->is_debug && !options->force)
      lin_ptx_tell_left(&job.teller, place, place->line, "it was compiled for a debugger (-G)");
    else
      linearize_function(&job, place, patch);
  }
  lin_arena_release(&arena);
  return counts;
}
