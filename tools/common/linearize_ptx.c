#include "linearize_ptx.h"

#include "lifting.h"

#include "ptx/prospects.h"
#include "versions/excepted.h"

#include <stdio.h>
#include <string.h>

static void warn_of_unknown(const lin_ptx_module *module, const char *except, lin_ptx_hear hear,
                            void *context) {
  size_t length;
  for (; except != NULL && (except = lin_excepted_next(except, &length)) != NULL;
       except += length) {
    const char *here[LIN_EXCEPTED_SAID + 1];
    char message[320], name[64];
    uint32_t i = 0;
    for (; i < module->num_functions; i++) {
      if (lin_is_called(module->function[i].name, except, length))
        break;
      if (i <= LIN_EXCEPTED_SAID)
        here[i] = module->function[i].name;
    }
    if (i < module->num_functions || i == 0)
      continue;
    lin_excepted_say_unknown(message, sizeof message, except, length, here, i);
    snprintf(name, sizeof name, "%.*s", (int)length, except);
    hear(context, &(lin_ptx_remark){.kind = LIN_PTX_WARNING,
                                    .name = "NoSuchKernel",
                                    .function = name,
                                    .line = 1,
                                    .message = message});
  }
}

// The helper isn't given these, and so says nothing of them.
static void say_excepted(const lin_ptx_module *module, const char *except, lin_ptx_hear hear,
                         void *context) {
  for (uint32_t i = 0; i < module->num_functions; i++)
    if (lin_is_excepted(except, module->function[i].name))
      hear(context, &(lin_ptx_remark){.kind = LIN_PTX_MISSED,
                                      .name = "NotAsked",
                                      .function = module->function[i].name,
                                      .line = module->function[i].line,
                                      .message = "the function is named by option except"});
}

// Starting the helper takes longer than most modules take to be read.
static bool has_prospects(const tool_ptx_options *options, const lin_ptx_module *module,
                          const char *except) {
  lin_ptx_wishes wishes = {.parting =
                               options->has_others || (options->melds && options->regardless),
                           .melds = options->melds,
                           .no_meld = options->no_meld,
                           .anything = options->counts || options->has_versions};
  if (options->mode != LIN_NO_MODE)
    wishes.mode[options->mode] = true;
  wishes.mode[LIN_MODE_MERGE_LOOPS] |= options->merges_loops;
  for (uint32_t i = 0; i < module->num_functions; i++)
    if (lin_ptx_has_prospects(module, i, &wishes) &&
        !lin_is_excepted(except, module->function[i].name))
      return true;
  return false;
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
  const char *except = lin_excepted_among(options->given);
  *failure = NULL;
  warn_of_unknown(module, except, hear, context);
  say_excepted(module, except, hear, context);
  if (!has_prospects(options, module, except))
    return NULL;
  if (module->is_debug && !options->force) {
    say_debugged(module, hear, context);
    return NULL;
  }
  return tool_lift(name, text, length, options->given == NULL ? "" : options->given, options->sm,
                   options->most_seconds, hear, context, failure);
}
