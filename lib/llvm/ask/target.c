#include "target.h"

#include "annotations.h"

uint32_t lin_ir_target_number(LLVMValueRef function) {
  unsigned length = 0;
  const char *name = lin_ir_string_attribute(function, "target-cpu", &length);
  return name == NULL ? 0 : lin_target_number(name, length);
}

const lin_target *lin_ir_target(LLVMValueRef function) {
  return lin_target_find(lin_ir_target_number(function));
}
