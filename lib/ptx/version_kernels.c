#include "version_kernels.h"

#include "fingerprint.h"
#include "read.h"
#include "version_names.h"
#include "version_tell.h"

#include "graph/fingerprint.h"
#include "versions/asked.h"

#include <assert.h>
#include <string.h>

static const char infix[] = LIN_VERSIONS_FUNCTION_INFIX;

// ---- names

const char *lin_ptx_symbol(const lin_ptx_versions *v, uint32_t b, uint32_t f) {
  const char *name = v->module->function[f].name;
  const size_t size = lin_versions_symbol(NULL, 0, name, v->build[b].name) + 1;
  char *symbol = lin_arena_bytes(v->arena, size);
  lin_versions_symbol(symbol, size, name, v->build[b].name);
  return symbol;
}

const char *lin_ptx_variable(const lin_ptx_versions *v, uint32_t f) {
  const char *name = v->module->function[f].name;
  const size_t size = lin_versions_variable(NULL, 0, name) + 1;
  char *symbol = lin_arena_bytes(v->arena, size);
  lin_versions_variable(symbol, size, name);
  return symbol;
}

static void note_name(lin_ptx_names *names, const char *text, uint32_t length, uint32_t value) {
  lin_ptx_name *entry = lin_ptx_names_entry(names, 0, text, length);
  entry->meant = LIN_PTX_VARIABLE;
  entry->value = value;
}

static bool is_taken(const lin_ptx_versions *v, const char *name) {
  return lin_ptx_names_find(v->taken, 0, name, (uint32_t)strlen(name)) != NULL;
}

static bool has_infix(const char *text, uint32_t length) {
  for (uint32_t i = 0; i + sizeof infix <= length; i++)
    if (text[i] == '_' && memcmp(text + i, infix, sizeof infix - 1) == 0)
      return true;
  return false;
}

static void find_names(lin_ptx_versions *v) {
  lin_ptx_names *taken = lin_ptx_names_new(v->arena), *callable = lin_ptx_names_new(v->arena);
  lin_ptx_scan scan = {v->module->text, v->module->length, 0};
  for (lin_ptx_token token; (token = lin_ptx_next(&scan)).kind != LIN_PTX_END;)
    if (token.kind == LIN_PTX_WORD && has_infix(scan.text + token.start, token.end - token.start))
      note_name(taken, scan.text + token.start, token.end - token.start, 0);
  for (uint32_t f = 0; f < v->module->num_functions; f++) {
    const lin_ptx_place *place = &v->module->function[f];
    if (!place->is_kernel)
      note_name(callable, place->name, (uint32_t)strlen(place->name), f);
  }
  v->taken = taken;
  v->callable = callable;
}

// Whether it is a version of a kernel that has some already, or belongs to one.
static bool is_version(const lin_ptx_versions *v, uint32_t f) {
  const char *name = v->module->function[f].name, *end = strstr(name, infix);
  if (end == NULL)
    return false;
  const char *kernel = lin_arena_text(v->arena, name, (size_t)(end - name));
  const size_t size = lin_versions_variable(NULL, 0, kernel) + 1;
  char *variable = lin_arena_bytes(v->arena, size);
  lin_versions_variable(variable, size, kernel);
  return is_taken(v, variable);
}

// ---- calls

uint32_t lin_ptx_called_by(const lin_ptx_versions *v, const lin_ptx_body *body, uint32_t at) {
  if (lin_ptx_meaning(body, at)->flow != LIN_PTX_CALL)
    return LIN_NONE;
  const lin_ptx_token token = lin_ptx_callee(body, at);
  const lin_ptx_name *found = NULL;
  if (token.start != token.end)
    found = lin_ptx_names_find(v->callable, 0, body->module->text + token.start,
                               token.end - token.start);
  return found == NULL ? LIN_NONE : found->value;
}

static void find_calls(lin_ptx_versions *v) {
  const uint32_t n = v->module->num_functions;
  uint32_t *first = LIN_ARRAY(v->arena, uint32_t, n + 1), count = 0, room = 0;
  uint32_t *callee = LIN_ROOM(v->arena, (uint32_t *)NULL, count, &room);
  for (uint32_t f = 0; f < n; f++) {
    lin_arena scratch = {0};
    const lin_ptx_body *body = lin_ptx_body_read(&scratch, v->module, &v->module->function[f]);
    for (uint32_t i = 0; body->refused == NULL && i < body->count; i++) {
      const uint32_t called = lin_ptx_called_by(v, body, i);
      if (called == LIN_NONE)
        continue;
      callee = LIN_ROOM(v->arena, callee, count, &room);
      callee[count++] = called;
    }
    first[f + 1] = count;
    lin_arena_release(&scratch);
  }
  v->first_call = first;
  v->callee = callee;
}

// A kernel and all that it calls, each once, in the order of the calls; in the arena.
static const uint32_t *find_called(const lin_ptx_versions *v, lin_arena *arena, uint32_t kernel,
                                   uint32_t *count) {
  const uint32_t n = v->module->num_functions;
  uint32_t *called = LIN_ARRAY(arena, uint32_t, n), end = 0;
  bool *is_met = LIN_ARRAY(arena, bool, n);
  called[end++] = kernel;
  is_met[kernel] = true;
  for (uint32_t i = 0; i < end; i++)
    for (uint32_t c = v->first_call[called[i]]; c < v->first_call[called[i] + 1]; c++)
      if (!is_met[v->callee[c]]) {
        is_met[v->callee[c]] = true;
        called[end++] = v->callee[c];
      }
  *count = end;
  return called;
}

// ---- what is asked for

static uint32_t find_build(lin_ptx_versions *v, const char *name) {
  for (uint32_t i = 0; i < v->num_builds; i++)
    if (strcmp(v->build[i].name, name) == 0)
      return i;
  v->build = LIN_ROOM(v->arena, v->build, v->num_builds, &v->build_room);
  v->build[v->num_builds].name = name;
  lin_ptx_version_options(name, v->job->options, &v->build[v->num_builds].options);
  return v->num_builds++;
}

// The list was looked at when it was read.
static lin_ptx_versioned read_asked(lin_ptx_versions *v) {
  char message[160];
  lin_versions_asked asked;
  lin_ptx_versioned all = {0};
  const char *list = v->job->options->versions;
  if (list == NULL)
    return all;
  lin_versions_ask(lin_arena_text(v->arena, list, strlen(list)), &asked, message);
  for (uint32_t i = 0; i < asked.count; i++)
    lin_chosen_ask(&all.chosen, asked.name[i], find_build(v, asked.name[i]));
  return all;
}

// A file may have names that only LLVM's front end knows, or another version of linearize.
static const char *find_unknown(const lin_ptx_versions *v, const lin_winners *winners) {
  lin_ptx_options options;
  for (uint32_t i = 0; i < winners->count; i++)
    if (!lin_ptx_version_options(winners->name[i], v->job->options, &options))
      return winners->name[i];
  return NULL;
}

// One winner stands in the kernel's place; several stand beside the plain one.
static void set_winners(lin_ptx_versions *v, lin_ptx_versioned *k, const lin_winners *winners) {
  k->winners = *winners;
  k->chosen.count = 0;
  k->chosen.itself = find_build(v, winners->count == 1 ? winners->name[0] : LIN_VERSIONS_PLAIN);
  for (uint32_t i = 0; i < winners->count && winners->count > 1; i++) {
    assert(winners->name[i] != NULL);
    if (strcmp(winners->name[i], LIN_VERSIONS_PLAIN) != 0)
      lin_chosen_ask(&k->chosen, winners->name[i], find_build(v, winners->name[i]));
  }
}

static bool find_winners(lin_ptx_versions *v, lin_ptx_versioned *k) {
  const lin_winners_file *file = v->job->options->tuned;
  if (file == NULL)
    return false;
  const lin_winners winners =
      lin_winners_of(file, v->module->function[k->chosen.kernel].name, k->hash);
  const char *unknown = find_unknown(v, &winners);
  if (winners.is_of_other_code || unknown != NULL)
    lin_ptx_tell_useless(v, k->chosen.kernel, unknown);
  if (winners.count == 0 || unknown != NULL)
    return false;
  set_winners(v, k, &winners);
  return true;
}

// ---- kernels

// A name of a version, or of what it calls, that something else has, or NULL.
static const char *find_taken(const lin_ptx_versions *v, const lin_ptx_versioned *k,
                              const uint32_t *called, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t b = 1; b < v->num_builds; b++) {
      const char *symbol = lin_ptx_symbol(v, b, called[i]);
      if ((k->chosen.count > 0 || called[i] != k->chosen.kernel) && is_taken(v, symbol))
        return symbol;
    }
  return NULL;
}

static void add_kernel(lin_ptx_versions *v, const lin_ptx_versioned *k, const uint32_t *called,
                       uint32_t count) {
  const char *taken = find_taken(v, k, called, count);
  if (k->chosen.count == 0 && k->winners.count == 0)
    return;
  if (taken == NULL)
    v->versioned[v->num_versioned++] = *k;
  else
    lin_ptx_tell_taken(v, k->chosen.kernel, taken);
}

static void look_at_kernel(lin_ptx_versions *v, lin_ptx_versioned k) {
  const uint32_t asked = v->job->options->max_kernel;
  const uint32_t most = asked == 0 ? LIN_VERSIONS_MOST_INSTRUCTIONS : asked;
  lin_arena scratch = {0};
  uint32_t count, instructions = 0;
  const uint32_t *called = find_called(v, &scratch, k.chosen.kernel, &count);
  k.hash = LIN_FINGERPRINT_START;
  for (uint32_t i = 0; i < count; i++)
    k.hash = lin_ptx_fingerprint(k.hash, v->module, &v->module->function[called[i]],
                                 v->job->summaries, &instructions);
  const bool is_tuned = find_winners(v, &k);
  if (!is_tuned && k.chosen.count > 0 && instructions > most)
    lin_ptx_tell_too_large(v, k.chosen.kernel, instructions, most);
  else
    add_kernel(v, &k, called, count);
  lin_arena_release(&scratch);
}

static void want(lin_ptx_versions *v, const lin_chosen *k) {
  lin_arena scratch = {0};
  uint32_t count;
  const uint32_t *called = find_called(v, &scratch, k->kernel, &count);
  for (uint32_t i = 0; i < count; i++) {
    v->is_wanted[lin_ptx_at(v, k->itself, called[i])] = true;
    for (uint32_t j = 0; j < k->count; j++)
      v->is_wanted[lin_ptx_at(v, k->build[j], called[i])] = true;
  }
  lin_arena_release(&scratch);
}

void lin_ptx_find_kernels(lin_ptx_versions *v) {
  const uint32_t n = v->module->num_functions;
  find_names(v);
  find_calls(v);
  lin_ptx_versioned k = read_asked(v);
  v->versioned = LIN_ARRAY(v->arena, lin_ptx_versioned, n);
  for (k.chosen.kernel = 0; k.chosen.kernel < n; k.chosen.kernel++)
    if (v->module->function[k.chosen.kernel].is_kernel && !is_version(v, k.chosen.kernel) &&
        !is_taken(v, lin_ptx_variable(v, k.chosen.kernel)))
      look_at_kernel(v, k);
  v->is_wanted = LIN_ARRAY(v->arena, bool, v->num_builds *n);
  for (uint32_t i = 0; i < v->num_versioned; i++)
    want(v, &v->versioned[i].chosen);
}
