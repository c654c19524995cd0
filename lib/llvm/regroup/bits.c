// Structures are nested as deep as a type is written, which recursion follows.
#include "bits.h"

#include <llvm-c/Target.h>

enum { PLAIN = UINT32_MAX }; // no fields

static uint32_t fields_of(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    return LLVMCountStructElementTypes(type);
  case LLVMArrayTypeKind:
    return (uint32_t)LLVMGetArrayLength2(type);
  default:
    return PLAIN;
  }
}

static LLVMTypeRef field_type(LLVMTypeRef type, uint32_t field) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, field)
                                                     : LLVMGetElementType(type);
}

static uint32_t size_of(LLVMModuleRef module, LLVMTypeRef type) {
  return (uint32_t)LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(module), type);
}

static bool is_plain(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    type = LLVMGetElementType(type);
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
  case LLVMFP128TypeKind:
  case LLVMPointerTypeKind:
    return true;
  default:
    return false;
  }
}

bool lin_ir_add_bits(lin_arena *arena, LLVMModuleRef module, LLVMTypeRef type, lin_ir_bits *to) {
  uint32_t fields = fields_of(type);
  if (fields == PLAIN) {
    if (!is_plain(type))
      return false;
    to->bits = LIN_ROOM(arena, to->bits, to->count, &to->capacity);
    to->bits[to->count++] = size_of(module, type);
    return true;
  }
  for (uint32_t i = 0; i < fields; i++)
    if (!lin_ir_add_bits(arena, module, field_type(type, i), to))
      return false;
  return true;
}

// The type as which a plain value goes through a bitcast: pointers have become integers.
static LLVMTypeRef without_pointers(const lin_ir_emitter *e, LLVMTypeRef type) {
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  LLVMTypeRef element = is_vector ? LLVMGetElementType(type) : type;
  if (LLVMGetTypeKind(element) != LLVMPointerTypeKind)
    return type;
  LLVMTypeRef integer = LLVMIntTypeInContext(e->context, size_of(e->module, element));
  return is_vector ? LLVMVectorType(integer, LLVMGetVectorSize(type)) : integer;
}

static LLVMValueRef as_integer(const lin_ir_emitter *e, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value), plain = without_pointers(e, type),
              integer = LLVMIntTypeInContext(e->context, size_of(e->module, type));
  if (plain != type)
    value = LLVMBuildPtrToInt(e->builder, value, plain, "");
  return LLVMBuildBitCast(e->builder, value, integer, "");
}

static LLVMValueRef from_integer(const lin_ir_emitter *e, LLVMValueRef integer, LLVMTypeRef type) {
  LLVMTypeRef plain = without_pointers(e, type);
  LLVMValueRef value = LLVMBuildBitCast(e->builder, integer, plain, "");
  return plain == type ? value : LLVMBuildIntToPtr(e->builder, value, type, "");
}

uint32_t lin_ir_take_apart(const lin_ir_emitter *e, LLVMValueRef value, LLVMValueRef *integer) {
  uint32_t fields = fields_of(LLVMTypeOf(value)), count = 0;
  if (fields == PLAIN) {
    *integer = as_integer(e, value);
    return 1;
  }
  for (uint32_t i = 0; i < fields; i++)
    count += lin_ir_take_apart(e, LLVMBuildExtractValue(e->builder, value, i, ""), integer + count);
  return count;
}

LLVMValueRef lin_ir_put_together(const lin_ir_emitter *e, LLVMTypeRef type,
                                 const LLVMValueRef *integer, uint32_t *used) {
  uint32_t fields = fields_of(type);
  *used = 0;
  if (fields == PLAIN) {
    *used = 1;
    return from_integer(e, *integer, type);
  }
  LLVMValueRef all = LLVMGetUndef(type);
  for (uint32_t i = 0; i < fields; i++) {
    uint32_t here;
    LLVMValueRef field = lin_ir_put_together(e, field_type(type, i), integer + *used, &here);
    all = LLVMBuildInsertValue(e->builder, all, field, i, "");
    *used += here;
  }
  return all;
}
