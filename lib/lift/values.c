// Operands as values, results as stack slots. Accepts registers, numbers and variables. Promises: a
// value of the type that was asked for, with PTX's bits; a register that was never set has one
// value, whatever it is; NULL for all else.
#include "state.h"

#include <stdio.h>
#include <string.h>

// A register's value before it is set is anything, but one thing.
static LLVMValueRef slot_of(lin_lifting *l, uint32_t reg) {
  if (l->slot[reg] == NULL) {
    l->slot[reg] = LLVMBuildAlloca(l->entry, l->type[reg], "");
    if (l->is_set_first[reg])
      return l->slot[reg];
    LLVMValueRef anything = LLVMBuildFreeze(l->entry, LLVMGetUndef(l->type[reg]), "");
    LLVMBuildStore(l->entry, anything, l->slot[reg]);
  }
  return l->slot[reg];
}

LLVMValueRef lin_lift_register(lin_lifting *l, uint32_t reg) {
  LLVMValueRef slot = slot_of(l, reg);
  return LLVMBuildLoad2(l->builder, l->type[reg], slot, "");
}

static LLVMTypeRef integer_of(const lin_lifting *l, LLVMTypeRef type) {
  return LLVMIntTypeInContext(l->lift->context, lin_lift_bits(type));
}

static LLVMValueRef as_bits(lin_lifting *l, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return lin_lift_is_float(type) ? LLVMBuildBitCast(l->builder, value, integer_of(l, type), "")
                                 : value;
}

static LLVMValueRef convert(lin_lifting *l, LLVMValueRef value, LLVMTypeRef to, bool is_signed) {
  if (LLVMTypeOf(value) == to)
    return value;
  value = as_bits(l, value);
  unsigned bits = lin_lift_bits(LLVMTypeOf(value)), wanted = lin_lift_bits(to);
  LLVMTypeRef integer = integer_of(l, to);
  if (bits > wanted)
    value = LLVMBuildTrunc(l->builder, value, integer, "");
  else if (bits < wanted)
    value = is_signed ? LLVMBuildSExt(l->builder, value, integer, "")
                      : LLVMBuildZExt(l->builder, value, integer, "");
  return lin_lift_is_float(to) ? LLVMBuildBitCast(l->builder, value, to, "") : value;
}

static LLVMValueRef float_of(const lin_lifting *l, const lin_ptx_operand *o) {
  unsigned bits = o->digits == 8 ? 32 : 64;
  LLVMValueRef number = LLVMConstInt(LLVMIntTypeInContext(l->lift->context, bits),
                                     (unsigned long long)o->value, false);
  return LLVMConstBitCast(number, bits == 32 ? LLVMFloatTypeInContext(l->lift->context)
                                             : LLVMDoubleTypeInContext(l->lift->context));
}

// %tid.x, WARP_SZ: those that LLVM has a function for.
static LLVMValueRef special_register(lin_lifting *l, const lin_ptx_operand *o) {
  const char *text = l->body->module->text + o->start;
  size_t length = o->end - o->start;
  if (length == 7 && memcmp(text, "WARP_SZ", 7) == 0)
    return LLVMConstInt(LLVMInt32TypeInContext(l->lift->context), 32, false);
  static const char *const same[] = {"tid.",   "ntid.",      "ctaid.",   "nctaid.",
                                     "laneid", "clusterid.", "cluster_", NULL};
  if (text[0] != '%')
    return NULL;
  for (const char *const *name = same; *name != NULL; name++)
    if (length > strlen(*name) - 0 && strncmp(text + 1, *name, strlen(*name)) == 0) {
      char intrinsic[96];
      snprintf(intrinsic, sizeof intrinsic, "llvm.nvvm.read.ptx.sreg.%.*s", (int)length - 1,
               text + 1);
      for (char *at = intrinsic + strlen("llvm.nvvm.read.ptx.sreg."); *at != '\0'; at++)
        if (*at == '_')
          *at = '.';
      return lin_lift_intrinsic(l, intrinsic, NULL, NULL, 0);
    }
  return NULL;
}

static LLVMValueRef raw_of(lin_lifting *l, const lin_ptx_operand *o, LLVMTypeRef type) {
  const lin_lift_variable *v;
  switch (o->kind) {
  case LIN_PTX_OPERAND_REGISTER:
    return o->is_part ? NULL : lin_lift_register(l, o->reg);
  case LIN_PTX_OPERAND_NUMBER:
    return lin_lift_is_float(type)
               ? NULL
               : LLVMConstInt(
                     type, lin_lift_bits(type) == 1 ? o->value != 0 : (unsigned long long)o->value,
                     true);
  case LIN_PTX_OPERAND_FLOAT:
    return float_of(l, o);
  case LIN_PTX_OPERAND_NAME:
    v = lin_lift_find_variable(l, o->start, o->end);
    if (v == NULL)
      return special_register(l, o);
    return LLVMBuildPtrToInt(l->builder, lin_lift_pointer_to(l, v),
                             LLVMInt64TypeInContext(l->lift->context), "");
  default:
    return NULL;
  }
}

LLVMValueRef lin_lift_get(lin_lifting *l, const lin_ptx_operand *o, LLVMTypeRef type,
                          bool resizes) {
  LLVMValueRef value = raw_of(l, o, type);
  if (value == NULL)
    return NULL;
  unsigned bits = lin_lift_bits(LLVMTypeOf(value));
  if (bits != lin_lift_bits(type) && !resizes)
    return NULL;
  value = convert(l, value, type, false);
  if (o->is_negated)
    value = LLVMBuildNot(l->builder, value, "");
  return value;
}

void lin_lift_set_register(lin_lifting *l, uint32_t reg, LLVMValueRef value, bool is_signed) {
  LLVMValueRef slot = slot_of(l, reg);
  LLVMBuildStore(l->builder, convert(l, value, l->type[reg], is_signed), slot);
}

bool lin_lift_set(lin_lifting *l, const lin_ptx_operand *o, LLVMValueRef value, bool is_signed) {
  bool is_sink = o->kind == LIN_PTX_OPERAND_NAME && o->end - o->start == 1 &&
                 l->body->module->text[o->start] == '_';
  if (is_sink)
    return true;
  if (o->kind != LIN_PTX_OPERAND_REGISTER || o->is_part)
    return false;
  lin_lift_set_register(l, o->reg, value, is_signed);
  return true;
}

LLVMValueRef lin_lift_intrinsic(lin_lifting *l, const char *name, LLVMTypeRef type,
                                LLVMValueRef *argument, unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  if (id == 0 || LLVMIntrinsicIsOverloaded(id) != (type != NULL))
    return NULL;
  size_t overloads = type != NULL;
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(l->lift->module, id, &type, overloads);
  LLVMTypeRef signature = LLVMGlobalGetValueType(function);
  return LLVMBuildCall2(l->builder, signature, function, argument, count, "");
}
