// A loop's metadata hangs on the branches that go around it: a node of which the first operand is
// the node itself, and the others say something of the loop each.
#include "rolled.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

static const char unroll[] = "llvm.loop.unroll.";

static bool says_how_to_unroll(LLVMValueRef property) {
  if (LLVMIsAMDNode(property) == NULL || LLVMGetMDNodeNumOperands(property) == 0)
    return false;
  LLVMValueRef first;
  LLVMGetMDNodeOperands(property, &first);
  unsigned length;
  const char *text =
      first == NULL || LLVMIsAMDString(first) == NULL ? NULL : LLVMGetMDString(first, &length);
  return text != NULL && length >= strlen(unroll) && memcmp(text, unroll, strlen(unroll)) == 0;
}

// `old` with one more property, or NULL if it needs none.
static LLVMValueRef with_property(LLVMContextRef context, LLVMValueRef old) {
  unsigned count = old == NULL ? 1 : (unsigned)LLVMGetMDNodeNumOperands(old);
  LLVMValueRef *values = calloc(count, sizeof *values);
  LLVMMetadataRef *operands = calloc(count + 1, sizeof(LLVMMetadataRef));
  if (values == NULL || operands == NULL)
    abort();
  if (old != NULL)
    LLVMGetMDNodeOperands(old, values);
  bool said = false;
  for (unsigned i = 1; i < count; i++) {
    said |= says_how_to_unroll(values[i]);
    operands[i] = LLVMValueAsMetadata(values[i]);
  }
  LLVMValueRef result = NULL;
  if (!said) {
    LLVMMetadataRef name = LLVMMDStringInContext2(context, "llvm.loop.unroll.disable", 24);
    LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0);
    operands[0] = self;
    operands[count] = LLVMMDNodeInContext2(context, &name, 1);
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, operands, count + 1);
    result = LLVMMetadataAsValue(context, node);
    LLVMMetadataReplaceAllUsesWith(self, node);
  }
  free(values);
  free(operands);
  return result;
}

bool lin_ir_keep_rolled(const lin_ir_function *f, const lin_result *result) {
  const lin_graph *ordered = result->analysis->graph;
  const lin_loops *loops = result->analysis->loops;
  const bool *merged = result->nests->merged;
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function));
  unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", 9);
  bool *has_merged = calloc(loops->num_loops, sizeof *has_merged);
  if (has_merged == NULL)
    abort();
  for (uint32_t loop = 1; loop < loops->num_loops; loop++)
    has_merged[loops->tree->parent[loop]] |= merged[loop];
  bool any = false;
  for (lin_edge edge = 0; edge < ordered->num_edges; edge++) {
    uint32_t loop = lin_loop_around(loops, ordered, edge);
    if (!merged[loop] && !has_merged[loop])
      continue;
    lin_block block = result->order->origin[ordered->source[edge]];
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(f->block[block]);
    LLVMValueRef node = with_property(context, LLVMGetMetadata(branch, kind));
    if (node != NULL)
      LLVMSetMetadata(branch, kind, node);
    any |= node != NULL;
  }
  free(has_merged);
  return any;
}
