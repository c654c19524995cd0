#include "state.h"

#include <stdio.h>
#include <string.h>

LLVMTypeRef lin_lift_type(const lin_lift *lift, const char *text, uint32_t length) {
  static const struct {
    const char *name;
    unsigned bits; // of an integer; 0: a float
  } types[] = {{"pred", 1}, {"b8", 8},   {"u8", 8},   {"s8", 8},    {"b16", 16},
               {"u16", 16}, {"s16", 16}, {"f16", 16}, {"bf16", 16}, {"b32", 32},
               {"u32", 32}, {"s32", 32}, {"f32", 0},  {"b64", 64},  {"f16x2", 32},
               {"u64", 64}, {"s64", 64}, {"f64", 0},  {"b128", 128}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strlen(types[i].name) == length && memcmp(types[i].name, text, length) == 0)
      return types[i].bits > 0 ? LLVMIntTypeInContext(lift->context, types[i].bits)
             : text[1] == '3'  ? LLVMFloatTypeInContext(lift->context)
                               : LLVMDoubleTypeInContext(lift->context);
  return NULL;
}

bool lin_lift_is_float(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

LLVMTypeRef lin_lift_scalar(const lin_lift *lift, lin_ptx_token type) {
  LLVMTypeRef found =
      lin_lift_type(lift, lift->ptx->text + type.start + 1, type.end - type.start - 1);
  if (found == NULL || (lin_lift_bits(found) != 32 && lin_lift_bits(found) != 64))
    return NULL;
  return LLVMIntTypeInContext(lift->context, lin_lift_bits(found));
}

unsigned lin_lift_bits(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMFloatTypeKind:
    return 32;
  case LLVMDoubleTypeKind:
    return 64;
  default:
    return LLVMGetIntTypeWidth(type);
  }
}

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
