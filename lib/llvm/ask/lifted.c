#include "lifted.h"

#include "annotations.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <string.h>

static const char kind_name[] = "linearize.lines";

static unsigned kind_of(LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  return LLVMGetMDKindIDInContext(context, kind_name, sizeof kind_name - 1);
}

bool lin_ir_was_ptx(LLVMValueRef function) {
  unsigned length;
  return lin_ir_string_attribute(function, "linearize-ptx", &length) != NULL;
}

void lin_ir_set_source_lines(lin_arena *arena, LLVMValueRef function, const uint32_t *line,
                             const char *const *source, uint32_t count) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMTypeRef word = LLVMInt32TypeInContext(context);
  LLVMMetadataRef *part = LIN_ARRAY(arena, LLVMMetadataRef, 2 * count);
  for (uint32_t i = 0; i < count; i++) {
    part[2 * i] = LLVMValueAsMetadata(LLVMConstInt(word, line[i], false));
    part[2 * i + 1] = LLVMMDStringInContext2(context, source[i], strlen(source[i]));
  }
  LLVMGlobalSetMetadata(function, kind_of(function),
                        LLVMMDNodeInContext2(context, part, 2 * (size_t)count));
}

static LLVMMetadataRef find_node(LLVMValueRef function) {
  size_t count;
  LLVMMetadataRef found = NULL;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
  unsigned kind = kind_of(function);
  for (unsigned i = 0; i < count; i++)
    if (LLVMValueMetadataEntriesGetKind(entries, i) == kind)
      found = LLVMValueMetadataEntriesGetMetadata(entries, i);
  LLVMDisposeValueMetadataEntries(entries);
  return found;
}

const char *lin_ir_source_of_line(LLVMValueRef function, unsigned line, unsigned *length) {
  LLVMMetadataRef node = find_node(function);
  if (node == NULL)
    return NULL;
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMValueRef list = LLVMMetadataAsValue(context, node);
  unsigned low = 0, high = LLVMGetMDNodeNumOperands(list) / 2; // the first pair behind the line
  while (low < high) {
    const unsigned middle = low + (high - low) / 2;
    if (LLVMConstIntGetZExtValue(LLVMGetOperand(list, 2 * middle)) <= line)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? NULL : LLVMGetMDString(LLVMGetOperand(list, 2 * low - 1), length);
}
