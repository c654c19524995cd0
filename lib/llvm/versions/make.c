#include "make.h"

#include "clone.h"
#include "names.h"
#include "graph/graph.h"
#include "llvm/ask/annotations.h"
#include "llvm/ask/kernels.h"
#include "llvm/run/options.h"

#include <string.h>

void lin_ir_drop(const lin_ir_versions *v, LLVMValueRef copy) {
  v->maker->forget(v->maker->context, copy);
  lin_ir_erase(copy);
}

// What is done to copies of a function, its attributes considered: the source's annotations name the
// function alone. False: nothing.
static bool find_options(const lin_ir_versions *v, LLVMValueRef function, uint32_t b,
                         linearize_options *options) {
  *options = v->build[b].options;
  return !lin_ir_is_annotated(function, "no-linearize") &&
         lin_ir_read_attributes(v->arena, function, options) == NULL;
}

static bool has_nests(const lin_ir_versions *v, LLVMValueRef function,
                      const linearize_options *options) {
  return options->merge_loops && v->maker->has_nests(v->maker->context, function, options);
}

// ---- copies that were made before loops were unrolled

bool lin_ir_make_nests(lin_ir_versions *v) {
  bool changed = false;
  linearize_options options;
  for (uint32_t i = 0; i < v->num_versioned; i++)
    for (uint32_t j = 0; j < v->versioned[i].count; j++) {
      LLVMValueRef kernel = v->versioned[i].kernel;
      const uint32_t b = v->versioned[i].build[j];
      const char *name = v->build[b].name;
      if (!find_options(v, kernel, b, &options) || !has_nests(v, kernel, &options))
        continue;
      lin_ir_mark_version(lin_ir_clone(kernel, lin_ir_version_symbol(v->arena, kernel, name)),
                          name);
      changed = true;
    }
  return changed;
}

// Such a copy, if its nests are still there; else NULL, and there is none any more.
static LLVMValueRef find_nests(const lin_ir_versions *v, LLVMValueRef function, const char *symbol,
                               const linearize_options *options) {
  LLVMValueRef copy = options->merge_loops ? LLVMGetNamedFunction(v->module, symbol) : NULL;
  if (copy == NULL || !lin_ir_is_kernel(function) || !lin_ir_is_version(copy))
    return NULL;
  lin_ir_unmark_version(copy);
  if (has_nests(v, copy, options))
    return copy;
  lin_ir_drop(v, copy);
  return NULL;
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

// `*spare` is an unchanged copy, or NULL: it is made when it is needed, and used up when it is changed.
// What stays unchanged has no code of its own, and is as in build 0 for the time being.
static void make_build(lin_ir_versions *v, uint32_t b, uint32_t f, LLVMValueRef *spare) {
  LLVMValueRef function = v->function[f];
  linearize_options options;
  if (!find_options(v, function, b, &options))
    return;
  const char *symbol = lin_ir_version_symbol(v->arena, function, v->build[b].name);
  LLVMValueRef nests = find_nests(v, function, symbol, &options);
  if (nests != NULL) {
    if (change(v, b, f, nests, &options))
      return;
    lin_ir_drop(v, nests);
  }
  if (*spare == NULL)
    *spare = lin_ir_clone(function, symbol);
  LLVMSetValueName2(*spare, symbol, strlen(symbol)); // for remarks
  if (change(v, b, f, *spare, &options))
    *spare = NULL;
}

// What build 0 makes, in place.
static bool make_first(lin_ir_versions *v, LLVMValueRef function) {
  return v->maker->linearize(v->maker->context, function, &v->build[0].options);
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

// `spare` is what builds make that change nothing, but not build 0.
static void keep_unchanged(lin_ir_versions *v, uint32_t f, LLVMValueRef spare) {
  uint32_t first = 0;
  for (uint32_t b = 1; b < v->num_builds; b++) {
    const uint32_t i = lin_ir_at(v, b, f);
    if (!v->is_wanted[i] || v->own[i] != 0)
      continue;
    if (first == 0) {
      first = b;
      v->code[i] = spare;
    }
    v->own[i] = first;
  }
}

static void make_function(lin_ir_versions *v, uint32_t f) {
  LLVMValueRef spare = NULL;
  for (uint32_t b = 1; b < v->num_builds; b++)
    if (v->is_wanted[lin_ir_at(v, b, f)])
      make_build(v, b, f, &spare);
  const bool changed = make_first(v, v->function[f]);
  if (spare != NULL && changed)
    keep_unchanged(v, f, spare);
  else if (spare != NULL)
    lin_ir_drop(v, spare);
  compare_with_first(v, f);
}

// ---- all of them

// In the module's order.
void lin_ir_make_builds(lin_ir_versions *v) {
  LLVMValueRef *function = NULL;
  uint32_t count = 0, room = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(v->module); f != NULL; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !lin_ir_is_version(f)) {
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
}
