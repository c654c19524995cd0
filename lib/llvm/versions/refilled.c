#include "refilled.h"

#include "index.h"
#include "llvm/ask/spaces.h"
#include "llvm/edit/clone.h"

LLVMValueRef lin_ir_copy_for_refill(LLVMValueRef kernel, const char *name) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel));
  return lin_ir_clone_with(kernel, name, LLVMPointerTypeInContext(context, LIN_IR_GLOBAL),
                           "counter");
}

const char *lin_ir_take_items(lin_arena *arena, LLVMValueRef copy, bool is_line,
                              lin_ir_refilling *how) {
  const lin_ir_index index = lin_ir_find_index(arena, copy);
  const lin_ir_site s = lin_ir_begin_site(copy);
  how->item = LLVMBuildAlloca(s.builder, s.word, "linearize.item");
  LLVMValueRef number = LLVMBuildLoad2(s.builder, s.word, how->item, "item");
  lin_ir_replace_index(&s, copy, &index, number, is_line);
  LLVMDisposeBuilder(s.builder);
  return lin_ir_refill(arena, copy, how);
}
