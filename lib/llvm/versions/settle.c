#define _POSIX_C_SOURCE 200809L // open_memstream
#include "settle.h"

#include "make.h"
#include "names.h"
#include "tell.h"
#include "llvm/ask/calls.h"
#include "llvm/ask/ends.h"
#include "llvm/ask/spaces.h"
#include "llvm/ask/versions.h"
#include "llvm/edit/clone.h"

#include <llvm-c/Comdat.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = LIN_VERSIONS_MOST - 1 };

// The function that an instruction calls, by its number, if it is one of those; else LIN_NONE.
static uint32_t called_by(const lin_ir_versions *v, LLVMValueRef instruction) {
  LLVMValueRef called = lin_ir_called_by(instruction);
  return called == NULL ? LIN_NONE : lin_numbers_find(&v->number, called);
}

// ---- which stay

static lin_builds find_calls(const lin_ir_versions *v) {
  uint32_t *first = LIN_ARRAY(v->arena, uint32_t, v->num_functions + 1), *callee = NULL;
  uint32_t count = 0, room = 0;
  for (uint32_t f = 0; f < v->num_functions; f++) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(v->function[f]); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
           at = LLVMGetNextInstruction(at)) {
        const uint32_t called = called_by(v, at);
        if (called == LIN_NONE)
          continue;
        callee = LIN_ROOM(v->arena, callee, count, &room);
        callee[count++] = called;
      }
    first[f + 1] = count;
  }
  return (lin_builds){v->num_builds, v->num_functions, v->own, first, callee};
}

// ---- copies

// Where a function's own code is that of an earlier build, but not what it calls, there is a copy
// of that. All copies call the originals until then.
static void complete_copies(const lin_ir_versions *v, const lin_copies *copies) {
  const uint32_t count = v->num_builds * v->num_functions;
  LLVMValueRef *more = LIN_ARRAY(v->arena, LLVMValueRef, count);
  for (uint32_t i = v->num_functions; i < count; i++) {
    const uint32_t b = i / v->num_functions, f = i % v->num_functions, own = v->own[i];
    if (copies->is_kept[i] && own != b)
      more[i] = lin_ir_clone(own == 0 ? v->function[f] : v->code[lin_ir_at(v, own, f)],
                             lin_ir_version_symbol(v->arena, v->function[f], v->build[b].name));
  }
  for (uint32_t i = v->num_functions; i < count; i++)
    if (more[i] != NULL)
      v->code[i] = more[i];
}

static void redirect_calls(const lin_ir_versions *v, const lin_copies *copies, uint32_t b,
                           LLVMValueRef copy) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(copy); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      const uint32_t f = called_by(v, at);
      const uint32_t same = f == LIN_NONE ? 0 : lin_copy_of(copies, b, f);
      if (same != 0)
        LLVMSetOperand(at, (unsigned)LLVMGetNumOperands(at) - 1, v->code[lin_ir_at(v, same, f)]);
    }
}

// What stays calls what it should, and the rest goes.
static void settle_copies(const lin_ir_versions *v, const lin_copies *copies) {
  const uint32_t count = v->num_builds * v->num_functions;
  for (uint32_t i = v->num_functions; i < count; i++)
    if (copies->is_kept[i])
      redirect_calls(v, copies, i / v->num_functions, v->code[i]);
  for (uint32_t i = v->num_functions; i < count; i++)
    if (v->code[i] != NULL && !copies->is_kept[i]) {
      lin_ir_drop(v, v->code[i]);
      v->code[i] = NULL;
    }
}

// ---- what the module has then

// Copies of functions that kernels call are for this module alone.
static void finish_functions(const lin_ir_versions *v) {
  for (uint32_t i = v->num_functions; i < v->num_builds * v->num_functions; i++) {
    LLVMValueRef copy = v->code[i];
    if (copy == NULL || lin_ir_is_version(copy)) // a kernel's
      continue;
    LLVMSetLinkage(copy, LLVMInternalLinkage);
    LLVMSetVisibility(copy, LLVMDefaultVisibility);
    LLVMSetComdat(copy, NULL);
    lin_ir_name_version(v->arena, copy, v->function[i % v->num_functions],
                        v->build[i / v->num_functions].name);
  }
}

// Where the kernel is one of several (a template's), of which the linker takes one, the text is
// this module's own: as one of several it would have to be of the same size everywhere, and another
// module may have other versions. Whichever of them the driver finds, it is right: the linker keeps
// all versions, and each of them is one of every module's kernel.
static void describe(const lin_ir_versions *v, LLVMValueRef kernel, const lin_versions *versions) {
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  if (file == NULL)
    abort();
  lin_versions_write(file, versions);
  fclose(file);
  LLVMValueRef value =
      LLVMConstStringInContext2(LLVMGetModuleContext(v->module), text, length, false);
  LLVMValueRef variable = LLVMAddGlobalInAddressSpace(
      v->module, LLVMTypeOf(value), lin_ir_versions_variable(v->arena, kernel), LIN_IR_GLOBAL);
  LLVMSetInitializer(variable, value);
  LLVMSetGlobalConstant(variable, true);
  if (LLVMGetLinkage(kernel) != LLVMExternalLinkage) {
    LLVMSetLinkage(variable, LLVMInternalLinkage);
    lin_ir_keep_variable(variable);
  }
  free(text);
}

// A redirected or refilled one has one parameter more.
static lin_version_takes takes(const lin_ir_versions *v, const lin_ir_versioned *k, uint32_t b,
                               LLVMValueRef code) {
  const bool is_line = v->redirection[k->chosen.kernel].is_line;
  if (LLVMCountParams(code) == LLVMCountParams(k->kernel))
    return LIN_TAKES_NOTHING;
  if (v->build[b].options.refilled)
    return is_line ? LIN_TAKES_COUNTER_OF_LINE : LIN_TAKES_COUNTER;
  return is_line ? LIN_TAKES_ORDER_OF_LINE : LIN_TAKES_ORDER;
}

// Who launches a version by an order needs something to make it of.
static void finish_inspector(const lin_ir_versions *v, const lin_ir_versioned *k,
                             lin_versions *versions) {
  const lin_ir_redirection *r = &v->redirection[k->chosen.kernel];
  bool is_needed = false;
  for (uint32_t i = 0; i < versions->count; i++) {
    lin_version *version = &versions->version[i];
    if (!lin_takes_order(version->takes))
      continue;
    is_needed = true;
    if (r->inspector != NULL)
      version->inspector = lin_ir_version_symbol(v->arena, k->kernel, LIN_VERSIONS_INSPECTOR);
  }
  if (is_needed && r->inspector == NULL)
    lin_ir_tell_no_inspector(v, k->kernel, r->why, r->line);
  if (!is_needed && r->inspector != NULL)
    lin_ir_drop(v, r->inspector);
}

static void finish_versions(const lin_ir_versions *v, const lin_copies *copies,
                            const lin_ir_versioned *k) {
  const lin_chosen *chosen = &k->chosen;
  lin_versions versions = {.hash = k->hash,
                           .compiler = "LLVM " LLVM_VERSION_STRING,
                           .ends = lin_ir_ends(v->arena, k->kernel)};
  for (uint32_t i = 0; i < chosen->made; i++) {
    if (chosen->like[i] != LIN_NONE)
      continue;
    const char *name = chosen->name[i];
    const uint32_t b = lin_copy_of(copies, chosen->build[i], chosen->kernel);
    LLVMValueRef code = v->code[lin_ir_at(v, b, chosen->kernel)];
    lin_ir_name_version(v->arena, code, k->kernel, name);
    versions.version[versions.count++] = (lin_version){
        name, lin_ir_version_symbol(v->arena, k->kernel, name), takes(v, k, b, code), NULL};
  }
  finish_inspector(v, k, &versions);
  if (versions.count > 0)
    describe(v, k->kernel, &versions);
}

static void finish_itself(const lin_ir_versions *v, const lin_copies *copies,
                          const lin_ir_versioned *k) {
  const uint32_t b = lin_copy_of(copies, k->chosen.itself, k->chosen.kernel);
  if (b == 0)
    return;
  LLVMValueRef *code = &v->code[lin_ir_at(v, b, k->chosen.kernel)];
  v->maker->forget(v->maker->context, k->kernel);
  v->maker->forget(v->maker->context, *code);
  lin_ir_take_code(k->kernel, *code);
  *code = NULL;
}

void lin_ir_settle(lin_ir_versions *v) {
  const uint32_t most = v->given->max_versions == 0 ? MOST : v->given->max_versions;
  const lin_builds builds = find_calls(v);
  lin_copies *copies = lin_copies_compare(v->arena, &builds);
  for (uint32_t i = 0; i < v->num_versioned; i++)
    lin_chosen_find(&v->versioned[i].chosen, copies, most);
  complete_copies(v, copies);
  settle_copies(v, copies);
  for (uint32_t i = 0; i < v->num_versioned; i++) {
    lin_ir_tell_versions(v, &v->versioned[i]);
    finish_versions(v, copies, &v->versioned[i]);
    finish_itself(v, copies, &v->versioned[i]);
  }
  finish_functions(v);
}
