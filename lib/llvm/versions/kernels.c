#include "kernels.h"

#include "fingerprint.h"
#include "graph/graph.h"
#include "names.h"
#include "tell.h"
#include "versions/asked.h"
#include "llvm/ask/calls.h"
#include "llvm/ask/kernels.h"
#include "llvm/run/version_names.h"

#include <assert.h>
#include <string.h>

// ---- what is asked for

static uint32_t find_build(lin_ir_versions *v, const char *name) {
  for (uint32_t i = 0; i < v->num_builds; i++)
    if (strcmp(v->build[i].name, name) == 0)
      return i;
  v->build = LIN_ROOM(v->arena, v->build, v->num_builds, &v->build_room);
  v->build[v->num_builds].name = name;
  lin_ir_version_options(name, v->given, &v->build[v->num_builds].options);
  v->build[v->num_builds].options.quiet |= strcmp(name, LIN_VERSIONS_PLAIN) == 0;
  return v->num_builds++;
}

// The list was looked at when it was read.
static lin_ir_versioned read_asked(lin_ir_versions *v) {
  char message[160];
  lin_versions_asked asked;
  lin_ir_versioned all = {0};
  if (v->given->versions == NULL)
    return all;
  const size_t length = strcspn(v->given->versions, ",;");
  lin_versions_ask(lin_arena_text(v->arena, v->given->versions, length), &asked, message);
  for (uint32_t i = 0; i < asked.count; i++)
    lin_chosen_ask(&all.chosen, asked.name[i], find_build(v, asked.name[i]));
  return all;
}

// A file may have names that only another version of linearize knows.
static const char *find_unknown(const lin_ir_versions *v, const lin_winners *winners) {
  linearize_options options;
  for (uint32_t i = 0; i < winners->count; i++)
    if (!lin_ir_version_options(winners->name[i], v->given, &options))
      return winners->name[i];
  return NULL;
}

static bool takes_more(const lin_ir_versions *v, const char *name) {
  linearize_options options;
  return lin_ir_version_options(name, v->given, &options) &&
         (options.redirected || options.refilled);
}

// One winner stands in the kernel's place; several stand beside the plain one, and so does one that
// takes other arguments.
static void set_winners(lin_ir_versions *v, lin_ir_versioned *k, const lin_winners *winners) {
  k->winners = *winners;
  const bool is_only = winners->count == 1 && !takes_more(v, winners->name[0]);
  k->chosen.count = 0;
  k->chosen.itself = find_build(v, is_only ? winners->name[0] : LIN_VERSIONS_PLAIN);
  for (uint32_t i = 0; i < winners->count && !is_only; i++) {
    assert(winners->name[i] != NULL);
    if (strcmp(winners->name[i], LIN_VERSIONS_PLAIN) != 0)
      lin_chosen_ask(&k->chosen, winners->name[i], find_build(v, winners->name[i]));
  }
}

// ---- kernels

// Those that the host can look up, and that have none.
static bool may_have_versions(const lin_ir_versions *v, LLVMValueRef function) {
  const LLVMLinkage linkage = LLVMGetLinkage(function);
  return !LLVMIsDeclaration(function) && lin_ir_is_kernel(function) &&
         !lin_ir_is_version(function) && !lin_ir_is_nest(function) &&
         linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage &&
         LLVMGetNamedGlobal(v->module, lin_ir_versions_variable(v->arena, function)) == NULL;
}

// Copies that were made before loops were unrolled stand there rightly.
static bool is_free(const lin_ir_versions *v, const char *symbol) {
  LLVMValueRef function = LLVMGetNamedFunction(v->module, symbol);
  return (function == NULL || lin_ir_is_nest(function)) &&
         LLVMGetNamedGlobal(v->module, symbol) == NULL;
}

static bool are_free(const lin_ir_versions *v, const lin_ir_versioned *k) {
  for (uint32_t i = 0; i < k->chosen.count; i++) {
    const char *symbol = lin_ir_version_symbol(v->arena, k->kernel, k->chosen.name[i]);
    if (!is_free(v, symbol)) {
      lin_ir_tell_taken(v, k->kernel, k->chosen.name[i], symbol);
      return false;
    }
  }
  return true;
}

static void add_kernel(lin_ir_versions *v, const lin_ir_versioned *k) {
  if (k->chosen.count == 0 && k->winners.count == 0)
    return;
  v->versioned = LIN_ROOM(v->arena, v->versioned, v->num_versioned, &v->versioned_room);
  v->versioned[v->num_versioned++] = *k;
}

// What the file knows of a kernel, if anything that is of use.
static bool find_winners(lin_ir_versions *v, lin_ir_versioned *k) {
  if (v->file == NULL)
    return false;
  const lin_winners winners = lin_winners_of(v->file, lin_ir_symbol(k->kernel), k->hash);
  const char *unknown = find_unknown(v, &winners);
  if (winners.is_of_other_code || unknown != NULL)
    lin_ir_tell_useless(v, k->kernel, unknown);
  if (winners.count == 0 || unknown != NULL)
    return false;
  set_winners(v, k, &winners);
  return true;
}

void lin_ir_find_kernels(lin_ir_versions *v) {
  const lin_ir_versioned all = read_asked(v);
  const uint32_t most =
      v->given->max_kernel == 0 ? LIN_VERSIONS_MOST_INSTRUCTIONS : v->given->max_kernel;
  for (LLVMValueRef f = LLVMGetFirstFunction(v->module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (!may_have_versions(v, f))
      continue;
    const lin_ir_fingerprint found = lin_ir_find_fingerprint(f);
    lin_ir_versioned k = all;
    k.kernel = f;
    k.hash = found.hash;
    const bool is_tuned = find_winners(v, &k);
    if (!is_tuned && k.chosen.count > 0 && found.instructions > most)
      lin_ir_tell_too_large(v, f, found.instructions, most);
    else if (are_free(v, &k))
      add_kernel(v, &k);
  }
}

void lin_ir_guess_kernels(lin_ir_versions *v) {
  const lin_ir_versioned all = read_asked(v);
  for (LLVMValueRef f = LLVMGetFirstFunction(v->module); f != NULL; f = LLVMGetNextFunction(f)) {
    lin_winners winners = {0};
    if (!may_have_versions(v, f))
      continue;
    if (v->file != NULL)
      winners = lin_winners_of_any(v->file, lin_ir_symbol(f));
    lin_ir_versioned k = all;
    k.kernel = f;
    if (winners.count > 0 && find_unknown(v, &winners) == NULL)
      set_winners(v, &k, &winners);
    add_kernel(v, &k);
  }
}

// ---- functions

static uint32_t number_function(lin_ir_versions *v, LLVMValueRef function) {
  uint32_t number = lin_numbers_find(&v->number, function);
  if (number != LIN_NONE)
    return number;
  v->function = LIN_ROOM(v->arena, v->function, v->num_functions, &v->function_room);
  v->function[v->num_functions] = function;
  lin_numbers_add(v->arena, &v->number, function, v->num_functions);
  return v->num_functions++;
}

static void want(lin_ir_versions *v, const lin_chosen *k, const lin_ir_called *called) {
  for (uint32_t i = 0; i < called->count; i++) {
    const uint32_t f = lin_numbers_find(&v->number, called->function[i]);
    v->is_wanted[lin_ir_at(v, k->itself, f)] = true;
    for (uint32_t j = 0; j < k->count; j++)
      v->is_wanted[lin_ir_at(v, k->build[j], f)] = true;
  }
}

void lin_ir_find_functions(lin_ir_versions *v) {
  lin_ir_called *called = LIN_ARRAY(v->arena, lin_ir_called, v->num_versioned);
  for (uint32_t i = 0; i < v->num_versioned; i++) {
    called[i] = lin_ir_find_called(v->arena, v->versioned[i].kernel);
    for (uint32_t j = 0; j < called[i].count; j++)
      number_function(v, called[i].function[j]);
    v->versioned[i].chosen.kernel = lin_numbers_find(&v->number, v->versioned[i].kernel);
  }
  const uint32_t size = v->num_builds * v->num_functions;
  v->is_wanted = LIN_ARRAY(v->arena, bool, size);
  v->code = LIN_ARRAY(v->arena, LLVMValueRef, size);
  v->own = LIN_ARRAY(v->arena, uint32_t, size);
  v->redirection = LIN_ARRAY(v->arena, lin_ir_redirection, v->num_functions);
  for (uint32_t i = 0; i < v->num_versioned; i++)
    want(v, &v->versioned[i].chosen, &called[i]);
}
