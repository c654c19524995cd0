// Structures are gone through from the left, with those around a field on a stack:
//
//     { i32, { float, ptr } }      stack: { }  i32
//                                         { }  { }  float
//                                         { }  { }  ptr
#include "bits.h"

#include <llvm-c/Target.h>

enum { PLAIN = UINT32_MAX }; // no fields
enum { DEEPEST = 16 };       // structures in structures; those that are deeper have no bits

typedef struct level {
  LLVMTypeRef type;
  LLVMValueRef value;
  uint32_t field; // the next one
} level;

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
  level stack[DEEPEST] = {{.type = type}};
  for (uint32_t depth = 1; depth > 0;) {
    level *top = &stack[depth - 1];
    uint32_t fields = fields_of(top->type);
    if (fields == PLAIN) {
      if (!is_plain(top->type))
        return false;
      to->bits = LIN_ROOM(arena, to->bits, to->count, &to->capacity);
      to->bits[to->count++] = size_of(module, top->type);
      depth--;
    } else if (top->field == fields) {
      depth--;
    } else if (depth == DEEPEST) {
      return false;
    } else {
      stack[depth++] = (level){.type = field_type(top->type, top->field++)};
    }
  }
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
  level stack[DEEPEST] = {{.type = LLVMTypeOf(value), .value = value}};
  uint32_t count = 0;
  for (uint32_t depth = 1; depth > 0;) {
    level *top = &stack[depth - 1];
    uint32_t fields = fields_of(top->type);
    if (fields == PLAIN)
      integer[count++] = as_integer(e, top->value);
    if (fields == PLAIN || top->field == fields) {
      depth--;
      continue;
    }
    LLVMValueRef field = LLVMBuildExtractValue(e->builder, top->value, top->field++, "");
    stack[depth++] = (level){.type = LLVMTypeOf(field), .value = field};
  }
  return count;
}

LLVMValueRef lin_ir_put_together(const lin_ir_emitter *e, LLVMTypeRef type,
                                 const LLVMValueRef *integer, uint32_t *used) {
  level stack[DEEPEST] = {{.type = type, .value = LLVMGetUndef(type)}};
  *used = 0;
  for (uint32_t depth = 1;;) {
    level *top = &stack[depth - 1];
    uint32_t fields = fields_of(top->type);
    if (fields != PLAIN && top->field < fields) {
      LLVMTypeRef field = field_type(top->type, top->field);
      stack[depth++] = (level){.type = field, .value = LLVMGetUndef(field)};
      continue;
    }
    LLVMValueRef value =
        fields == PLAIN ? from_integer(e, integer[(*used)++], top->type) : top->value;
    if (--depth == 0)
      return value;
    level *around = &stack[depth - 1];
    around->value = LLVMBuildInsertValue(e->builder, around->value, value, around->field++, "");
  }
}
