#include "redirect.h"

#include "index.h"
#include "llvm/ask/spaces.h"
#include "llvm/edit/clone.h"

static LLVMValueRef look_up(const lin_ir_site *s, LLVMValueRef order, LLVMValueRef place) {
  LLVMValueRef at = lin_ir_element_at(s, order, place);
  LLVMValueRef thread = LLVMBuildLoad2(s->builder, s->word, at, "thread");
  LLVMSetMetadata(thread, LLVMGetMDKindIDInContext(s->context, "invariant.load", 14),
                  LLVMMetadataAsValue(s->context, LLVMMDNodeInContext2(s->context, NULL, 0)));
  return thread;
}

LLVMValueRef lin_ir_redirect(lin_arena *arena, LLVMValueRef kernel, const char *name,
                             bool is_line) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel));
  LLVMValueRef copy =
      lin_ir_clone_with(kernel, name, LLVMPointerTypeInContext(context, LIN_IR_GLOBAL), "order");
  const lin_ir_index index = lin_ir_find_index(arena, copy);
  if (index.count == 0)
    return copy;
  const lin_ir_site s = lin_ir_begin_site(copy);
  LLVMValueRef place = lin_ir_place_of_thread(&s, is_line ? 1 : LIN_IR_AXES);
  lin_ir_replace_index(&s, copy, &index, look_up(&s, LLVMGetLastParam(copy), place), is_line);
  LLVMDisposeBuilder(s.builder);
  return copy;
}
