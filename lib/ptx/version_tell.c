#include "version_tell.h"

#include "places.h"

static void tell(const lin_ptx_versions *v, uint32_t kernel, lin_ptx_remark_kind kind,
                 const char *name, const lin_ptx_lines *message) {
  const lin_ptx_place *place = &v->module->function[kernel];
  const lin_ptx_remark remark = {.kind = kind,
                                 .name = name,
                                 .function = place->name,
                                 .line = place->line,
                                 .message = message->text};
  v->job->teller.hear(v->job->teller.context, &remark);
}

void lin_ptx_tell_too_large(const lin_ptx_versions *v, uint32_t kernel, uint32_t instructions,
                            uint32_t most) {
  lin_ptx_lines m = {.arena = v->arena};
  lin_ptx_say(&m,
              "no versions of it are made: with all that it calls it has %u instructions, over "
              "max-kernel, %u",
              instructions, most);
  tell(v, kernel, LIN_PTX_MISSED, "NoVersions", &m);
}

void lin_ptx_tell_taken(const lin_ptx_versions *v, uint32_t kernel, const char *symbol) {
  lin_ptx_lines m = {.arena = v->arena};
  lin_ptx_say(&m,
              "no versions of it are made: one would be called '%s', as something else in the "
              "module is",
              symbol);
  tell(v, kernel, LIN_PTX_WARNING, "NoVersions", &m);
}

void lin_ptx_tell_useless(const lin_ptx_versions *v, uint32_t kernel, const char *unknown) {
  lin_ptx_lines m = {.arena = v->arena};
  if (unknown != NULL)
    lin_ptx_say(&m, "the tuned file has a version '%s' of it, which is not known of PTX", unknown);
  else
    lin_ptx_say(&m, "the tuned file is of other code of it: run linearize-tune again");
  lin_ptx_say(&m, "; it is compiled as if there was no such file");
  tell(v, kernel, LIN_PTX_MISSED, "TunedOtherwise", &m);
}

static void tell_winner(const lin_ptx_versions *v, const lin_ptx_versioned *k) {
  lin_ptx_lines m = {.arena = v->arena};
  char names[400];
  lin_winners_list(names, sizeof names, &k->winners);
  if (k->winners.count == 1)
    lin_ptx_say(&m, "it is compiled as version %s, the fastest one in %u kind%s of launches", names,
                k->winners.lines, k->winners.lines == 1 ? "" : "s");
  else
    lin_ptx_say(&m,
                "which version is the fastest depends on the launch: %s; the program chooses when "
                "it is run by linearize's library",
                names);
  tell(v, k->chosen.kernel, LIN_PTX_PASSED, "Tuned", &m);
}

void lin_ptx_tell_versions(const lin_ptx_versions *v, const lin_ptx_versioned *k) {
  lin_ptx_lines m = {.arena = v->arena};
  char list[400];
  const uint32_t kept = k->chosen.kept;
  if (k->winners.count > 0)
    tell_winner(v, k);
  if (k->chosen.count == 0)
    return;
  if (kept == 0)
    lin_ptx_say(&m, "no version differs from the plain one");
  else
    lin_ptx_say(&m, "%u version%s beside the plain one", kept, kept == 1 ? "" : "s");
  lin_chosen_list(list, sizeof list, &k->chosen, LIN_VERSIONS_PLAIN);
  lin_ptx_say(&m, "%s", list);
  tell(v, k->chosen.kernel, kept == 0 ? LIN_PTX_ANALYSIS : LIN_PTX_PASSED,
       kept == 0 ? "NoVersions" : "Versions", &m);
}
