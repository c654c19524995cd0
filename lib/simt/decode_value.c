// Types are flattened with a stack of their own, and so are constants: both can nest as deep as a
// program likes.
#include "decode_parts.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { GLOBAL_ALIGNMENT = 256, NESTING = 64 };

// Low addresses stay free, so that a null pointer with an offset is out of bounds.
static const uint64_t first_global = (uint64_t)1 << 32;
static const uint64_t first_shared = 1024;
static const uint64_t between_variables = 256;

// ---- types -------------------------------------------------------------------------------------

LLVMTypeRef simt_decode_scalar(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

bool simt_decode_is_float(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMHalfTypeKind ||
         kind == LLVMBFloatTypeKind;
}

uint8_t simt_decode_bits(simt_decoder *d, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    if (LLVMGetIntTypeWidth(type) <= 64)
      return (uint8_t)LLVMGetIntTypeWidth(type);
    simt_decode_fail(d, "an integer of more than 64 bits");
    return 64;
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
    return 16;
  case LLVMFloatTypeKind:
    return 32;
  case LLVMDoubleTypeKind:
    return 64;
  case LLVMPointerTypeKind:
    return (uint8_t)(8 * LLVMPointerSizeForAS(d->layout, LLVMGetPointerAddressSpace(type)));
  default:
    simt_decode_fail(d, "a value of unknown type");
    return 64;
  }
}

typedef struct visit {
  LLVMTypeRef type;
  uint64_t offset; // of the type
  uint64_t next;   // the element to visit
} visit;

static uint64_t num_elements(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    return LLVMCountStructElementTypes(type);
  case LLVMArrayTypeKind:
    return LLVMGetArrayLength2(type);
  case LLVMVectorTypeKind:
    return LLVMGetVectorSize(type);
  default:
    return 0;
  }
}

static bool is_aggregate(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind;
}

static visit element_of(const simt_decoder *d, const visit *v, uint64_t index) {
  LLVMTypeKind kind = LLVMGetTypeKind(v->type);
  if (kind == LLVMStructTypeKind)
    return (visit){LLVMStructGetTypeAtIndex(v->type, (unsigned)index),
                   v->offset + LLVMOffsetOfElement(d->layout, v->type, (unsigned)index), 0};
  LLVMTypeRef element = LLVMGetElementType(v->type);
  uint64_t size = kind == LLVMVectorTypeKind ? (LLVMSizeOfTypeInBits(d->layout, element) + 7) / 8
                                             : LLVMABISizeOfType(d->layout, element);
  return (visit){element, v->offset + index * size, 0};
}

static void add_leaf(simt_decoder *d, simt_leaves *leaves, uint32_t *capacity, simt_leaf leaf) {
  leaf.bits = simt_decode_bits(d, leaf.type);
  leaves->leaf = LIN_ROOM(d->arena, leaves->leaf, leaves->count, capacity);
  leaves->leaf[leaves->count++] = leaf;
}

simt_leaves simt_decode_leaves(simt_decoder *d, LLVMTypeRef type) {
  simt_leaves leaves = {0};
  uint32_t capacity = 0;
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVoidTypeKind)
    return leaves;
  if (!is_aggregate(type)) {
    add_leaf(d, &leaves, &capacity, (simt_leaf){.type = type, .lanes = 1});
    return leaves;
  }
  visit stack[NESTING] = {{type, 0, 0}};
  for (uint32_t depth = 1; depth > 0;) {
    visit *top = &stack[depth - 1];
    if (top->next == num_elements(top->type)) {
      depth--;
      continue;
    }
    visit element = element_of(d, top, top->next++);
    if (is_aggregate(element.type)) {
      if (depth == NESTING) {
        simt_decode_fail(d, "a type that nests too deep");
        return leaves;
      }
      stack[depth++] = element;
      continue;
    }
    bool in_vector = LLVMGetTypeKind(top->type) == LLVMVectorTypeKind;
    uint8_t lanes = !in_vector ? 1 : top->next == 1 ? (uint8_t)num_elements(top->type) : 0;
    add_leaf(d, &leaves, &capacity, (simt_leaf){element.offset, element.type, 0, lanes});
  }
  return leaves;
}

// ---- global variables --------------------------------------------------------------------------

static uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

static simt_space space_of_global(LLVMValueRef global) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == 3 ? SIMT_SHARED : SIMT_GENERIC;
}

static const char *name_of(simt_decoder *d, LLVMValueRef value) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  return lin_arena_text(d->arena, name, length);
}

// Addresses are given when a variable is first met, which is in the order of the code.
static uint64_t address_of_global(simt_decoder *d, LLVMValueRef global) {
  uint32_t number = lin_numbers_find(&d->globals, global);
  if (number != LIN_NONE)
    return d->address[number];
  lin_numbers_add(d->arena, &d->globals, global, d->num_global);
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  uint64_t size = LLVMABISizeOfType(d->layout, type), alignment = LLVMGetAlignment(global);
  if (alignment == 0)
    alignment = LLVMPreferredAlignmentOfGlobal(d->layout, global);
  simt_program *p = d->program;
  uint64_t address;
  if (space_of_global(global) == SIMT_SHARED && LLVMIsDeclaration(global)) {
    address = SIMT_DYNAMIC_SHARED;
    p->has_dynamic_shared = true;
  } else if (space_of_global(global) == SIMT_SHARED) {
    address = align_up(p->shared_end == 0 ? first_shared : p->shared_end, alignment);
    p->shared_end = address + size;
  } else {
    uint64_t step = alignment > GLOBAL_ALIGNMENT ? alignment : GLOBAL_ALIGNMENT;
    address = align_up(p->global_end == 0 ? first_global : p->global_end, step);
    p->global_end = address + size + between_variables;
  }
  d->global = LIN_ROOM(d->arena, d->global, d->num_global, &d->capacity_global);
  d->address = LIN_ROOM(d->arena, d->address, d->num_global, &d->capacity_address);
  d->global[d->num_global] = global;
  d->address[d->num_global++] = address;
  return address;
}

// ---- constants ---------------------------------------------------------------------------------

static uint32_t float_bits(double value) {
  float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof bits);
  return bits;
}

// The bits of a half: every half is a float, so its digits only move.
static uint64_t half_bits(double value) {
  uint32_t bits = float_bits(value), sign = bits >> 16 & 0x8000, mantissa = bits & 0x7fffff;
  int exponent = (int)(bits >> 23 & 0xff) - 127;
  if (exponent == 128)
    return sign | 0x7c00 | mantissa >> 13;
  if (exponent >= -14)
    return sign | (uint32_t)(exponent + 15) << 10 | mantissa >> 13;
  return exponent < -24 ? sign : sign | (mantissa | 0x800000) >> (-1 - exponent);
}

static uint64_t constant_float(LLVMValueRef constant) {
  LLVMBool loses;
  double value = LLVMConstRealGetDouble(constant, &loses);
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  switch (LLVMGetTypeKind(LLVMTypeOf(constant))) {
  case LLVMHalfTypeKind:
    return half_bits(value);
  case LLVMBFloatTypeKind:
    return float_bits(value) >> 16;
  case LLVMFloatTypeKind:
    return float_bits(value);
  default:
    return bits;
  }
}

// Bytes that the constant indices of a GEP add.
static uint64_t constant_offset(simt_decoder *d, LLVMValueRef gep) {
  visit at = {LLVMGetGEPSourceElementType(gep), 0, 0};
  uint64_t offset = 0;
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (!LLVMIsAConstantInt(index)) {
      simt_decode_fail(d, "an address that is no constant");
      return 0;
    }
    int64_t steps = LLVMConstIntGetSExtValue(index);
    if (i == 1) {
      offset = (uint64_t)steps * LLVMABISizeOfType(d->layout, at.type);
      continue;
    }
    if (LLVMGetTypeKind(at.type) == LLVMStructTypeKind) {
      at = element_of(d, &at, (uint64_t)steps);
      continue;
    }
    LLVMTypeRef element = LLVMGetElementType(at.type);
    at.offset += (uint64_t)steps * LLVMABISizeOfType(d->layout, element);
    at.type = element;
  }
  return offset + at.offset;
}

static uint64_t window_of(unsigned address_space) {
  return address_space == 3 ? SIMT_SHARED_WINDOW : address_space == 5 ? SIMT_LOCAL_WINDOW : 0;
}

// What a constant expression makes of the value of its first operand.
static uint64_t apply(simt_decoder *d, LLVMValueRef expression, uint64_t value) {
  LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(expression, 0)), to = LLVMTypeOf(expression);
  switch (LLVMGetConstOpcode(expression)) {
  case LLVMGetElementPtr:
    return value + constant_offset(d, expression);
  case LLVMAddrSpaceCast:
    value += window_of(LLVMGetPointerAddressSpace(from));
    return window_of(LLVMGetPointerAddressSpace(to)) != 0 ? value & ~SIMT_WINDOW_MASK : value;
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMBitCast:
  case LLVMTrunc:
    return value & simt_low_bits(simt_decode_bits(d, to));
  case LLVMAdd:
  case LLVMSub: {
    LLVMValueRef other = LLVMGetOperand(expression, 1);
    if (!LLVMIsAConstantInt(other))
      break;
    uint64_t by = LLVMConstIntGetZExtValue(other);
    value = LLVMGetConstOpcode(expression) == LLVMAdd ? value + by : value - by;
    return value & simt_low_bits(simt_decode_bits(d, to));
  }
  default:
    break;
  }
  simt_decode_fail(d, "an unknown constant expression");
  return 0;
}

static uint64_t plain_constant(simt_decoder *d, LLVMValueRef constant) {
  if (LLVMIsAConstantInt(constant)) {
    simt_decode_bits(d, LLVMTypeOf(constant));
    return d->error != NULL ? 0 : LLVMConstIntGetZExtValue(constant);
  }
  if (LLVMIsAConstantFP(constant))
    return constant_float(constant);
  if (LLVMIsNull(constant) || LLVMIsUndef(constant) || LLVMIsAPoisonValue(constant))
    return 0;
  if (LLVMIsAGlobalVariable(constant))
    return address_of_global(d, constant);
  simt_decode_fail(d, LLVMIsAFunction(constant) ? "the address of a function"
                                                : "a constant of an unknown kind");
  return 0;
}

static uint64_t scalar_constant(simt_decoder *d, LLVMValueRef constant) {
  LLVMValueRef chain[NESTING];
  uint32_t length = 0;
  while (LLVMIsAConstantExpr(constant)) {
    if (length == NESTING) {
      simt_decode_fail(d, "a constant that nests too deep");
      return 0;
    }
    chain[length++] = constant;
    constant = LLVMGetOperand(constant, 0);
  }
  uint64_t value = plain_constant(d, constant);
  while (length > 0)
    value = apply(d, chain[--length], value);
  return value;
}

typedef struct constant_visit {
  LLVMValueRef constant;
  uint64_t next;
} constant_visit;

// Calls `visit_scalar` for every scalar of `constant`, in the order of its type's leaves.
static void each_scalar(simt_decoder *d, LLVMValueRef constant,
                        void (*visit_scalar)(simt_decoder *, LLVMValueRef, void *), void *data) {
  if (!is_aggregate(LLVMTypeOf(constant))) {
    visit_scalar(d, constant, data);
    return;
  }
  constant_visit stack[NESTING] = {{constant, 0}};
  for (uint32_t depth = 1; depth > 0 && d->error == NULL;) {
    constant_visit *top = &stack[depth - 1];
    if (top->next == num_elements(LLVMTypeOf(top->constant))) {
      depth--;
      continue;
    }
    LLVMValueRef element = LLVMGetAggregateElement(top->constant, (unsigned)top->next++);
    if (element == NULL)
      simt_decode_fail(d, "a constant of an unknown kind");
    else if (!is_aggregate(LLVMTypeOf(element)))
      visit_scalar(d, element, data);
    else if (depth == NESTING)
      simt_decode_fail(d, "a constant that nests too deep");
    else
      stack[depth++] = (constant_visit){element, 0};
  }
}

simt_register simt_decode_constant(simt_decoder *d, uint64_t value) {
  // The same numbers tend to be used close to each other.
  enum { LOOK_BACK = 16 };
  simt_function *f = d->f;
  for (uint32_t i = f->num_constants > LOOK_BACK ? f->num_constants - LOOK_BACK : 0;
       i < f->num_constants; i++)
    if (f->constant[i].value == value)
      return f->constant[i].to;
  f->constant = LIN_ROOM(d->arena, f->constant, f->num_constants, &d->capacity_constant);
  simt_register to = simt_decode_fresh(d, 1);
  f->constant[f->num_constants++] = (simt_constant){to, value};
  return to;
}

static void add_constant_register(simt_decoder *d, LLVMValueRef constant, void *data) {
  simt_value *value = data;
  value->reg[value->count++] = simt_decode_constant(d, scalar_constant(d, constant));
}

// ---- registers ---------------------------------------------------------------------------------

simt_register simt_decode_fresh(simt_decoder *d, uint32_t count) {
  simt_register first = d->f->num_registers;
  d->f->num_registers += count;
  return first;
}

simt_value simt_decode_list(simt_decoder *d, uint32_t count) {
  return (simt_value){LIN_ARRAY(d->arena, simt_register, count), count};
}

void simt_decode_bind(simt_decoder *d, LLVMValueRef value, simt_value registers) {
  d->value = LIN_ROOM(d->arena, d->value, d->num_values, &d->capacity_values);
  lin_numbers_add(d->arena, &d->values, value, d->num_values);
  d->value[d->num_values++] = registers;
}

simt_value simt_decode_define(simt_decoder *d, LLVMValueRef value) {
  simt_value v = simt_decode_list(d, simt_decode_leaves(d, LLVMTypeOf(value)).count);
  simt_register first = simt_decode_fresh(d, v.count);
  for (uint32_t i = 0; i < v.count; i++)
    v.reg[i] = first + i;
  simt_decode_bind(d, value, v);
  return v;
}

simt_value simt_decode_operand(simt_decoder *d, LLVMValueRef value) {
  uint32_t number = lin_numbers_find(&d->values, value);
  if (number != LIN_NONE)
    return d->value[number];
  simt_value v = simt_decode_list(d, simt_decode_leaves(d, LLVMTypeOf(value)).count);
  if (!LLVMIsAConstant(value)) {
    simt_decode_fail(d, "an operand of an unknown kind");
  } else {
    v.count = 0;
    each_scalar(d, value, add_constant_register, &v);
  }
  return v;
}

simt_value simt_decode_operand_at(simt_decoder *d, LLVMValueRef instruction, unsigned index) {
  return simt_decode_operand(d, LLVMGetOperand(instruction, index));
}

// ---- the memory of global variables ------------------------------------------------------------

typedef struct initializer {
  simt_global *global;
  const simt_leaf *leaf;
} initializer;

static void store_scalar(simt_decoder *d, LLVMValueRef constant, void *data) {
  initializer *at = data;
  const simt_leaf *leaf = at->leaf++;
  assert(leaf != NULL); // a type without scalars has no values of them
  uint64_t value = scalar_constant(d, constant);
  bool is_undefined = LLVMIsUndef(constant) || LLVMIsAPoisonValue(constant);
  for (uint32_t i = 0; i < (leaf->bits + 7u) / 8; i++) {
    at->global->bytes[leaf->offset + i] = (uint8_t)(value >> 8 * i);
    at->global->written[leaf->offset + i] = !is_undefined;
  }
}

static void initialise(simt_decoder *d, LLVMValueRef global, simt_global *to) {
  uint64_t size = to->variable.size;
  simt_leaves leaves = simt_decode_leaves(d, LLVMGlobalGetValueType(global));
  if (leaves.leaf != NULL) {
    to->bits = leaves.leaf[0].bits;
    to->is_float = simt_decode_is_float(leaves.leaf[0].type);
  }
  to->bytes = LIN_ARRAY(d->arena, uint8_t, size);
  to->written = LIN_ARRAY(d->arena, uint8_t, size);
  LLVMValueRef value = LLVMGetInitializer(global);
  if (value == NULL) {
    simt_decode_fail(d, "a global variable that is not defined here");
    return;
  }
  if (LLVMIsUndef(value) || LLVMIsAPoisonValue(value))
    return;
  memset(to->written, 1, size); // padding too: it is never looked at on purpose
  if (LLVMIsNull(value))
    return;
  initializer at = {to, leaves.leaf};
  each_scalar(d, value, store_scalar, &at);
}

// Initial values can name further variables, which come behind in `global`.
void simt_decode_lay_out_globals(simt_decoder *d) {
  simt_program *p = d->program;
  uint32_t capacity = 0, capacity_shared = 0;
  for (uint32_t i = 0; i < d->num_global && d->error == NULL; i++) {
    LLVMValueRef global = d->global[i];
    d->at = global;
    simt_variable v = {name_of(d, global), d->address[i],
                       LLVMABISizeOfType(d->layout, LLVMGlobalGetValueType(global))};
    if (space_of_global(global) == SIMT_SHARED && LLVMIsDeclaration(global))
      continue;
    if (space_of_global(global) == SIMT_SHARED) {
      p->shared = LIN_ROOM(d->arena, p->shared, p->num_shared, &capacity_shared);
      p->shared[p->num_shared++] = v;
    } else {
      p->global = LIN_ROOM(d->arena, p->global, p->num_globals, &capacity);
      simt_global *to = &p->global[p->num_globals++];
      *to = (simt_global){.variable = v, .is_constant = LLVMIsGlobalConstant(global)};
      initialise(d, global, to);
    }
  }
}
