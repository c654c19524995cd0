// Calls: of intrinsics, of functions that are defined, of the few that the runtime has.
#include "decode_parts.h"

#include "llvm/ask/target.h"

#include <stdlib.h>
#include <string.h>

static void decode_elementwise(simt_decoder *d, LLVMValueRef call, const simt_intrinsic *which) {
  LLVMTypeRef type = simt_decode_scalar(LLVMTypeOf(LLVMGetOperand(call, 0)));
  uint32_t count = LLVMGetNumArgOperands(call);
  count = count > 3 ? 3 : count;
  simt_value operand[3] = {{0}};
  for (uint32_t i = 0; i < count; i++)
    operand[i] = simt_decode_operand_at(d, call, i);
  simt_value dst = simt_decode_list(d, operand[0].count);
  for (uint32_t i = 0; i < dst.count && d->error == NULL; i++) {
    simt_register r[3] = {0};
    for (uint32_t j = 0; j < count; j++)
      r[j] = operand[j].reg[operand[j].count == dst.count ? i : 0];
    dst.reg[i] = which->kind == SIMT_INTRINSIC_FLOAT
                     ? simt_decode_float(d, (simt_opcode)which->opcode, type, r, count, 0)
                     : simt_decode_arithmetic(d, (simt_opcode)which->opcode,
                                              simt_decode_bits(d, type), r[0], r[1], r[2]);
  }
  simt_decode_bind(d, call, dst);
}

// Its second operand is an integer.
static void decode_is_class(simt_decoder *d, LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, 0));
  if (LLVMGetTypeKind(type) != LLVMFloatTypeKind && LLVMGetTypeKind(type) != LLVMDoubleTypeKind) {
    simt_decode_fail(d, "the class of other than one float or double");
    return;
  }
  simt_value dst = simt_decode_list(d, 1);
  dst.reg[0] = simt_decode_arithmetic(d, SIMT_IS_CLASS, simt_decode_bits(d, type),
                                      simt_decode_operand_at(d, call, 0).reg[0],
                                      simt_decode_operand_at(d, call, 1).reg[0], 0);
  simt_decode_bind(d, call, dst);
}

static void decode_overflow(simt_decoder *d, LLVMValueRef call, const simt_intrinsic *which) {
  simt_value a = simt_decode_operand_at(d, call, 0), b = simt_decode_operand_at(d, call, 1);
  uint8_t bits = simt_decode_bits(d, LLVMTypeOf(LLVMGetOperand(call, 0)));
  simt_value dst = simt_decode_list(d, 2);
  dst.reg[0] = simt_decode_arithmetic(d, (simt_opcode)which->opcode, bits, a.reg[0], b.reg[0], 0);
  dst.reg[1] = simt_decode_arithmetic(d, (simt_opcode)which->extra, bits, a.reg[0], b.reg[0], 0);
  simt_decode_bind(d, call, dst);
}

static void decode_convert(simt_decoder *d, LLVMValueRef call, const simt_intrinsic *which) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, 0));
  uint8_t bits = simt_decode_bits(d, type);
  if (bits < 32)
    simt_decode_fail(d, "an unknown conversion");
  simt_decode_emit(d, (simt_instruction){.opcode = (uint16_t)which->opcode,
                                         .width = simt_decode_bits(d, LLVMTypeOf(call)),
                                         .from = bits,
                                         .a = simt_decode_operand_at(d, call, 0).reg[0],
                                         .dst = simt_decode_define(d, call).reg[0]});
}

// ---- other threads -----------------------------------------------------------------------------

static void decode_collective(simt_decoder *d, LLVMValueRef call, const simt_intrinsic *which) {
  simt_register operand[4] = {0};
  unsigned count = LLVMGetNumArgOperands(call), first = which->kind == SIMT_INTRINSIC_HERE ? 1 : 0;
  for (unsigned i = 0; i < count && i + first < 4; i++)
    operand[i + first] = simt_decode_operand_at(d, call, i).reg[0];
  if (which->kind == SIMT_INTRINSIC_REDUCE) {
    simt_register mask = operand[1];
    operand[1] = operand[0];
    operand[0] = mask;
  }
  simt_value dst = simt_decode_define(d, call);
  LLVMTypeRef type =
      LLVMGetNumArgOperands(call) > 1 - first
          ? LLVMTypeOf(LLVMGetOperand(call, which->kind == SIMT_INTRINSIC_COLLECTIVE ? 1 : 0))
          : NULL;
  simt_decode_emit(d,
                   (simt_instruction){
                       .opcode = SIMT_COLLECTIVE,
                       .width = type == NULL ? 32 : simt_decode_bits(d, type),
                       .flags = (uint8_t)((which->kind == SIMT_INTRINSIC_HERE ? 0 : SIMT_IS_SYNC) |
                                          (dst.count > 1 ? SIMT_WITH_PREDICATE : 0)),
                       .dst = dst.count > 0 ? dst.reg[0] : 0,
                       .a = operand[0],
                       .b = operand[1],
                       .c = operand[2],
                       .offset = operand[3],
                       .extra = which->opcode});
}

// `extra` of the table: 0: number and count of threads; 1: number and predicate; 2: predicate.
static void decode_barrier(simt_decoder *d, LLVMValueRef call, const simt_intrinsic *which) {
  unsigned count = LLVMGetNumArgOperands(call);
  simt_register zero = simt_decode_constant(d, 0), operand[2] = {zero, zero};
  for (unsigned i = 0; i < count && i < 2; i++)
    operand[i] = simt_decode_operand_at(d, call, i).reg[0];
  simt_value dst = simt_decode_define(d, call);
  simt_decode_emit(d, (simt_instruction){.opcode = SIMT_BARRIER,
                                         .count = which->extra == 0 && count > 1,
                                         .dst = dst.count > 0 ? dst.reg[0] : 0,
                                         .a = which->extra == 2 ? zero : operand[0],
                                         .b = operand[1],
                                         .c = which->extra == 2 ? operand[0] : operand[1],
                                         .extra = which->opcode});
}

// ---- memory ------------------------------------------------------------------------------------

static uint8_t space_of(LLVMValueRef pointer) {
  return (uint8_t)simt_decode_space(LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)));
}

static void decode_block_memory(simt_decoder *d, LLVMValueRef call, bool is_copy) {
  bool is_volatile = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)) != 0;
  simt_decode_emit(d, (simt_instruction){
                          .opcode = is_copy ? SIMT_MEMCPY : SIMT_MEMSET,
                          .width = 8,
                          .count = 1,
                          .align = 1,
                          .from = space_of(LLVMGetOperand(call, 0)),
                          .flags = is_volatile ? SIMT_POLLS : 0,
                          .offset = is_copy ? space_of(LLVMGetOperand(call, 1)) : 0,
                          .a = simt_decode_operand_at(d, call, 0).reg[0],
                          .b = simt_decode_operand_at(d, call, 1).reg[0],
                          .c = simt_decode_operand_at(d, call, 2).reg[0],
                      });
}

static void decode_atomic_intrinsic(simt_decoder *d, LLVMValueRef call,
                                    const simt_intrinsic *which) {
  uint8_t bits = simt_decode_bits(d, LLVMTypeOf(call));
  simt_decode_emit(d, (simt_instruction){.opcode = SIMT_ATOMIC,
                                         .width = bits,
                                         .from = space_of(LLVMGetOperand(call, 0)),
                                         .flags = SIMT_POLLS,
                                         .count = 1,
                                         .align = (uint16_t)(bits / 8),
                                         .a = simt_decode_operand_at(d, call, 0).reg[0],
                                         .b = simt_decode_operand_at(d, call, 1).reg[0],
                                         .extra = which->opcode,
                                         .dst = simt_decode_define(d, call).reg[0]});
}

static void decode_is_space(simt_decoder *d, LLVMValueRef call, const simt_intrinsic *which) {
  simt_value dst = simt_decode_list(d, 1);
  dst.reg[0] = simt_decode_is_space(d, simt_decode_operand_at(d, call, 0).reg[0], which->opcode);
  simt_decode_bind(d, call, dst);
}

// ---- calls -------------------------------------------------------------------------------------

// What a pointer is passed for by value: the callee gets a copy, in the caller's local memory.
static simt_register copy_by_value(simt_decoder *d, LLVMValueRef pointer, LLVMTypeRef type) {
  simt_function *f = d->f;
  uint64_t size = LLVMABISizeOfType(d->layout, type), offset = (f->local_size + 15u) / 16 * 16;
  if (offset + size >= UINT32_MAX / SIMT_LANES) {
    simt_decode_fail(d, "too much local memory");
    return 0;
  }
  f->local = LIN_ROOM(d->arena, f->local, f->num_locals, &d->capacity_local);
  f->local[f->num_locals++] = (simt_variable){"argument", offset, size};
  f->local_size = (uint32_t)(offset + size);
  simt_register copy = simt_decode_fresh(d, 1);
  simt_decode_emit(d, (simt_instruction){.opcode = SIMT_ALLOCA,
                                         .flags = SIMT_IS_FREE,
                                         .from = SIMT_GENERIC,
                                         .dst = copy,
                                         .offset = (uint32_t)offset});
  simt_decode_emit(d, (simt_instruction){.opcode = SIMT_MEMCPY,
                                         .width = 8,
                                         .count = 1,
                                         .align = 1,
                                         .from = SIMT_GENERIC,
                                         .offset = space_of(pointer),
                                         .a = copy,
                                         .b = simt_decode_operand(d, pointer).reg[0],
                                         .c = simt_decode_constant(d, size)});
  return copy;
}

static void decode_defined(simt_decoder *d, LLVMValueRef call, LLVMValueRef callee) {
  simt_function *f = d->f;
  simt_call c = {.callee = simt_decode_function(d, callee)};
  uint32_t capacity = 0;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    simt_value value = simt_decode_operand_at(d, call, i);
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef by_value = LLVMGetEnumAttributeAtIndex(callee, i + 1, byval);
    if (by_value != NULL) {
      value = simt_decode_list(d, 1);
      value.reg[0] = copy_by_value(d, LLVMGetOperand(call, i), LLVMGetTypeAttributeValue(by_value));
    }
    for (uint32_t j = 0; j < value.count; j++) {
      c.argument = LIN_ROOM(d->arena, c.argument, c.num_arguments, &capacity);
      c.argument[c.num_arguments++] = value.reg[j];
    }
  }
  simt_value result = simt_decode_define(d, call);
  c.num_results = result.count;
  c.result = result.count > 0 ? result.reg[0] : 0;
  c.next_pc = f->num_code + 1;
  f->call = LIN_ROOM(d->arena, f->call, d->num_calls, &d->capacity_call);
  f->call[d->num_calls] = c;
  simt_decode_emit(d, (simt_instruction){.opcode = SIMT_CALL, .extra = d->num_calls++});
}

// What libdevice asks the compiler: whether subnormal numbers are flushed, and for what it
// compiles.
static uint64_t reflect(simt_decoder *d, LLVMValueRef text) {
  while (!LLVMIsAGlobalVariable(text) && LLVMIsAConstantExpr(text))
    text = LLVMGetOperand(text, 0);
  LLVMValueRef value = LLVMIsAGlobalVariable(text) ? LLVMGetInitializer(text) : NULL;
  size_t length;
  const char *name =
      value != NULL && LLVMIsAConstantDataSequential(value) ? LLVMGetAsString(value, &length) : "";
  static const char flush[] = "nvvm-reflect-ftz";
  if (strncmp(name, "__CUDA_FTZ", 10) == 0) {
    LLVMMetadataRef flag = LLVMGetModuleFlag(d->module, flush, sizeof flush - 1);
    LLVMValueRef number =
        flag == NULL ? NULL : LLVMMetadataAsValue(LLVMGetModuleContext(d->module), flag);
    LLVMValueRef constant = number == NULL ? NULL : LLVMGetOperand(number, 0);
    return constant != NULL && LLVMIsAConstantInt(constant) ? LLVMConstIntGetZExtValue(constant)
                                                            : 0;
  }
  if (strncmp(name, "__CUDA_ARCH", 11) != 0)
    return 0;
  return 10 * (uint64_t)lin_ir_target_number(d->function[0]);
}

static void decode_reflect(simt_decoder *d, LLVMValueRef call) {
  simt_value value = simt_decode_list(d, 1);
  value.reg[0] = simt_decode_constant(d, reflect(d, LLVMGetOperand(call, 0)));
  simt_decode_bind(d, call, value);
}

static void decode_message(simt_decoder *d, LLVMValueRef call, bool is_printf) {
  simt_instruction made = {.opcode = is_printf ? SIMT_PRINTF : SIMT_ASSERT};
  if (is_printf)
    made.dst = simt_decode_define(d, call).reg[0];
  else
    made.c = simt_decode_operand_at(d, call, 2).reg[0];
  made.a = simt_decode_operand_at(d, call, 0).reg[0];
  made.b = simt_decode_operand_at(d, call, 1).reg[0];
  simt_decode_emit(d, made);
}

// The runtime's own functions, which no module defines. NULL if `name` is none that is known.
static const simt_intrinsic *find_of_runtime(const char *name) {
  const char *rest;
  const simt_intrinsic *found = simt_find_ptx('@', name, &rest);
  return found != NULL && *rest == '\0' ? found : NULL;
}

static void decode_intrinsic(simt_decoder *d, LLVMValueRef call, const simt_intrinsic *which) {
  switch ((simt_intrinsic_kind)which->kind) {
  case SIMT_INTRINSIC_NONE:
  case SIMT_INTRINSIC_NOTHING:
    break;
  case SIMT_INTRINSIC_ARITHMETIC:
    decode_elementwise(d, call, which);
    break;
  case SIMT_INTRINSIC_FLOAT:
    if (which->opcode == SIMT_IS_CLASS)
      decode_is_class(d, call);
    else
      decode_elementwise(d, call, which);
    break;
  case SIMT_INTRINSIC_OVERFLOW:
    decode_overflow(d, call, which);
    break;
  case SIMT_INTRINSIC_CONVERT:
    decode_convert(d, call, which);
    break;
  case SIMT_INTRINSIC_COPY_BITS:
  case SIMT_INTRINSIC_EXPECT:
    simt_decode_bind(d, call, simt_decode_operand_at(d, call, 0));
    break;
  case SIMT_INTRINSIC_SPECIAL:
    simt_decode_emit(d, (simt_instruction){.opcode = SIMT_SPECIAL,
                                           .width = simt_decode_bits(d, LLVMTypeOf(call)),
                                           .dst = simt_decode_define(d, call).reg[0],
                                           .extra = which->opcode});
    break;
  case SIMT_INTRINSIC_ACTIVEMASK:
    simt_decode_emit(d, (simt_instruction){.opcode = SIMT_ACTIVEMASK,
                                           .dst = simt_decode_define(d, call).reg[0]});
    break;
  case SIMT_INTRINSIC_COLLECTIVE:
  case SIMT_INTRINSIC_HERE:
  case SIMT_INTRINSIC_REDUCE:
    decode_collective(d, call, which);
    break;
  case SIMT_INTRINSIC_BARRIER:
    decode_barrier(d, call, which);
    break;
  case SIMT_INTRINSIC_MEMCPY:
  case SIMT_INTRINSIC_MEMSET:
    decode_block_memory(d, call, which->kind == SIMT_INTRINSIC_MEMCPY);
    break;
  case SIMT_INTRINSIC_ATOMIC:
    decode_atomic_intrinsic(d, call, which);
    break;
  case SIMT_INTRINSIC_TRAP:
  case SIMT_INTRINSIC_EXIT:
    simt_decode_emit(d, (simt_instruction){
                            .opcode = which->kind == SIMT_INTRINSIC_EXIT ? SIMT_EXIT : SIMT_TRAP});
    break;
  case SIMT_INTRINSIC_IS_SPACE:
    decode_is_space(d, call, which);
    break;
  case SIMT_INTRINSIC_REFLECT:
    decode_reflect(d, call);
    break;
  case SIMT_INTRINSIC_PRINTF:
  case SIMT_INTRINSIC_ASSERT:
    decode_message(d, call, which->kind == SIMT_INTRINSIC_PRINTF);
    break;
  }
}

void simt_decode_call(simt_decoder *d, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(callee)) {
    simt_decode_assembly(d, call, callee);
    return;
  }
  if (!LLVMIsAFunction(callee)) {
    simt_decode_fail(d, "a call through a pointer");
    return;
  }
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  const simt_intrinsic *which = simt_find_intrinsic(name);
  if (which == NULL && LLVMIsDeclaration(callee))
    which = find_of_runtime(name);
  if (which != NULL)
    decode_intrinsic(d, call, which);
  else if (!LLVMIsDeclaration(callee))
    decode_defined(d, call, callee);
  else if (!simt_decode_math(d, call, name))
    simt_decode_fail(d, LLVMGetIntrinsicID(callee) != 0
                            ? "an unknown intrinsic"
                            : "a function that this module doesn't define (modules aren't linked)");
}
