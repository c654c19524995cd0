#include "place.h"

#include <string.h>

lin_ir_site lin_ir_begin_site(LLVMValueRef kernel) {
  LLVMModuleRef module = LLVMGetGlobalParent(kernel);
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel));
  while (LLVMIsAAllocaInst(at) != NULL)
    at = LLVMGetNextInstruction(at);
  const lin_ir_site s = {module, context, LLVMCreateBuilderInContext(context),
                         LLVMInt32TypeInContext(context)};
  LLVMPositionBuilderBefore(s.builder, at);
  return s;
}

LLVMValueRef lin_ir_read_register(const lin_ir_site *s, lin_nvptx_family family, int axis) {
  char text[LIN_NVPTX_NAME];
  const char *name = lin_nvptx_reads(family, axis, text);
  const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(s->module, id, NULL, 0);
  return LLVMBuildCall2(s->builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
}

static LLVMValueRef multiply_add(const lin_ir_site *s, LLVMValueRef a, LLVMValueRef b,
                                 LLVMValueRef c) {
  return LLVMBuildAdd(s->builder, LLVMBuildMul(s->builder, a, b, ""), c, "");
}

// The place of `index` among all of `number`, x first.
static LLVMValueRef flatten(const lin_ir_site *s, lin_nvptx_family index, lin_nvptx_family number,
                            int axes) {
  LLVMValueRef place = lin_ir_read_register(s, index, axes - 1);
  for (int axis = axes - 2; axis >= 0; axis--)
    place = multiply_add(s, place, lin_ir_read_register(s, number, axis),
                         lin_ir_read_register(s, index, axis));
  return place;
}

LLVMValueRef lin_ir_threads_of_block(const lin_ir_site *s, int axes) {
  LLVMValueRef threads = lin_ir_read_register(s, LIN_NVPTX_NTID, 0);
  for (int axis = 1; axis < axes; axis++)
    threads = LLVMBuildMul(s->builder, threads, lin_ir_read_register(s, LIN_NVPTX_NTID, axis), "");
  return threads;
}

LLVMValueRef lin_ir_place_of_thread(const lin_ir_site *s, int axes) {
  LLVMValueRef block = flatten(s, LIN_NVPTX_CTAID, LIN_NVPTX_NCTAID, axes);
  return multiply_add(s, block, lin_ir_threads_of_block(s, axes),
                      flatten(s, LIN_NVPTX_TID, LIN_NVPTX_NTID, axes));
}

LLVMValueRef lin_ir_element_at(const lin_ir_site *s, LLVMValueRef words, LLVMValueRef place) {
  LLVMValueRef wide = LLVMBuildZExt(s->builder, place, LLVMInt64TypeInContext(s->context), "");
  return LLVMBuildGEP2(s->builder, s->word, words, &wide, 1, "");
}
