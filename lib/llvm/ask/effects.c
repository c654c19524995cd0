#include "effects.h"

#include "gpu/assembly.h"
#include "lifted.h"
#include "names.h"

#include <string.h>

static const uint32_t everything =
    LIN_FOREIGN | LIN_WAITS | LIN_POLLS | LIN_RELEASES | LIN_CROSS_LANE | LIN_MAY_SPIN;

LLVMAttributeRef lin_ir_attribute(LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                     kind);
}

bool lin_ir_is_by_value(LLVMValueRef parameter) {
  LLVMValueRef function = LLVMGetParamParent(parameter);
  LLVMAttributeIndex index = 1;
  while (LLVMGetParam(function, index - 1) != parameter)
    index++;
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  return LLVMGetEnumAttributeAtIndex(function, index, kind) != NULL;
}

// The memory attribute packs two bits for each kind of memory: 1 may be read, 2 may be written.
bool lin_ir_never_writes(LLVMValueRef function) {
  LLVMAttributeRef memory = lin_ir_attribute(function, "memory");
  return memory != NULL && (LLVMGetEnumAttributeValue(memory) & 0xAAAAAAAAu) == 0;
}

bool lin_ir_touches_no_memory(LLVMValueRef function) {
  LLVMAttributeRef memory = lin_ir_attribute(function, "memory");
  return memory != NULL && LLVMGetEnumAttributeValue(memory) == 0;
}

static bool contains_any(const char *text, const char *const *words) {
  for (; *words != NULL; words++)
    if (strstr(text, *words) != NULL)
      return true;
  return false;
}

// One that the table doesn't have waits for the threads that it is convergent with, or depends on
// them.
static uint32_t effects_of_intrinsic(LLVMValueRef callee, const char *name) {
  const lin_nvptx *row = lin_nvptx_intrinsic(name);
  uint32_t effects = lin_ir_never_writes(callee) ? 0 : LIN_RELEASES;
  if (row != NULL)
    effects |= row->effects & ~(uint32_t)LIN_MEMORY;
  else if (lin_nvptx_behind(name) != NULL && lin_ir_attribute(callee, "convergent") != NULL)
    effects |= LIN_WAITS | LIN_CROSS_LANE;
  return effects;
}

// The function of the module that assembly calls, or NULL: it isn't there, or too long a name.
static LLVMValueRef called_by_assembly(LLVMValueRef call, const lin_assembly *read) {
  char name[1024];
  if (read->callee == NULL || read->calls_unknown || read->callee_length >= sizeof name)
    return NULL;
  memcpy(name, read->callee, read->callee_length);
  name[read->callee_length] = '\0';
  LLVMValueRef function = LLVMGetNamedFunction(
      LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))), name);
  return function == NULL || LLVMIsDeclaration(function) ? NULL : function;
}

// What its opcodes do; with a side effect that they don't explain, anything. Of a function that it
// calls, and that is there, the function says more.
static uint32_t effects_of_assembly(LLVMValueRef call, LLVMValueRef *callee) {
  LLVMValueRef assembly = LLVMGetCalledValue(call);
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
  const lin_assembly read = lin_assembly_read(text, length);
  bool has_side_effects = LLVMGetInlineAsmHasSideEffects(assembly) != 0;
  *callee = called_by_assembly(call, &read);
  if (read.calls_unknown || (read.callee != NULL && *callee == NULL) ||
      (read.has_unknown && has_side_effects)) {
    *callee = NULL;
    return everything;
  }
  uint32_t effects = read.effects & ~(uint32_t)LIN_MEMORY;
  if ((effects & LIN_POLLS) != 0 && lin_assembly_names(&read, LIN_NVPTX_BRANCH))
    effects |= LIN_MAY_SPIN;
  return effects | (has_side_effects ? LIN_RELEASES : 0);
}

// A register of the assembly's own has a name with %, too: then nobody looks which it is.
bool lin_ir_is_arithmetic(LLVMValueRef assembly) {
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
  const lin_assembly read = lin_assembly_read(text, length);
  return !LLVMGetInlineAsmHasSideEffects(assembly) && read.effects == 0 && !read.calls_unknown &&
         read.callee == NULL && strchr(text, '%') == NULL &&
         !contains_any(LLVMGetInlineAsmConstraintString(assembly, &length),
                       (const char *const[]){"memory", "*", NULL});
}

bool lin_ir_only_passes(LLVMValueRef call, LLVMValueRef *callee) {
  LLVMValueRef assembly = LLVMGetCalledValue(call);
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
  const lin_assembly read = lin_assembly_read(text, length);
  *callee = called_by_assembly(call, &read);
  return lin_ir_was_ptx(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))) &&
         !read.does_more && !read.calls_unknown && (read.callee == NULL || *callee != NULL) &&
         strchr(text, '%') == NULL;
}

bool lin_ir_is_of_runtime(const char *name) {
  const lin_nvptx *row = lin_nvptx_callee(name, strlen(name));
  return lin_nvptx_is(row, LIN_NVPTX_RUNTIME) || lin_nvptx_is(row, LIN_NVPTX_LIBDEVICE);
}

// The same of a call, whose attributes say more than those of what it calls.
static LLVMAttributeRef attribute_of_call(LLVMValueRef call, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

// Whoever waits for others, or reads as volatile or atomic, writes memory as LLVM counts it.
static uint32_t effects_of_declaration(LLVMValueRef call, LLVMValueRef callee, const char *name) {
  uint32_t effects = everything;
  LLVMAttributeRef memory = attribute_of_call(call, "memory");
  bool never_writes = lin_ir_never_writes(callee) ||
                      (memory != NULL && (LLVMGetEnumAttributeValue(memory) & 0xAAAAAAAAu) == 0);
  if (never_writes || lin_ir_attribute(callee, "nosync") != NULL ||
      attribute_of_call(call, "nosync") != NULL || lin_ir_is_of_runtime(name) ||
      lin_nvptx_is(lin_nvptx_callee(name, strlen(name)), LIN_NVPTX_OPTIX))
    effects &= ~(uint32_t)(LIN_FOREIGN | LIN_WAITS | LIN_POLLS | LIN_CROSS_LANE | LIN_MAY_SPIN);
  if (never_writes)
    effects &= ~(uint32_t)LIN_RELEASES;
  return effects;
}

uint32_t lin_ir_own_effects(LLVMValueRef instruction, LLVMValueRef *callee) {
  *callee = NULL;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad:
    return LLVMGetVolatile(instruction) ||
                   LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic
               ? LIN_POLLS
               : 0;
  case LLVMStore:
    return LIN_RELEASES;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg: // who doesn't look at what was there doesn't wait for it
    return LIN_RELEASES | (LLVMGetFirstUse(instruction) == NULL ? 0 : LIN_POLLS);
  case LLVMCall:
    break;
  default:
    return 0;
  }
  LLVMValueRef called = LLVMGetCalledValue(instruction);
  if (LLVMIsAInlineAsm(called))
    return effects_of_assembly(instruction, callee);
  if (!LLVMIsAFunction(called))
    return everything;
  size_t length;
  const char *name = LLVMGetValueName2(called, &length);
  if (LLVMGetIntrinsicID(called) != 0)
    return effects_of_intrinsic(called, name);
  if (LLVMIsDeclaration(called))
    return effects_of_declaration(instruction, called, name);
  *callee = called;
  return 0;
}

bool lin_ir_is_plain_load(LLVMValueRef value) {
  LLVMValueRef callee;
  return LLVMIsALoadInst(value) != NULL && lin_ir_own_effects(value, &callee) == 0;
}
