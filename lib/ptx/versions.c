#define _POSIX_C_SOURCE 200809L // open_memstream
#include "versions.h"

#include "copies.h"
#include "version_kernels.h"
#include "version_names.h"
#include "version_state.h"
#include "version_tell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = LIN_VERSIONS_MOST - 1 };

// ---- what each build makes

static void hear_warnings(void *context, const lin_ptx_remark *remark) {
  const lin_ptx_teller *teller = context;
  if (remark->kind == LIN_PTX_WARNING)
    teller->hear(teller->context, remark);
}

// The text of a function as a build makes it; NULL: unchanged. What is done to the plain version is
// told of others, too.
static const char *make(const lin_ptx_versions *v, uint32_t b, uint32_t f) {
  lin_arena scratch = {0};
  lin_ptx_teller teller = v->job->teller;
  lin_ptx_job job = *v->job;
  lin_ptx_place place = v->module->function[f];
  job.arena = &scratch;
  job.options = &v->build[b].options;
  if (strcmp(v->build[b].name, LIN_VERSIONS_PLAIN) == 0)
    job.teller = (lin_ptx_teller){teller.module, hear_warnings, &teller};
  if (b > 0)
    place.name = lin_ptx_symbol(v, b, f); // for remarks
  const lin_ptx_draft *draft = lin_ptx_draft_cut(&scratch, v->module, &place);
  const lin_ptx_draft *made = lin_ptx_run_steps(&job, draft);
  const char *text = made == NULL || made == draft
                         ? NULL
                         : lin_arena_text(v->arena, made->module.text, made->module.length);
  lin_arena_release(&scratch);
  return text;
}

static bool is_same(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

// A kernel that gets the code of another build is left as it is; whatever else there is may be
// called by anybody.
static bool needs(const lin_ptx_versions *v, uint32_t b, uint32_t f) {
  bool is_wanted = v->is_wanted[lin_ptx_at(v, b, f)];
  for (uint32_t other = 1; b == 0 && !is_wanted && other < v->num_builds; other++)
    if (v->is_wanted[lin_ptx_at(v, other, f)])
      return !v->module->function[f].is_kernel;
  return is_wanted || b == 0;
}

static void make_function(lin_ptx_versions *v, uint32_t f) {
  for (uint32_t b = 0; b < v->num_builds; b++) {
    if (!needs(v, b, f))
      continue;
    v->code[lin_ptx_at(v, b, f)] = make(v, b, f);
    uint32_t same = 0;
    while (same < b && !is_same(v->code[lin_ptx_at(v, same, f)], v->code[lin_ptx_at(v, b, f)]))
      same++;
    v->own[lin_ptx_at(v, b, f)] = same;
  }
}

// ---- texts

// A function as a build makes it.
static const lin_ptx_draft *draft_of(lin_arena *arena, const lin_ptx_versions *v, uint32_t b,
                                     uint32_t f) {
  const lin_ptx_place *place = &v->module->function[f];
  const char *text = v->code[lin_ptx_at(v, v->own[lin_ptx_at(v, b, f)], f)];
  return text == NULL ? lin_ptx_draft_cut(arena, v->module, place)
                      : lin_ptx_draft_of(arena, v->module, place, text, (uint32_t)strlen(text));
}

typedef struct caller {
  const lin_ptx_versions *v;
  uint32_t build;
} caller;

static const char *rename_called(void *context, const char *name, uint32_t length) {
  const caller *c = context;
  const lin_ptx_name *found = lin_ptx_names_find(c->v->callable, 0, name, length);
  const uint32_t same = found == NULL ? 0 : lin_copy_of(c->v->copies, c->build, found->value);
  return same == 0 ? NULL : lin_ptx_symbol(c->v, same, found->value);
}

static void say_function(const lin_ptx_versions *v, lin_ptx_lines *lines, uint32_t b, uint32_t f,
                         const char *name) {
  lin_arena scratch = {0};
  caller c = {v, b};
  lin_ptx_say_copy(lines, draft_of(&scratch, v, b, f), name, rename_called, &c);
  lin_arena_release(&scratch);
}

static void say_declaration(const lin_ptx_versions *v, lin_ptx_lines *lines, uint32_t b,
                            uint32_t f) {
  lin_arena scratch = {0};
  lin_ptx_say_declaration(lines, draft_of(&scratch, v, b, f), lin_ptx_symbol(v, b, f));
  lin_arena_release(&scratch);
}

static bool is_kept_function(const lin_ptx_versions *v, uint32_t b, uint32_t f) {
  return v->copies->is_kept[lin_ptx_at(v, b, f)] && !v->module->function[f].is_kernel;
}

// What versions call: these may call each other.
static void say_functions(const lin_ptx_versions *v, lin_ptx_lines *lines) {
  for (uint32_t f = 0; f < v->module->num_functions; f++)
    for (uint32_t b = 1; b < v->num_builds; b++)
      if (is_kept_function(v, b, f))
        say_function(v, lines, b, f, lin_ptx_symbol(v, b, f));
}

static void say_declarations(const lin_ptx_versions *v, lin_ptx_lines *lines) {
  for (uint32_t f = 0; f < v->module->num_functions; f++)
    for (uint32_t b = 1; b < v->num_builds; b++)
      if (is_kept_function(v, b, f))
        say_declaration(v, lines, b, f);
}

// The text is seen by other modules if the kernel is, and is the only one: see
// llvm/versions/settle.c.
static void describe(const lin_ptx_versions *v, lin_ptx_lines *lines, uint32_t kernel,
                     const lin_versions *versions) {
  static const char visible[] = ".visible";
  const lin_ptx_place *place = &v->module->function[kernel];
  const bool is_visible = strncmp(v->module->text + place->start, visible, sizeof visible - 1) == 0;
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  if (file == NULL) // nobody finds the versions, then; linearize-run may end no program
    return;
  lin_versions_write(file, versions);
  fclose(file);
  lin_ptx_say_text(lines, is_visible ? ".visible " : "", lin_ptx_variable(v, kernel), text);
  free(text);
}

static void say_versions(const lin_ptx_versions *v, lin_ptx_lines *lines,
                         const lin_ptx_versioned *versioned) {
  const lin_chosen *k = &versioned->chosen;
  lin_versions versions = {.hash = versioned->hash, .compiler = "PTX"};
  for (uint32_t i = 0; i < k->made; i++) {
    if (k->like[i] != LIN_NONE)
      continue;
    const char *symbol = lin_ptx_symbol(v, k->build[i], k->kernel);
    say_function(v, lines, k->build[i], k->kernel, symbol);
    versions.version[versions.count++] = (lin_version){k->name[i], symbol, LIN_TAKES_NOTHING, NULL};
  }
  if (versions.count > 0)
    describe(v, lines, k->kernel, &versions);
}

// The text of function `f` in its place, if it is another one; else NULL.
static const char *find_own(const lin_ptx_versions *v, uint32_t f, const uint32_t *itself) {
  if (itself[f] == 0)
    return v->code[f];
  lin_ptx_lines lines = {.arena = v->arena};
  lin_arena scratch = {0};
  caller c = {v, itself[f]};
  lin_ptx_say_own(&lines, draft_of(&scratch, v, itself[f], f), rename_called, &c);
  lin_arena_release(&scratch);
  return lines.text;
}

// ---- all

static void change_functions(const lin_ptx_versions *v, lin_ptx_patch *patch) {
  const uint32_t n = v->module->num_functions;
  uint32_t *itself = LIN_ARRAY(v->arena, uint32_t, n);
  for (uint32_t i = 0; i < v->num_versioned; i++) {
    const lin_chosen *k = &v->versioned[i].chosen;
    itself[k->kernel] = lin_copy_of(v->copies, k->itself, k->kernel);
  }
  for (uint32_t f = 0; f < n; f++) {
    const lin_ptx_place *place = &v->module->function[f];
    const char *text = find_own(v, f, itself);
    if (text != NULL)
      lin_ptx_change_text(patch, place->signature, place->end + 1, text);
  }
}

// Declarations come in front of the first function, all else behind the last one.
static void add_versions(const lin_ptx_versions *v, lin_ptx_patch *patch) {
  lin_ptx_lines front = {.arena = v->arena}, lines = {.arena = v->arena};
  const lin_ptx_place *first = v->module->function, *last = first + v->module->num_functions - 1;
  say_declarations(v, &front);
  say_functions(v, &lines);
  for (uint32_t i = 0; i < v->num_versioned; i++)
    say_versions(v, &lines, &v->versioned[i]);
  if (front.length > 0)
    lin_ptx_change_text(patch, first->start, first->start, front.text);
  if (lines.length == 0)
    return;
  lin_ptx_change_text(patch, last->end + 1, last->end + 1, "\n");
  lin_ptx_change_text(patch, last->end + 1, last->end + 1, lines.text);
}

static lin_ptx_versions start(const lin_ptx_job *job) {
  lin_ptx_versions v = {.arena = job->arena, .job = job, .module = job->teller.module};
  v.build = LIN_ROOM(v.arena, v.build, v.num_builds, &v.build_room);
  v.build[0] = (lin_ptx_build){"", *job->options};
  if (job->options->versions != NULL) {
    v.build[0].name = LIN_VERSIONS_PLAIN;
    lin_ptx_version_options(LIN_VERSIONS_PLAIN, job->options, &v.build[0].options);
  }
  v.num_builds = 1;
  return v;
}

bool lin_ptx_make_versions(const lin_ptx_job *job, lin_ptx_patch *patch) {
  lin_ptx_versions v = start(job);
  const uint32_t n = v.module->num_functions, before = patch->count;
  const uint32_t most = job->options->max_versions == 0 ? MOST : job->options->max_versions;
  if (n == 0)
    return false;
  lin_ptx_find_kernels(&v);
  v.code = LIN_ARRAY(v.arena, const char *, v.num_builds *n);
  v.own = LIN_ARRAY(v.arena, uint32_t, v.num_builds *n);
  for (uint32_t f = 0; f < n; f++)
    make_function(&v, f);
  const lin_builds builds = {v.num_builds, n, v.own, v.first_call, v.callee};
  v.copies = lin_copies_compare(v.arena, &builds);
  for (uint32_t i = 0; i < v.num_versioned; i++) {
    lin_chosen_find(&v.versioned[i].chosen, v.copies, most);
    lin_ptx_tell_versions(&v, &v.versioned[i]);
  }
  change_functions(&v, patch);
  add_versions(&v, patch);
  return patch->count > before;
}
