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
  const uint32_t last = k->winners.count - 1;
  if (last == 0)
    lin_ptx_say(&m, "it is compiled as version %s, the fastest one in %u kind%s of launches",
                k->winners.name[0], k->winners.lines, k->winners.lines == 1 ? "" : "s");
  else
    lin_ptx_say(&m, "which version is the fastest depends on the launch: ");
  for (uint32_t i = 0; i <= last && last > 0; i++)
    lin_ptx_say(&m, "%s%s", i == 0 ? "" : i == last ? " or " : ", ", k->winners.name[i]);
  if (last > 0)
    lin_ptx_say(&m, "; the program chooses when it is run by linearize's library");
  tell(v, k->function, LIN_PTX_PASSED, "Tuned", &m);
}

// "; needed is also all, paper": versions that are like `like`.
static void say_like(const lin_ptx_versions *v, lin_ptx_lines *m, const lin_ptx_versioned *k,
                     uint32_t like, const char *name) {
  const char *separator = "; ", *also = " is also ";
  for (uint32_t i = 0; i < k->made; i++)
    if (k->like[i] == like) {
      lin_ptx_say(m, "%s%s%s%s", separator, name, also, v->build[k->build[i]].name);
      separator = ", ";
      name = also = "";
    }
}

void lin_ptx_tell_versions(const lin_ptx_versions *v, const lin_ptx_versioned *k) {
  lin_ptx_lines m = {.arena = v->arena};
  if (k->winners.count > 0)
    tell_winner(v, k);
  if (k->count == 0)
    return;
  if (k->kept == 0)
    lin_ptx_say(&m, "no version differs from the plain one");
  else
    lin_ptx_say(&m, "%u version%s beside the plain one", k->kept, k->kept == 1 ? "" : "s");
  const char *separator = ": ";
  for (uint32_t i = 0; i < k->made; i++)
    if (k->like[i] == LIN_NONE) {
      lin_ptx_say(&m, "%s%s", separator, v->build[k->build[i]].name);
      separator = ", ";
    }
  say_like(v, &m, k, LIN_LIKE_ITSELF, LIN_VERSIONS_PLAIN);
  for (uint32_t i = 0; i < k->made; i++)
    say_like(v, &m, k, i, v->build[k->build[i]].name);
  for (uint32_t i = k->made; i < k->count; i++)
    lin_ptx_say(&m, "%s%s", i == k->made ? "; left out, for max-versions: " : ", ",
                v->build[k->build[i]].name);
  tell(v, k->function, k->kept == 0 ? LIN_PTX_ANALYSIS : LIN_PTX_PASSED,
       k->kept == 0 ? "NoVersions" : "Versions", &m);
}
