// clang keeps annotations in an array of { function, text, file, line, arguments }:
//   @llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [...]
#include "annotations.h"

#include "versions/excepted.h"

#include <string.h>

// The text of a constant string, without its NUL; NULL if it is something else.
static const char *text_of(LLVMValueRef global, size_t *length) {
  if (LLVMIsAGlobalVariable(global) == NULL)
    return NULL;
  LLVMValueRef value = LLVMGetInitializer(global);
  if (value == NULL || !LLVMIsConstantString(value))
    return NULL;
  const char *bytes = LLVMGetAsString(value, length);
  if (*length == 0 || bytes[*length - 1] != '\0')
    return NULL;
  --*length;
  return bytes;
}

// The text of the first annotation of `function` at or after `*next`, which is moved behind it.
static const char *next_text(LLVMValueRef function, unsigned *next, size_t *length) {
  LLVMValueRef all = LLVMGetNamedGlobal(LLVMGetGlobalParent(function), "llvm.global.annotations");
  LLVMValueRef list = all == NULL ? NULL : LLVMGetInitializer(all);
  unsigned count = list == NULL ? 0 : (unsigned)LLVMGetNumOperands(list);
  while (*next < count) {
    LLVMValueRef entry = LLVMGetOperand(list, (*next)++);
    if (LLVMGetNumOperands(entry) < 2 || LLVMGetOperand(entry, 0) != function)
      continue;
    const char *text = text_of(LLVMGetOperand(entry, 1), length);
    if (text != NULL)
      return text;
  }
  return NULL;
}

static LLVMAttributeRef string_attribute(LLVMValueRef function, const char *name) {
  return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       name, (unsigned)strlen(name));
}

const char *lin_ir_string_attribute(LLVMValueRef function, const char *name, unsigned *length) {
  LLVMAttributeRef attribute = string_attribute(function, name);
  return attribute == NULL ? NULL : LLVMGetStringAttributeValue(attribute, length);
}

bool lin_ir_is_annotated(LLVMValueRef function, const char *text) {
  if (string_attribute(function, text) != NULL)
    return true;
  unsigned next = 0;
  size_t length;
  for (const char *found; (found = next_text(function, &next, &length)) != NULL;)
    if (length == strlen(text) && memcmp(found, text, length) == 0)
      return true;
  return false;
}

const char *lin_ir_unwanted(LLVMValueRef function, const char *except) {
  size_t length;
  if (lin_ir_is_annotated(function, "no-linearize"))
    return "annotated no-linearize";
  return lin_is_excepted(except, LLVMGetValueName2(function, &length)) ? "named by option except"
                                                                       : NULL;
}

const char *lin_ir_annotation(lin_arena *arena, LLVMValueRef function, const char *prefix,
                              unsigned *next) {
  size_t length, head = strlen(prefix);
  for (const char *found; (found = next_text(function, next, &length)) != NULL;)
    if (length >= head && memcmp(found, prefix, head) == 0)
      return lin_arena_text(arena, found + head, length - head);
  return NULL;
}
