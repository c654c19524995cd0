#include "memory.h"

#include "llvm/ask/effects.h"
#include "llvm/ask/lifted.h"
#include "llvm/ask/questions.h"
#include "llvm/ask/spaces.h"

#include <string.h>

// Variables whose size is chosen at launch all begin at the same address.
enum { DYNAMIC = 0 };

// PTX's parameters are integers, of which any address may be made.
static unsigned space_of(LLVMValueRef pointer) {
  LLVMTypeRef type = LLVMTypeOf(pointer);
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMGetPointerAddressSpace(type)
                                                      : LIN_IR_GENERIC;
}

static bool is_by_value(LLVMValueRef base) {
  return LLVMIsAArgument(base) != NULL && lin_ir_is_by_value(base);
}

static unsigned number_of_parameter(LLVMValueRef function, LLVMValueRef parameter) {
  unsigned number = 0;
  while (LLVMGetParam(function, number) != parameter)
    number++;
  return number;
}

static bool has_attribute(LLVMValueRef function, unsigned parameter, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMGetEnumAttributeAtIndex(function, parameter + 1, kind) != NULL;
}

// A parameter passed by value is the thread's own copy, if it is written or goes where nobody
// follows it; else it is the same for all.
static bool is_only_read(LLVMValueRef parameter) {
  LLVMValueRef pending[64] = {parameter};
  uint32_t count = 1;
  while (count > 0) {
    LLVMValueRef at = pending[--count];
    for (LLVMUseRef use = LLVMGetFirstUse(at); use != NULL; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      LLVMOpcode opcode = lin_ir_opcode(user);
      if (opcode == LLVMLoad)
        continue;
      if ((opcode != LLVMGetElementPtr && opcode != LLVMBitCast && opcode != LLVMAddrSpaceCast) ||
          count == 64)
        return false;
      pending[count++] = user;
    }
  }
  return true;
}

lin_ir_memory lin_ir_read_memory(lin_arena *arena, LLVMValueRef function) {
  unsigned count = LLVMCountParams(function);
  lin_ir_memory memory = {
      .arena = arena, .function = function, .is_written = LIN_ARRAY(arena, bool, count)};
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    memory.is_written[i] = is_by_value(parameter) && !is_only_read(parameter);
  }
  return memory;
}

static uint32_t number_of(lin_ir_memory *memory, LLVMValueRef variable) {
  uint32_t number = lin_numbers_find(&memory->numbers, variable);
  if (number == LIN_NONE) {
    number = (uint32_t)memory->numbers.count + DYNAMIC + 1;
    lin_numbers_add(memory->arena, &memory->numbers, variable, number);
  }
  return number;
}

// All variables of a module that was PTX are declarations; where several overlap, no address has
// one of them for its base (lift/variables.c).
static bool is_sized(const lin_ir_memory *memory, LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGlobalGetValueType(variable);
  bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
  return (!LLVMIsDeclaration(variable) || lin_ir_was_ptx(memory->function)) &&
         !(is_array && LLVMGetArrayLength2(type) == 0);
}

static lin_touched memory_of_variable(LLVMValueRef variable, unsigned space) {
  if (space == LIN_IR_SHARED)
    return LIN_MEMORY_SHARED;
  if (space == LIN_IR_CONSTANT || LLVMIsGlobalConstant(variable))
    return LIN_MEMORY_CONSTANT;
  return space == LIN_IR_GENERIC || space == LIN_IR_GLOBAL ? LIN_MEMORY_GLOBAL : LIN_MEMORY_ANY;
}

static lin_touched memory_of_parameter(const lin_ir_memory *memory, LLVMValueRef parameter,
                                       unsigned number) {
  if (is_by_value(parameter))
    return memory->is_written[number] ? LIN_MEMORY_OWN : LIN_MEMORY_CONSTANT;
  switch (space_of(parameter)) {
  case LIN_IR_GENERIC:
  case LIN_IR_GLOBAL:
    return has_attribute(memory->function, number, "noalias") ? LIN_MEMORY_RESTRICTED
                                                              : LIN_MEMORY_PARAMETER;
  case LIN_IR_CONSTANT:
    return LIN_MEMORY_CONSTANT;
  case LIN_IR_SHARED:
    return LIN_MEMORY_ANY_SHARED;
  default:
    return LIN_MEMORY_ANY;
  }
}

static lin_touched memory_of_space(unsigned space) {
  switch (space) {
  case LIN_IR_GLOBAL:
    return LIN_MEMORY_ANY_GLOBAL;
  case LIN_IR_SHARED:
    return LIN_MEMORY_ANY_SHARED;
  case LIN_IR_CONSTANT:
  case LIN_IR_PARAMETER:
    return LIN_MEMORY_CONSTANT;
  case LIN_IR_LOCAL:
    return LIN_MEMORY_OWN;
  default:
    return LIN_MEMORY_ANY;
  }
}

void lin_ir_set_memory(lin_ir_memory *memory, LLVMValueRef address, lin_touch *touch) {
  LLVMValueRef base = lin_ir_base(address);
  touch->id = 0;
  if (LLVMIsAGlobalVariable(base) != NULL) {
    touch->memory = memory_of_variable(base, space_of(base));
    touch->id = is_sized(memory, base) ? number_of(memory, base) : DYNAMIC;
  } else if (LLVMIsAArgument(base) != NULL) {
    touch->id = number_of_parameter(memory->function, base);
    touch->memory = memory_of_parameter(memory, base, touch->id);
  } else if (LLVMIsAAllocaInst(base) != NULL) {
    touch->memory = LIN_MEMORY_OWN;
  } else {
    touch->memory = memory_of_space(space_of(base));
    if (touch->memory == LIN_MEMORY_ANY)
      touch->memory = memory_of_space(space_of(address));
  }
}
