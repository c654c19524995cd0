#include "names.h"

#include "versions.h"
#include "versions/format.h"
#include "llvm/ask/annotations.h"
#include "llvm/edit/clone.h"
#include "llvm/run/version_names.h"

#include <string.h>

static const char of_version[] = "linearize-version", of_nest[] = "linearize-nest";

const char *lin_ir_symbol(LLVMValueRef function) {
  size_t length;
  return LLVMGetValueName2(function, &length);
}

const char *lin_ir_version_symbol(lin_arena *arena, LLVMValueRef function, const char *version) {
  const char *name = lin_ir_symbol(function);
  const size_t size = lin_versions_symbol(NULL, 0, name, version) + 1;
  char *symbol = lin_arena_bytes(arena, size);
  lin_versions_symbol(symbol, size, name, version);
  return symbol;
}

const char *lin_ir_versions_variable(lin_arena *arena, LLVMValueRef kernel) {
  const char *name = lin_ir_symbol(kernel);
  const size_t size = lin_versions_variable(NULL, 0, name) + 1;
  char *symbol = lin_arena_bytes(arena, size);
  lin_versions_variable(symbol, size, name);
  return symbol;
}

static bool has_attribute(LLVMValueRef function, const char *name) {
  unsigned length;
  return lin_ir_string_attribute(function, name, &length) != NULL;
}

static void mark(LLVMValueRef function, const char *name, const char *value) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value,
                                                    (unsigned)strlen(value)));
}

bool lin_ir_is_version(LLVMValueRef function) { return has_attribute(function, of_version); }

void lin_ir_mark_version(LLVMValueRef function, const char *version) {
  mark(function, of_version, version);
}

bool lin_ir_is_nest(LLVMValueRef function) { return has_attribute(function, of_nest); }

void lin_ir_mark_nest(LLVMValueRef function, const char *version) {
  mark(function, of_nest, version);
}

void lin_ir_unmark_nest(LLVMValueRef function) {
  LLVMRemoveStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   of_nest, sizeof of_nest - 1);
}

void lin_ir_name_version(lin_arena *arena, LLVMValueRef copy, LLVMValueRef function,
                         const char *version) {
  const char *symbol = lin_ir_version_symbol(arena, function, version);
  LLVMSetValueName2(copy, symbol, strlen(symbol));
  lin_ir_mark_version(copy, version);
  lin_ir_name_subprogram(copy, function, symbol + strlen(lin_ir_symbol(function)));
}

bool lin_ir_find_nest(LLVMValueRef function, const linearize_options *given,
                      linearize_options *options) {
  unsigned length;
  const char *name = lin_ir_string_attribute(function, of_nest, &length);
  if (name == NULL)
    return false;
  lin_arena arena = {0};
  const bool is_known =
      lin_ir_version_options(lin_arena_text(&arena, name, length), given, options);
  lin_arena_release(&arena);
  return is_known;
}
