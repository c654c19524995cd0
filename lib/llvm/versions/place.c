#include "place.h"

#include <stdio.h>

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

LLVMValueRef lin_ir_read_register(const lin_ir_site *s, const char *name, int axis) {
  char text[64];
  const int length =
      snprintf(text, sizeof text, "llvm.nvvm.read.ptx.sreg.%s.%c", name, "xyz"[axis]);
  const unsigned id = LLVMLookupIntrinsicID(text, (size_t)length);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(s->module, id, NULL, 0);
  return LLVMBuildCall2(s->builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
}

static LLVMValueRef multiply_add(const lin_ir_site *s, LLVMValueRef a, LLVMValueRef b,
                                 LLVMValueRef c) {
  return LLVMBuildAdd(s->builder, LLVMBuildMul(s->builder, a, b, ""), c, "");
}

// The place of `index` among all of `number`, x first.
static LLVMValueRef flatten(const lin_ir_site *s, const char *index, const char *number, int axes) {
  LLVMValueRef place = lin_ir_read_register(s, index, axes - 1);
  for (int axis = axes - 2; axis >= 0; axis--)
    place = multiply_add(s, place, lin_ir_read_register(s, number, axis),
                         lin_ir_read_register(s, index, axis));
  return place;
}

LLVMValueRef lin_ir_threads_of_block(const lin_ir_site *s, int axes) {
  LLVMValueRef threads = lin_ir_read_register(s, "ntid", 0);
  for (int axis = 1; axis < axes; axis++)
    threads = LLVMBuildMul(s->builder, threads, lin_ir_read_register(s, "ntid", axis), "");
  return threads;
}

LLVMValueRef lin_ir_place_of_thread(const lin_ir_site *s, int axes) {
  LLVMValueRef block = flatten(s, "ctaid", "nctaid", axes);
  return multiply_add(s, block, lin_ir_threads_of_block(s, axes), flatten(s, "tid", "ntid", axes));
}

LLVMValueRef lin_ir_element_at(const lin_ir_site *s, LLVMValueRef words, LLVMValueRef place) {
  LLVMValueRef wide = LLVMBuildZExt(s->builder, place, LLVMInt64TypeInContext(s->context), "");
  return LLVMBuildGEP2(s->builder, s->word, words, &wide, 1, "");
}
