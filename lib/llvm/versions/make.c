#include "make.h"

#include "graph/graph.h"
#include "inspect.h"
#include "names.h"
#include "redirect.h"
#include "refilled.h"
#include "tell.h"
#include "llvm/ask/alone.h"
#include "llvm/ask/annotations.h"
#include "llvm/ask/kernels.h"
#include "llvm/edit/clone.h"
#include "llvm/finish/undefined.h"
#include "llvm/run/options.h"
#include "llvm/run/version_names.h"

#include <string.h>

void lin_ir_drop(const lin_ir_versions *v, LLVMValueRef copy) {
  v->maker->forget(v->maker->context, copy);
  lin_ir_erase(copy);
}

// What is done to copies of a function, its attributes considered: the source's annotations name
// the function alone. False: nothing.
static bool find_options(const lin_ir_versions *v, LLVMValueRef function, uint32_t b,
                         linearize_options *options) {
  *options = v->build[b].options;
  return lin_ir_unwanted(function, v->given->except) == NULL &&
         lin_ir_read_attributes(v->arena, function, options) == NULL;
}

static bool has_nests(const lin_ir_versions *v, LLVMValueRef function,
                      const linearize_options *options) {
  return options->merge_loops && v->maker->has_nests(v->maker->context, function, options);
}

// ---- copies that were made before loops were unrolled

static bool copy_nests(lin_ir_versions *v, LLVMValueRef kernel, uint32_t b) {
  linearize_options options;
  if (!find_options(v, kernel, b, &options) || !has_nests(v, kernel, &options))
    return false;
  const char *name = v->build[b].name;
  lin_ir_mark_nest(lin_ir_clone(kernel, lin_ir_version_symbol(v->arena, kernel, name)), name);
  return true;
}

bool lin_ir_make_nests(lin_ir_versions *v) {
  bool changed = false;
  for (uint32_t i = 0; i < v->num_versioned; i++) {
    const lin_chosen *k = &v->versioned[i].chosen;
    LLVMValueRef kernel = v->versioned[i].kernel;
    changed |= k->itself != 0 && copy_nests(v, kernel, k->itself);
    for (uint32_t j = 0; j < k->count; j++)
      changed |= copy_nests(v, kernel, k->build[j]);
  }
  return changed;
}

// Such a copy, if its nests are still there; else NULL.
static LLVMValueRef find_nests(const lin_ir_versions *v, const char *symbol,
                               const linearize_options *options) {
  LLVMValueRef copy = options->merge_loops ? LLVMGetNamedFunction(v->module, symbol) : NULL;
  if (copy == NULL || !lin_ir_is_nest(copy) || !has_nests(v, copy, options))
    return NULL;
  lin_ir_unmark_nest(copy);
  return copy;
}

// Those that nobody wanted.
static void drop_nests(lin_ir_versions *v) {
  for (LLVMValueRef f = LLVMGetFirstFunction(v->module), next; f != NULL; f = next) {
    next = LLVMGetNextFunction(f);
    if (lin_ir_is_nest(f))
      lin_ir_drop(v, f);
  }
}

// ---- one function

// The first build that made of function `f` what `copy` is, or `b`.
static uint32_t find_same(const lin_ir_versions *v, uint32_t b, uint32_t f, LLVMValueRef copy) {
  for (uint32_t c = 1; c < b; c++) {
    LLVMValueRef code = v->code[lin_ir_at(v, c, f)];
    if (code != NULL && lin_ir_is_same_code(code, copy))
      return c;
  }
  return b;
}

// What a build does to `copy`. Returns whether it does anything.
static bool change(lin_ir_versions *v, uint32_t b, uint32_t f, LLVMValueRef copy,
                   const linearize_options *options) {
  if (!v->maker->linearize(v->maker->context, copy, options))
    return false;
  const uint32_t same = find_same(v, b, f, copy);
  v->own[lin_ir_at(v, b, f)] = same;
  if (same != b)
    lin_ir_drop(v, copy);
  else
    v->code[lin_ir_at(v, b, f)] = copy;
  return true;
}

// Of a kernel as it is before any build.
static void inspect(lin_ir_versions *v, uint32_t f, bool is_line) {
  enum {
    USUAL = 50
  }; // %, of a kernel's work: one that runs ahead each time must leave something to gain
  lin_ir_redirection *r = &v->redirection[f];
  if (r->is_made)
    return;
  const unsigned most = v->given->max_inspector == 0 ? USUAL : v->given->max_inspector;
  const char *symbol = lin_ir_version_symbol(v->arena, v->function[f], LIN_VERSIONS_INSPECTOR);
  *r = (lin_ir_redirection){.is_made = true, .is_line = is_line};
  r->inspector = lin_ir_inspect(v->arena, v->function[f], symbol, is_line, most, &r->why, &r->line);
  if (r->inspector == NULL)
    return;
  linearize_options plain; // its irreducible loops are none for ptxas, either
  lin_ir_version_options(LIN_VERSIONS_PLAIN, v->given, &plain);
  plain.quiet = true;
  v->maker->linearize(v->maker->context, r->inspector, &plain);
  lin_ir_name_version(v->arena, r->inspector, v->function[f], LIN_VERSIONS_INSPECTOR);
}

// A copy that takes other arguments: it is none of build 0's.
static void keep(lin_ir_versions *v, uint32_t b, uint32_t f, LLVMValueRef copy) {
  const uint32_t same = find_same(v, b, f, copy);
  v->own[lin_ir_at(v, b, f)] = same;
  if (same == b)
    v->code[lin_ir_at(v, b, f)] = copy;
  else
    lin_ir_drop(v, copy);
}

// A kernel whose threads do each other's work, and to which is done what `options` say, or nothing.
// False: it is no kernel, or they can't.
static bool redirect(lin_ir_versions *v, uint32_t b, uint32_t f, const char *symbol,
                     const linearize_options *options) {
  LLVMValueRef function = v->function[f];
  if (!lin_ir_is_kernel(function))
    return false;
  const lin_ir_alone alone = lin_ir_find_alone(v->arena, function);
  if (!alone.is_alone) {
    lin_ir_tell_not_redirected(v, function, v->build[b].name, alone.why, alone.where);
    return false;
  }
  inspect(v, f, alone.is_line);
  LLVMValueRef copy = lin_ir_redirect(v->arena, function, symbol, alone.is_line);
  if (options != NULL)
    v->maker->linearize(v->maker->context, copy, options);
  keep(v, b, f, copy);
  return true;
}

// Why the kernel can't be refilled, or NULL.
static const char *refuse_refill(lin_ir_versions *v, uint32_t f, LLVMValueRef *where) {
  const char *why = lin_ir_refuse_refill(v->function[f], where);
  const lin_ir_alone alone = lin_ir_find_alone(v->arena, v->function[f]);
  if (why != NULL || alone.is_alone) {
    v->redirection[f].is_line = alone.is_line;
    return why;
  }
  *where = alone.where;
  return lin_arena_text(v->arena, alone.why, strlen(alone.why));
}

// A kernel to which is done what `options` say, or nothing, and whose lanes then take items: what
// is linearized are the ways of one item. False: it is no kernel, or they can't.
static bool refill(lin_ir_versions *v, uint32_t b, uint32_t f, const char *symbol,
                   const linearize_options *options) {
  LLVMValueRef function = v->function[f], where = NULL, copy = NULL;
  const linearize_options *asked = &v->build[b].options;
  if (!lin_ir_is_kernel(function))
    return false;
  const lin_refill_prediction p = lin_ir_predict_refill(v->arena, function, asked->profile,
                                                        asked->refill_at, asked->refill_every);
  lin_ir_refilling how = {
      .idle_lanes = p.idle_lanes, .steps = p.steps, .regardless = asked->regardless, .block = ""};
  const char *why = refuse_refill(v, f, &where);
  if (why == NULL) {
    copy = lin_ir_copy_for_refill(function, symbol);
    if (options != NULL) {
      linearize_options here = *options;
      here.vote = here.regroup = false; // lanes of a warp are at different items
      v->maker->linearize(v->maker->context, copy, &here);
    }
    v->maker->forget(v->maker->context, copy);
    why = lin_ir_take_items(v->arena, copy, v->redirection[f].is_line, &how);
  }
  if (why == NULL) {
    lin_ir_define_phis(v->arena, copy);
    lin_ir_tell_refilled(v, function, v->build[b].name, &how, &p);
    keep(v, b, f, copy);
    return true;
  }
  if (copy != NULL)
    lin_ir_drop(v, copy);
  lin_ir_tell_not_refilled(v, function, v->build[b].name, why, where, &how, &p);
  return false;
}

// An unchanged copy, and whether some build makes just that.
typedef struct spare {
  LLVMValueRef copy; // or NULL: it is made when it is needed
  bool is_made;
} spare;

// A build that changes something uses the unchanged copy up. One that doesn't has no code of its
// own, and is as in build 0 for the time being.
static void make_build(lin_ir_versions *v, uint32_t b, uint32_t f, spare *unchanged) {
  LLVMValueRef function = v->function[f];
  const char *symbol = lin_ir_version_symbol(v->arena, function, v->build[b].name);
  linearize_options options;
  const bool is_left = !find_options(v, function, b, &options);
  if (v->build[b].options.redirected && redirect(v, b, f, symbol, is_left ? NULL : &options))
    return;
  if (v->build[b].options.refilled && refill(v, b, f, symbol, is_left ? NULL : &options))
    return;
  LLVMValueRef nests = is_left ? NULL : find_nests(v, symbol, &options);
  if (nests != NULL) {
    if (change(v, b, f, nests, &options))
      return;
    lin_ir_drop(v, nests);
  }
  if (unchanged->copy == NULL)
    unchanged->copy = lin_ir_clone(function, symbol);
  LLVMSetValueName2(unchanged->copy, symbol, strlen(symbol)); // for remarks
  if (is_left || !change(v, b, f, unchanged->copy, &options))
    unchanged->is_made = true;
  else
    unchanged->copy = unchanged->is_made ? lin_ir_clone(function, symbol) : NULL;
}

// What build 0 makes, in place.
static bool make_first(lin_ir_versions *v, LLVMValueRef function) {
  return v->maker->linearize(v->maker->context, function, &v->build[0].options);
}

// A kernel that gets the code of another build is left as it is until then; whatever else there is
// may be called by anybody.
static bool needs_first(const lin_ir_versions *v, uint32_t f) {
  return v->is_wanted[lin_ir_at(v, 0, f)] || !lin_ir_is_kernel(v->function[f]);
}

// What others made may be the same, after all.
static void compare_with_first(lin_ir_versions *v, uint32_t f) {
  for (uint32_t b = 1; b < v->num_builds; b++) {
    LLVMValueRef *code = &v->code[lin_ir_at(v, b, f)];
    uint32_t *own = &v->own[lin_ir_at(v, b, f)];
    if (*code == NULL) {
      *own = v->own[lin_ir_at(v, *own, f)];
    } else if (lin_ir_is_same_code(*code, v->function[f])) {
      lin_ir_drop(v, *code);
      *code = NULL;
      *own = 0;
    }
  }
}

// `copy` is what builds make that change nothing, but not build 0.
static void keep_unchanged(lin_ir_versions *v, uint32_t f, LLVMValueRef copy) {
  uint32_t first = 0;
  for (uint32_t b = 1; b < v->num_builds; b++) {
    const uint32_t i = lin_ir_at(v, b, f);
    if (!v->is_wanted[i] || v->own[i] != 0)
      continue;
    if (first == 0) {
      first = b;
      v->code[i] = copy;
    }
    v->own[i] = first;
  }
}

static void make_function(lin_ir_versions *v, uint32_t f) {
  spare unchanged = {NULL, false};
  for (uint32_t b = 1; b < v->num_builds; b++)
    if (v->is_wanted[lin_ir_at(v, b, f)])
      make_build(v, b, f, &unchanged);
  const bool changed = needs_first(v, f) && make_first(v, v->function[f]);
  if (unchanged.is_made && changed)
    keep_unchanged(v, f, unchanged.copy);
  else if (unchanged.copy != NULL)
    lin_ir_drop(v, unchanged.copy);
  compare_with_first(v, f);
}

// ---- all of them

// In the module's order.
void lin_ir_make_builds(lin_ir_versions *v) {
  LLVMValueRef *function = NULL;
  uint32_t count = 0, room = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(v->module); f != NULL; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !lin_ir_is_version(f) && !lin_ir_is_nest(f)) {
      function = LIN_ROOM(v->arena, function, count, &room);
      function[count++] = f;
    }
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t f = lin_numbers_find(&v->number, function[i]);
    if (f == LIN_NONE)
      make_first(v, function[i]);
    else
      make_function(v, f);
  }
  drop_nests(v);
}
