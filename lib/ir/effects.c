#include "effects.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t everything = LIN_WAITS | LIN_POLLS | LIN_RELEASES | LIN_CROSS_LANE;

static bool begins_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

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
static bool never_writes(LLVMValueRef function) {
  LLVMAttributeRef memory = lin_ir_attribute(function, "memory");
  return memory != NULL && (LLVMGetEnumAttributeValue(memory) & 0xAAAAAAAAu) == 0;
}

static bool contains_any(const char *text, const char *const *words) {
  for (; *words != NULL; words++)
    if (strstr(text, *words) != NULL)
      return true;
  return false;
}

// Votes and shuffles that name no mask take whoever is there; so does activemask.
static bool takes_who_is_there(const char *name) {
  if (strstr(name, "activemask") != NULL)
    return true;
  return contains_any(name, (const char *const[]){"vote", "shfl", "match.", NULL}) &&
         strstr(name, "sync") == NULL;
}

static bool waits(const char *name) {
  return contains_any(name, (const char *const[]){"barrier", "bar.", "sync", "wait", NULL});
}

static uint32_t effects_of_intrinsic(LLVMValueRef callee, const char *name) {
  if (!begins_with(name, "llvm.nvvm."))
    return never_writes(callee) ? 0 : LIN_RELEASES;
  uint32_t effects = 0;
  if (takes_who_is_there(name))
    effects |= LIN_CROSS_LANE;
  if (waits(name))
    effects |= LIN_WAITS;
  if (strstr(name, "atomic") != NULL)
    effects |= LIN_POLLS | LIN_RELEASES;
  if (!never_writes(callee))
    effects |= LIN_RELEASES;
  return effects;
}

// What the text of inline assembly names; a side effect that it doesn't explain may be a store.
static uint32_t effects_of_assembly(LLVMValueRef assembly) {
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
  uint32_t effects = 0;
  if (takes_who_is_there(text))
    effects |= LIN_CROSS_LANE;
  if (waits(text) || strstr(text, "call") != NULL)
    effects |= LIN_WAITS;
  if (contains_any(text, (const char *const[]){"ld.", "atom", NULL}))
    effects |= LIN_POLLS;
  if (contains_any(text, (const char *const[]){"st.", "atom", "red.", NULL}) ||
      LLVMGetInlineAsmHasSideEffects(assembly))
    effects |= LIN_RELEASES;
  return effects;
}

static uint32_t effects_of_declaration(LLVMValueRef callee) {
  uint32_t effects = everything;
  if (lin_ir_attribute(callee, "nosync") != NULL)
    effects &= ~(uint32_t)(LIN_WAITS | LIN_POLLS | LIN_CROSS_LANE);
  if (never_writes(callee))
    effects &= ~(uint32_t)LIN_RELEASES;
  return effects;
}

// Effects of an instruction alone. A call of a defined function sets `*callee` and has none itself.
static uint32_t local_effects(LLVMValueRef instruction, LLVMValueRef *callee) {
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
    return effects_of_assembly(called);
  if (!LLVMIsAFunction(called))
    return everything;
  size_t length;
  const char *name = LLVMGetValueName2(called, &length);
  if (LLVMGetIntrinsicID(called) != 0)
    return effects_of_intrinsic(called, name);
  if (LLVMIsDeclaration(called))
    return effects_of_declaration(called);
  *callee = called;
  return 0;
}

typedef struct reached {
  LLVMValueRef *function;
  size_t count, capacity;
} reached;

static void reach(reached *r, LLVMValueRef function) {
  for (size_t i = 0; i < r->count; i++)
    if (r->function[i] == function)
      return;
  if (r->count == r->capacity) {
    r->capacity = r->capacity == 0 ? 16 : 2 * r->capacity;
    r->function = realloc(r->function, r->capacity * sizeof *r->function);
    if (r->function == NULL)
      abort();
  }
  r->function[r->count++] = function;
}

uint32_t lin_ir_effects(LLVMValueRef instruction) {
  LLVMValueRef callee;
  uint32_t effects = local_effects(instruction, &callee);
  if (callee == NULL)
    return effects;
  reached r = {0};
  reach(&r, callee);
  for (size_t i = 0; i < r.count && effects != everything; i++)
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(r.function[i]); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
           at = LLVMGetNextInstruction(at)) {
        effects |= local_effects(at, &callee);
        if (callee != NULL)
          reach(&r, callee);
      }
  free(r.function);
  return effects;
}
