#include "state.h"

#include <string.h>

bool lin_lift_refuse(lin_lifting *l, uint32_t place, const char *reason) {
  if (l->refused == NULL) {
    l->refused = reason;
    l->refused_at = place;
  }
  return false;
}

void lin_lift_cut(lin_lifting *l, uint32_t at) {
  const lin_ptx_instruction *i = &l->body->instruction[at];
  const char *text = l->body->module->text + i->name;
  uint32_t length = i->operands - i->name, start = 0;
  l->opcode.count = 0;
  for (uint32_t end = 0; end <= length; end++) {
    if (end < length && text[end] != '.')
      continue;
    if (l->opcode.count == LIN_LIFT_PARTS) // then no rule knows it
      break;
    l->opcode.part[l->opcode.count] = text + start;
    l->opcode.length[l->opcode.count++] = end - start;
    start = end + 1;
  }
  lin_ptx_operands_read(l->arena, l->body, at, &l->operands);
}

static LLVMAttributeRef attribute_of(LLVMValueRef value, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMCreateEnumAttribute(LLVMGetTypeContext(LLVMTypeOf(value)), kind, 0);
}

void lin_lift_mark(LLVMValueRef function, const char *attribute) {
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          attribute_of(function, attribute));
}

void lin_lift_mark_call(LLVMValueRef call, const char *attribute) {
  LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                           attribute_of(call, attribute));
}
