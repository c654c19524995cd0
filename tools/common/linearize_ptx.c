#define _POSIX_C_SOURCE 200809L
#include "linearize_ptx.h"

#include "command_line.h"
#include "lifting.h"

#include "ptx/prospects.h"

#include <stdlib.h>
#include <string.h>

// ---- by LLVM IR

// LINEARIZE_PTX=ir or text: which way is taken where both could be.
static bool prefers_ir(void) {
  const char *way = getenv("LINEARIZE_PTX");
  return way == NULL || strcmp(way, "text") != 0;
}

static bool makes_versions(const tool_ptx_options *options) {
  return options->linearize.versions != NULL || options->linearize.tuned != NULL;
}

static bool lifts(const tool_ptx_options *options) { return options->lifts || prefers_ir(); }

// Starting the helper takes longer than most modules take to be read.
static bool has_prospects(const tool_ptx_options *options, const lin_ptx_module *module) {
  lin_ptx_wishes wishes = {.parting = options->lifts,
                           .anything = options->counts || makes_versions(options)};
  wishes.mode[options->linearize.core.policy.mode] = !options->linearize.is_off;
  wishes.mode[LIN_MODE_MERGE_LOOPS] |= options->linearize.merges_loops;
  for (uint32_t i = 0; i < module->num_functions; i++)
    if (lin_ptx_has_prospects(module, i, &wishes))
      return true;
  return false;
}

static char *lift(const tool_ptx_options *options, const char *name, const lin_ptx_module *module,
                  const char *text, size_t *length, lin_ptx_hear hear, void *context,
                  const char **failure) {
  if (!has_prospects(options, module))
    return NULL;
  return tool_lift(name, text, length, options->given == NULL ? "" : options->given,
                   options->linearize.sm, options->most_seconds, hear, context, failure);
}

// ---- by editing the text

static char *edit(const tool_ptx_options *options, const lin_ptx_module *module, const char *text,
                  size_t *length, lin_ptx_hear hear, void *context) {
  lin_arena arena = {0};
  lin_ptx_patch patch = {.arena = &arena};
  lin_ptx_linearize(module, &options->linearize, &patch, hear, context);
  char *made = NULL;
  if (patch.count > 0) {
    size_t made_length = 0;
    FILE *memory = open_memstream(&made, &made_length);
    if (memory != NULL)
      lin_ptx_patch_write(memory, text, (uint32_t)*length, &patch);
    if (memory == NULL || ferror(memory) || fclose(memory) != 0)
      tool_die(1, "out of memory");
    *length = made_length;
  }
  lin_arena_release(&arena);
  return made;
}

static void say_debugged(const lin_ptx_module *module, lin_ptx_hear hear, void *context) {
  for (uint32_t i = 0; i < module->num_functions; i++)
    hear(context, &(lin_ptx_remark){.kind = LIN_PTX_MISSED,
                                    .name = "NotLifted",
                                    .function = module->function[i].name,
                                    .line = module->function[i].line,
                                    .message = "left alone: it was compiled for a debugger (-G)"});
}

char *tool_linearize_ptx(const tool_ptx_options *options, const char *name,
                         const lin_ptx_module *module, const char *text, size_t *length,
                         lin_ptx_hear hear, void *context, const char **failure) {
  *failure = NULL;
  if (module->is_debug && !options->linearize.force && has_prospects(options, module)) {
    say_debugged(module, hear, context);
    return NULL;
  }
  return lifts(options) ? lift(options, name, module, text, length, hear, context, failure)
                        : edit(options, module, text, length, hear, context);
}
