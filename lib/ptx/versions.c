#define _POSIX_C_SOURCE 200809L // open_memstream
#include "versions.h"

#include "copies.h"
#include "fingerprint.h"
#include "names.h"
#include "read.h"
#include "version_names.h"
#include "choose/copies.h"
#include "graph/fingerprint.h"
#include "versions/asked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INSTRUCTIONS = 20000, MOST = LIN_VERSIONS_MOST - 1, MOST_BUILDS = LIN_VERSIONS_MOST };

static const char infix[] = LIN_VERSIONS_FUNCTION_INFIX;

typedef struct versioned {
  uint32_t function;
  uint64_t hash;
  uint32_t like[MOST]; // lin_copies_distinct
  uint32_t made, kept; // versions that are looked at; those that are like none before
} versioned;

typedef struct build {
  const char *name;
  lin_ptx_options options;
} build;

typedef struct work {
  lin_arena *arena;
  const lin_ptx_job *job;
  const lin_ptx_module *module;
  lin_ptx_names *names;   // functions that may be called, by their numbers, in scope 0
  lin_ptx_names *taken;   // all names with `__linearize_` in them
  build build[MOST_BUILDS]; // 0: the plain one; then those of versions
  uint32_t num_builds;
  versioned *versioned; // [num_versioned]
  uint32_t num_versioned;
  bool *is_called;      // [functions] by those kernels, or one of them
  uint32_t *first_call; // [functions + 1] into callee
  uint32_t *callee;

  // As in choose/copies.h:
  uint32_t *own;
  const char **code; // NULL: as in the input
  lin_copies *copies;
} work;

static uint32_t at(const work *w, uint32_t b, uint32_t f) {
  return b * w->module->num_functions + f;
}

static const char *symbol_of(const work *w, uint32_t f, uint32_t b) {
  const char *name = w->module->function[f].name;
  const size_t size = lin_versions_symbol(NULL, 0, name, w->build[b].name) + 1;
  char *symbol = lin_arena_bytes(w->arena, size);
  lin_versions_symbol(symbol, size, name, w->build[b].name);
  return symbol;
}

static const char *variable_of(const work *w, uint32_t f) {
  const char *name = w->module->function[f].name;
  const size_t size = lin_versions_variable(NULL, 0, name) + 1;
  char *symbol = lin_arena_bytes(w->arena, size);
  lin_versions_variable(symbol, size, name);
  return symbol;
}

// ---- names

static void note_name(lin_ptx_names *names, const char *text, uint32_t length, uint32_t value) {
  lin_ptx_name *entry = lin_ptx_names_entry(names, 0, text, length);
  entry->meant = LIN_PTX_VARIABLE;
  entry->value = value;
}

static bool is_named(const lin_ptx_names *names, const char *text) {
  return lin_ptx_names_find(names, 0, text, (uint32_t)strlen(text)) != NULL;
}

static void find_names(work *w) {
  lin_ptx_scan scan = {w->module->text, w->module->length, 0};
  lin_ptx_token token;
  while ((token = lin_ptx_next(&scan)).kind != LIN_PTX_END) {
    const char *text = scan.text + token.start;
    const uint32_t length = token.end - token.start;
    for (uint32_t i = 0; token.kind == LIN_PTX_WORD && i + sizeof infix <= length; i++)
      if (text[i] == '_' && memcmp(text + i, infix, sizeof infix - 1) == 0) {
        note_name(w->taken, text, length, 0);
        break;
      }
  }
  for (uint32_t f = 0; f < w->module->num_functions; f++)
    if (!w->module->function[f].is_kernel)
      note_name(w->names, w->module->function[f].name,
                (uint32_t)strlen(w->module->function[f].name), f);
}

// Whether it is a version of a kernel that has some already, or belongs to one.
static bool is_version(const work *w, uint32_t f) {
  const char *name = w->module->function[f].name, *end = strstr(name, infix);
  if (end == NULL)
    return false;
  const size_t length = strlen(LIN_VERSIONS_VARIABLE_PREFIX) + (size_t)(end - name);
  char *variable = lin_arena_bytes(w->arena, length + 1);
  snprintf(variable, length + 1, "%s%s", LIN_VERSIONS_VARIABLE_PREFIX, name);
  return is_named(w->taken, variable);
}

// ---- calls

// The function that instruction `i` calls, if the module has it; else LIN_NONE.
static uint32_t called_by(const work *w, const lin_ptx_body *body, uint32_t i) {
  if (lin_ptx_meaning(body, i)->flow != LIN_PTX_CALL)
    return LIN_NONE;
  const lin_ptx_token token = lin_ptx_callee(body, i);
  const lin_ptx_name *found =
      token.start == token.end ? NULL
                               : lin_ptx_names_find(w->names, 0, body->module->text + token.start,
                                                    token.end - token.start);
  return found == NULL ? LIN_NONE : found->value;
}

static void find_calls(work *w) {
  uint32_t count = 0, room = 0;
  w->first_call = LIN_ARRAY(w->arena, uint32_t, w->module->num_functions + 1);
  for (uint32_t f = 0; f < w->module->num_functions; f++) {
    lin_arena scratch = {0};
    const lin_ptx_body *body = lin_ptx_body_read(&scratch, w->module, &w->module->function[f]);
    for (uint32_t i = 0; body->refused == NULL && i < body->count; i++) {
      const uint32_t called = called_by(w, body, i);
      if (called == LIN_NONE)
        continue;
      w->callee = LIN_ROOM(w->arena, w->callee, count, &room);
      w->callee[count++] = called;
    }
    w->first_call[f + 1] = count;
    lin_arena_release(&scratch);
  }
}

// ---- telling

static void tell(const work *w, uint32_t f, lin_ptx_remark_kind kind, const char *name,
                 const char *message) {
  const lin_ptx_remark remark = {.kind = kind,
                                 .name = name,
                                 .function = w->module->function[f].name,
                                 .line = w->module->function[f].line,
                                 .message = message};
  w->job->teller.hear(w->job->teller.context, &remark);
}

static void say_like(const work *w, lin_ptx_lines *lines, const versioned *k, uint32_t like,
                     const char *name) {
  const char *separator = "; ", *also = " is also ";
  for (uint32_t i = 0; i < k->made; i++)
    if (k->like[i] == like) {
      lin_ptx_say(lines, "%s%s%s%s", separator, name, also, w->build[1 + i].name);
      separator = ", ";
      name = also = "";
    }
}

// As llvm/versions/tell.c.
static void tell_versions(const work *w, const versioned *k) {
  lin_ptx_lines lines = {.arena = w->arena};
  const char *separator = ": ";
  if (k->kept == 0)
    lin_ptx_say(&lines, "no version differs from the plain one");
  else
    lin_ptx_say(&lines, "%u version%s beside the plain one", k->kept, k->kept == 1 ? "" : "s");
  for (uint32_t i = 0; i < k->made; i++)
    if (k->like[i] == LIN_NONE) {
      lin_ptx_say(&lines, "%s%s", separator, w->build[1 + i].name);
      separator = ", ";
    }
  say_like(w, &lines, k, LIN_LIKE_ITSELF, LIN_VERSIONS_PLAIN);
  for (uint32_t i = 0; i < k->made; i++)
    say_like(w, &lines, k, i, w->build[1 + i].name);
  for (uint32_t i = k->made; i + 1 < w->num_builds; i++)
    lin_ptx_say(&lines, "%s%s", i == k->made ? "; left out, for max-versions: " : ", ",
                w->build[1 + i].name);
  tell(w, k->function, k->kept == 0 ? LIN_PTX_ANALYSIS : LIN_PTX_PASSED,
       k->kept == 0 ? "NoVersions" : "Versions", lines.text);
}

static void tell_too_large(const work *w, uint32_t f, uint32_t instructions, uint32_t most) {
  char message[160];
  snprintf(message, sizeof message,
           "no versions of it are made: with all that it calls it has %u instructions, over "
           "max-kernel, %u",
           instructions, most);
  tell(w, f, LIN_PTX_MISSED, "NoVersions", message);
}

static void tell_taken(const work *w, uint32_t f, const char *symbol) {
  lin_ptx_lines lines = {.arena = w->arena};
  lin_ptx_say(&lines,
              "no versions of it are made: one would be called '%s', as something else in the module "
              "is",
              symbol);
  tell(w, f, LIN_PTX_WARNING, "NoVersions", lines.text);
}

// ---- which kernels

// Calls visit(context, f) for a kernel and all that it calls, each once, in the order of the calls.
static void visit(const work *w, uint32_t kernel, void (*see)(void *context, uint32_t f),
                  void *context) {
  lin_arena scratch = {0};
  const uint32_t n = w->module->num_functions;
  uint32_t *queue = LIN_ARRAY(&scratch, uint32_t, n), count = 0;
  bool *is_met = LIN_ARRAY(&scratch, bool, n);
  queue[count++] = kernel;
  is_met[kernel] = true;
  for (uint32_t i = 0; i < count; i++) {
    see(context, queue[i]);
    for (uint32_t c = w->first_call[queue[i]]; c < w->first_call[queue[i] + 1]; c++)
      if (!is_met[w->callee[c]]) {
        is_met[w->callee[c]] = true;
        queue[count++] = w->callee[c];
      }
  }
  lin_arena_release(&scratch);
}

// What is found of a kernel and what it calls.
typedef struct facts {
  work *w;
  uint64_t hash;
  uint32_t instructions;
  const char *taken; // a name of a version's that is another's, or NULL
} facts;

static void see_facts(void *context, uint32_t f) {
  facts *k = context;
  const work *w = k->w;
  k->hash = lin_ptx_fingerprint(k->hash, w->module, &w->module->function[f], w->job->summaries,
                                &k->instructions);
  for (uint32_t b = 1; b < w->num_builds && k->taken == NULL; b++) {
    const char *symbol = symbol_of(w, f, b);
    k->taken = is_named(w->taken, symbol) ? symbol : NULL;
  }
}

static void see_called(void *context, uint32_t f) { ((work *)context)->is_called[f] = true; }

static void find_kernels(work *w) {
  const uint32_t asked = w->job->options->max_kernel, n = w->module->num_functions;
  const uint32_t most = asked == 0 ? MOST_INSTRUCTIONS : asked;
  w->versioned = LIN_ARRAY(w->arena, versioned, n);
  w->is_called = LIN_ARRAY(w->arena, bool, n);
  for (uint32_t f = 0; f < n; f++) {
    if (!w->module->function[f].is_kernel || is_version(w, f) ||
        is_named(w->taken, variable_of(w, f)))
      continue;
    facts k = {w, LIN_FINGERPRINT_START, 0, NULL};
    visit(w, f, see_facts, &k);
    if (k.instructions > most) {
      tell_too_large(w, f, k.instructions, most);
    } else if (k.taken != NULL) {
      tell_taken(w, f, k.taken);
    } else {
      w->versioned[w->num_versioned++] = (versioned){.function = f, .hash = k.hash};
      visit(w, f, see_called, w);
    }
  }
}

// ---- what each build makes

static void hear_warnings(void *context, const lin_ptx_remark *remark) {
  const lin_ptx_teller *teller = context;
  if (remark->kind == LIN_PTX_WARNING)
    teller->hear(teller->context, remark);
}

// The text of a function as a build makes it; NULL: unchanged. Each version says what build 0 would.
static const char *make(const work *w, uint32_t b, uint32_t f) {
  lin_arena scratch = {0};
  lin_ptx_teller teller = w->job->teller;
  lin_ptx_job job = *w->job;
  lin_ptx_place place = w->module->function[f];
  job.arena = &scratch;
  job.options = &w->build[b].options;
  if (b == 0)
    job.teller = (lin_ptx_teller){teller.module, hear_warnings, &teller};
  if (b > 0)
    place.name = symbol_of(w, f, b); // for remarks
  const lin_ptx_draft *draft = lin_ptx_draft_cut(&scratch, w->module, &place);
  const lin_ptx_draft *made = lin_ptx_run_steps(&job, draft);
  const char *text = made == NULL || made == draft
                         ? NULL
                         : lin_arena_text(w->arena, made->module.text, made->module.length);
  lin_arena_release(&scratch);
  return text;
}

static bool is_same(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void make_function(work *w, uint32_t f) {
  for (uint32_t b = 0; b < (w->is_called[f] ? w->num_builds : 1); b++) {
    w->code[at(w, b, f)] = make(w, b, f);
    uint32_t same = 0;
    while (same < b && !is_same(w->code[at(w, same, f)], w->code[at(w, b, f)]))
      same++;
    w->own[at(w, b, f)] = same;
  }
}

// ---- which of them stay

static void choose_versions(work *w, versioned *k) {
  uint32_t wanted[MOST];
  const uint32_t count = w->num_builds - 1, asked = w->job->options->max_versions;
  for (uint32_t i = 0; i < count; i++)
    wanted[i] = 1 + i;
  k->kept = lin_copies_distinct(w->copies, k->function, 0, wanted, count, k->like);
  for (k->made = count; k->kept > (asked == 0 ? MOST : asked); k->made--)
    k->kept -= k->like[k->made - 1] == LIN_NONE;
  for (uint32_t i = 0; i < k->made; i++)
    if (k->like[i] == LIN_NONE)
      lin_copies_keep(w->copies, 1 + i, k->function);
}

// ---- texts

static const lin_ptx_draft *draft_of(lin_arena *arena, const work *w, uint32_t b, uint32_t f) {
  const lin_ptx_place *place = &w->module->function[f];
  const char *text = w->code[at(w, w->own[at(w, b, f)], f)];
  return text == NULL ? lin_ptx_draft_cut(arena, w->module, place)
                      : lin_ptx_draft_of(arena, w->module, place, text, (uint32_t)strlen(text));
}

typedef struct caller {
  const work *w;
  uint32_t build;
} caller;

static const char *rename_called(void *context, const char *name, uint32_t length) {
  const caller *c = context;
  const lin_ptx_name *found = lin_ptx_names_find(c->w->names, 0, name, length);
  const uint32_t same = found == NULL ? 0 : lin_copy_of(c->w->copies, c->build, found->value);
  return same == 0 ? NULL : symbol_of(c->w, found->value, same);
}

static void say_functions(const work *w, lin_ptx_lines *lines) {
  for (int says_code = 0; says_code < 2; says_code++)
    for (uint32_t f = 0; f < w->module->num_functions; f++)
      for (uint32_t b = 1; b < w->num_builds; b++) {
        if (!w->copies->is_kept[at(w, b, f)] || w->module->function[f].is_kernel)
          continue;
        lin_arena scratch = {0};
        caller c = {w, b};
        if (says_code)
          lin_ptx_say_copy(lines, draft_of(&scratch, w, b, f), symbol_of(w, f, b), rename_called,
                           &c);
        else
          lin_ptx_say_declaration(lines, draft_of(&scratch, w, b, f), symbol_of(w, f, b));
        lin_arena_release(&scratch);
      }
}

static char *describe(const lin_versions *versions) {
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  if (file == NULL)
    abort();
  lin_versions_write(file, versions);
  fclose(file);
  return text;
}

// The text is seen by other modules if the kernel is, and is the only one: see llvm/versions/settle.c.
static const char *linkage_of(const work *w, uint32_t f) {
  static const char visible[] = ".visible";
  const lin_ptx_place *place = &w->module->function[f];
  const bool is_visible =
      strncmp(w->module->text + place->start, visible, sizeof visible - 1) == 0;
  return is_visible ? ".visible " : "";
}

static void say_kernel(const work *w, const versioned *k, lin_ptx_lines *lines) {
  lin_versions versions = {.hash = k->hash, .compiler = "PTX"};
  for (uint32_t i = 0; i < k->made; i++) {
    if (k->like[i] != LIN_NONE)
      continue;
    lin_arena scratch = {0};
    caller c = {w, 1 + i};
    const char *symbol = symbol_of(w, k->function, 1 + i);
    lin_ptx_say_copy(lines, draft_of(&scratch, w, 1 + i, k->function), symbol, rename_called, &c);
    versions.version[versions.count++] = (lin_version){w->build[1 + i].name, symbol};
    lin_arena_release(&scratch);
  }
  if (versions.count == 0)
    return;
  char *text = describe(&versions);
  lin_ptx_say_text(lines, linkage_of(w, k->function), variable_of(w, k->function), text);
  free(text);
}

// ---- all

static work start(const lin_ptx_job *job) {
  work w = {.arena = job->arena,
            .job = job,
            .module = job->teller.module,
            .names = lin_ptx_names_new(job->arena),
            .taken = lin_ptx_names_new(job->arena)};
  lin_versions_asked asked;
  char message[160];
  const char *list = job->options->versions;
  lin_versions_ask(lin_arena_text(job->arena, list, strlen(list)), &asked, message);
  w.build[w.num_builds++].name = LIN_VERSIONS_PLAIN;
  for (uint32_t i = 0; i < asked.count; i++)
    w.build[w.num_builds++].name = asked.name[i];
  for (uint32_t b = 0; b < w.num_builds; b++)
    lin_ptx_version_options(w.build[b].name, job->options, &w.build[b].options);
  w.code = LIN_ARRAY(job->arena, const char *, w.num_builds * w.module->num_functions);
  w.own = LIN_ARRAY(job->arena, uint32_t, w.num_builds * w.module->num_functions);
  return w;
}

bool lin_ptx_make_versions(const lin_ptx_job *job, lin_ptx_patch *patch) {
  work w = start(job);
  const lin_ptx_module *module = w.module;
  lin_ptx_lines lines = {.arena = job->arena};
  bool changed = false;
  if (module->num_functions == 0)
    return false;
  find_names(&w);
  find_calls(&w);
  find_kernels(&w);
  for (uint32_t f = 0; f < module->num_functions; f++) {
    make_function(&w, f);
    if (w.code[f] == NULL)
      continue;
    lin_ptx_change_text(patch, module->function[f].signature, module->function[f].end + 1,
                        w.code[f]);
    changed = true;
  }
  const lin_builds builds = {w.num_builds, module->num_functions, w.own, w.first_call, w.callee};
  w.copies = lin_copies_compare(job->arena, &builds);
  for (uint32_t i = 0; i < w.num_versioned; i++) {
    choose_versions(&w, &w.versioned[i]);
    tell_versions(&w, &w.versioned[i]);
  }
  say_functions(&w, &lines);
  for (uint32_t i = 0; i < w.num_versioned; i++)
    say_kernel(&w, &w.versioned[i], &lines);
  if (lines.length > 0) {
    const uint32_t end = module->function[module->num_functions - 1].end + 1;
    lin_ptx_say(&lines, "\n");
    lin_ptx_change_text(patch, end, end, "\n");
    lin_ptx_change_text(patch, end, end, lines.text);
  }
  return changed || lines.length > 0;
}
