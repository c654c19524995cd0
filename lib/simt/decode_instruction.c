// One instruction of vectors becomes one for each of its elements.
#include "decode_parts.h"

#include <string.h>

// ---- arithmetic --------------------------------------------------------------------------------

static simt_opcode arithmetic_opcode(LLVMOpcode opcode) {
  switch (opcode) {
  case LLVMAdd:
    return SIMT_ADD;
  case LLVMSub:
    return SIMT_SUB;
  case LLVMMul:
    return SIMT_MUL;
  case LLVMUDiv:
    return SIMT_UDIV;
  case LLVMSDiv:
    return SIMT_SDIV;
  case LLVMURem:
    return SIMT_UREM;
  case LLVMSRem:
    return SIMT_SREM;
  case LLVMShl:
    return SIMT_SHL;
  case LLVMLShr:
    return SIMT_LSHR;
  case LLVMAShr:
    return SIMT_ASHR;
  case LLVMAnd:
    return SIMT_AND;
  case LLVMOr:
    return SIMT_OR;
  case LLVMXor:
    return SIMT_XOR;
  case LLVMFAdd:
    return SIMT_FADD;
  case LLVMFSub:
    return SIMT_FSUB;
  case LLVMFMul:
    return SIMT_FMUL;
  case LLVMFDiv:
    return SIMT_FDIV;
  case LLVMFRem:
    return SIMT_FREM;
  default:
    return SIMT_FNEG;
  }
}

static void decode_arithmetic(simt_decoder *d, LLVMValueRef at) {
  LLVMTypeRef type = simt_decode_scalar(LLVMTypeOf(at));
  simt_opcode opcode = arithmetic_opcode(LLVMGetInstructionOpcode(at));
  uint32_t count = (uint32_t)LLVMGetNumOperands(at);
  simt_value a = simt_decode_operand_at(d, at, 0);
  simt_value b = count > 1 ? simt_decode_operand_at(d, at, 1) : a;
  simt_value dst = simt_decode_list(d, a.count);
  for (uint32_t i = 0; i < a.count; i++)
    dst.reg[i] =
        simt_decode_is_float(type)
            ? simt_decode_float(d, opcode, type, (simt_register[]){a.reg[i], b.reg[i]}, count, 0)
            : simt_decode_arithmetic(d, opcode, simt_decode_bits(d, type), a.reg[i], b.reg[i], 0);
  simt_decode_bind(d, at, dst);
}

static simt_opcode comparison_opcode(LLVMIntPredicate predicate) {
  static const simt_opcode opcode[] = {SIMT_EQ,  SIMT_NE,  SIMT_UGT, SIMT_UGE, SIMT_ULT,
                                       SIMT_ULE, SIMT_SGT, SIMT_SGE, SIMT_SLT, SIMT_SLE};
  return opcode[predicate - LLVMIntEQ];
}

static void decode_comparison(simt_decoder *d, LLVMValueRef at) {
  LLVMTypeRef type = simt_decode_scalar(LLVMTypeOf(LLVMGetOperand(at, 0)));
  simt_value a = simt_decode_operand_at(d, at, 0), b = simt_decode_operand_at(d, at, 1);
  simt_value dst = simt_decode_list(d, a.count);
  for (uint32_t i = 0; i < a.count; i++)
    dst.reg[i] = LLVMGetInstructionOpcode(at) == LLVMFCmp
                     ? simt_decode_float(d, SIMT_FCMP, type, (simt_register[]){a.reg[i], b.reg[i]},
                                         2, (uint32_t)LLVMGetFCmpPredicate(at))
                     : simt_decode_arithmetic(d, comparison_opcode(LLVMGetICmpPredicate(at)),
                                              simt_decode_bits(d, type), a.reg[i], b.reg[i], 0);
  simt_decode_bind(d, at, dst);
}

static void decode_select(simt_decoder *d, LLVMValueRef at) {
  simt_value c = simt_decode_operand_at(d, at, 0);
  simt_value a = simt_decode_operand_at(d, at, 1), b = simt_decode_operand_at(d, at, 2);
  simt_value dst = simt_decode_list(d, a.count);
  bool one_choice = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(at, 0))) != LLVMVectorTypeKind;
  for (uint32_t i = 0; i < a.count; i++)
    dst.reg[i] =
        simt_decode_arithmetic(d, SIMT_SELECT, 64, c.reg[one_choice ? 0 : i], a.reg[i], b.reg[i]);
  simt_decode_bind(d, at, dst);
}

// ---- conversions -------------------------------------------------------------------------------

static simt_register convert_float(simt_decoder *d, LLVMOpcode opcode, LLVMTypeRef from,
                                   LLVMTypeRef to, simt_register value) {
  bool to_float = simt_decode_is_float(to), from_float = simt_decode_is_float(from);
  simt_register wide = from_float ? simt_decode_widen(d, from, value) : value;
  simt_instruction conversion = {.opcode = SIMT_FTOF,
                                 .width = simt_decode_is_narrow(to) ? 32 : simt_decode_bits(d, to),
                                 .from =
                                     simt_decode_is_narrow(from) ? 32 : simt_decode_bits(d, from),
                                 .a = wide};
  if (opcode == LLVMFPToUI || opcode == LLVMFPToSI)
    conversion.opcode = opcode == LLVMFPToUI ? SIMT_FTOU : SIMT_FTOS;
  else if (opcode == LLVMUIToFP || opcode == LLVMSIToFP)
    conversion.opcode = opcode == LLVMUIToFP ? SIMT_UTOF : SIMT_STOF;
  simt_register result = wide;
  if (conversion.opcode != SIMT_FTOF || conversion.width != conversion.from) {
    conversion.dst = result = simt_decode_fresh(d, 1);
    simt_decode_emit(d, conversion);
  }
  return to_float ? simt_decode_narrow(d, to, result) : result;
}

static simt_register convert_address(simt_decoder *d, LLVMTypeRef from, LLVMTypeRef to,
                                     simt_register value) {
  uint64_t add = (uint64_t)simt_decode_space(LLVMGetPointerAddressSpace(from)) << 56;
  if (add != 0)
    value = simt_decode_arithmetic(d, SIMT_ADD, SIMT_ADDRESS_BITS, value,
                                   simt_decode_constant(d, add), 0);
  if (simt_decode_space(LLVMGetPointerAddressSpace(to)) != SIMT_GENERIC)
    value = simt_decode_arithmetic(d, SIMT_AND, SIMT_ADDRESS_BITS, value,
                                   simt_decode_constant(d, ~SIMT_WINDOW_MASK), 0);
  return value;
}

static simt_register convert(simt_decoder *d, LLVMOpcode opcode, LLVMTypeRef from, LLVMTypeRef to,
                             simt_register value) {
  uint8_t from_bits = simt_decode_bits(d, from), to_bits = simt_decode_bits(d, to);
  switch (opcode) {
  case LLVMSExt: {
    simt_register dst = simt_decode_fresh(d, 1);
    simt_decode_emit(
        d, (simt_instruction){
               .opcode = SIMT_SEXT, .width = to_bits, .from = from_bits, .dst = dst, .a = value});
    return dst;
  }
  case LLVMTrunc:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMZExt:
    return to_bits < from_bits ? simt_decode_arithmetic(d, SIMT_TRUNC, to_bits, value, 0, 0)
                               : value;
  case LLVMAddrSpaceCast:
    return convert_address(d, from, to, value);
  default:
    return convert_float(d, opcode, from, to, value);
  }
}

static void decode_conversion(simt_decoder *d, LLVMValueRef at) {
  LLVMTypeRef from = simt_decode_scalar(LLVMTypeOf(LLVMGetOperand(at, 0)));
  LLVMTypeRef to = simt_decode_scalar(LLVMTypeOf(at));
  simt_value a = simt_decode_operand_at(d, at, 0), dst = simt_decode_list(d, a.count);
  for (uint32_t i = 0; i < a.count; i++)
    dst.reg[i] = convert(d, LLVMGetInstructionOpcode(at), from, to, a.reg[i]);
  simt_decode_bind(d, at, dst);
}

static simt_register shifted(simt_decoder *d, simt_opcode opcode, simt_register value,
                             uint64_t by) {
  return by == 0 ? value
                 : simt_decode_arithmetic(d, opcode, 64, value, simt_decode_constant(d, by), 0);
}

// Elements are cut into pieces or joined: element 0 is in the lowest bits.
static void decode_bitcast(simt_decoder *d, LLVMValueRef at) {
  uint8_t from = simt_decode_bits(d, simt_decode_scalar(LLVMTypeOf(LLVMGetOperand(at, 0))));
  uint8_t to = simt_decode_bits(d, simt_decode_scalar(LLVMTypeOf(at)));
  simt_value a = simt_decode_operand_at(d, at, 0);
  simt_value dst = simt_decode_list(d, a.count * from / to);
  for (uint32_t i = 0; i < dst.count; i++) {
    if (from > to) {
      uint32_t pieces = from / to;
      simt_register piece = shifted(d, SIMT_LSHR, a.reg[i / pieces], (uint64_t)(i % pieces) * to);
      dst.reg[i] = simt_decode_arithmetic(d, SIMT_TRUNC, to, piece, 0, 0);
      continue;
    }
    dst.reg[i] = a.reg[i * to / from];
    for (uint32_t j = 1; j < (uint32_t)to / from; j++)
      dst.reg[i] = simt_decode_arithmetic(
          d, SIMT_OR, 64, dst.reg[i],
          shifted(d, SIMT_SHL, a.reg[i * to / from + j], (uint64_t)j * from), 0);
  }
  if (from > to ? from % to != 0 : to % from != 0)
    simt_decode_fail(d, "a bitcast between elements that don't divide each other");
  simt_decode_bind(d, at, dst);
}

// ---- vectors and aggregates --------------------------------------------------------------------

static uint32_t constant_index(simt_decoder *d, LLVMValueRef index, uint32_t count) {
  if (!LLVMIsAConstantInt(index)) {
    simt_decode_fail(d, "a vector element whose number is no constant");
    return 0;
  }
  uint64_t number = LLVMConstIntGetZExtValue(index);
  return number < count ? (uint32_t)number : 0; // poison
}

// An index that is no constant: a chain of selects.
static void decode_extract_element(simt_decoder *d, LLVMValueRef at) {
  simt_value vector = simt_decode_operand_at(d, at, 0), dst = simt_decode_list(d, 1);
  LLVMValueRef index = LLVMGetOperand(at, 1);
  if (LLVMIsAConstantInt(index)) {
    dst.reg[0] = vector.reg[constant_index(d, index, vector.count)];
  } else {
    simt_register number = simt_decode_operand(d, index).reg[0];
    dst.reg[0] = vector.reg[0];
    for (uint32_t i = 1; i < vector.count; i++) {
      simt_register is_it =
          simt_decode_arithmetic(d, SIMT_EQ, 64, number, simt_decode_constant(d, i), 0);
      dst.reg[0] = simt_decode_arithmetic(d, SIMT_SELECT, 64, is_it, vector.reg[i], dst.reg[0]);
    }
  }
  simt_decode_bind(d, at, dst);
}

static void decode_insert_element(simt_decoder *d, LLVMValueRef at) {
  simt_value vector = simt_decode_operand_at(d, at, 0);
  simt_register element = simt_decode_operand_at(d, at, 1).reg[0];
  simt_value dst = simt_decode_list(d, vector.count);
  memcpy(dst.reg, vector.reg, vector.count * sizeof *dst.reg);
  LLVMValueRef index = LLVMGetOperand(at, 2);
  if (LLVMIsAConstantInt(index)) {
    dst.reg[constant_index(d, index, vector.count)] = element;
  } else {
    simt_register number = simt_decode_operand(d, index).reg[0];
    for (uint32_t i = 0; i < vector.count; i++) {
      simt_register is_it =
          simt_decode_arithmetic(d, SIMT_EQ, 64, number, simt_decode_constant(d, i), 0);
      dst.reg[i] = simt_decode_arithmetic(d, SIMT_SELECT, 64, is_it, element, dst.reg[i]);
    }
  }
  simt_decode_bind(d, at, dst);
}

static void decode_shuffle_vector(simt_decoder *d, LLVMValueRef at) {
  simt_value a = simt_decode_operand_at(d, at, 0), b = simt_decode_operand_at(d, at, 1);
  simt_value dst = simt_decode_list(d, LLVMGetNumMaskElements(at));
  for (uint32_t i = 0; i < dst.count; i++) {
    int from = LLVMGetMaskValue(at, i);
    uint32_t index = from < 0 ? 0 : (uint32_t)from;
    dst.reg[i] = index < a.count ? a.reg[index] : b.reg[index - a.count];
  }
  simt_decode_bind(d, at, dst);
}

// The registers of a member of an aggregate among all of it: `*first` of them come before.
static uint32_t member_registers(simt_decoder *d, LLVMValueRef at, uint32_t *first) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(at, 0));
  const unsigned *index = LLVMGetIndices(at);
  *first = 0;
  for (unsigned i = 0; i < LLVMGetNumIndices(at); i++) {
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
      type = LLVMGetElementType(type);
      *first += index[i] * simt_decode_leaves(d, type).count;
      continue;
    }
    for (unsigned j = 0; j < index[i]; j++)
      *first += simt_decode_leaves(d, LLVMStructGetTypeAtIndex(type, j)).count;
    type = LLVMStructGetTypeAtIndex(type, index[i]);
  }
  return simt_decode_leaves(d, type).count;
}

static void decode_extract_value(simt_decoder *d, LLVMValueRef at) {
  uint32_t first, count = member_registers(d, at, &first);
  simt_value whole = simt_decode_operand_at(d, at, 0);
  simt_decode_bind(d, at, (simt_value){whole.reg + first, count});
}

static void decode_insert_value(simt_decoder *d, LLVMValueRef at) {
  uint32_t first, count = member_registers(d, at, &first);
  simt_value whole = simt_decode_operand_at(d, at, 0), part = simt_decode_operand_at(d, at, 1);
  simt_value dst = simt_decode_list(d, whole.count);
  memcpy(dst.reg, whole.reg, whole.count * sizeof *dst.reg);
  memcpy(dst.reg + first, part.reg, count * sizeof *dst.reg);
  simt_decode_bind(d, at, dst);
}

void simt_decode_instruction(simt_decoder *d, LLVMValueRef at) {
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
  case LLVMFRem:
  case LLVMFNeg:
    decode_arithmetic(d, at);
    break;
  case LLVMICmp:
  case LLVMFCmp:
    decode_comparison(d, at);
    break;
  case LLVMSelect:
    decode_select(d, at);
    break;
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMFPToUI:
  case LLVMFPToSI:
  case LLVMUIToFP:
  case LLVMSIToFP:
  case LLVMFPTrunc:
  case LLVMFPExt:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMAddrSpaceCast:
    decode_conversion(d, at);
    break;
  case LLVMBitCast:
    decode_bitcast(d, at);
    break;
  case LLVMFreeze:
    simt_decode_bind(d, at, simt_decode_operand_at(d, at, 0));
    break;
  case LLVMExtractElement:
    decode_extract_element(d, at);
    break;
  case LLVMInsertElement:
    decode_insert_element(d, at);
    break;
  case LLVMShuffleVector:
    decode_shuffle_vector(d, at);
    break;
  case LLVMExtractValue:
    decode_extract_value(d, at);
    break;
  case LLVMInsertValue:
    decode_insert_value(d, at);
    break;
  case LLVMGetElementPtr:
  case LLVMAlloca:
  case LLVMLoad:
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMFence:
    simt_decode_memory(d, at);
    break;
  case LLVMCall:
    simt_decode_call(d, at);
    break;
  default:
    simt_decode_fail(d, "an unknown instruction");
  }
}
