// Half and bfloat are computed in float and rounded.
#include "decode_parts.h"

simt_register simt_decode_arithmetic(simt_decoder *d, simt_opcode opcode, uint8_t width,
                                     simt_register a, simt_register b, simt_register c) {
  simt_register dst = simt_decode_fresh(d, 1);
  simt_decode_emit(
      d, (simt_instruction){
             .opcode = (uint16_t)opcode, .width = width, .dst = dst, .a = a, .b = b, .c = c});
  return dst;
}

bool simt_decode_is_narrow(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind;
}

simt_register simt_decode_widen(simt_decoder *d, LLVMTypeRef type, simt_register value) {
  if (!simt_decode_is_narrow(type))
    return value;
  bool half = LLVMGetTypeKind(type) == LLVMHalfTypeKind;
  return simt_decode_arithmetic(d, half ? SIMT_HTOF : SIMT_BTOF, 32, value, 0, 0);
}

simt_register simt_decode_narrow(simt_decoder *d, LLVMTypeRef type, simt_register value) {
  if (!simt_decode_is_narrow(type))
    return value;
  bool half = LLVMGetTypeKind(type) == LLVMHalfTypeKind;
  return simt_decode_arithmetic(d, half ? SIMT_FTOH : SIMT_FTOB, 16, value, 0, 0);
}

simt_register simt_decode_float(simt_decoder *d, simt_opcode opcode, LLVMTypeRef type,
                                const simt_register *operand, uint32_t count, uint32_t extra) {
  simt_register wide[3] = {0};
  for (uint32_t i = 0; i < count; i++)
    wide[i] = simt_decode_widen(d, type, operand[i]);
  simt_register dst = simt_decode_fresh(d, 1);
  simt_decode_emit(
      d, (simt_instruction){.opcode = (uint16_t)opcode,
                            .width = simt_decode_is_narrow(type) ? 32 : simt_decode_bits(d, type),
                            .dst = dst,
                            .a = wide[0],
                            .b = wide[1],
                            .c = wide[2],
                            .extra = extra});
  return opcode == SIMT_FCMP ? dst : simt_decode_narrow(d, type, dst);
}
