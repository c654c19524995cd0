// What words like .u32 name. Accepts integers of 1 to 128 bits, floats of 32 and 64; floats of 16
// bits, and pairs of them, are integers here. Promises the same number of bits.
#include "state.h"

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

LLVMTypeRef lin_lift_declared_type(const lin_lift *lift, const lin_ptx_variable *v) {
  const bool is_typed = v->type_end > v->type;
  return is_typed ? lin_lift_type(lift, lift->ptx->text + v->type + 1, v->type_end - v->type - 1)
                  : NULL;
}

LLVMTypeRef lin_lift_scalar(const lin_lift *lift, const lin_ptx_variable *v) {
  LLVMTypeRef found = v->is_plain ? lin_lift_declared_type(lift, v) : NULL;
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
