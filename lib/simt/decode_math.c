// Calls of math functions, by name: each becomes one SIMT_MATH for each element.
#include "decode_parts.h"

#include "math_functions.h"

#include <string.h>

static bool is_narrow(LLVMTypeKind kind) {
  return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind;
}

// Whether values of `type` are what a letter of the function's types means. Half and bfloat are
// computed as floats.
static bool matches(LLVMTypeRef type, char letter) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  unsigned width = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
  switch (letter) {
  case 'f':
    return kind == LLVMFloatTypeKind || is_narrow(kind);
  case 'd':
    return kind == LLVMDoubleTypeKind;
  case 'h':
    return width == 16 || is_narrow(kind);
  case 'i':
    return width == 32 || width == 1; // 1: what is true or false
  case 'l':
    return width == 64 || kind == LLVMPointerTypeKind;
  default:
    return width == 1;
  }
}

static bool takes_floats(LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMTypeRef type = simt_decode_scalar(LLVMTypeOf(LLVMGetOperand(call, i)));
    if (matches(type, 'f'))
      return true;
  }
  return false;
}

// The type of result `index` among those that the call returns, which are `count`.
static LLVMTypeRef returned(LLVMValueRef call, unsigned index, unsigned count) {
  LLVMTypeRef type = LLVMTypeOf(call);
  return simt_decode_scalar(count > 1 ? LLVMStructGetTypeAtIndex(type, index) : type);
}

static unsigned count_returned(LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
    return LLVMCountStructElementTypes(type);
  return LLVMGetTypeKind(type) == LLVMVoidTypeKind ? 0 : 1;
}

// Results that are not returned go through pointers behind the operands.
static bool fits(LLVMValueRef call, const simt_math_function *f) {
  unsigned results = (unsigned)strcspn(f->types, ":"), returns = count_returned(call);
  const char *operand = f->types + results + 1;
  unsigned operands = (unsigned)strlen(operand), stored = results - returns;
  if (returns > results || LLVMGetNumArgOperands(call) != operands + stored)
    return false;
  for (unsigned i = 0; i < operands; i++)
    if (!matches(simt_decode_scalar(LLVMTypeOf(LLVMGetOperand(call, i))), operand[i]))
      return false;
  for (unsigned i = 0; i < stored; i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, operands + i))) != LLVMPointerTypeKind)
      return false;
  for (unsigned i = 0; i < returns; i++)
    if (!matches(returned(call, i, returns), f->types[i]))
      return false;
  return true;
}

simt_register simt_decode_compute(simt_decoder *d, simt_math math, const simt_register *operand) {
  const simt_math_function *f = &simt_math_functions[math.function];
  unsigned results = (unsigned)strcspn(f->types, ":");
  unsigned operands = (unsigned)strlen(f->types) - results - 1;
  simt_register r[SIMT_MATH_OPERANDS] = {0}, dst = simt_decode_fresh(d, results);
  for (unsigned i = 0; i < operands; i++)
    r[i] = operand[i];
  simt_decode_emit(d, (simt_instruction){.opcode = SIMT_MATH,
                                         .dst = dst,
                                         .a = r[0],
                                         .b = r[1],
                                         .c = r[2],
                                         .offset = r[3],
                                         .extra = simt_math_extra(math)});
  return dst;
}

static uint8_t bits_of(char letter) {
  return letter == 'd' || letter == 'l' ? 64 : letter == 'h' ? 16 : 32;
}

static void store_result(simt_decoder *d, LLVMValueRef pointer, simt_register value, char letter) {
  unsigned space = simt_decode_space(LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)));
  uint8_t bits = bits_of(letter);
  simt_decode_emit(d, (simt_instruction){.opcode = SIMT_STORE,
                                         .width = bits,
                                         .from = (uint8_t)space,
                                         .count = 1,
                                         .align = bits / 8,
                                         .a = simt_decode_operand(d, pointer).reg[0],
                                         .b = simt_decode_operands(d, &value, 1)});
}

static void decode(simt_decoder *d, LLVMValueRef call, simt_math math) {
  const char *letters = simt_math_functions[math.function].types;
  unsigned results = (unsigned)strcspn(letters, ":"), returns = count_returned(call);
  unsigned operands = (unsigned)strlen(letters) - results - 1;
  simt_value operand[SIMT_MATH_OPERANDS] = {{0}};
  uint32_t elements = 1;
  for (unsigned i = 0; i < operands; i++) {
    operand[i] = simt_decode_operand_at(d, call, i);
    elements = operand[i].count > elements ? operand[i].count : elements;
  }
  simt_value value = simt_decode_list(d, returns * elements);
  for (uint32_t e = 0; e < elements; e++) {
    simt_register in[SIMT_MATH_OPERANDS] = {0};
    for (unsigned i = 0; i < operands; i++) {
      LLVMTypeRef type = simt_decode_scalar(LLVMTypeOf(LLVMGetOperand(call, i)));
      in[i] = operand[i].reg[operand[i].count > 1 ? e : 0];
      if (letters[results + 1 + i] == 'f')
        in[i] = simt_decode_widen(d, type, in[i]);
    }
    simt_register out = simt_decode_compute(d, math, in);
    for (unsigned i = 0; i < results; i++) {
      if (i >= returns)
        store_result(d, LLVMGetOperand(call, operands + i - returns), out + i, letters[i]);
      else if (letters[i] == 'f')
        value.reg[i * elements + e] = simt_decode_narrow(d, returned(call, i, returns), out + i);
      else
        value.reg[i * elements + e] = out + i;
    }
  }
  if (returns > 0)
    simt_decode_bind(d, call, value);
}

bool simt_decode_math(simt_decoder *d, LLVMValueRef call, const char *name) {
  simt_math math;
  if (!simt_math_find(name, takes_floats(call), &math))
    return false;
  if (fits(call, &simt_math_functions[math.function]))
    decode(d, call, math);
  else
    simt_decode_fail(d, "a math function with other types than CUDA's");
  return true;
}
