#include "launch_bounds.h"

#include "annotations.h"
#include "versions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES "nvvm.annotations"

static bool is_text(LLVMValueRef part, const char *text) {
  unsigned length = 0;
  const char *found = LLVMIsAMDString(part) == NULL ? NULL : LLVMGetMDString(part, &length);
  return found != NULL && length == strlen(text) && memcmp(found, text, length) == 0;
}

// A line is a function, and names with their numbers behind.
static uint64_t number_in_line(LLVMValueRef line, LLVMValueRef function, const char *name) {
  unsigned count = LLVMGetMDNodeNumOperands(line);
  uint64_t found = 0;
  LLVMValueRef *part = calloc(count + 1, sizeof(LLVMValueRef));
  if (part == NULL)
    abort();
  LLVMGetMDNodeOperands(line, part);
  for (unsigned i = 1; part[0] == function && i + 1 < count && found == 0; i += 2)
    if (is_text(part[i], name) && LLVMIsAConstantInt(part[i + 1]) != NULL)
      found = LLVMConstIntGetZExtValue(part[i + 1]);
  free(part);
  return found;
}

uint64_t lin_ir_nvvm_annotation(LLVMValueRef function, const char *name) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  unsigned count = LLVMGetNamedMetadataNumOperands(module, LINES);
  uint64_t found = 0;
  LLVMValueRef *line = calloc(count + 1, sizeof(LLVMValueRef));
  if (line == NULL)
    abort();
  LLVMGetNamedMetadataOperands(module, LINES, line);
  for (unsigned i = 0; i < count && found == 0; i++)
    found = number_in_line(line[i], function, name);
  free(line);
  return found;
}

bool lin_ir_is_bounded(LLVMValueRef function) {
  static const char *const attribute[] = {"nvvm.maxnreg", "nvvm.minctasm", "nvvm.maxntid",
                                          "nvvm.reqntid"};
  static const char *const annotation[] = {"maxnreg",  "minctasm", "maxntidx", "maxntidy",
                                           "maxntidz", "reqntidx", "reqntidy", "reqntidz"};
  unsigned length;
  for (unsigned i = 0; i < sizeof attribute / sizeof *attribute; i++)
    if (lin_ir_string_attribute(function, attribute[i], &length) != NULL)
      return true;
  for (unsigned i = 0; i < sizeof annotation / sizeof *annotation; i++)
    if (lin_ir_nvvm_annotation(function, annotation[i]) != 0)
      return true;
  return false;
}

static void add_attribute(LLVMValueRef function, const char *name, uint32_t number) {
  char text[16];
  snprintf(text, sizeof text, "%u", number);
  LLVMAddAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(LLVMGetModuleContext(LLVMGetGlobalParent(function)), name,
                                (unsigned)strlen(name), text, (unsigned)strlen(text)));
}

static void add_line(LLVMValueRef function, const char *name, uint32_t number) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMMetadataRef part[] = {
      LLVMValueAsMetadata(function), LLVMMDStringInContext2(context, name, strlen(name)),
      LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), number, false))};
  LLVMAddNamedMetadataOperand(
      module, LINES,
      LLVMMetadataAsValue(context,
                          LLVMMDNodeInContext2(context, part, sizeof part / sizeof *part)));
}

void lin_ir_bound_registers(LLVMValueRef function, uint32_t registers) {
  if (LIN_BOUNDS_ARE_ATTRIBUTES)
    add_attribute(function, "nvvm.maxnreg", registers);
  else
    add_line(function, "maxnreg", registers);
}
