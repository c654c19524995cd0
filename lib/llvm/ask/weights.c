#include "weights.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_text(LLVMValueRef operand, const char *text) {
  unsigned length;
  const char *found = operand == NULL ? NULL : LLVMGetMDString(operand, &length);
  return found != NULL && length == strlen(text) && memcmp(found, text, length) == 0;
}

// !{!"branch_weights", i32 1, i32 2}, with !"expected" in between if a __builtin_expect says so.
void lin_ir_weights(LLVMValueRef terminator, unsigned profile_kind, uint32_t *weight) {
  LLVMValueRef profile = LLVMGetMetadata(terminator, profile_kind);
  unsigned successors = LLVMGetNumSuccessors(terminator);
  unsigned count = profile == NULL ? 0 : LLVMGetMDNodeNumOperands(profile);
  if (count <= successors)
    return;
  LLVMValueRef *operand = malloc(count * sizeof(LLVMValueRef));
  if (operand == NULL)
    abort();
  LLVMGetMDNodeOperands(profile, operand);
  unsigned first = count > 1 && is_text(operand[1], "expected") ? 2 : 1;
  bool fits = is_text(operand[0], "branch_weights") && count == first + successors;
  for (unsigned i = 0; fits && i < successors; i++)
    fits = operand[first + i] != NULL && LLVMIsAConstantInt(operand[first + i]);
  for (unsigned i = 0; fits && i < successors; i++)
    weight[i] = (uint32_t)LLVMConstIntGetZExtValue(operand[first + i]);
  free(operand);
}
