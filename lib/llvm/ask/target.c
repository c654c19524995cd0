#include "target.h"

#include "annotations.h"

#include <stdlib.h>
#include <string.h>

static const char runs_on[] = "linearize-target";

void lin_ir_set_target(LLVMValueRef function, const char *target) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(context, runs_on, sizeof runs_on - 1, target,
                                                    (unsigned)strlen(target)));
}

uint32_t lin_ir_target_number(LLVMValueRef function) {
  unsigned length = 0;
  const char *name = lin_ir_string_attribute(function, runs_on, &length);
  if (name == NULL)
    name = lin_ir_string_attribute(function, "target-cpu", &length);
  return name == NULL ? 0 : lin_target_number(name, length);
}

const lin_target *lin_ir_target(LLVMValueRef function) {
  return lin_target_find(lin_ir_target_number(function));
}

// "...,+ptx78,...": 78; 0 if it isn't said.
static unsigned long ptx_version(LLVMValueRef function) {
  static const char word[] = "+ptx";
  unsigned length = 0;
  const char *features = lin_ir_string_attribute(function, "target-features", &length);
  unsigned long version = 0;
  for (const char *at = features; at != NULL && at + strlen(word) < features + length; at++)
    if (memcmp(at, word, strlen(word)) == 0)
      version = strtoul(at + strlen(word), NULL, 10);
  return version;
}

bool lin_ir_has_votes(LLVMValueRef function) {
  enum { PTX_WITH_BOTH = 62, TARGET_WITH_THAT = 75 };
  const char *triple = LLVMGetTarget(LLVMGetGlobalParent(function));
  unsigned long ptx = ptx_version(function);
  return strncmp(triple, "nvptx", 5) == 0 &&
         (ptx > 0 ? ptx >= PTX_WITH_BOTH : lin_ir_target_number(function) >= TARGET_WITH_THAT);
}
