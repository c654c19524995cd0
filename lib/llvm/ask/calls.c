#include "calls.h"

#include "graph/graph.h"
#include "kernels.h"
#include "numbers.h"

static bool is_final(LLVMValueRef function) {
  switch (LLVMGetLinkage(function)) {
  case LLVMWeakAnyLinkage:
  case LLVMLinkOnceAnyLinkage:
  case LLVMExternalWeakLinkage:
    return false;
  default:
    return !LLVMIsDeclaration(function);
  }
}

LLVMValueRef lin_ir_called_by(LLVMValueRef instruction) {
  if (LLVMIsACallInst(instruction) == NULL)
    return NULL;
  LLVMValueRef function = LLVMGetCalledValue(instruction);
  if (LLVMIsAFunction(function) == NULL || !is_final(function) || lin_ir_is_kernel(function))
    return NULL;
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  bool is_plain = type == LLVMGetCalledFunctionType(instruction) && !LLVMIsFunctionVarArg(type);
  return is_plain ? function : NULL;
}

static void add(lin_arena *arena, lin_ir_called *called, lin_numbers *seen, LLVMValueRef function) {
  if (lin_numbers_find(seen, function) != LIN_NONE)
    return;
  lin_numbers_add(arena, seen, function, called->count);
  called->function = LIN_ROOM(arena, called->function, called->count, &called->capacity);
  called->function[called->count++] = function;
}

lin_ir_called lin_ir_find_called(lin_arena *arena, LLVMValueRef kernel) {
  lin_ir_called called = {NULL, 0, 0};
  lin_numbers seen = {0};
  add(arena, &called, &seen, kernel);
  for (uint32_t i = 0; i < called.count; i++)
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(called.function[i]); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
           at = LLVMGetNextInstruction(at)) {
        LLVMValueRef function = lin_ir_called_by(at);
        if (function != NULL)
          add(arena, &called, &seen, function);
      }
  return called;
}
