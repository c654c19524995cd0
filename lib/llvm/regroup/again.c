#include "again.h"

#include "llvm/ask/effects.h"
#include "llvm/ask/names.h"
#include "llvm/ask/questions.h"
#include "llvm/ask/spaces.h"

#include <stdlib.h>
#include <string.h>

static const char *special_register(LLVMValueRef instruction) {
  const char *name = lin_ir_register_read(instruction);
  return name == NULL ? "" : name;
}

bool lin_ir_is_of_lane(LLVMValueRef instruction) {
  static const char *const names[] = {"laneid", "lanemask", "warpid", NULL};
  return lin_ir_begins_with_any(special_register(instruction), names);
}

int lin_ir_index_dimension(LLVMValueRef instruction) {
  static const char *const names[] = {"tid.x", "tid.y", "tid.z"};
  for (int i = 0; i < 3; i++)
    if (strcmp(special_register(instruction), names[i]) == 0)
      return i;
  return -1;
}

bool lin_ir_is_of_block(LLVMValueRef instruction) {
  static const char *const names[] = {"ntid.",    "ctaid.",      "nctaid.",   "nwarpid",
                                      "warpsize", "cluster_",    "clusterid", "nclusterid",
                                      "gridid",   "is_explicit", NULL};
  return lin_ir_begins_with_any(special_register(instruction), names);
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
  const char *name = lin_ir_called_name(instruction);
  if (strcmp(name, "llvm.nvvm.barrier0") == 0)
    return true;
  static const char *const numbered[] = {"llvm.nvvm.barrier.cta.sync.aligned.all",
                                         "llvm.nvvm.barrier.cta.sync.all",
                                         "llvm.nvvm.bar.sync",
                                         "llvm.nvvm.barrier.n",
                                         "llvm.nvvm.barrier.sync",
                                         NULL};
  for (const char *const *known = numbered; *known != NULL; known++)
    if (strcmp(name, *known) == 0) {
      LLVMValueRef number = LLVMGetOperand(instruction, 0);
      return LLVMIsAConstantInt(number) != NULL && LLVMConstIntGetZExtValue(number) == 0;
    }
  return false;
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
  return LLVMGetIntrinsicID(callee) != 0 || lin_ir_begins_with(lin_ir_called_name(call), "__nv_");
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

bool lin_ir_is_of_matrices(const char *name) {
  static const char *const names[] = {
      "llvm.nvvm.mma.",     "llvm.nvvm.wmma.",    "llvm.nvvm.wgmma.",    "llvm.nvvm.ldmatrix",
      "llvm.nvvm.stmatrix", "llvm.nvvm.tcgen05.", "llvm.nvvm.movmatrix", NULL};
  return lin_ir_begins_with_any(name, names);
}
