#include "again.h"

#include "llvm/ask/effects.h"
#include "llvm/ask/names.h"
#include "llvm/ask/questions.h"
#include "llvm/ask/spaces.h"

#include <stdlib.h>

bool lin_ir_is_of_lane(LLVMValueRef instruction) {
  const lin_nvptx *read = lin_ir_register_read(instruction);
  return lin_nvptx_is(read, LIN_NVPTX_LANEID) || lin_nvptx_is(read, LIN_NVPTX_LANE);
}

int lin_ir_index_dimension(LLVMValueRef instruction) {
  const lin_nvptx *read = lin_ir_register_read(instruction);
  return lin_nvptx_is(read, LIN_NVPTX_TID) ? lin_nvptx_axis(read) : -1;
}

bool lin_ir_is_of_block(LLVMValueRef instruction) {
  const lin_nvptx *read = lin_ir_register_read(instruction);
  return read != NULL && read->gives <= LIN_GIVES_BLOCK;
}

static uint32_t bits_of_constant(uint64_t value) {
  uint32_t bits = 1;
  while (bits < 64 && value >> bits != 0)
    bits++;
  return bits;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

// Of what isn't a phi or a select; `width` if nothing is known.
static uint32_t own_bits(LLVMValueRef value, uint32_t width) {
  if (LLVMIsAConstantInt(value) != NULL)
    return width > 64 ? width : bits_of_constant(LLVMConstIntGetZExtValue(value));
  if (LLVMIsAInstruction(value) == NULL)
    return width;
  static const uint32_t of_index[] = {10, 10, 6};
  int dimension = lin_ir_index_dimension(value);
  if (dimension >= 0)
    return of_index[dimension];
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  LLVMValueRef last = LLVMGetNumOperands(value) < 2 ? NULL : LLVMGetOperand(value, 1);
  if (opcode == LLVMZExt)
    return LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0)));
  if (last == NULL || LLVMIsAConstantInt(last) == NULL || width > 64)
    return width;
  const uint64_t constant = LLVMConstIntGetZExtValue(last);
  switch (opcode) {
  case LLVMAnd:
    return bits_of_constant(constant);
  case LLVMLShr:
    return constant < width ? width - (uint32_t)constant : width;
  case LLVMURem:
    return constant > 0 ? bits_of_constant(constant - 1) : width;
  default:
    return width;
  }
}

uint32_t lin_ir_bits_set(LLVMValueRef integer) {
  const uint32_t width = LLVMGetIntTypeWidth(LLVMTypeOf(integer));
  uint32_t most = 1;
  if (LLVMIsAPHINode(integer) != NULL) {
    for (unsigned i = 0; i < LLVMCountIncoming(integer); i++) {
      uint32_t bits = own_bits(LLVMGetIncomingValue(integer, i), width);
      most = bits > most ? bits : most;
    }
  } else if (LLVMIsASelectInst(integer) != NULL) {
    for (unsigned i = 1; i < 3; i++) {
      uint32_t bits = own_bits(LLVMGetOperand(integer, i), width);
      most = bits > most ? bits : most;
    }
  } else {
    most = own_bits(integer, width);
  }
  return least(most, width);
}

bool lin_ir_is_plain_barrier(LLVMValueRef instruction) {
  if (!lin_nvptx_is(lin_ir_intrinsic(instruction), LIN_NVPTX_BARRIER))
    return false;
  LLVMValueRef number =
      LLVMGetNumArgOperands(instruction) == 0 ? NULL : LLVMGetOperand(instruction, 0);
  return number == NULL ||
         (LLVMIsAConstantInt(number) != NULL && LLVMConstIntGetZExtValue(number) == 0);
}

// A kernel's parameter that is passed by value is never written: whoever does that is refused.
static bool loads_constant(LLVMValueRef load) {
  if (!lin_ir_is_plain_load(load))
    return false;
  LLVMValueRef pointer = LLVMGetOperand(load, 0), base = lin_ir_base(pointer);
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
  if (space == LIN_IR_CONSTANT || space == LIN_IR_PARAMETER)
    return true;
  if (LLVMIsAGlobalVariable(base) != NULL)
    return LLVMIsGlobalConstant(base);
  return lin_ir_is_kernel_parameter(base) && lin_ir_is_by_value(base);
}

// Not `convergent`: what depends on who is there.
static bool calls_computed(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAFunction(callee) == NULL || !lin_ir_may_stand_twice(call))
    return false;
  if (lin_ir_is_of_block(call) || lin_ir_is_of_lane(call))
    return true;
  if (lin_ir_register_read(call) != NULL || !lin_ir_touches_no_memory(callee))
    return false;
  return LLVMGetIntrinsicID(callee) != 0 ||
         lin_nvptx_behind_libdevice(lin_ir_called_name(call)) != NULL;
}

bool lin_ir_is_computed(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad:
    return loads_constant(instruction);
  case LLVMCall:
    return calls_computed(instruction);
  case LLVMPHI:
  case LLVMAlloca:
  case LLVMFreeze:
  case LLVMStore:
  case LLVMFence:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
    return false;
  default:
    return LLVMIsATerminatorInst(instruction) == NULL && lin_ir_may_stand_twice(instruction);
  }
}
